package timing

import (
	"errors"
	"testing"
	"time"
)

func TestMeasure(t *testing.T) {
	const pause = 2 * time.Millisecond
	steps := 0
	times, err := Measure(2, 0.05, func() error {
		steps++
		time.Sleep(pause)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if times.N < 5 || steps != times.N+warmUp {
		t.Errorf("%d steps ran, %d were timed, want at least 5 and %d more", steps, times.N, warmUp)
	}
	if least := pause.Seconds() * 1e3; times.Least < least || times.Median < times.Least {
		t.Errorf("the least of %v ms and the median of %v ms, want no less than %v ms and the least", times.Least, times.Median, least)
	}
	if cpu, err := Measure(1, 0.02, func() error { time.Sleep(pause); return nil }); err != nil || cpu.Least > times.Least/2 {
		t.Errorf("sleeping takes %v ms of the processor, error %v", cpu.Least, err)
	}
}

func TestMeasureTimesShortStepsTogether(t *testing.T) {
	steps := 0
	times, err := Measure(1, 0, func() error { steps++; return nil })
	if err != nil || times.N != 5 || steps < 10*times.N {
		t.Errorf("%d empty steps were timed as %d, error %v", steps, times.N, err)
	}
}

func TestMeasureInTurn(t *testing.T) {
	var steps [2]int
	times, err := MeasureInTurn(2, 0.05, 2, func(kind int) error {
		steps[kind]++
		time.Sleep(time.Duration(1+2*kind) * time.Millisecond)
		return nil
	})
	if err != nil || steps[0] != steps[1] || times.N != 2*(steps[0]-1) || times.Least < 2 || times.Median < times.Least {
		t.Errorf("%v after %v steps, error %v, want the mean of 1 ms and 3 ms or more", times, steps, err)
	}
	broken := errors.New("broken")
	if _, err := MeasureInTurn(1, 0, 3, func(kind int) error {
		if kind == 2 {
			return broken
		}
		return nil
	}); err != broken {
		t.Errorf("the error is %v, want %v", err, broken)
	}
}

func TestMeasureReturnsErrors(t *testing.T) {
	broken := errors.New("broken")
	for last := range 8 {
		n := 0
		_, err := Measure(1, 0, func() error {
			if n++; n > last {
				return broken
			}
			return nil
		})
		if err != broken {
			t.Errorf("after %d steps the error is %v, want %v", last, err, broken)
		}
	}
}

func TestPeakMemory(t *testing.T) {
	const size = 64 << 20
	block := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		block[i] = 1
	}
	if peak := PeakMemory(); peak != 0 && (peak < size || peak > 100*size) {
		t.Errorf("the process had at most %.0f bytes, and has %d now", peak, len(block))
	}
}

package paddle

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// watched is a reporter with a clock of its own, which writes to a text.
func watched(terminal bool, epochs int) (r *reporter, out *strings.Builder, clock *time.Time) {
	out, clock = &strings.Builder{}, &time.Time{}
	r = newReporter(out, epochs)
	r.now = func() time.Time { return *clock }
	if terminal {
		r.terminal, r.interval = true, barInterval
	}
	return r, out, clock
}

// train runs the steps of two epochs on r: 4 batches of 25 samples each, which take 5 s each. The loss is 1/2 in the first epoch and 1/4
// in the second.
func train(r *reporter, clock *time.Time) {
	for epoch := range 2 {
		r.begin(epoch, 0)
		var m means
		for batch := range 4 {
			*clock = clock.Add(5 * time.Second)
			m.add(&Step{Loss: math.Pow(0.5, float64(epoch+1)), Count: 25, Metrics: []MetricValue{{"accuracy", 0.75, 25}}}, size{samples: 25}, 5*time.Second)
			r.step(&m, batch)
		}
		v := Result{Loss: 0.125, Metrics: []MetricValue{{"accuracy", 1, 100}}}
		r.epoch(&EndEpoch{Epoch: epoch, Train: m.result(), Validation: &v, Duration: m.duration, Samples: m.size.samples})
	}
	r.close()
}

func TestProgressLines(t *testing.T) {
	r, out, clock := watched(false, 2)
	train(r, clock)
	want := `epoch 1/2, batch 2: loss 0.5, accuracy 0.75, 5 samples/s
epoch 1/2, batch 4: loss 0.5, accuracy 0.75, 5 samples/s
epoch 1/2: loss 0.5, accuracy 0.75, validation loss 0.125, validation accuracy 1, 5 samples/s, 20s
epoch 2/2, batch 2 of 4: loss 0.25, accuracy 0.75, 5 samples/s, 10s left
epoch 2/2, batch 4 of 4: loss 0.25, accuracy 0.75, 5 samples/s, 0s left
epoch 2/2: loss 0.25, accuracy 0.75, validation loss 0.125, validation accuracy 1, 5 samples/s, 20s
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

func TestProgressBar(t *testing.T) {
	before := runtime.NumGoroutine()
	r, out, clock := watched(true, 2)
	train(r, clock)
	for _, want := range []string{"epoch 1/2, loss 0.5, accuracy 0.75, 5 samples/s", "(2/4) epoch 2/2, loss 0.25, accuracy 0.75, 5 samples/s, 10s left", "█"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the bar lacks %q: %q", want, out)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 {
		t.Errorf("%d lines, want one for each epoch: %q", lines, out)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

func TestProgressIsQuietBetweenPrints(t *testing.T) {
	r, out, _ := watched(false, 1)
	r.begin(0, 0)
	var m means
	s := &Step{Loss: 1, Count: 1, Metrics: []MetricValue{{"a", 1, 1}}}
	m.add(s, size{samples: 1}, time.Second)
	if n := testing.AllocsPerRun(100, func() {
		m.add(s, size{samples: 1}, time.Second)
		r.step(&m, 1)
	}); n != 0 || out.Len() != 0 {
		t.Errorf("a step that does not print allocates %v times and writes %q", n, out)
	}
	var none *reporter // without FitOptions.Progress
	train(none, new(time.Time))
}

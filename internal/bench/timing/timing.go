// Package timing measures steps as all programs of the comparison do.
package timing

import (
	"fmt"
	"math"
	"slices"
	"time"
)

const (
	warmUp   = 3
	most     = 2000   // steps timed
	shortest = 200e-6 // seconds that are timed together: shorter steps are timed several at once, for the clock's sake
)

// Times is what the steps of a case took, in milliseconds, and how many were timed.
type Times struct {
	Least, Median float64
	N             int
}

// String returns the part of a line that all programs of the comparison have.
func (t Times) String() string {
	return fmt.Sprintf("min %.5g ms med %.5g ms n=%d", t.Least, t.Median, t.N)
}

// Measure times a step again and again, for so many seconds and at least 5 times: with one thread by the processor's clock, with more by
// the wall's. It returns the first error of a step.
func Measure(threads int, seconds float64, step func() error) (Times, error) {
	clock := clockFor(threads)
	together := func(n int) (float64, error) {
		at := clock()
		for range n {
			if err := step(); err != nil {
				return 0, err
			}
		}
		return (clock() - at) * 1e3 / float64(n), nil
	}
	least := math.Inf(1)
	for range warmUp {
		t, err := together(1)
		if err != nil {
			return Times{}, err
		}
		least = min(least, t)
	}
	n := max(1, int(shortest*1e3/max(least, 1e-3)))
	var times []float64
	for start := time.Now(); len(times) < 5 || time.Since(start).Seconds() < seconds && len(times) < most; {
		t, err := together(n)
		if err != nil {
			return Times{}, err
		}
		times = append(times, t)
	}
	slices.Sort(times)
	return Times{times[0], times[len(times)/2], len(times)}, nil
}

// MeasureInTurn times several steps that are not alike, step(0) to step(kinds−1), one after the other again and again, for so many seconds
// and at least twice. The times are means over the kinds: of the least and of the median of each.
func MeasureInTurn(threads int, seconds float64, kinds int, step func(kind int) error) (Times, error) {
	clock := clockFor(threads)
	times := make([][]float64, kinds)
	start := time.Now()
	for round := 0; round < 3 || time.Since(start).Seconds() < seconds && round < most; round++ {
		if round == 1 {
			start = time.Now() // the first is to warm up
		}
		for kind := range kinds {
			at := clock()
			if err := step(kind); err != nil {
				return Times{}, err
			}
			if round > 0 {
				times[kind] = append(times[kind], (clock()-at)*1e3)
			}
		}
	}
	var mean Times
	for _, t := range times {
		slices.Sort(t)
		mean.Least += t[0] / float64(kinds)
		mean.Median += t[len(t)/2] / float64(kinds)
		mean.N += len(t)
	}
	return mean, nil
}

// clockFor returns the processor's clock for one thread, the wall's for more, in seconds.
func clockFor(threads int) func() float64 {
	if threads > 1 {
		return wall
	}
	return CPU
}

var begin = time.Now()

func wall() float64 { return time.Since(begin).Seconds() }

package main

import (
	"fmt"
	"slices"
	"time"
)

const (
	warmUp   = 3
	most     = 2000   // steps timed
	shortest = 200e-6 // seconds that are timed together: shorter steps are timed several at once, for the clock's sake
)

// timing is what the steps of a case took, in milliseconds.
type timing struct {
	least, median float64
	n             int
}

// measure times a step again and again: with one thread by the processor's clock, with more by the wall's.
func (b *bench) measure(step func() error) (timing, error) {
	clock := cpuTime
	if b.threads > 1 {
		clock = wallTime
	}
	together := func(n int) (float64, error) {
		at := clock()
		for range n {
			if err := step(); err != nil {
				return 0, err
			}
		}
		return (clock() - at) * 1e3 / float64(n), nil
	}
	var one float64
	for range warmUp {
		var err error
		if one, err = together(1); err != nil {
			return timing{}, err
		}
	}
	n := max(1, int(shortest*1e3/max(one, 1e-3)))
	var times []float64
	for start := time.Now(); len(times) < 5 || time.Since(start).Seconds() < b.seconds && len(times) < most; {
		t, err := together(n)
		if err != nil {
			return timing{}, err
		}
		times = append(times, t)
	}
	slices.Sort(times)
	return timing{times[0], times[len(times)/2], len(times)}, nil
}

// report prints the line of a case. flop is the arithmetic of a step in floating-point operations, a multiply-add counting two, gflops what
// was done of it a second, peak what the processors could do, and share gflops/peak: what remains to 1 is memory traffic and everything
// that is not arithmetic. peak_mb is the most memory that the process has had so far.
func (b *bench) report(name string, t timing, flop int64) { b.reportAt(name, t, flop, b.peak) }

// reportAt is report for another peak than that of float32.
func (b *bench) reportAt(name string, t timing, flop int64, peak float64) {
	rate := float64(flop) / t.least / 1e6
	fmt.Printf("paddle %s T=%d min %.5g ms med %.5g ms n=%d flop=%.4g gflops=%.1f peak=%.1f share=%.2f peak_mb=%.0f\n",
		name, b.threads, t.least, t.median, t.n, float64(flop), rate, peak/1e9, rate/(peak/1e9), peakMemory()/(1<<20))
}

var begin = time.Now()

func wallTime() float64 { return time.Since(begin).Seconds() }

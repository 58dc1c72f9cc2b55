package main

import (
	"fmt"

	"paddle/internal/bench/timing"
)

// measure times a step.
func (b *bench) measure(step func() error) (timing.Times, error) {
	return timing.Measure(b.threads, b.seconds, step)
}

// report prints the line of a case. flop is the arithmetic of a step in floating-point operations, a multiply-add counting two, gflops what
// was done of it a second, peak what the processors could do, and share gflops/peak: what remains to 1 is memory traffic and everything
// that is not arithmetic. peak_mb is the most memory that the process has had so far.
func (b *bench) report(name string, t timing.Times, flop int64) { b.reportAt(name, t, flop, b.peak) }

// reportTokens is report for a step on so many tokens of sequences, and adds how many that are a second.
func (b *bench) reportTokens(name string, t timing.Times, flop int64, tokens int) {
	b.report(name, t, flop)
	fmt.Printf("  real tokens/s %.0f\n", float64(tokens)/t.Least*1e3)
}

// reportAt is report for another peak than that of float32.
func (b *bench) reportAt(name string, t timing.Times, flop int64, peak float64) {
	rate := float64(flop) / t.Least / 1e6
	fmt.Printf("paddle %s T=%d %v flop=%.4g gflops=%.1f peak=%.1f share=%.2f peak_mb=%.0f\n",
		name, b.threads, t, float64(flop), rate, peak/1e9, rate/(peak/1e9), timing.PeakMemory()/(1<<20))
}

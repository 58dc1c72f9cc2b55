package cpu

import (
	"fmt"
	"math"
	"slices"
	"syscall"
	"testing"

	"paddle/op"
)

// reviewLengths are the numbers of words of 64 film reviews, cut at 400: a skewed distribution, as texts have.
var reviewLengths = []int{
	248, 74, 400, 140, 104, 336, 329, 111, 178, 34, 400, 363, 353, 40, 138, 176, 237, 217, 400, 57, 152, 109, 203, 263, 400, 125, 288, 47, 154, 381, 132, 225,
	378, 377, 330, 161, 193, 139, 325, 400, 186, 116, 181, 39, 211, 91, 159, 178, 305, 206, 325, 61, 63, 163, 118, 158, 228, 171, 266, 400, 86, 167, 220, 151,
}

// longReviews has one sequence that is much longer than all others.
func longReviews() []int { return append([]int{1200}, reviewLengths[1:]...) }

// BenchmarkRecurrent times a forward run and its gradient on one thread. "of-floor" is the share of the time that the products of all
// steps would take as one product.
func BenchmarkRecurrent(b *testing.B) {
	for _, cell := range recurrentCells[:4] {
		for _, hidden := range []int{128, 256} {
			for name, lengths := range map[string][]int{"": slices.Clone(reviewLengths), "-long": longReviews()} {
				slices.Sort(lengths)
				slices.Reverse(lengths)
				c := newRecurrentCase(cell, hidden, false, lengths, "bias", "dh")
				b.Run(fmt.Sprintf("%s/%d%s", cell.name, hidden, name), func(b *testing.B) { benchmarkRecurrent(b, c) })
			}
		}
	}
}

func benchmarkRecurrent(b *testing.B, c *recurrentCase) {
	e, x := New(), c.buffers(newRand(1), op.Float32)
	c.gradients(x)
	y := op.NewBuffer(op.Float32, c.rows(), c.width())
	product := op.MatMulSpec{M: c.rows(), N: c.width(), K: c.hidden, Batch: 1}
	forward, backward, floor := math.Inf(1), math.Inf(1), math.Inf(1)
	for range b.N {
		copy(x.out["gates"].Bytes(), x.in["gates"].Bytes())
		forward = min(forward, nanoseconds(func() { c.cell.run(e, c, x) }))
		copy(x.grad["gates"].Bytes(), x.out["gates"].Bytes())
		backward = min(backward, nanoseconds(func() { c.cell.grad(e, c, x) }))
		floor = min(floor, nanoseconds(func() { e.MatMul(product, x.out["h"], x.in["w"], op.Buffer{}, y) }))
	}
	flops := 2 * float64(c.rows()*c.hidden*c.width())
	b.ReportMetric(flops/floor, "floor-GFLOP/s")
	b.ReportMetric(flops/forward, "forward-GFLOP/s")
	b.ReportMetric(flops/backward, "backward-GFLOP/s")
	b.ReportMetric(2*floor/(forward+backward), "of-floor")
}

// nanoseconds returns how much of a processor f takes.
func nanoseconds(f func()) float64 {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	f()
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	return float64(after.Utime.Nano() - before.Utime.Nano() + after.Stime.Nano() - before.Stime.Nano())
}

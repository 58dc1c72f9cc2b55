package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestDepthwiseStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testDepthwiseStays[float32](t, front)
		testDepthwiseStays[float64](t, front)
	})
}

func testDepthwiseStays[T Float](t *testing.T, front bool) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 30 {
		c := 1 + r.IntN(3)
		s := ConvShape{
			Batch: 1 + r.IntN(2), Channels: c, Filters: c, Groups: c, Height: 3 + r.IntN(9), Width: 3 + r.IntN(19), KernelHeight: 1 + r.IntN(3), KernelWidth: 1 + r.IntN(3),
			StrideHeight: 1 + r.IntN(3), StrideWidth: 1 + r.IntN(3), DilationHeight: 1, DilationWidth: 1, PadTop: r.IntN(2), PadBottom: r.IntN(3), PadLeft: r.IntN(3), PadRight: r.IntN(2),
		}
		outSize(&s)
		t.Run("", func(t *testing.T) {
			memory := func(n int) []T { return guarded(t, random[T](r, n), front) }
			d := Depthwise[T]{ConvShape: s, X: memory(s.Batch * c * s.Height * s.Width), W: memory(c * s.taps()), Bias: memory(c), ReLU: true}
			d.DY = memory(s.Batch * c * s.pixels())
			for range 2 { // the second time with scratch memory that has grown to what this convolution needs
				d.Y = memory(len(d.DY))
				d.Run(Workers(), 1)
				d.Y, d.DX = nil, memory(len(d.X))
				d.Run(Workers(), 1)
				d.DX, d.DW = nil, memory(len(d.W))
				d.Run(Workers(), 1)
				d.DW = nil
				for _, a := range d.scratch.areas {
					o := &a.own
					o.plane, o.phase, o.taps, o.sums = guarded(t, full(o.plane), front), guarded(t, full(o.phase), front), guarded(t, full(o.taps), front), guarded(t, full(o.sums), front)
				}
			}
		})
	}
}

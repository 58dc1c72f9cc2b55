package cpu

import (
	"testing"

	"paddle/op"
)

func TestPointwiseGradInput(t *testing.T) {
	b := New()
	for _, s := range [][5]int{{1, 1, 1, 1, 1}, {3, 5, 4, 7, 6}, {2, 70, 90, 9, 8}, {2, 33, 3, 20, 17}, {0, 3, 4, 5, 5}} {
		c := op.ConvSpec{
			Batch: s[0], Channels: s[1], Filters: s[2], Height: s[3], Width: s[4], OutHeight: s[3], OutWidth: s[4],
			KernelHeight: 1, KernelWidth: 1, StrideHeight: 1, StrideWidth: 1, DilationHeight: 1, DilationWidth: 1, Groups: 1,
		}
		if !pointwise(&c) {
			t.Fatalf("%v is not pointwise", c)
		}
		for _, d := range bothFloats {
			x, w, _, dy := convBuffers(c, d)
			dx, want := like(x), make([]float64, x.Len())
			eachProduct(c, func(i, j, k int) { want[i] += get(dy, k) * get(w, j) })
			b.Conv2DGradInput(c, w, dy, dx)
			check(t, name("Conv2DGradInput for ", c), dx, want, 30*tolerance(d))
			steady(t, "Conv2DGradInput", b, func() { b.Conv2DGradInput(c, w, dy, dx) }, dx)
		}
	}
}

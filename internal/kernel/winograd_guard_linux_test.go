package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestWinogradStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		r := rand.New(rand.NewPCG(57, 58))
		for range 30 {
			c := newConvolution[float32](r, randomThree(r, 5))
			if c == nil {
				continue
			}
			t.Run("", func(t *testing.T) {
				memory := func(n int) []float32 { return guarded(t, random[float32](r, n), front) }
				x, w, dy := memory(len(c.x)), memory(len(c.w)), memory(len(c.dy))
				y := Winograd{ConvShape: c.ConvShape, X: x, W: w, Bias: memory(c.Filters), Y: memory(len(dy)), ReLU: true}
				dx := Winograd{ConvShape: c.ConvShape, X: dy, W: w, Y: memory(len(x)), GradInput: true}
				dw := WinogradGradFilter{ConvShape: c.ConvShape, X: x, DY: dy, DW: memory(len(w))}
				for range 2 { // the second time with scratch memory that has grown to what this convolution needs
					for _, k := range []*Winograd{&y, &dx} {
						k.Run(Workers(), 1)
						k.filters.u = guarded(t, full(k.filters.u), front)
						for _, a := range k.scratch.areas {
							a.own.data, a.own.v, a.own.m = guarded(t, full(a.own.data), front), guarded(t, full(a.own.v), front), guarded(t, full(a.own.m), front)
						}
					}
					dw.Run(Workers(), 1)
					dw.sums = guarded(t, full(dw.sums), front)
					for _, a := range dw.scratch.areas {
						a.own.v, a.own.p, a.own.panels = guarded(t, full(a.own.v), front), guarded(t, full(a.own.p), front), guarded(t, full(a.own.panels), front)
						for i, data := range a.own.data {
							a.own.data[i] = guarded(t, full(data), front)
						}
					}
				}
			})
		}
	})
}

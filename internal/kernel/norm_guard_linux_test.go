package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestNormStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testNormStays[float32](t, front)
		testNormStays[float64](t, front)
	})
}

func testNormStays[T Float](t *testing.T, front bool) {
	r := rand.New(rand.NewPCG(6, 9))
	for _, n := range norms[T]() {
		for size := range 40 {
			n.Inner = 1 + size/2
			t.Run("", func(t *testing.T) {
				memory := func() []T { return guarded(t, random[T](r, 3*n.Inner), front) }
				c := guarded(t, []NormChannel[T]{n.NormChannel, n.NormChannel, n.NormChannel}, front)
				first, second := guarded(t, make([]float64, 3), front), guarded(t, make([]float64, 3), front)
				x, dy, y := memory(), memory(), memory()
				n.Moments(c, x, first, second)
				n.Output(c, x, y)
				n.Products(c, x, dy, first, second)
				n.Gradient(c, x, dy, y)
			})
		}
	}
}

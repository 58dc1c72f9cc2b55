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
		for size := range 20 {
			t.Run("", func(t *testing.T) {
				x, dy, y := guarded(t, random[T](r, size), front), guarded(t, random[T](r, size), front), guarded(t, random[T](r, size), front)
				MomentsAround(x, n.Mean)
				n.Output(x, y)
				n.Products(x, dy)
				n.Gradient(x, dy, y, 0.5, 1)
			})
		}
	}
}

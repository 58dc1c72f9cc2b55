package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestGreaterIntoStaysInItsSlices(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testGreaterIntoStays[float32, int32](t, front)
		testGreaterIntoStays[float64, int64](t, front)
	})
}

func testGreaterIntoStays[T Float, I int32 | int64](t *testing.T, front bool) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		for _, together := range []bool{false, true} {
			t.Run("", func(t *testing.T) {
				c := newGreaterCase[T, I](r, n, 7)
				c.y, c.arg = guarded(t, c.y, front), guarded(t, c.arg, front)
				for i := range c.rows {
					c.rows[i] = guarded(t, c.rows[i], front)
				}
				c.check(t, 7, together)
			})
		}
	}
}

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// greaterCase is the greatest elements so far and the rows they are of, and what four more rows make of them.
type greaterCase[T Float, I int32 | int64] struct {
	y, wantY     []T
	arg, wantArg []I
	rows         [4][]T
}

// newGreaterCase makes rows of n small integers, so that there are equals, and of some NaN, which number row, row + 1 and so on.
func newGreaterCase[T Float, I int32 | int64](r *rand.Rand, n int, row I) *greaterCase[T, I] {
	number := func() T {
		if r.IntN(20) == 0 {
			return T(math.NaN())
		}
		return T(r.IntN(5) - 7)
	}
	c := &greaterCase[T, I]{y: make([]T, n), arg: make([]I, n)}
	for i := range c.rows {
		c.rows[i] = make([]T, n)
	}
	for j := range n {
		c.y[j], c.arg[j] = number(), -3
		y, arg := c.y[j], c.arg[j]
		for i := range c.rows {
			x := number()
			c.rows[i][j] = x
			if math.IsNaN(float64(x)) && !math.IsNaN(float64(y)) || x > y {
				y, arg = x, row+I(i)
			}
		}
		c.wantY, c.wantArg = append(c.wantY, y), append(c.wantArg, arg)
	}
	return c
}

// check does all rows at once, or one after another.
func (c *greaterCase[T, I]) check(t *testing.T, row I, together bool) {
	t.Helper()
	x, y, arg := c.rows, c.y, c.arg
	if together {
		greaterFourInto(x[0], x[1], x[2], x[3], y, arg, row)
	} else {
		for i := range x {
			greaterInto(x[i], y, arg, row+I(i))
		}
	}
	equal := func(a, b T) bool { return equalBits(float64(a), float64(b)) }
	if !slices.Equal(arg, c.wantArg) || !slices.EqualFunc(y, c.wantY, equal) {
		t.Fatalf("the greatest of %v, from row %d on, are %v of rows %v, want %v of %v", x, row, y, arg, c.wantY, c.wantArg)
	}
}

func TestGreaterInto(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testGreaterInto[float32, int32](t)
		testGreaterInto[float64, int64](t)
	})
}

func testGreaterInto[T Float, I int32 | int64](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 80 {
		for _, together := range []bool{false, true} {
			row := I(r.IntN(1000))
			newGreaterCase[T](r, n, row).check(t, row, together)
		}
	}
}

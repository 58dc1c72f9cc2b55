package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Conversions by the assembly are Go's, and FromFloat where an integer has no such number.
func TestConversions(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		ints, longs := []int32{math.MinInt32, math.MaxInt32, -1, 1<<24 + 1}, []int64{math.MinInt64, math.MaxInt64, -1, 1<<32 + 5, -1 << 31}
		testConvert[int32, float32](t, ints...)
		testConvert[int32, float64](t, ints...)
		testConvert[int32, int64](t, ints...)
		testConvert[int32, uint8](t, ints...)
		testConvert[int64, int32](t, longs...)
		testConvert[int64, float32](t, longs...)
		testConvert[uint8, uint8](t, 255, 128)
		testConvert[uint8, float32](t, 255, 128)
		testConvert[uint8, int32](t, 255, 128)
		testConvert[uint8, int64](t, 255, 128)
		testConvert[float32, float64](t, floatSpecials[float32]()...)
		testConvert[float64, float32](t, floatSpecials[float64]()...)
		testTruncate[float32, int32](t)
		testTruncate[float32, uint8](t)
		testTruncate[float32, int64](t)
		testTruncate[float64, int32](t)
	})
}

func testConvert[S, D Number](t *testing.T, special ...S) {
	testCast(t, Convert[S, D], func(v S) D { return D(v) }, special)
}

func testTruncate[S Float, D Integer](t *testing.T) {
	testCast(t, Truncate[S, D], func(v S) D { return FromFloat[D](float64(v)) }, floatSpecials[S]())
}

func testCast[S, D Number](t *testing.T, f func(x []S, y []D), want func(v S) D, special []S) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		x, y := drawn(r, n, special...), make([]D, n+1)
		f(x, y[:n])
		for i, v := range x {
			if w := want(v); y[i] != w && (w == w || y[i] == y[i]) {
				t.Fatalf("%T %v becomes %T %v, want %v, at %d of %d", v, v, w, y[i], w, i, n)
			}
		}
		if y[n] != 0 {
			t.Fatalf("a conversion of %d elements writes one more", n)
		}
	}
}

package kernel

import (
	"math"
	"slices"
	"testing"
)

// GELU and the gradients of gates over the whole range of float32: within 6 units in the last place, or 0.8 in plain Go; of a gradient, of the
// greatest of it and its two terms, which cancel somewhere.
func TestGatesOverTheWholeRange(t *testing.T) { withKernels(t, testGates) }

func testGates(t *testing.T) {
	limit := 0.8
	if vectors[float32]().near.gelu != nil {
		limit = 6
	}
	normal := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	ones := slices.Repeat([]float32{1}, 512)
	gradient := func(f UnaryGrad[float32]) Unary[float32] {
		return func(x, y []float32, _, _ float64) { f(x, ones[:len(x)], y, 0, 0) }
	}
	none := func(float64) float64 { return 0 }
	for _, c := range []struct {
		name          string
		f             Unary[float32]
		first, second func(x float64) float64 // whose sum it is
	}{
		{"GELU", GELU[float32], func(x float64) float64 { return x * normal(x) }, none},
		{"GELUGrad", gradient(GELUGrad[float32]), normal, func(x float64) float64 { return x * math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }},
		{"SiLUGrad", gradient(SiLUGrad[float32]), logistic, func(x float64) float64 { return x * logistic(x) * logistic(-x) }},
		{"SoftplusGrad", gradient(SoftplusGrad[float32]), logistic, none},
	} {
		const step = 1601
		x, y := make([]float32, len(ones)), make([]float32, len(ones))
		for u := uint32(0); u < 0x7f800000; u += uint32(len(x)) / 2 * step {
			for i := range len(x) / 2 {
				x[2*i] = math.Float32frombits(min(u+uint32(i*step), 0x7f7fffff))
				x[2*i+1] = -x[2*i]
			}
			c.f(x, y, 0, 0)
			for i, v := range x {
				a, b := c.first(float64(v)), c.second(float64(v))
				if want := a + b; math.Abs(float64(y[i])-want) > limit*ulp32(max(math.Abs(a), math.Abs(b), math.Abs(want))) {
					t.Fatalf("%s(%g) = %g, want %g", c.name, v, y[i], want)
				}
			}
		}
	}
}

package kernel

import (
	"math"
	"testing"
)

// GELU and its gradient over the whole range of float32: within 6 units in the last place, or 0.8 in plain Go; of the gradient, of the
// greatest of it and its two terms, which cancel at −0.75.
func TestGELUOverTheWholeRange(t *testing.T) { withKernels(t, testGELU) }

func testGELU(t *testing.T) {
	limit := 0.8
	if vectors[float32]().near.gelu != nil {
		limit = 6
	}
	const at, step = 512, 1601
	x, y, dy, dx := make([]float32, at), make([]float32, at), make([]float32, at), make([]float32, at)
	for i := range dy {
		dy[i] = 1
	}
	for u := uint32(0); u < 0x7f800000; u += at / 2 * step {
		for i := range at / 2 {
			x[2*i] = math.Float32frombits(min(u+uint32(i*step), 0x7f7fffff))
			x[2*i+1] = -x[2*i]
		}
		GELU(x, y, 0, 0)
		GELUGrad(x, dy, dx, 0, 0)
		for i, v := range x {
			f := float64(v)
			normal, slope := 0.5*math.Erfc(-f/math.Sqrt2), f*math.Exp(-f*f/2)/math.Sqrt(2*math.Pi)
			if want := f * normal; math.Abs(float64(y[i])-want) > limit*ulp32(want) {
				t.Fatalf("GELU(%g) = %g, want %g", v, y[i], want)
			}
			if want := normal + slope; math.Abs(float64(dx[i])-want) > limit*ulp32(max(normal, math.Abs(slope), math.Abs(want))) {
				t.Fatalf("GELUGrad(%g) = %g, want %g", v, dx[i], want)
			}
		}
	}
}

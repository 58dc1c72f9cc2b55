package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// arguments gives special values, values of all magnitudes, values around 0 and around the ends of exp's range.
func arguments() []float32 {
	tiny, huge := float32(math.SmallestNonzeroFloat32), float32(math.MaxFloat32)
	x := []float32{0, 1, 2, 0.5, tiny, 3 * tiny, 0x1p-126, 0x1.fffffep-127, huge, float32(math.Inf(1)), float32(math.NaN()),
		88.72283, 88.72284, 88.7229, 87.33655, 103.97208, 103.972, 104, 110, 700, 701, 1e-8, 1e-4, 9.01, 20, 14.4, 10, 11}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x = append(x, math.Float32frombits(r.Uint32()&0x7fffffff), float32(r.NormFloat64()), r.Float32()*16, r.Float32()*110, 1+r.Float32()*1e-3)
	}
	for _, v := range x {
		x = append(x, -v)
	}
	return x
}

// ulp32 is the distance of float32 numbers around v.
func ulp32(v float64) float64 {
	a := math.Abs(v)
	if a < 0x1p-126 {
		return 0x1p-149
	}
	_, e := math.Frexp(a)
	return math.Ldexp(1, e-24)
}

// sameSpecial reports whether got is right where want is 0, infinite or NaN in float32; ok is false where it is an ordinary number.
func sameSpecial(got float32, want float64) (same, ok bool) {
	w := float32(want)
	if want == 0 || math.IsInf(float64(w), 0) {
		return got == w && math.Signbit(float64(got)) == math.Signbit(want), true
	}
	return w != w && got != got, w != w
}

// unitsOff is how far off in units in the last place the assembly may be; 0.6 as plain Go where nothing stands. STanh has two constants that
// are rounded to float32.
var unitsOff = map[string]float64{"Rsqrt": 2, "Exp": 2, "Log": 2, "Sigmoid": 2, "Tanh": 2, "SiLU": 2, "GELU": 6, "STanh": 1.6}

func TestUnaryFloat32AgainstFloat64(t *testing.T) { withKernels(t, testUnaryFloat32) }

func testUnaryFloat32(t *testing.T) {
	x := arguments()
	y := make([]float32, len(x))
	for _, r := range references() {
		r.f32(x, y, r.a, r.b)
		worst, limit := 0.0, 0.6
		if off, ok := unitsOff[r.name]; ok && haveVectors {
			limit = off
		}
		for i, v := range x {
			want := r.f(float64(v), r.a, r.b)
			if r.name == "ReLU" && v == 0 {
				want = 0 // max(−0, 0) may be either zero; the kernel's is +0
			}
			if same, ok := sameSpecial(y[i], want); ok {
				if !same {
					t.Errorf("%s(%g) = %g, want %g", r.name, v, y[i], want)
				}
				continue
			}
			if e := math.Abs(float64(y[i])-want) / ulp32(want); e > limit {
				t.Errorf("%s(%g) = %g, want %g: off by %.2f units in the last place", r.name, v, y[i], want, e)
			} else {
				worst = max(worst, e)
			}
		}
		t.Logf("%-14s at most %.3f units in the last place", r.name, worst)
	}
}

func TestUnaryFloat64(t *testing.T) {
	in := arguments()
	x, y := make([]float64, len(in)), make([]float64, len(in))
	for i, v := range in {
		x[i] = float64(v)
	}
	for _, r := range references() {
		r.f64(x, y, r.a, r.b)
		for i, v := range x {
			want := r.f(v, r.a, r.b)
			if y[i] != want && !(y[i] != y[i] && want != want) && !(math.Abs(y[i]-want) <= 1e-13*math.Abs(want)) {
				t.Errorf("%s(%g) = %g, want %g", r.name, v, y[i], want)
			}
		}
	}
}

// TestUnaryGradients compares the gradient kernels with central differences of the function, in float64, and float32 with float64.
func TestUnaryGradients(t *testing.T) { withKernels(t, testUnaryGradients) }

func testUnaryGradients(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const h = 1e-5
	for _, ref := range references() {
		for range 500 {
			v := r.NormFloat64() * 2
			if v <= ref.lo {
				v = ref.lo + 0.1 + math.Abs(v)
			}
			if near(v, ref.kinks, 0.02) {
				continue
			}
			d := r.NormFloat64()
			want := d * (ref.f(v+h, ref.a, ref.b) - ref.f(v-h, ref.a, ref.b)) / (2 * h)
			from := v
			if ref.from == 'y' {
				from = ref.f(v, ref.a, ref.b)
			}
			got := []float64{d}
			ref.g64([]float64{from}, got, got, ref.a, ref.b) // in place
			if math.Abs(got[0]-want) > 1e-7*(1+math.Abs(want)+math.Abs(d)) && math.Abs(got[0]-want) > 1e-5*math.Abs(want) {
				t.Errorf("%sGrad(%g)·%g = %g, want %g", ref.name, v, d, got[0], want)
			}
			g32 := []float32{float32(d)}
			ref.g32([]float32{float32(from)}, g32, g32, ref.a, ref.b)
			if math.Abs(float64(g32[0])-got[0]) > 2e-5*(math.Abs(got[0])+math.Abs(d)) && ref.from != 'y' {
				t.Errorf("%sGrad(%g)·%g = %g in float32, want %g", ref.name, v, d, g32[0], got[0])
			}
		}
	}
}

func near(v float64, kinks []float64, h float64) bool {
	for _, k := range kinks {
		if math.Abs(v-k) <= h {
			return true
		}
	}
	return false
}

func TestGradientsAtSpecialPoints(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name    string
		g       UnaryGrad[float64]
		v, a, b float64
		want    float64
	}{
		{"Abs", AbsGrad[float64], 0, 0, 0, 0},
		{"ReLU", ReLUGrad[float64], 0, 0, 0, 0},
		{"ReLU", ReLUGrad[float64], nan, 0, 0, 3},
		{"LeakyReLU", LeakyReLUGrad[float64], 0, 0.5, 0, 1.5},
		{"Clip", ClipGrad[float64], 1, -1, 1, 3},
		{"Clip", ClipGrad[float64], -1, -1, 1, 3},
		{"Clip", ClipGrad[float64], 1.5, -1, 1, 0},
		{"GELU", GELUGrad[float64], inf, 0, 0, 3},
		{"GELU", GELUGrad[float64], -inf, 0, 0, 0},
		{"GELUTanh", GELUTanhGrad[float64], inf, 0, 0, 3},
		{"GELUTanh", GELUTanhGrad[float64], -inf, 0, 0, 0},
		{"SiLU", SiLUGrad[float64], -inf, 0, 0, 0},
		{"SiLU", SiLUGrad[float64], inf, 0, 0, 3},
		{"Softplus", SoftplusGrad[float64], -inf, 0, 0, 0},
		{"Softsign", SoftsignGrad[float64], inf, 0, 0, 0},
		{"PowConst 0", PowConstGrad[float64], 0, 0, 0, 0},
		{"PowConst 1", PowConstGrad[float64], 0, 1, 0, 3},
		{"STanh 0", STanhGrad[float64], 0, 0, 1, 0},
	} {
		got := []float64{3}
		c.g([]float64{c.v}, got, got, c.a, c.b)
		if math.Abs(got[0]-c.want) > 1e-12 || got[0] != got[0] {
			t.Errorf("%sGrad at %g with dy 3 = %g, want %g", c.name, c.v, got[0], c.want)
		}
	}
}

func TestIsFiniteAndNot(t *testing.T) {
	x := []float32{0, 1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32}
	y := make([]bool, len(x))
	IsFinite(x, y)
	Not(y, y)
	for i, want := range []bool{false, false, true, true, true, false} {
		if y[i] != want {
			t.Errorf("¬IsFinite(%g) = %v, want %v", x[i], y[i], want)
		}
	}
}

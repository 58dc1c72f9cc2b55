package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// reference is a function in float64, by package math or by definition, with the kernels that compute it.
type reference struct {
	name   string
	f      func(x, a, b float64) float64
	f32    Unary[float32]
	f64    Unary[float64]
	g32    UnaryGrad[float32]
	g64    UnaryGrad[float64]
	from   byte // what the gradient is computed from: x, y, or nothing
	lo, hi float64
	kinks  []float64 // where there is no derivative
	a, b   float64
}

func references() []reference {
	inf := math.Inf(1)
	type f = func(x, a, b float64) float64
	plain := func(g func(float64) float64) f { return func(x, _, _ float64) float64 { return g(x) } }
	zero := []float64{0}
	sigmoid := func(x float64) float64 {
		if x < 0 {
			return math.Exp(x) / (1 + math.Exp(x))
		}
		return 1 / (1 + math.Exp(-x))
	}
	gate := func(x, g float64) float64 {
		if math.IsInf(x, -1) {
			return math.Copysign(0, -1)
		}
		return x * g
	}
	return []reference{
		{"Neg", plain(func(x float64) float64 { return -x }), Neg[float32], Neg[float64], NegGrad[float32], NegGrad[float64], 0, -inf, inf, nil, 0, 0},
		{"Abs", plain(math.Abs), Abs[float32], Abs[float64], AbsGrad[float32], AbsGrad[float64], 'x', -inf, inf, zero, 0, 0},
		{"Sign", plain(func(x float64) float64 {
			if x == 0 || x != x {
				return x
			}
			return math.Copysign(1, x)
		}), Sign[float32], Sign[float64], ZeroGrad[float32], ZeroGrad[float64], 0, -inf, inf, zero, 0, 0},
		{"Square", plain(func(x float64) float64 { return x * x }), Square[float32], Square[float64], SquareGrad[float32], SquareGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Sqrt", plain(math.Sqrt), Sqrt[float32], Sqrt[float64], SqrtGrad[float32], SqrtGrad[float64], 'y', 0, inf, zero, 0, 0},
		{"Rsqrt", plain(func(x float64) float64 { return 1 / math.Sqrt(x) }), Rsqrt[float32], Rsqrt[float64], RsqrtGrad[float32], RsqrtGrad[float64], 'y', 0, inf, zero, 0, 0},
		{"Reciprocal", plain(func(x float64) float64 { return 1 / x }), Reciprocal[float32], Reciprocal[float64], ReciprocalGrad[float32], ReciprocalGrad[float64], 'y', -inf, inf, zero, 0, 0},
		{"Exp", plain(math.Exp), Exp[float32], Exp[float64], ExpGrad[float32], ExpGrad[float64], 'y', -inf, inf, nil, 0, 0},
		{"Expm1", plain(math.Expm1), Expm1[float32], Expm1[float64], Expm1Grad[float32], Expm1Grad[float64], 'y', -inf, inf, nil, 0, 0},
		{"Log", plain(math.Log), Log[float32], Log[float64], LogGrad[float32], LogGrad[float64], 'x', 0, inf, zero, 0, 0},
		{"Log1p", plain(math.Log1p), Log1p[float32], Log1p[float64], Log1pGrad[float32], Log1pGrad[float64], 'x', -1, inf, []float64{-1}, 0, 0},
		{"Sin", plain(math.Sin), Sin[float32], Sin[float64], SinGrad[float32], SinGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Cos", plain(math.Cos), Cos[float32], Cos[float64], CosGrad[float32], CosGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Erf", plain(math.Erf), Erf[float32], Erf[float64], ErfGrad[float32], ErfGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Sigmoid", plain(sigmoid), Sigmoid[float32], Sigmoid[float64], SigmoidGrad[float32], SigmoidGrad[float64], 'y', -inf, inf, nil, 0, 0},
		{"Tanh", plain(math.Tanh), Tanh[float32], Tanh[float64], TanhGrad[float32], TanhGrad[float64], 'y', -inf, inf, nil, 0, 0},
		{"ReLU", plain(func(x float64) float64 { return max(x, 0) }), ReLU[float32], ReLU[float64], ReLUGrad[float32], ReLUGrad[float64], 'y', -inf, inf, zero, 0, 0},
		{"LeakyReLU", func(x, a, _ float64) float64 {
			if x < 0 {
				return a * x
			}
			return x
		}, LeakyReLU[float32], LeakyReLU[float64], LeakyReLUGrad[float32], LeakyReLUGrad[float64], 'x', -inf, inf, zero, 0.25, 0},
		{"ELU", func(x, a, _ float64) float64 {
			if x < 0 {
				return a * math.Expm1(x)
			}
			return x
		}, ELU[float32], ELU[float64], ELUGrad[float32], ELUGrad[float64], 'x', -inf, inf, zero, 1.5, 0},
		{"GELU", plain(func(x float64) float64 { return gate(x, 0.5*math.Erfc(-x/math.Sqrt2)) }), GELU[float32], GELU[float64], GELUGrad[float32], GELUGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"GELUTanh", plain(func(x float64) float64 {
			return gate(x, sigmoid(2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		}), GELUTanh[float32], GELUTanh[float64], GELUTanhGrad[float32], GELUTanhGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"SiLU", plain(func(x float64) float64 { return gate(x, sigmoid(x)) }), SiLU[float32], SiLU[float64], SiLUGrad[float32], SiLUGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Softplus", plain(func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }), Softplus[float32], Softplus[float64], SoftplusGrad[float32], SoftplusGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Softsign", plain(func(x float64) float64 {
			if math.IsInf(x, 0) {
				return math.Copysign(1, x)
			}
			return x / (1 + math.Abs(x))
		}), Softsign[float32], Softsign[float64], SoftsignGrad[float32], SoftsignGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"STanh", func(x, a, b float64) float64 { return a * math.Tanh(b*x) }, STanh[float32], STanh[float64], STanhGrad[float32], STanhGrad[float64], 'y', -inf, inf, nil, 1.7159, 2.0 / 3},
		{"Clip", func(x, a, b float64) float64 { return min(max(x, a), b) }, Clip[float32], Clip[float64], ClipGrad[float32], ClipGrad[float64], 'x', -inf, inf, []float64{-0.5, 0.75}, -0.5, 0.75},
		{"AddConst", func(x, a, _ float64) float64 { return x + a }, AddConst[float32], AddConst[float64], AddConstGrad[float32], AddConstGrad[float64], 0, -inf, inf, nil, 1.25, 0},
		{"MulConst", func(x, a, _ float64) float64 { return x * a }, MulConst[float32], MulConst[float64], MulConstGrad[float32], MulConstGrad[float64], 0, -inf, inf, nil, -1.5, 0},
		{"PowConst 2", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', -inf, inf, nil, 2, 0},
		{"PowConst 3", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', -inf, inf, nil, 3, 0},
		{"PowConst -0.7", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', 0, inf, zero, -0.7, 0},
		{"PowConst -4", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', -inf, inf, zero, -4, 0},
		{"PowConst 0.5", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', 0, inf, zero, 0.5, 0},
		{"PowConst 0", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Floor", plain(math.Floor), Floor[float32], Floor[float64], ZeroGrad[float32], ZeroGrad[float64], 0, -inf, inf, []float64{-2, -1, 0, 1, 2}, 0, 0},
		{"Ceil", plain(math.Ceil), Ceil[float32], Ceil[float64], ZeroGrad[float32], ZeroGrad[float64], 0, -inf, inf, []float64{-2, -1, 0, 1, 2}, 0, 0},
		{"Round", plain(math.RoundToEven), Round[float32], Round[float64], ZeroGrad[float32], ZeroGrad[float64], 0, -inf, inf, []float64{-1.5, -0.5, 0.5, 1.5}, 0, 0},
	}
}

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

func TestUnaryFloat32AgainstFloat64(t *testing.T) {
	x := arguments()
	y := make([]float32, len(x))
	for _, r := range references() {
		r.f32(x, y, r.a, r.b)
		worst := 0.0
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
			if e := math.Abs(float64(y[i])-want) / ulp32(want); e > 0.6 {
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
func TestUnaryGradients(t *testing.T) {
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

package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

// unaryCase is a function by its definition, and numbers from which on its derivative exists.
type unaryCase struct {
	f        op.UnaryFunc
	a, b     float64
	want     func(x float64) float64
	positive bool
	kinks    []float64
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func unaryCases() []unaryCase {
	zero, whole := []float64{0}, []float64{-3, -2, -1, 0, 1, 2, 3}
	half := []float64{-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}
	pick := func(c bool, a, b float64) float64 {
		if c {
			return a
		}
		return b
	}
	return []unaryCase{
		{f: op.UnaryNeg, want: func(x float64) float64 { return -x }},
		{f: op.UnaryAbs, want: math.Abs, kinks: zero},
		{f: op.UnarySign, want: func(x float64) float64 { return math.Copysign(1, x) }, kinks: zero},
		{f: op.UnarySquare, want: func(x float64) float64 { return x * x }},
		{f: op.UnarySqrt, want: math.Sqrt, positive: true},
		{f: op.UnaryRsqrt, want: func(x float64) float64 { return 1 / math.Sqrt(x) }, positive: true},
		{f: op.UnaryReciprocal, want: func(x float64) float64 { return 1 / x }, kinks: zero},
		{f: op.UnaryExp, want: math.Exp},
		{f: op.UnaryExpm1, want: math.Expm1},
		{f: op.UnaryLog, want: math.Log, positive: true},
		{f: op.UnaryLog1p, want: math.Log1p, positive: true},
		{f: op.UnarySin, want: math.Sin},
		{f: op.UnaryCos, want: math.Cos},
		{f: op.UnaryErf, want: math.Erf},
		{f: op.UnarySigmoid, want: logistic},
		{f: op.UnaryTanh, want: math.Tanh},
		{f: op.UnaryReLU, want: func(x float64) float64 { return math.Max(x, 0) }, kinks: zero},
		{f: op.UnaryLeakyReLU, a: 0.125, want: func(x float64) float64 { return pick(x < 0, 0.125*x, x) }, kinks: zero},
		{f: op.UnaryELU, a: 0.75, want: func(x float64) float64 { return pick(x < 0, 0.75*math.Expm1(x), x) }, kinks: zero},
		{f: op.UnaryGELU, want: func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }},
		{f: op.UnaryGELUTanh, want: func(x float64) float64 {
			return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		}},
		{f: op.UnarySiLU, want: func(x float64) float64 { return x * logistic(x) }},
		{f: op.UnarySoftplus, want: func(x float64) float64 { return math.Log(1 + math.Exp(x)) }},
		{f: op.UnarySoftsign, want: func(x float64) float64 { return x / (1 + math.Abs(x)) }},
		{f: op.UnarySTanh, a: 1.7159, b: 2.0 / 3, want: func(x float64) float64 { return 1.7159 * math.Tanh(2.0/3*x) }},
		{f: op.UnaryClip, a: -0.5, b: 1.5, want: func(x float64) float64 { return math.Min(math.Max(x, -0.5), 1.5) }, kinks: []float64{-0.5, 1.5}},
		{f: op.UnaryAddConst, a: 0.375, want: func(x float64) float64 { return x + 0.375 }},
		{f: op.UnaryMulConst, a: -1.25, want: func(x float64) float64 { return x * -1.25 }},
		{f: op.UnaryPowConst, a: 2.5, want: func(x float64) float64 { return math.Pow(x, 2.5) }, positive: true},
		{f: op.UnaryPowConst, a: -3, want: func(x float64) float64 { return 1 / (x * x * x) }, kinks: zero},
		{f: op.UnaryFloor, want: math.Floor, kinks: whole},
		{f: op.UnaryCeil, want: math.Ceil, kinks: whole},
		{f: op.UnaryRound, want: math.RoundToEven, kinks: half},
	}
}

// TestUnary covers every function but IsFinite and Not, in place and not, over lengths around the ends of a part.
func TestUnary(t *testing.T) {
	r, b := newRand(1), New()
	seen := map[op.UnaryFunc]bool{op.UnaryIsFinite: true, op.UnaryNot: true}
	for _, c := range unaryCases() {
		seen[c.f] = true
		for _, d := range bothFloats {
			for i, n := range []int{0, 1, 7, heavyGrain + 1, 2*lightGrain + 3} {
				b.SetThreads(1 + i%3)
				x := random(r, d, n)
				want := make([]float64, n)
				for i := range want {
					if c.positive {
						set(x, i, math.Abs(get(x, i))+0.01)
					}
					want[i] = c.want(get(x, i))
				}
				y := like(x)
				b.Unary(c.f, c.a, c.b, x, y)
				check(t, name("function ", c.f), y, want, tolerance(d))
				b.Unary(c.f, c.a, c.b, x, x)
				check(t, name("function ", c.f, " in place"), x, values(y), 0)
			}
		}
	}
	for f := range op.UnaryNot {
		if !seen[f] {
			t.Errorf("function %d has no case", f)
		}
	}
}

// TestUnaryGrad compares with central differences of the function in float64, and float32 with float64.
func TestUnaryGrad(t *testing.T) {
	const h = 1e-5
	r, b := newRand(2), New()
	for _, c := range unaryCases() {
		x, dy := random(r, op.Float64, 500), random(r, op.Float64, 500)
		want := make([]float64, x.Len())
		for i := range want {
			v := get(x, i)
			if c.positive {
				v = math.Abs(v) + 0.1
			}
			for _, k := range c.kinks {
				if math.Abs(v-k) < 0.3 {
					v = k + 0.35
				}
			}
			set(x, i, v)
			want[i] = get(dy, i) * (c.want(v+h) - c.want(v-h)) / (2 * h)
		}
		y, dx := like(x), like(x)
		b.Unary(c.f, c.a, c.b, x, y)
		needX, needY := c.f.Needs()
		fx, fy := x, y
		if !needX {
			fx = op.Buffer{}
		}
		if !needY {
			fy = op.Buffer{}
		}
		b.UnaryGrad(c.f, c.a, c.b, fx, fy, dy, dx)
		check(t, name("gradient of function ", c.f), dx, want, 3e-8)
		b.UnaryGrad(c.f, c.a, c.b, fx, fy, dy, dy)
		check(t, name("gradient of function ", c.f, " in place"), dy, values(dx), 0)
	}
}

// TestUnaryGradFloat32 compares float32 gradients with float64 ones.
func TestUnaryGradFloat32(t *testing.T) {
	r, b := newRand(3), New()
	for _, c := range unaryCases() {
		var x, y, dy, dx [2]op.Buffer
		x[0], dy[0] = random(r, op.Float32, 500), random(r, op.Float32, 500)
		for i := range x[0].Len() {
			if v := get(x[0], i); c.positive || c.f == op.UnaryPowConst {
				set(x[0], i, math.Abs(v)+0.1)
			}
		}
		for k := range x {
			if k == 1 {
				x[1], dy[1] = op.NewBuffer(op.Float64, 500), op.NewBuffer(op.Float64, 500)
				b.Cast(x[0], x[1])
				b.Cast(dy[0], dy[1])
			}
			y[k], dx[k] = like(x[k]), like(x[k])
			b.Unary(c.f, c.a, c.b, x[k], y[k])
		}
		b.Cast(y[0], y[1]) // the gradient is of the rounded result
		for k := range x {
			b.UnaryGrad(c.f, c.a, c.b, x[k], y[k], dy[k], dx[k])
		}
		check(t, name("float32 gradient of function ", c.f), dx[0], values(dx[1]), 2e-6)
	}
}

func TestUnaryIntegers(t *testing.T) {
	b := New()
	for _, d := range []op.DType{op.Int32, op.Int64} {
		x := buffer(d, -3, 0, 5)
		for _, c := range []struct {
			f    op.UnaryFunc
			a, b float64
			want []float64
		}{
			{op.UnaryNeg, 0, 0, []float64{3, 0, -5}},
			{op.UnaryAbs, 0, 0, []float64{3, 0, 5}},
			{op.UnarySign, 0, 0, []float64{-1, 0, 1}},
			{op.UnarySquare, 0, 0, []float64{9, 0, 25}},
			{op.UnaryAddConst, 2, 0, []float64{-1, 2, 7}},
			{op.UnaryMulConst, -2, 0, []float64{6, 0, -10}},
			{op.UnaryClip, -1, math.Inf(1), []float64{-1, 0, 5}},
		} {
			y := like(x)
			b.Unary(c.f, c.a, c.b, x, y)
			check(t, name("function ", c.f, " of ", d), y, c.want, 0)
		}
	}
	x := buffer(op.Uint8, 0, 7, 255)
	y := like(x)
	b.Unary(op.UnaryAbs, 0, 0, x, y)
	check(t, "Abs of uint8", y, []float64{0, 7, 255}, 0)
}

func TestIsFiniteAndNot(t *testing.T) {
	b := New()
	for _, d := range bothFloats {
		x := buffer(d, 0, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32)
		y := garbage(op.Bool, x.Len())
		b.Unary(op.UnaryIsFinite, 0, 0, x, y)
		check(t, "IsFinite", y, []float64{1, 1, 0, 0, 0, 1}, 0)
		b.Unary(op.UnaryNot, 0, 0, y, y)
		check(t, "Not", y, []float64{0, 0, 1, 1, 1, 0}, 0)
	}
}

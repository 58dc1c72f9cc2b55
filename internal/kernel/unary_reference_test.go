package kernel

import "math"

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
		{"PowConst -1", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', -inf, inf, zero, -1, 0},
		{"PowConst 1", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', -inf, inf, nil, 1, 0},
		{"PowConst 2.5", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', 0, inf, zero, 2.5, 0},
		{"PowConst 0.5", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', 0, inf, zero, 0.5, 0},
		{"PowConst 0", func(x, a, _ float64) float64 { return math.Pow(x, a) }, PowConst[float32], PowConst[float64], PowConstGrad[float32], PowConstGrad[float64], 'x', -inf, inf, nil, 0, 0},
		{"Floor", plain(math.Floor), Floor[float32], Floor[float64], ZeroGrad[float32], ZeroGrad[float64], 0, -inf, inf, []float64{-2, -1, 0, 1, 2}, 0, 0},
		{"Ceil", plain(math.Ceil), Ceil[float32], Ceil[float64], ZeroGrad[float32], ZeroGrad[float64], 0, -inf, inf, []float64{-2, -1, 0, 1, 2}, 0, 0},
		{"Round", plain(math.RoundToEven), Round[float32], Round[float64], ZeroGrad[float32], ZeroGrad[float64], 0, -inf, inf, []float64{-1.5, -0.5, 0.5, 1.5}, 0, 0},
	}
}

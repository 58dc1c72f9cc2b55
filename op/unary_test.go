package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// elementwise is the reference of a function of one number.
func elementwise(f func(x float64) float64) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array { return []optest.Array{in[0].Map(f)} }
}

func TestUnary(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	phi := func(x float64) float64 { return 0.5 * (1 + math.Erf(x/math.Sqrt2)) }
	halves := []float64{-1.5, -0.5, 0.5, 1.5}
	whole := []float64{-2, -1, 0, 1, 2}
	with := func(f func(*op.Node, float64) *op.Node, a float64) func(*op.Node) *op.Node {
		return func(x *op.Node) *op.Node { return f(x, a) }
	}
	for name, c := range map[string]struct {
		build     func(*op.Node) *op.Node
		want      func(float64) float64
		low, high float64
		avoid     []float64
	}{
		"Neg":        {build: op.Neg, want: func(x float64) float64 { return -x }},
		"Abs":        {build: op.Abs, want: math.Abs},
		"Sign":       {build: op.Sign, want: func(x float64) float64 { return math.Copysign(1, x) }},
		"Square":     {build: op.Square, want: func(x float64) float64 { return x * x }},
		"Sqrt":       {build: op.Sqrt, want: math.Sqrt, low: 0.1, high: 4},
		"Rsqrt":      {build: op.Rsqrt, want: func(x float64) float64 { return 1 / math.Sqrt(x) }, low: 0.1, high: 4},
		"Reciprocal": {build: op.Reciprocal, want: func(x float64) float64 { return 1 / x }, low: -4, high: -0.2},
		"Exp":        {build: op.Exp, want: math.Exp},
		"Expm1":      {build: op.Expm1, want: math.Expm1},
		"Log":        {build: op.Log, want: math.Log, low: 0.1, high: 4},
		"Log1p":      {build: op.Log1p, want: math.Log1p, low: -0.9, high: 4},
		"Sin":        {build: op.Sin, want: math.Sin, low: -7, high: 7},
		"Cos":        {build: op.Cos, want: math.Cos, low: -7, high: 7},
		"Erf":        {build: op.Erf, want: math.Erf},
		"Floor":      {build: op.Floor, want: math.Floor, avoid: whole},
		"Ceil":       {build: op.Ceil, want: math.Ceil, avoid: whole},
		"Round":      {build: op.Round, want: math.RoundToEven, avoid: halves},
		"Sigmoid":    {build: op.Sigmoid, want: sigmoid, low: -9, high: 9},
		"Tanh":       {build: op.Tanh, want: math.Tanh, low: -5, high: 5},
		"ReLU":       {build: op.ReLU, want: func(x float64) float64 { return max(x, 0) }},
		"LeakyReLU":  {build: with(op.LeakyReLU, 0.1), want: func(x float64) float64 { return max(x, 0.1*x) }},
		"ELU": {build: with(op.ELU, 1.5), want: func(x float64) float64 {
			if x < 0 {
				return 1.5 * math.Expm1(x)
			}
			return x
		}},
		"GELU": {build: op.GELU, want: func(x float64) float64 { return x * phi(x) }, low: -4, high: 4},
		"GELUTanh": {build: op.GELUTanh, want: func(x float64) float64 {
			return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		}, low: -4, high: 4},
		"SiLU":     {build: op.SiLU, want: func(x float64) float64 { return x * sigmoid(x) }, low: -6, high: 6},
		"Softplus": {build: op.Softplus, want: func(x float64) float64 { return math.Log1p(math.Exp(x)) }, low: -9, high: 9},
		"Softsign": {build: op.Softsign, want: func(x float64) float64 { return x / (1 + math.Abs(x)) }},
		"STanh": {build: func(x *op.Node) *op.Node { return op.STanh(x, 1.7159, 2.0/3) },
			want: func(x float64) float64 { return 1.7159 * math.Tanh(2.0/3*x) }},
		"AddConst":                     {build: with(op.AddConst, 2.5), want: func(x float64) float64 { return x + 2.5 }},
		"MulConst":                     {build: with(op.MulConst, -1.5), want: func(x float64) float64 { return -1.5 * x }},
		"PowConst":                     {build: with(op.PowConst, 2.5), want: func(x float64) float64 { return math.Pow(x, 2.5) }, low: 0.1, high: 3},
		"PowConst of negative numbers": {build: with(op.PowConst, 3), want: func(x float64) float64 { return x * x * x }},
		"Clip": {build: func(x *op.Node) *op.Node { return op.Clip(x, -0.5, 1) },
			want: func(x float64) float64 { return min(max(x, -0.5), 1) }, avoid: []float64{-0.5, 1}},
		"StopGradient of a sum": {build: func(x *op.Node) *op.Node { return op.Add(x, op.StopGradient(op.Neg(op.Neg(op.Zeros(x))))) },
			want: func(x float64) float64 { return x }},
	} {
		t.Run(name, func(t *testing.T) {
			in := func(shape ...op.Dim) []optest.Input {
				return []optest.Input{{Shape: shape, Low: c.low, High: c.high, Avoid: c.avoid}}
			}
			optest.Check(t,
				optest.Case{Name: "matrix", In: in(op.Batch, 5), Build: optest.Unary(c.build), Reference: elementwise(c.want)},
				optest.Case{Name: "scalar", In: in(), Build: optest.Unary(c.build), Reference: elementwise(c.want)},
				optest.Case{Name: "five axes", In: in(2, op.Batch, 1, 3, 2), Build: optest.Unary(c.build), Reference: elementwise(c.want)},
				optest.Case{Name: "no rows", In: in(op.Batch, 5), Build: optest.Unary(c.build), Reference: elementwise(c.want), Batches: []int{0, 3, 0}},
			)
		})
	}
}

// At their kinks the functions have the derivatives that their documentation says.
func TestUnaryKinks(t *testing.T) {
	check := func(name string, build func(*op.Node) *op.Node, x, y, dx []float64) {
		t.Run(name, func(t *testing.T) {
			optest.Check(t, optest.Case{
				In: []optest.Input{optest.Given(x, op.Dim(len(x)))}, Build: optest.Unary(build),
				Want: [][]float64{y}, WantGrad: [][]float64{dx}, OnKink: true,
			})
		})
	}
	inf, nan := math.Inf(1), math.NaN()
	check("ReLU", op.ReLU, []float64{-1, 0, 2, inf, -inf, nan}, []float64{0, 0, 2, inf, 0, nan}, []float64{0, 0, 1, 1, 0, 1})
	check("LeakyReLU", func(x *op.Node) *op.Node { return op.LeakyReLU(x, 0.25) }, []float64{-4, 0, 2}, []float64{-1, 0, 2}, []float64{0.25, 0.25, 1})
	check("Abs", op.Abs, []float64{-1, 0, 2}, []float64{1, 0, 2}, []float64{-1, 0, 1})
	check("Sign", op.Sign, []float64{-3, 0, 2}, []float64{-1, 0, 1}, []float64{0, 0, 0})
	check("Floor", op.Floor, []float64{-1, -0.5, 0, 1.5}, []float64{-1, -1, 0, 1}, []float64{0, 0, 0, 0})
	check("Ceil", op.Ceil, []float64{-1, -0.5, 0, 1.5}, []float64{-1, 0, 0, 2}, []float64{0, 0, 0, 0})
	check("Round", op.Round, []float64{-1.5, -0.5, 0.5, 1.5, 2.5}, []float64{-2, 0, 0, 2, 2}, []float64{0, 0, 0, 0, 0})
	check("Clip", func(x *op.Node) *op.Node { return op.Clip(x, -1, 2) }, []float64{-2, -1, 0, 2, 3}, []float64{-1, -1, 0, 2, 2}, []float64{0, 1, 1, 1, 0})
	check("PowConst 0", func(x *op.Node) *op.Node { return op.PowConst(x, 0) }, []float64{0, 2}, []float64{1, 1}, []float64{0, 0})
	check("PowConst 1", func(x *op.Node) *op.Node { return op.PowConst(x, 1) }, []float64{0, 2}, []float64{0, 2}, []float64{1, 1})
}

// Far from zero nothing overflows into NaN.
func TestUnaryExtremes(t *testing.T) {
	inf := math.Inf(1)
	check := func(name string, build func(*op.Node) *op.Node, x, y, dx []float64) {
		t.Run(name, func(t *testing.T) {
			optest.Check(t, optest.Case{
				In: []optest.Input{optest.Given(x, op.Dim(len(x)))}, Build: optest.Unary(build),
				Want: [][]float64{y}, WantGrad: [][]float64{dx}, OnKink: true,
			})
		})
	}
	check("Sigmoid", op.Sigmoid, []float64{-1000, 1000, -inf, inf}, []float64{0, 1, 0, 1}, []float64{0, 0, 0, 0})
	check("Tanh", op.Tanh, []float64{-1000, 1000, -inf, inf}, []float64{-1, 1, -1, 1}, []float64{0, 0, 0, 0})
	check("Softplus", op.Softplus, []float64{-1000, 1000, inf}, []float64{0, 1000, inf}, []float64{0, 1, 1})
	check("SiLU", op.SiLU, []float64{-1000, 1000}, []float64{0, 1000}, []float64{0, 1})
	check("GELU", op.GELU, []float64{-1000, 1000}, []float64{0, 1000}, []float64{0, 1})
	check("GELUTanh", op.GELUTanh, []float64{-1000, 1000}, []float64{0, 1000}, []float64{0, 1})
	check("ELU", func(x *op.Node) *op.Node { return op.ELU(x, 1) }, []float64{-1000, 1000}, []float64{-1, 1000}, []float64{0, 1})
	check("Exp", op.Exp, []float64{-1000, -inf, inf}, []float64{0, 0, inf}, []float64{0, 0, inf})
	check("Softsign", op.Softsign, []float64{-1e6, 1e6}, []float64{-1e6 / (1 + 1e6), 1e6 / (1 + 1e6)}, []float64{0, 0})
}

func TestUnaryIntegersAndBools(t *testing.T) {
	integers := func(values ...float64) []optest.Input {
		return []optest.Input{{DType: op.Int32, Shape: []op.Dim{op.Dim(len(values))}, Values: values}}
	}
	bools := func(values ...float64) []optest.Input {
		return []optest.Input{{DType: op.Bool, Shape: []op.Dim{op.Dim(len(values))}, Values: values}}
	}
	optest.Check(t,
		optest.Case{Name: "Neg", In: integers(-3, 0, 4), Build: optest.Unary(op.Neg), Want: [][]float64{{3, 0, -4}}},
		optest.Case{Name: "Abs", In: integers(-3, 0, 4), Build: optest.Unary(op.Abs), Want: [][]float64{{3, 0, 4}}},
		optest.Case{Name: "Sign", In: integers(-3, 0, 4), Build: optest.Unary(op.Sign), Want: [][]float64{{-1, 0, 1}}},
		optest.Case{Name: "Square", In: integers(-3, 0, 4), Build: optest.Unary(op.Square), Want: [][]float64{{9, 0, 16}}},
		optest.Case{Name: "AddConst", In: integers(-3, 0, 4), Want: [][]float64{{-1, 2, 6}},
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.AddConst(x, 2) })},
		optest.Case{Name: "MulConst", In: integers(-3, 0, 4), Want: [][]float64{{-6, 0, 8}},
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.MulConst(x, 2) })},
		optest.Case{Name: "Clip", In: integers(-3, 0, 4), Want: [][]float64{{-1, 0, 2}},
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.Clip(x, -1, 2) })},
		optest.Case{Name: "Not", In: bools(0, 1, 1), Build: optest.Unary(op.Not), Want: [][]float64{{1, 0, 0}}},
		optest.Case{Name: "IsFinite", In: []optest.Input{optest.Given([]float64{1, math.Inf(1), math.Inf(-1), math.NaN(), 0}, 5)},
			Build: optest.Unary(op.IsFinite), Want: [][]float64{{1, 0, 0, 0, 1}}},
	)
}

func TestUnaryMisuse(t *testing.T) {
	int32s := []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{4}}}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: int32s, Build: optest.Unary(op.Exp), Want: `op.Exp: input "ids" has type int32, want a floating-point type`},
		{In: int32s, Build: optest.Unary(op.Not), Want: `op.Not: input "ids" has type int32, want bool`},
		{In: int32s, Build: optest.Unary(op.IsFinite), Want: `op.IsFinite: input "ids" has type int32, want a floating-point type`},
		{In: []optest.Input{optest.Bool(3)}, Build: optest.Unary(op.Neg), Want: `op.Neg: input "x0" has type bool, want a number type`},
		{In: []optest.Input{optest.Float(3)}, Build: optest.Unary(func(x *op.Node) *op.Node { return op.Clip(x, 2, 1) }),
			Want: `op.Clip: low 2 is not at most high 1`},
		{In: []optest.Input{optest.Float(3)}, Build: optest.Unary(func(x *op.Node) *op.Node { return op.Clip(x, math.NaN(), 1) }),
			Want: `op.Clip: low NaN is not at most high 1`},
		{In: int32s, Build: optest.Unary(func(x *op.Node) *op.Node { return op.Neg(op.Exp(x)) }),
			Want: `op.Exp: input "ids" has type int32, want a floating-point type`},
		{Build: func(...*op.Node) []*op.Node { return []*op.Node{op.Tanh(nil)} }, Want: `op.Tanh: input 0 is nil`},
	}})
}

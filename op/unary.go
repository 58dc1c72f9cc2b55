package op

var unaryNames = [...]string{
	UnaryNeg: "neg", UnaryAbs: "abs", UnarySign: "sign", UnarySquare: "square", UnarySqrt: "sqrt", UnaryRsqrt: "rsqrt",
	UnaryReciprocal: "reciprocal", UnaryExp: "exp", UnaryExpm1: "expm1", UnaryLog: "log", UnaryLog1p: "log1p", UnarySin: "sin",
	UnaryCos: "cos", UnaryErf: "erf", UnarySigmoid: "sigmoid", UnaryTanh: "tanh", UnaryReLU: "relu", UnaryLeakyReLU: "leaky_relu",
	UnaryELU: "elu", UnaryGELU: "gelu", UnaryGELUTanh: "gelu_tanh", UnarySiLU: "silu", UnarySoftplus: "softplus",
	UnarySoftsign: "softsign", UnarySTanh: "stanh", UnaryClip: "clip", UnaryAddConst: "add_const", UnaryMulConst: "mul_const",
	UnaryPowConst: "pow_const", UnaryFloor: "floor", UnaryCeil: "ceil", UnaryRound: "round", UnaryIsFinite: "is_finite",
	UnaryNot: "not",
}

// String returns the function's name, such as "relu".
func (f UnaryFunc) String() string { return unaryNames[f] }

// unary applies a function to each element.
type unary struct {
	Func UnaryFunc
	A, B float64
}

func (o unary) Name() string { return o.Func.String() }

func (o unary) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	out := Spec{s.In[0].DType, s.In[0].Shape}
	switch d := s.In[0].DType; o.Func {
	case UnaryNot:
		if d != Bool {
			return nil, s.WrongType(0, "bool")
		}
	case UnaryIsFinite:
		out.DType = Bool
		return []Spec{out}, s.Float(0)
	case UnaryNeg, UnaryAbs, UnarySign, UnarySquare, UnaryAddConst, UnaryMulConst, UnaryClip:
		return []Spec{out}, s.Number(0)
	default:
		return []Spec{out}, s.Float(0)
	}
	return []Spec{out}, nil
}

func (o unary) Run(e *Env, in, out []Buffer) error {
	e.Unary(o.Func, o.A, o.B, in[0], out[0])
	return nil
}

func (o unary) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x, y := o.Func.Needs()
	in := []*Node{dout[0]}
	switch {
	case x:
		in = append(in, c.In[0])
	case y:
		in = append(in, c.Out[0])
	}
	switch o.Func {
	case UnarySign, UnaryFloor, UnaryCeil, UnaryRound, UnaryIsFinite, UnaryNot:
		return []*Node{nil}
	case UnaryAddConst:
		return []*Node{dout[0]}
	case UnaryNeg:
		return []*Node{Neg(dout[0])}
	case UnaryMulConst:
		return []*Node{MulConst(dout[0], o.A)}
	}
	return []*Node{apply1(unaryGrad(o), in...)}
}

func (o unary) Traits() Traits {
	t := Traits{InPlace: []Pair{{0, 0}}}
	switch o.Func {
	case UnaryExp, UnaryExpm1, UnaryLog, UnaryLog1p, UnarySquare, UnaryReciprocal, UnaryRsqrt, UnaryPowConst, UnarySoftplus:
		t.Precision = Keep32
	case UnaryIsFinite:
		t.InPlace = nil
	}
	return t
}

func (o unary) FLOPs(_, out [][]int) int64 { return elements(out[0]) }

func elements(shape []int) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

// unaryGrad computes dy · f'(x); its inputs are dy and the argument or the result of f, whichever f needs.
type unaryGrad unary

func (o unaryGrad) Name() string { return o.Func.String() + "_grad" }

func (o unaryGrad) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, nil }

func (o unaryGrad) Run(e *Env, in, out []Buffer) error {
	var x, y Buffer
	if byX, byY := o.Func.Needs(); byX {
		x = in[1]
	} else if byY {
		y = in[1]
	}
	e.UnaryGrad(o.Func, o.A, o.B, x, y, in[0], out[0])
	return nil
}

// Gradient is linear in dy, and has f” for the argument or the result.
func (o unaryGrad) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	out := make([]*Node, len(c.In))
	if want[0] {
		out[0] = apply1(o, append([]*Node{dout[0]}, c.In[1:]...)...)
	}
	if len(want) > 1 && want[1] {
		if bend := o.bend(c.In[1]); bend != nil {
			out[1] = Mul(Mul(dout[0], c.In[0]), bend)
		}
	}
	return out
}

func (o unaryGrad) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}} }

func (o unaryGrad) FLOPs(_, out [][]int) int64 { return 2 * elements(out[0]) }

func unaryOf(f UnaryFunc, x *Node) *Node { return apply1(unary{Func: f}, x) }

// Neg returns −x, element by element, as all functions in this file: x of any shape, the result of the same shape and type.
func Neg(x *Node) *Node { return unaryOf(UnaryNeg, x) }

// Abs returns |x|; its derivative at 0 is 0.
func Abs(x *Node) *Node { return unaryOf(UnaryAbs, x) }

// Sign returns −1, 0 or 1; its derivative is 0.
func Sign(x *Node) *Node { return unaryOf(UnarySign, x) }

// Square returns x².
func Square(x *Node) *Node { return unaryOf(UnarySquare, x) }

// Sqrt returns √x.
func Sqrt(x *Node) *Node { return unaryOf(UnarySqrt, x) }

// Rsqrt returns 1/√x.
func Rsqrt(x *Node) *Node { return unaryOf(UnaryRsqrt, x) }

// Reciprocal returns 1/x.
func Reciprocal(x *Node) *Node { return unaryOf(UnaryReciprocal, x) }

// Exp returns eˣ.
func Exp(x *Node) *Node { return unaryOf(UnaryExp, x) }

// Expm1 returns eˣ − 1, exact near 0.
func Expm1(x *Node) *Node { return unaryOf(UnaryExpm1, x) }

// Log returns the natural logarithm of x.
func Log(x *Node) *Node { return unaryOf(UnaryLog, x) }

// Log1p returns log(1+x), exact near 0.
func Log1p(x *Node) *Node { return unaryOf(UnaryLog1p, x) }

// Sin returns the sine of x in radians.
func Sin(x *Node) *Node { return unaryOf(UnarySin, x) }

// Cos returns the cosine of x in radians.
func Cos(x *Node) *Node { return unaryOf(UnaryCos, x) }

// Erf returns the error function 2/√π ∫₀ˣ exp(−t²) dt.
func Erf(x *Node) *Node { return unaryOf(UnaryErf, x) }

// Floor returns the greatest integer not above x; its derivative is 0.
func Floor(x *Node) *Node { return unaryOf(UnaryFloor, x) }

// Ceil returns the least integer not below x; its derivative is 0.
func Ceil(x *Node) *Node { return unaryOf(UnaryCeil, x) }

// Round returns the nearest integer, of two the even one; its derivative is 0.
func Round(x *Node) *Node { return unaryOf(UnaryRound, x) }

// IsFinite returns Bool: whether x is neither infinite nor NaN.
func IsFinite(x *Node) *Node { return unaryOf(UnaryIsFinite, x) }

// Not returns the negation of a Bool.
func Not(x *Node) *Node { return unaryOf(UnaryNot, x) }

// AddConst returns x + a.
func AddConst(x *Node, a float64) *Node { return apply1(unary{UnaryAddConst, a, 0}, x) }

// MulConst returns a·x.
func MulConst(x *Node, a float64) *Node { return apply1(unary{UnaryMulConst, a, 0}, x) }

// PowConst returns xᵃ.
func PowConst(x *Node, a float64) *Node { return apply1(unary{UnaryPowConst, a, 0}, x) }

// Clip returns min(max(x, low), high); its derivative is 1 on [low, high] and 0 outside.
func Clip(x *Node, low, high float64) *Node {
	if x.Err() == nil && !(low <= high) {
		return x.Graph().Fail("low %v is not at most high %v", low, high)
	}
	return apply1(unary{UnaryClip, low, high}, x)
}

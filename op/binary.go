package op

var binaryNames = [...]string{
	BinaryAdd: "add", BinarySub: "sub", BinaryMul: "mul", BinaryDiv: "div", BinaryPow: "pow", BinaryMax: "maximum", BinaryMin: "minimum",
	BinaryLogisticLoss: "logistic_loss", BinaryLogisticSlope: "logistic_slope",
	BinaryEqual: "equal", BinaryNotEqual: "not_equal", BinaryLess: "less", BinaryLessEqual: "less_equal", BinaryGreater: "greater",
	BinaryGreaterEqual: "greater_equal", BinaryAnd: "and", BinaryOr: "or", BinaryXor: "xor",
}

// String returns the function's name, such as "add".
func (f BinaryFunc) String() string { return binaryNames[f] }

// binary applies a function of two numbers with broadcasting.
type binary struct{ Func BinaryFunc }

func (o binary) Name() string { return o.Func.String() }

func (o binary) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(2); err != nil {
		return nil, err
	}
	if err := s.SameType(); err != nil {
		return nil, err
	}
	d := s.In[0].DType
	logical := o.Func >= BinaryAnd
	switch {
	case logical && d != Bool:
		return nil, s.WrongType(0, "bool")
	case !logical && (d != Bool || o.Func != BinaryEqual && o.Func != BinaryNotEqual):
		if err := s.Number(0); err != nil {
			return nil, err
		}
	}
	shape, err := s.Broadcast(0, 1)
	if o.Func >= BinaryEqual {
		d = Bool
	}
	return []Spec{{d, shape}}, err
}

func (o binary) Run(e *Env, in, out []Buffer) error {
	e.Binary(o.Func, in[0], in[1], out[0])
	return nil
}

func (o binary) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	a, b, y, dy := c.In[0], c.In[1], c.Out[0], dout[0]
	var da, db func() *Node
	switch o.Func {
	case BinaryAdd:
		da, db = func() *Node { return dy }, func() *Node { return dy }
	case BinarySub:
		da, db = func() *Node { return dy }, func() *Node { return Neg(dy) }
	case BinaryMul:
		da, db = func() *Node { return Mul(dy, b) }, func() *Node { return Mul(dy, a) }
	case BinaryDiv:
		da, db = func() *Node { return Div(dy, b) }, func() *Node { return Neg(Div(Mul(dy, y), b)) }
	case BinaryPow:
		da = func() *Node { // 0 where b is 0, for a = 0 too
			return choose(NotEqual(b, c.graph.Full(b.dtype, 0)), Mul(dy, Mul(b, Pow(a, AddConst(b, -1)))))
		}
		db = func() *Node { return Mul(dy, Where(Greater(a, Zeros(a)), Mul(y, Log(a)), Zeros(y))) }
	case BinaryMax:
		da, db = func() *Node { return choose(GreaterEqual(a, b), dy) }, func() *Node { return choose(Less(a, b), dy) }
	case BinaryMin:
		da, db = func() *Node { return choose(LessEqual(a, b), dy) }, func() *Node { return choose(Greater(a, b), dy) }
	case BinaryLogisticLoss:
		da = func() *Node { return Mul(dy, binaryOf(BinaryLogisticSlope, a, b)) }
		db = func() *Node { return Neg(Mul(dy, a)) }
	case BinaryLogisticSlope:
		da = func() *Node { p := Sigmoid(a); return Mul(dy, Mul(p, AddConst(Neg(p), 1))) }
		db = func() *Node { return Neg(dy) }
	default:
		return []*Node{nil, nil}
	}
	out := make([]*Node, 2)
	if want[0] {
		out[0] = SumTo(da(), a.shape...)
	}
	if want[1] {
		out[1] = SumTo(db(), b.shape...)
	}
	return out
}

// choose returns x where c is true, else 0.
func choose(c, x *Node) *Node { return Where(c, x, Zeros(x)) }

func (o binary) Traits() Traits {
	t := Traits{InPlace: []Pair{{0, 0}, {1, 0}}}
	if o.Func >= BinaryEqual && o.Func < BinaryAnd {
		t.InPlace = nil
	}
	switch o.Func {
	case BinaryPow, BinaryLogisticLoss, BinaryLogisticSlope:
		t.Precision = Keep32
	}
	return t
}

func (o binary) FLOPs(_, out [][]int) int64 { return elements(out[0]) }

func binaryOf(f BinaryFunc, a, b *Node) *Node { return apply1(binary{f}, a, b) }

// Add returns a + b. Like all functions of two nodes here it broadcasts as NumPy does: shapes are aligned at the last axis, and a size
// of 1 stretches. Both have the same type. The gradient of a stretched operand is summed back to its own shape.
func Add(a, b *Node) *Node { return binaryOf(BinaryAdd, a, b) }

// Sub returns a − b.
func Sub(a, b *Node) *Node { return binaryOf(BinarySub, a, b) }

// Mul returns the element-wise product a·b; for matrices see MatMul.
func Mul(a, b *Node) *Node { return binaryOf(BinaryMul, a, b) }

// Div returns a/b; of integers the quotient toward zero, and 0 where b is 0.
func Div(a, b *Node) *Node { return binaryOf(BinaryDiv, a, b) }

// Pow returns aᵇ. The gradient for b is taken as 0 where a ≤ 0.
func Pow(a, b *Node) *Node { return binaryOf(BinaryPow, a, b) }

// Maximum returns the greater of a and b, NaN if one is NaN. Where they are equal the gradient goes to a.
func Maximum(a, b *Node) *Node { return binaryOf(BinaryMax, a, b) }

// Minimum returns the lesser of a and b, NaN if one is NaN. Where they are equal the gradient goes to a.
func Minimum(a, b *Node) *Node { return binaryOf(BinaryMin, a, b) }

// Equal returns Bool: a = b.
func Equal(a, b *Node) *Node { return binaryOf(BinaryEqual, a, b) }

// NotEqual returns Bool: a ≠ b.
func NotEqual(a, b *Node) *Node { return binaryOf(BinaryNotEqual, a, b) }

// Less returns Bool: a < b.
func Less(a, b *Node) *Node { return binaryOf(BinaryLess, a, b) }

// LessEqual returns Bool: a ≤ b.
func LessEqual(a, b *Node) *Node { return binaryOf(BinaryLessEqual, a, b) }

// Greater returns Bool: a > b.
func Greater(a, b *Node) *Node { return binaryOf(BinaryGreater, a, b) }

// GreaterEqual returns Bool: a ≥ b.
func GreaterEqual(a, b *Node) *Node { return binaryOf(BinaryGreaterEqual, a, b) }

// And returns the conjunction of two Bools.
func And(a, b *Node) *Node { return binaryOf(BinaryAnd, a, b) }

// Or returns the disjunction of two Bools.
func Or(a, b *Node) *Node { return binaryOf(BinaryOr, a, b) }

// Xor returns whether exactly one of two Bools is true.
func Xor(a, b *Node) *Node { return binaryOf(BinaryXor, a, b) }

// Where returns a where the Bool c is true, else b; all three broadcast.
func Where(c, a, b *Node) *Node { return apply1(where{}, c, a, b) }

type where struct{}

func (where) Name() string { return "where" }

func (where) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(3); err != nil {
		return nil, err
	}
	if s.In[0].DType != Bool {
		return nil, s.WrongType(0, "bool")
	}
	if s.In[1].DType != s.In[2].DType {
		return nil, s.WrongType(2, s.In[1].DType.String()+", as input "+s.input(1))
	}
	shape, err := s.Broadcast(0, 1, 2)
	return []Spec{{s.In[1].DType, shape}}, err
}

func (where) Run(e *Env, in, out []Buffer) error {
	e.Where(in[0], in[1], in[2], out[0])
	return nil
}

func (where) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	out := make([]*Node, 3)
	if want[1] {
		out[1] = SumTo(choose(c.In[0], dout[0]), c.In[1].shape...)
	}
	if want[2] {
		out[2] = SumTo(choose(Not(c.In[0]), dout[0]), c.In[2].shape...)
	}
	return out
}

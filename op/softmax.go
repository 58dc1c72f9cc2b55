package op

// Softmax returns exp(x)/Σ exp(x) over the last axis, computed from differences to the greatest element, so that no exponential
// overflows; for another axis see Transpose. x and the result have the same shape.
func Softmax(x *Node) *Node { return apply1(softmax{}, x) }

// LogSoftmax returns x − log Σ exp(x) over the last axis, without computing Softmax first.
func LogSoftmax(x *Node) *Node { return apply1(softmax{Log: true}, x) }

type softmax struct{ Log bool }

func (o softmax) Name() string {
	if o.Log {
		return "log_softmax"
	}
	return "softmax"
}

func (o softmax) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	if len(s.In[0].Shape) == 0 {
		return nil, s.Wrong(0, "at least one axis")
	}
	return []Spec{s.In[0]}, s.Float(0)
}

func (o softmax) Run(e *Env, in, out []Buffer) error {
	e.Softmax(o.Log, in[0], out[0])
	return nil
}

func (o softmax) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{apply1(softmaxGrad(o), c.Out[0], dout[0])}
}

func (softmax) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}, Precision: Keep32} }

func (softmax) FLOPs(_, out [][]int) int64 { return 5 * elements(out[0]) }

// softmaxGrad computes y·(dy − Σ dy·y), or with Log dy − exp(y)·Σ dy, from the result y.
type softmaxGrad softmax

func (o softmaxGrad) Name() string { return softmax(o).Name() + "_grad" }

func (softmaxGrad) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(2) }

func (o softmaxGrad) Run(e *Env, in, out []Buffer) error {
	e.SoftmaxGrad(o.Log, in[0], in[1], out[0])
	return nil
}

// Gradient: with z the gradient that comes in, of softmax z·dy − z·Σ dy·y − dy·Σ z·y for y and the same function of z for dy; of its
// logarithm −z·exp(y)·Σ dy for y and z − Σ z·exp(y) for dy.
func (o softmaxGrad) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	y, dy, z := c.In[0], c.In[1], dout[0]
	rowSum := func(n *Node) *Node { return Unsqueeze(Sum(n, -1), -1) }
	out := make([]*Node, 2)
	switch {
	case o.Log && want[0]:
		out[0] = Neg(Mul(Mul(z, Exp(y)), rowSum(dy)))
	case want[0]:
		out[0] = Sub(Mul(z, Sub(dy, rowSum(Mul(dy, y)))), Mul(dy, rowSum(Mul(z, y))))
	}
	switch {
	case o.Log && want[1]:
		out[1] = Sub(z, rowSum(Mul(z, Exp(y))))
	case want[1]:
		out[1] = apply1(o, y, z)
	}
	return out
}

func (softmaxGrad) Traits() Traits { return Traits{InPlace: []Pair{{1, 0}}, Precision: Keep32} }

func (softmaxGrad) FLOPs(_, out [][]int) int64 { return 4 * elements(out[0]) }

package op

// conv2dGradInput computes the gradient of a convolution for its image, which is Height × Width, from the filters and dy. Like the
// convolution it is linear in both.
type conv2dGradInput struct {
	Of            conv2d
	Height, Width Dim
}

func (conv2dGradInput) Name() string { return "conv2d_grad_input" }

func (o conv2dGradInput) Infer(s *Shapes) ([]Spec, error) {
	w, dy := s.In[0].Shape, s.In[1].Shape
	return []Spec{{s.In[1].DType, []Dim{dy[0], w[1] * Dim(o.Of.Groups), o.Height, o.Width}}}, s.Arity(2)
}

func (o conv2dGradInput) Run(e *Env, in, out []Buffer) error {
	c, err := o.Of.spec(out[0].Shape, in[0].Shape, in[1].Shape)
	if err == nil {
		e.Conv2DGradInput(c, in[0], in[1], out[0])
	}
	return err
}

func (o conv2dGradInput) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	w, dy, ddx := c.In[0], c.In[1], dout[0]
	out := make([]*Node, 2)
	if want[0] {
		out[0] = apply1(conv2dGradFilter{o.Of, w.shape[2], w.shape[3]}, ddx, dy)
	}
	if want[1] {
		out[1] = apply1(o.Of, ddx, w)
	}
	return out
}

func (conv2dGradInput) Traits() Traits { return Traits{Precision: Low} }

func (o conv2dGradInput) FLOPs(in, _ [][]int) int64 { return 2 * elements(in[1]) * elements(in[0][1:]) }

// conv2dGradFilter computes the gradient of a convolution for its filters, which are Height × Width, from the image and dy. It is
// linear in both.
type conv2dGradFilter struct {
	Of            conv2d
	Height, Width Dim
}

func (conv2dGradFilter) Name() string { return "conv2d_grad_filter" }

func (o conv2dGradFilter) Infer(s *Shapes) ([]Spec, error) {
	x, dy := s.In[0].Shape, s.In[1].Shape
	return []Spec{{s.In[0].DType, []Dim{dy[1], s.Div(x[1], Dim(o.Of.Groups)), o.Height, o.Width}}}, s.Arity(2)
}

func (o conv2dGradFilter) Run(e *Env, in, out []Buffer) error {
	c, err := o.Of.spec(in[0].Shape, out[0].Shape, in[1].Shape)
	if err == nil {
		e.Conv2DGradFilter(c, in[0], in[1], out[0])
	}
	return err
}

func (o conv2dGradFilter) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x, dy, ddw := c.In[0], c.In[1], dout[0]
	out := make([]*Node, 2)
	if want[0] {
		out[0] = apply1(conv2dGradInput{o.Of, x.shape[2], x.shape[3]}, ddw, dy)
	}
	if want[1] {
		out[1] = apply1(o.Of, x, ddw)
	}
	return out
}

func (conv2dGradFilter) Traits() Traits { return Traits{Precision: Low} }

func (o conv2dGradFilter) FLOPs(in, out [][]int) int64 {
	return 2 * elements(in[1]) * elements(out[0][1:])
}

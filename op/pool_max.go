package op

// MaxPool2D returns the greatest element of each window of x (batch, channels, height, width): (batch, channels, out height, out width),
// where out is ⌊(size + padding − window)/stride⌋ + 1, or with Ceil the quotient rounded up. Padding never wins, and NaN wins over
// numbers. The gradient goes to the element that won, the first of equals; an element that wins in several windows gets the sum.
// It is an error if the window does not fit into the padded image.
func MaxPool2D(x *Node, p Pool) *Node {
	o := p.op()
	o.CountPadding = false
	return apply1(maxPool2d{o}, x)
}

// maxPool2d gives the pooled image and the place of each element in its plane.
type maxPool2d struct{ Pool pool2d }

func (maxPool2d) Name() string { return "max_pool2d" }

func (o maxPool2d) Infer(s *Shapes) ([]Spec, error) {
	shape, err := o.Pool.infer(s)
	return []Spec{{s.In[0].DType, shape}, {Int32, shape}}, err
}

func (o maxPool2d) Run(e *Env, in, out []Buffer) error {
	p, err := o.Pool.spec(in[0].Shape, out[0].Shape)
	if err == nil {
		e.MaxPool2D(p, in[0], out[0], out[1])
	}
	return err
}

func (o maxPool2d) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x := c.In[0]
	return []*Node{apply1(maxPool2dGrad{o.Pool, x.shape[2], x.shape[3]}, c.Out[1], dout[0])}
}

func (maxPool2d) Traits() Traits { return Traits{OptionalOutputs: true} }

func (o maxPool2d) FLOPs(_, out [][]int) int64 { return o.Pool.flops(out[0]) }

// maxPool2dGrad adds dy to an image of zeros, Height × Width, at the recorded places.
type maxPool2dGrad struct {
	Pool          pool2d
	Height, Width Dim
}

func (maxPool2dGrad) Name() string { return "max_pool2d_grad" }

func (o maxPool2dGrad) Infer(s *Shapes) ([]Spec, error) {
	dy := s.In[1]
	return []Spec{{dy.DType, []Dim{dy.Shape[0], dy.Shape[1], o.Height, o.Width}}}, s.Arity(2)
}

func (o maxPool2dGrad) Run(e *Env, in, out []Buffer) error {
	p, err := o.Pool.spec(out[0].Shape, in[1].Shape)
	if err == nil {
		e.MaxPool2DGrad(p, in[0], in[1], out[0])
	}
	return err
}

func (o maxPool2dGrad) FLOPs(in, _ [][]int) int64 { return elements(in[1]) }

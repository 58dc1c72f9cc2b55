package op

// AvgPool2D returns the mean of each window of x (batch, channels, height, width), with the sizes of MaxPool2D. The mean is taken over the
// elements of the window that lie in the image, or with CountPadding over those that lie in the padded image.
func AvgPool2D(x *Node, p Pool) *Node { return apply1(avgPool2d{p.op()}, x) }

type avgPool2d struct{ Pool pool2d }

func (avgPool2d) Name() string { return "avg_pool2d" }

func (o avgPool2d) Infer(s *Shapes) ([]Spec, error) {
	shape, err := o.Pool.infer(s)
	return []Spec{{s.In[0].DType, shape}}, err
}

func (o avgPool2d) Run(e *Env, in, out []Buffer) error {
	p, err := o.Pool.spec(in[0].Shape, out[0].Shape)
	if err == nil {
		e.AvgPool2D(p, in[0], out[0])
	}
	return err
}

func (o avgPool2d) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x := c.In[0]
	return []*Node{apply1(avgPool2dGrad{o.Pool, x.shape[2], x.shape[3]}, dout[0])}
}

func (o avgPool2d) FLOPs(_, out [][]int) int64 { return o.Pool.flops(out[0]) }

// avgPool2dGrad spreads dy over an image of the size Height × Width.
type avgPool2dGrad struct {
	Pool          pool2d
	Height, Width Dim
}

func (avgPool2dGrad) Name() string { return "avg_pool2d_grad" }

func (o avgPool2dGrad) Infer(s *Shapes) ([]Spec, error) {
	dy := s.In[0]
	return []Spec{{dy.DType, []Dim{dy.Shape[0], dy.Shape[1], o.Height, o.Width}}}, s.Arity(1)
}

func (o avgPool2dGrad) Run(e *Env, in, out []Buffer) error {
	p, err := o.Pool.spec(out[0].Shape, in[0].Shape)
	if err == nil {
		e.AvgPool2DGrad(p, in[0], out[0])
	}
	return err
}

func (o avgPool2dGrad) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{apply1(avgPool2d{o.Pool}, dout[0])}
}

func (o avgPool2dGrad) FLOPs(in, _ [][]int) int64 { return o.Pool.flops(in[0]) }

package op

import "fmt"

// Conv holds the attributes of a convolution. The zero value means stride 1, no padding, dilation 1 and one group. What is said for
// the height holds for the width too unless the field for the width is set.
type Conv struct {
	Stride, StrideWidth     int // step from window to window; 0 means 1
	Dilation, DilationWidth int // step from element to element in a window; 0 means 1
	Groups                  int // parts of the channels that are convolved apart; 0 means 1

	// Padding is the number of zeros put around the image on each side; the other four are put on single sides besides.
	Padding                              int
	PadTop, PadBottom, PadLeft, PadRight int
	// Same pads such that the result has the size ⌈size/stride⌉. Of an odd number of zeros the extra one is at the end: at the bottom
	// and on the right, as in TensorFlow.
	Same bool
}

// Conv2D returns the two-dimensional convolution (cross-correlation) of x (batch, channels, height, width) with the filters
// w (filters, channels/groups, kernel height, kernel width):
//
//	y[b, f, i, j] = Σ w[f, c, k, l] · x[b, c, i·stride + k·dilation − padding, j·stride + l·dilation − padding]
//
// with x zero outside of the image. The result is (batch, filters, out height, out width), where out is
// ⌊(size + padding − dilation·(kernel−1) − 1)/stride⌋ + 1. With groups, filters and channels are cut into as many parts, and filters
// see the channels of their part only. It is an error if the kernel does not fit into the padded image.
//
// In float32, 3 × 3 filters of stride and dilation 1 may be applied to 2 × 2 elements of the result at a time, by the method of Winograd (1980)
// with the transforms of Lavin and Gray (2016): with fewer multiplications, and rounding errors of the same size. Then Inf or NaN in an element of
// x reaches all four, wherever in their 4 × 4 elements of x it is.
func Conv2D(x, w *Node, c Conv) *Node { return apply1(c.op(), x, w) }

// op returns the operation with every default put in.
func (c Conv) op() conv2d {
	return conv2d{
		StrideHeight: orElse(c.Stride, 1), StrideWidth: orElse(c.StrideWidth, c.Stride, 1),
		DilationHeight: orElse(c.Dilation, 1), DilationWidth: orElse(c.DilationWidth, c.Dilation, 1),
		PadTop: c.Padding + c.PadTop, PadBottom: c.Padding + c.PadBottom,
		PadLeft: c.Padding + c.PadLeft, PadRight: c.Padding + c.PadRight,
		Groups: orElse(c.Groups, 1), Same: c.Same,
	}
}

// conv2d is a convolution. The fusion pass gives it a third input, a bias per filter, and an activation.
type conv2d struct {
	StrideHeight, StrideWidth            int
	DilationHeight, DilationWidth        int
	PadTop, PadBottom, PadLeft, PadRight int
	Groups                               int
	Same                                 bool
	Act                                  Activation
}

func (conv2d) Name() string { return "conv2d" }

func (o conv2d) Infer(s *Shapes) ([]Spec, error) {
	if len(s.In) != 3 {
		if err := s.Arity(2); err != nil {
			return nil, err
		}
	}
	if err := s.SameType(); err != nil {
		return nil, err
	}
	if err := s.Float(0); err != nil {
		return nil, err
	}
	if err := o.checkFilters(s); err != nil {
		return nil, err
	}
	x, w := s.In[0].Shape, s.In[1].Shape
	vertical, horizontal := o.windows(int(w[2]), int(w[3]))
	for _, err := range []error{vertical.valid(), horizontal.valid(), vertical.fits("height", x[2]), horizontal.fits("width", x[3])} {
		if err != nil {
			return nil, fmt.Errorf("input %s has shape %s: %w", s.input(0), s.String(x), err)
		}
	}
	if len(s.In) == 3 && !SameShape(s.In[2].Shape, w[:1]) {
		return nil, s.Wrong(2, "(%s,)", s.DimString(w[0]))
	}
	return []Spec{{s.In[0].DType, []Dim{x[0], w[0], vertical.count(s, x[2]), horizontal.count(s, x[3])}}}, nil
}

// checkFilters returns an error unless the filters have a known size and fit to the channels.
func (o conv2d) checkFilters(s *Shapes) error {
	x, w := s.In[0].Shape, s.In[1].Shape
	switch {
	case len(x) != 4:
		return s.Wrong(0, "(batch, channels, height, width)")
	case len(w) != 4:
		return s.Wrong(1, "(filters, channels/groups, height, width)")
	case w[0] < 0 || w[1] < 0 || w[2] < 1 || w[3] < 1:
		return s.Wrong(1, "known sizes, and at least 1 high and wide")
	case o.Groups < 1:
		return fmt.Errorf("%d groups, want 1 or more", o.Groups)
	case int(w[0])%o.Groups != 0:
		return s.Wrong(1, "a multiple of %d filters, one part for each group", o.Groups)
	case x[1] != w[1]*Dim(o.Groups):
		return s.Wrong(0, "%d channels: %d groups of the %d that the filters have", int(w[1])*o.Groups, o.Groups, w[1])
	}
	return nil
}

// windows returns the windows of a kernel of the given height and width.
func (o conv2d) windows(height, width int) (vertical, horizontal window) {
	vertical = window{
		kernel: height, stride: o.StrideHeight, dilation: o.DilationHeight, before: o.PadTop, after: o.PadBottom, same: o.Same,
	}
	horizontal = window{
		kernel: width, stride: o.StrideWidth, dilation: o.DilationWidth, before: o.PadLeft, after: o.PadRight, same: o.Same,
	}
	return vertical, horizontal
}

func (o conv2d) Run(e *Env, in, out []Buffer) error {
	var bias Buffer
	if len(in) == 3 {
		bias = in[2]
	}
	c, err := o.spec(in[0].Shape, in[1].Shape, out[0].Shape)
	if err == nil {
		e.Conv2D(c, in[0], in[1], bias, out[0])
	}
	return err
}

// spec returns the sizes of a convolution of an image x with filters w to y. It fails where the kernel does not fit, which building
// could not see if the size of the image was symbolic.
func (o conv2d) spec(x, w, y []int) (ConvSpec, error) {
	vertical, horizontal := o.windows(w[2], w[3])
	for _, err := range [...]error{vertical.fits("height", Dim(x[2])), horizontal.fits("width", Dim(x[3]))} {
		if err != nil {
			return ConvSpec{}, err
		}
	}
	c := ConvSpec{
		Batch: x[0], Channels: x[1], Height: x[2], Width: x[3],
		Filters: w[0], KernelHeight: w[2], KernelWidth: w[3], OutHeight: y[2], OutWidth: y[3],
		StrideHeight: o.StrideHeight, StrideWidth: o.StrideWidth, DilationHeight: o.DilationHeight, DilationWidth: o.DilationWidth,
		Groups: o.Groups, Act: o.Act,
	}
	c.PadTop, c.PadBottom = vertical.pads(x[2], y[2])
	c.PadLeft, c.PadRight = horizontal.pads(x[3], y[3])
	return c, nil
}

func (o conv2d) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x, w, dy := c.In[0], c.In[1], dout[0]
	out := make([]*Node, len(c.In))
	if want[0] {
		out[0] = apply1(conv2dGradInput{o, x.shape[2], x.shape[3]}, w, dy)
	}
	if want[1] {
		out[1] = apply1(conv2dGradFilter{o, w.shape[2], w.shape[3]}, x, dy)
	}
	return out
}

func (conv2d) Traits() Traits { return Traits{Precision: Low} }

func (o conv2d) FLOPs(in, out [][]int) int64 { return 2 * elements(out[0]) * elements(in[1][1:]) }

// withBias takes a bias of the shape (filters, 1, 1), which broadcasts over the image.
func (o conv2d) withBias(out, addend *Node) (Op, *Node, bool) {
	filters := out.shape[1]
	if o.Act != NoActivation || !SameShape(addend.shape, []Dim{filters, 1, 1}) {
		return nil, nil, false
	}
	return o, Reshape(addend, filters), true
}

func (o conv2d) withAct(a Activation) (Op, bool) {
	free := o.Act == NoActivation
	o.Act = a
	return o, free
}

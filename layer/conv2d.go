package layer

import "paddle/op"

// Conv2D is the layer y = act(conv(x, W) + b) over images x (batch, channels, height, width); see op.Conv2D for the arithmetic and
// the size of the result (batch, Filters, out height, out width). What is said for the height holds for the width too unless the
// field for the width is set.
type Conv2D struct {
	Filters             int // channels of the result
	Kernel, KernelWidth int // size of a filter; a KernelWidth of 0 is Kernel

	Stride, StrideWidth     int // 0 is 1
	Dilation, DilationWidth int // 0 is 1
	Groups                  int // 0 is 1

	// Padding is the number of zeros put around the image on each side; the other four are put on single sides besides.
	Padding                              int
	PadTop, PadBottom, PadLeft, PadRight int
	// Same pads such that the result has the size ⌈size/stride⌉, an odd zero at the end.
	Same bool

	Act    op.ActivationFunc // nil for none
	NoBias bool              // leaves out b

	Weight *op.Parameter // W (Filters, channels/Groups, Kernel, KernelWidth), by default Xavier uniform
	Bias   *op.Parameter // b (Filters), by default 0

	_ noCopy
}

// Forward builds the layer on x.
func (l *Conv2D) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	groups, width := max(l.Groups, 1), l.KernelWidth
	if width == 0 {
		width = l.Kernel
	}
	channels := int(x.Dim(1))
	switch {
	case l.Filters < 1:
		return s.Fail("%d filters, want 1 or more", l.Filters)
	case l.Kernel < 1 || width < 1:
		return s.Fail("kernel %d×%d, want 1 or more", l.Kernel, width)
	case x.Rank() != 4:
		return s.Wrong(x, "(batch, channels, height, width)")
	case channels < 1 || channels%groups != 0:
		return s.Wrong(x, "a known number of channels that is a multiple of the %d groups", groups)
	}
	if shape := shapeOf(l.Weight); len(shape) == 4 && shape[1]*groups != channels {
		return s.Wrong(x, "%d channels", shape[1]*groups)
	}
	w := s.Parameter("Weight", l.Weight, x.DType(), op.InitXavier{}, l.Filters, channels/groups, l.Kernel, width)
	y := op.Conv2D(x, w, l.conv())
	if !l.NoBias {
		b := s.Parameter("Bias", l.Bias, x.DType(), op.InitConstant(0), l.Filters)
		y = op.Add(y, op.Reshape(b, op.Dim(l.Filters), 1, 1))
	}
	return activate(l.Act, y)
}

func (l *Conv2D) conv() op.Conv {
	return op.Conv{
		Stride: l.Stride, StrideWidth: l.StrideWidth, Dilation: l.Dilation, DilationWidth: l.DilationWidth, Groups: l.Groups,
		Padding: l.Padding, PadTop: l.PadTop, PadBottom: l.PadBottom, PadLeft: l.PadLeft, PadRight: l.PadRight, Same: l.Same,
	}
}

package op

import "fmt"

// Pool holds the attributes of a pooling. What is said for the height holds for the width too unless the field for the width is set.
type Pool struct {
	Size, Width         int // of the window
	Stride, StrideWidth int // step from window to window; 0 means as large as the window

	// Padding is put around the image on each side; the other four are put on single sides besides. It is less than the window: every
	// window has an element of the image.
	Padding                              int
	PadTop, PadBottom, PadLeft, PadRight int
	// Ceil adds a window at the end where elements would be left over, as long as it starts in the image or the padding in front of it.
	Ceil bool
	// CountPadding makes a mean count the padding, as zeros.
	CountPadding bool
}

// op returns the sizes with every default put in.
func (p Pool) op() pool2d {
	height, width := p.Size, orElse(p.Width, p.Size)
	return pool2d{
		Height: height, Width: width,
		StrideHeight: orElse(p.Stride, height), StrideWidth: orElse(p.StrideWidth, p.Stride, width),
		PadTop: p.Padding + p.PadTop, PadBottom: p.Padding + p.PadBottom,
		PadLeft: p.Padding + p.PadLeft, PadRight: p.Padding + p.PadRight,
		Ceil: p.Ceil, CountPadding: p.CountPadding,
	}
}

// pool2d is what poolings and their gradients have in common.
type pool2d struct {
	Height, Width                        int
	StrideHeight, StrideWidth            int
	PadTop, PadBottom, PadLeft, PadRight int
	Ceil, CountPadding                   bool
}

func (o pool2d) windows() (vertical, horizontal window) {
	vertical = window{kernel: o.Height, stride: o.StrideHeight, before: o.PadTop, after: o.PadBottom}
	horizontal = window{kernel: o.Width, stride: o.StrideWidth, before: o.PadLeft, after: o.PadRight}
	for _, w := range []*window{&vertical, &horizontal} {
		w.dilation, w.pooling, w.ceil = 1, true, o.Ceil
	}
	return vertical, horizontal
}

// infer returns the shape of the pooled image.
func (o pool2d) infer(s *Shapes) ([]Dim, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	if err := s.Float(0); err != nil {
		return nil, err
	}
	x := s.In[0].Shape
	if len(x) != 4 {
		return nil, s.Wrong(0, "(batch, channels, height, width)")
	}
	vertical, horizontal := o.windows()
	for _, err := range []error{vertical.valid(), horizontal.valid(), vertical.fits("height", x[2]), horizontal.fits("width", x[3])} {
		if err != nil {
			return nil, fmt.Errorf("input %s has shape %s: %w", s.input(0), s.String(x), err)
		}
	}
	return []Dim{x[0], x[1], vertical.count(s, x[2]), horizontal.count(s, x[3])}, nil
}

// spec returns the sizes of a pooling of an image x to y.
func (o pool2d) spec(x, y []int) (PoolSpec, error) {
	vertical, horizontal := o.windows()
	for _, err := range [...]error{vertical.fits("height", Dim(x[2])), horizontal.fits("width", Dim(x[3]))} {
		if err != nil {
			return PoolSpec{}, err
		}
	}
	return PoolSpec{
		Batch: x[0], Channels: x[1], Height: x[2], Width: x[3], OutHeight: y[2], OutWidth: y[3],
		KernelHeight: o.Height, KernelWidth: o.Width, StrideHeight: o.StrideHeight, StrideWidth: o.StrideWidth,
		PadTop: o.PadTop, PadBottom: o.PadBottom, PadLeft: o.PadLeft, PadRight: o.PadRight,
		CountPadding: o.CountPadding,
	}, nil
}

func (o pool2d) flops(y []int) int64 { return elements(y) * int64(o.Height*o.Width) }

package kernel

// ConvShape holds the sizes of a two-dimensional convolution of x (Batch, Channels, Height, Width) with w (Filters, Channels/Groups,
// KernelHeight, KernelWidth) to y (Batch, Filters, OutHeight, OutWidth). The channels and the filters are divided into Groups that do
// not see each other.
//
// All three kernels (Conv, ConvGradInput and ConvGradFilter) are matrix products of the patches of x under the kernel's window. No
// matrix of the patches is ever made: an image, or a band of its rows, is copied with its padding (see band), and what a micro-kernel
// reads next is gathered from there.
type ConvShape struct {
	Batch, Channels, Height, Width       int
	Filters, OutHeight, OutWidth         int
	KernelHeight, KernelWidth            int
	StrideHeight, StrideWidth            int
	DilationHeight, DilationWidth        int
	PadTop, PadBottom, PadLeft, PadRight int
	Groups                               int
}

// group returns the channels and the filters of one group.
func (s *ConvShape) group() (channels, filters int) {
	return s.Channels / s.Groups, s.Filters / s.Groups
}

// taps returns the elements of one channel of the kernel.
func (s *ConvShape) taps() int { return s.KernelHeight * s.KernelWidth }

// depth returns the elements of a filter.
func (s *ConvShape) depth() int { return s.Channels / s.Groups * s.taps() }

// pixels returns the elements of one channel of the output.
func (s *ConvShape) pixels() int { return s.OutHeight * s.OutWidth }

// units returns the number of pairs of an image and a group; unit u is image u/Groups and group u%Groups.
func (s *ConvShape) units() int { return s.Batch * s.Groups }

// input returns where the channels of unit u begin in x, output where its filters begin in y.
func (s *ConvShape) input(u int) int {
	channels, _ := s.group()
	return u * channels * s.Height * s.Width
}

func (s *ConvShape) output(u int) int {
	_, filters := s.group()
	return u * filters * s.pixels()
}

// weights returns where the filters of unit u begin in w.
func (s *ConvShape) weights(u int) int {
	_, filters := s.group()
	return u % s.Groups * filters * s.depth()
}

// empty reports whether the convolution has no result or no input.
func (s *ConvShape) empty() bool { return s.units()*s.Filters*s.pixels() == 0 }

// convSpace is what one part of a convolution needs for itself.
type convSpace[T Float] struct {
	band    []T   // the rows of x, or of its gradient, that the part works on
	a, b, c []T   // packed operands, results on their way
	rows    []int // for table.transpose
}

const (
	// mostUnitParts is the most parts that the images and groups are divided into.
	mostUnitParts = 64
	// bandSize is the elements of x that a part works on at a time, unless single rows or channels are larger.
	bandSize = 1 << 16
)

// unitCut divides the units among parts, each of the same number of units but the last.
type unitCut struct{ units, each int }

func cutUnits(units int) unitCut { return unitCut{units, ceilDiv(units, mostUnitParts)} }

func (c unitCut) parts() int { return ceilDiv(c.units, c.each) }

// bounds returns the units of a part.
func (c unitCut) bounds(part int) (first, end int) {
	first = part * c.each
	return first, min(first+c.each, c.units)
}

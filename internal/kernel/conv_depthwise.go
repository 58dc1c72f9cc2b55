package kernel

// Depthwise computes a Conv whose groups are one channel and one filter each, and its gradients. A plane is copied with its padding (see band), in
// which a tap of the kernel is a constant distance, whatever the stride: a row of the result is a sum of multiples of rows of the copy.
//
// The bits do not depend on the other images and channels, nor on the threads. A Depthwise keeps its scratch memory.
type Depthwise[T Float] struct {
	ConvShape
	X, W, Bias, Y []T      // Bias is nil, or has an element for each filter
	DX, DY, DW    []T      // gradients; where Y is nil one of DX and DW is computed from DY
	ReLU          bool     // act is max(x, 0)
	Act           Unary[T] // nil, or another activation

	each    int // planes of a part, or channels of one
	band    band
	copies  bandCopies
	places  []int32 // of the taps in the band
	turned  turnedTaps
	scratch Scratch[depthwiseSpace[T]]
}

// depthwiseSpace is what one part needs for itself.
type depthwiseSpace[T Float] struct {
	plane []T // of x with padding, or of dy
	phase []T // of dx: columns that lie StrideWidth apart
	taps  []T
	sums  []float64
}

const (
	// depthwiseGrain is the elements of planes that a part should have.
	depthwiseGrain = 1 << 14
	// mostDots is about the most products that are added up before the sum becomes a float64.
	mostDots = 1 << 12
)

// IsDepthwise reports whether a Depthwise computes a convolution.
func (s *ConvShape) IsDepthwise() bool { return s.Groups == s.Channels && s.Filters == s.Channels }

// Run computes the convolution or a gradient on at most threads threads of the team.
func (d *Depthwise[T]) Run(team *Team, threads int) {
	if d.empty() {
		clear(d.DX)
		clear(d.DW)
		return
	}
	d.band = newBand(&d.ConvShape, d.OutHeight)
	d.copies.fill(&d.band, &d.ConvShape)
	d.places = d.band.places(&d.ConvShape, 1, d.places)
	for d.DW != nil && len(d.places)%dotPlaces != 0 {
		d.places = append(d.places, d.places[0]) // for whose sums nobody asks
	}
	if d.DX != nil {
		d.turned.fill(&d.ConvShape)
	}
	n, size := d.Batch*d.Channels, max(d.band.plane, d.Height*d.Width)
	if d.DW != nil {
		n, size = d.Channels, size*d.Batch
	}
	d.each = max(1, depthwiseGrain/size)
	parts := ceilDiv(n, d.each)
	d.scratch.Prepare(min(threads, parts), d.size)
	team.Run(threads, parts, d)
}

// size lets a part's memory grow to what it needs.
func (d *Depthwise[T]) size(s *depthwiseSpace[T]) {
	if d.DX == nil {
		s.plane = Grow(&s.plane, d.band.plane)
		Grow(&s.sums, len(d.places))
		return
	}
	s.plane = Grow(&s.plane, d.turned.rows*d.turned.row)
	Grow(&s.phase, d.Height*roundUp(d.Width, d.StrideWidth))
	Grow(&s.taps, d.taps())
}

// Do computes one part.
func (d *Depthwise[T]) Do(part int) {
	number, s := d.scratch.Take()
	defer d.scratch.Release(number)
	clear(s.plane) // the padding is the same for all planes
	first := part * d.each
	if d.DW != nil {
		for c := first; c < min(first+d.each, d.Channels); c++ {
			d.gradFilter(s, c)
		}
		return
	}
	for i := first; i < min(first+d.each, d.Batch*d.Channels); i++ {
		if d.Y != nil {
			d.forward(s, i)
		} else {
			d.gradInput(s, i)
		}
	}
}

// padded returns plane i of x with its padding.
func (d *Depthwise[T]) padded(s *depthwiseSpace[T], i int) []T {
	plane := s.plane[:d.band.plane]
	copyBand(&d.copies, d.X[i*d.Height*d.Width:][:d.Height*d.Width], plane)
	return plane
}

// forward computes plane i of y.
func (d *Depthwise[T]) forward(s *depthwiseSpace[T], i int) {
	channel, bias := i%d.Channels, T(0)
	if d.Bias != nil {
		bias = d.Bias[channel]
	}
	y, w := d.Y[i*d.pixels():][:d.pixels()], d.W[channel*d.taps():][:d.taps()]
	tapSums(d.OutHeight, d.OutWidth, d.padded(s, i), d.band.stride, d.places, w, bias, y, d.OutWidth)
	switch {
	case d.ReLU:
		ReLU(y, y, 0, 0)
	case d.Act != nil:
		d.Act(y, y, 0, 0)
	}
}

// gradFilter computes dw of a channel, image by image.
func (d *Depthwise[T]) gradFilter(s *depthwiseSpace[T], channel int) {
	sums := s.sums[:len(d.places)]
	clear(sums)
	most := max(1, mostDots/d.OutWidth)
	for n := range d.Batch {
		i := n*d.Channels + channel
		x, dy := d.padded(s, i), d.DY[i*d.pixels():][:d.pixels()]
		for row := 0; row < d.OutHeight; row += most {
			tapDots(min(most, d.OutHeight-row), d.OutWidth, dy[row*d.OutWidth:], d.OutWidth, x[row*d.band.stride:], d.band.stride, d.places, sums)
		}
	}
	Convert(sums[:d.taps()], d.DW[channel*d.taps():][:d.taps()])
}

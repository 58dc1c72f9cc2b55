package kernel

// Depthwise computes a Conv whose groups are one channel and one filter each, of stride 1, and its gradients. A plane with its padding is one
// long row: a tap of the kernel is then a constant distance in it, and the convolution a sum of multiples of the row from those distances on.
// What lies between the ends of the result's rows and those of the padded plane's is computed too and not used.
//
// The bits do not depend on the other images and channels, nor on the threads. A Depthwise keeps its scratch memory.
type Depthwise[T Float] struct {
	ConvShape
	X, W, Bias, Y []T      // Bias is nil, or has an element for each filter
	DX, DY, DW    []T      // gradients; where Y is nil one of DX and DW is computed from DY
	ReLU          bool     // act is max(x, 0)
	Act           Unary[T] // nil, or another activation

	each    int // planes of a part, or channels of one
	scratch Scratch[depthwiseSpace[T]]
}

// depthwiseSpace is what one part needs for itself.
type depthwiseSpace[T Float] struct {
	plane, run []T // with padding: a plane of the input, the rows of the result
	taps       []float64
}

// depthwiseGrain is the elements of planes that a part should have.
const depthwiseGrain = 1 << 14

// IsDepthwise reports whether a Depthwise computes a convolution.
func (s *ConvShape) IsDepthwise() bool {
	return s.Groups == s.Channels && s.Filters == s.Channels && s.StrideHeight == 1 && s.StrideWidth == 1 &&
		s.OutHeight == s.paddedHeight()-(s.KernelHeight-1)*s.DilationHeight && s.OutWidth == s.paddedWidth()-(s.KernelWidth-1)*s.DilationWidth
}

func (s *ConvShape) paddedHeight() int { return s.Height + s.PadTop + s.PadBottom }
func (s *ConvShape) paddedWidth() int  { return s.Width + s.PadLeft + s.PadRight }

// tap returns the distance of a tap in the padded plane.
func (s *ConvShape) tap(i int) int {
	return i/s.KernelWidth*s.DilationHeight*s.paddedWidth() + i%s.KernelWidth*s.DilationWidth
}

// Run computes the convolution or a gradient on at most threads threads of the team.
func (d *Depthwise[T]) Run(team *Team, threads int) {
	if d.empty() {
		clear(d.DX)
		clear(d.DW)
		return
	}
	n, size := d.Batch*d.Channels, d.paddedHeight()*d.paddedWidth()
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
	n := d.paddedHeight() * d.paddedWidth()
	Grow(&s.plane, n)
	Grow(&s.run, n)
	Grow(&s.taps, d.taps())
}

// Do computes one part.
func (d *Depthwise[T]) Do(part int) {
	number, s := d.scratch.Take()
	defer d.scratch.Release(number)
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

// length returns the elements from the first of the result's rows to the end of the last, as far apart as those of the padded plane.
func (d *Depthwise[T]) length() int { return (d.OutHeight-1)*d.paddedWidth() + d.OutWidth }

// forward computes plane i of y.
func (d *Depthwise[T]) forward(s *depthwiseSpace[T], i int) {
	channel, run := i%d.Channels, s.run[:d.length()]
	plane := d.pad(s, i)
	for t, w := range d.W[channel*d.taps():][:d.taps()] {
		if from := plane[d.tap(t):][:len(run)]; t == 0 {
			MulConst(from, run, float64(w), 0)
		} else {
			UpdateSGD(run, from, -float64(w))
		}
	}
	if d.Bias != nil {
		AddConst(run, run, float64(d.Bias[channel]), 0)
	}
	switch {
	case d.ReLU:
		ReLU(run, run, 0, 0)
	case d.Act != nil:
		d.Act(run, run, 0, 0)
	}
	y := d.Y[i*d.pixels():]
	for h := range d.OutHeight {
		copy(y[h*d.OutWidth:][:d.OutWidth], run[h*d.paddedWidth():])
	}
}

// gradInput computes plane i of dx: the taps the other way round.
func (d *Depthwise[T]) gradInput(s *depthwiseSpace[T], i int) {
	run, width := d.spread(s, i), d.paddedWidth()
	plane := s.plane[:d.paddedHeight()*width]
	clear(plane)
	for t, w := range d.W[i%d.Channels*d.taps():][:d.taps()] {
		UpdateSGD(plane[d.tap(t):][:len(run)], run, -float64(w))
	}
	dx := d.DX[i*d.Height*d.Width:]
	for h := range d.Height {
		copy(dx[h*d.Width:][:d.Width], plane[(h+d.PadTop)*width+d.PadLeft:])
	}
}

// gradFilter computes dw of a channel, in float64, image by image.
func (d *Depthwise[T]) gradFilter(s *depthwiseSpace[T], channel int) {
	sums := s.taps[:d.taps()]
	clear(sums)
	for n := range d.Batch {
		i := n*d.Channels + channel
		plane, run := d.pad(s, i), d.spread(s, i)
		for t := range sums {
			sums[t] += Dot(run, plane[d.tap(t):])
		}
	}
	Convert(sums, d.DW[channel*d.taps():])
}

// pad copies plane i of x with its padding.
func (d *Depthwise[T]) pad(s *depthwiseSpace[T], i int) []T {
	width := d.paddedWidth()
	plane, x := s.plane[:d.paddedHeight()*width], d.X[i*d.Height*d.Width:]
	clear(plane)
	for h := range d.Height {
		copy(plane[(h+d.PadTop)*width+d.PadLeft:][:d.Width], x[h*d.Width:])
	}
	return plane
}

// spread copies plane i of dy, its rows as far apart as those of the padded plane and 0 between.
func (d *Depthwise[T]) spread(s *depthwiseSpace[T], i int) []T {
	run, dy := s.run[:d.length()], d.DY[i*d.pixels():]
	clear(run)
	for h := range d.OutHeight {
		copy(run[h*d.paddedWidth():][:d.OutWidth], dy[h*d.OutWidth:])
	}
	return run
}

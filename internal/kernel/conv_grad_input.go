package kernel

// ConvGradInput computes the gradient dx of Conv for x from that for y: wᵀ·dy gives, for every pixel of the output, what its patch of x
// gets, and the patches are added up in a band that holds the channels with their padding.
//
// The bits do not depend on the other images, nor on the threads. A ConvGradInput keeps its scratch memory.
type ConvGradInput[T Float] struct {
	ConvShape
	W, DY, DX []T // the filters, the gradient for y, the result

	kern    *table[T]
	cut     gradInputCut
	band    band
	places  []int32 // of the channels of a step
	runs    []int32 // of the rows of a step
	scratch Scratch[convSpace[T]]
}

// gradInputCut says how the gradient is divided.
type gradInputCut struct {
	units                 unitCut
	channels, channelCuts int // channels of a part
	rows, step            int // output rows, and channels, at a time
	k                     int // filters at a time
}

const (
	// columnSize is the elements of wᵀ·dy that are computed before they are added up: what the first or second cache holds.
	columnSize = 1 << 14
	// leastChannels is the fewest channels for which dy is packed, unless there are fewer.
	leastChannels = 8
	// mostPixels is the most pixels at a time, unless a row has more.
	mostPixels = 512
)

// cutGradInput chooses the cut. It depends on the shape and the table of kernels only.
func cutGradInput[T Float](t *table[T], s *ConvShape) (c gradInputCut) {
	channels, filters := s.group()
	c.units = cutUnits(s.units())
	c.k = cutK(filters, t.kBlock)
	work := float64(s.units()) * float64(filters+memoryWork) * float64(s.pixels()) * float64(s.depth())
	want := wantedCuts(work, c.units.parts())
	plane := newBand(s, s.OutHeight).plane
	c.channels = max(leastChannels, min(bandSize/plane, ceilDiv(channels, want)))
	c.channelCuts = ceilDiv(channels, c.channels)
	c.channels = ceilDiv(channels, c.channelCuts)
	pixels := clamp(max(8*t.cols, bandSize/filters), mostPixels)
	c.rows = clamp(max(1, pixels/s.OutWidth), s.OutHeight)
	c.step = clamp(max(1, columnSize/(s.taps()*c.rows*s.OutWidth)), c.channels)
	return c
}

// Run computes the gradient on at most threads threads of the team.
func (c *ConvGradInput[T]) Run(team *Team, threads int) {
	if len(c.DX) == 0 {
		return
	}
	if c.empty() {
		clear(c.DX)
		return
	}
	t := kernels[T]()
	c.kern, c.cut = t, cutGradInput(t, &c.ConvShape)
	c.band = newBand(&c.ConvShape, c.OutHeight)
	c.places = c.band.places(&c.ConvShape, c.cut.step, c.places)
	c.runs = c.band.rowRuns(c.runs, c.OutWidth, c.cut.rows, t.lanes, true)
	parts := c.cut.units.parts() * c.cut.channelCuts
	c.scratch.Prepare(min(threads, parts), c.size)
	team.Run(threads, parts, c)
}

// size lets a part's memory grow to what it needs.
func (c *ConvGradInput[T]) size(s *convSpace[T]) {
	_, filters := c.group()
	pixels, rows := c.cut.rows*c.OutWidth, c.cut.step*c.taps()
	Grow(&s.band, c.cut.channels*c.band.plane+c.kern.lanes)
	Grow(&s.a, c.kern.leftSize(min(c.kern.mBlock, rows), c.cut.k))
	Grow(&s.b, c.kern.panels(filters, pixels)+c.kern.slack())
	Grow(&s.c, rows*pixels+c.kern.lanes)
}

// Do computes one part: some channels of some units.
func (c *ConvGradInput[T]) Do(part int) {
	number, s := c.scratch.Take()
	defer c.scratch.Release(number)
	channel := part % c.cut.channelCuts * c.cut.channels
	first, end := c.cut.units.bounds(part / c.cut.channelCuts)
	channels, _ := c.group()
	n := min(c.cut.channels, channels-channel)
	band := s.band[:n*c.band.plane+c.kern.lanes]
	for u := first; u < end; u++ {
		clear(band)
		for row := 0; row < c.OutHeight; row += c.cut.rows {
			c.rowsOf(u, channel, n, row, min(c.cut.rows, c.OutHeight-row), s)
		}
		drainBand(&c.band, &c.ConvShape, band, n, c.DX[c.input(u)+channel*c.Height*c.Width:])
	}
}

// rowsOf adds what rows of dy, from row on, give to n channels.
func (c *ConvGradInput[T]) rowsOf(u, channel, n, row, rows int, s *convSpace[T]) {
	_, filters := c.group()
	pixels := rows * c.OutWidth
	dy := c.DY[c.output(u)+row*c.OutWidth:]
	panels := s.b[:cap(s.b)]
	for p := 0; p < filters; p += c.cut.k {
		k := min(c.cut.k, filters-p)
		c.kern.packRows(dy[p*c.pixels():], c.pixels(), k, pixels, panels[c.kern.panels(p, pixels):])
	}
	runs := c.runs[:rows*ceilDiv(c.OutWidth, c.kern.lanes)*3]
	for i := 0; i < n; i += c.cut.step {
		step := min(c.cut.step, n-i)
		columns := c.columns(u, channel+i, step, pixels, panels, s)
		places := c.places[:step*c.taps()]
		c.kern.scatter(columns, pixels, places, runs, s.band[i*c.band.plane+row*c.band.stride:cap(s.band)])
	}
}

// columns computes wᵀ·dy for the taps of n channels.
func (c *ConvGradInput[T]) columns(u, channel, n, pixels int, panels []T, s *convSpace[T]) []T {
	_, filters := c.group()
	depth, m := c.depth(), n*c.taps()
	w := c.W[c.weights(u)+channel*c.taps():]
	out := s.c[:cap(s.c)]
	for p := 0; p < filters; p += c.cut.k {
		k := min(c.cut.k, filters-p)
		for i := 0; i < m; i += c.kern.mBlock {
			h := min(c.kern.mBlock, m-i)
			a := c.weightsOf(w[p*depth+i:], k, h, s)
			d := addend[T]{}
			if p > 0 {
				d = addend[T]{data: out[i*pixels:], row: pixels, mode: addMatrix}
			}
			c.kern.multiply(h, k, a, right[T]{panels: panels[c.kern.panels(p, pixels):]}, d, target[T]{out[i*pixels:], pixels, 0, pixels})
		}
	}
	return out
}

// weightsOf makes m columns of k filters ready as the left operand.
func (c *ConvGradInput[T]) weightsOf(w []T, k, m int, s *convSpace[T]) left[T] {
	if k <= directSteps {
		return left[T]{data: w, row: 1, step: c.depth()}
	}
	return c.kern.packLeft(w, c.depth(), k, m, s.a[:cap(s.a)])
}

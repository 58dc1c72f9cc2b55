package kernel

// ConvGradFilter computes the gradient dw of Conv for w from that for y: the products of dy (filters, pixels) with the transposed
// patches (pixels, depth), summed over the images. It is cut by elements of the filters; where these are few, the images are divided
// among parts as well, each of which sums its own, and the sums are added in their order.
//
// The bits do not depend on the threads. A ConvGradFilter keeps its scratch memory.
type ConvGradFilter[T Float] struct {
	ConvShape
	X, DY, DW []T // the images, the gradient for y, the result

	kern    *table[T]
	cut     gradFilterCut
	band    band
	direct  bool    // x is the band
	places  []int32 // of all elements of a filter
	runs    []int32 // of the rows of a step
	sums    []T     // dw of each share of the images
	scratch Scratch[convSpace[T]]
	total   shareTask[T]
}

// gradFilterCut says how the gradient is divided.
type gradFilterCut struct {
	cols, colCuts  int // elements of a filter of a part
	images, shares int // images of a share
	rows, step     int // output rows, or where an image has no more, images, at a time
}

const (
	// mostShares is the most shares that the images are divided into.
	mostShares = 16
	// sharesSize is the most elements that the shares' sums have together, unless one has more.
	sharesSize = 1 << 21
	// rowGap is what is left free after a packed row of dy, so that rows do not fall on the same lines of the cache.
	rowGap = 16
)

// cutGradFilter chooses the cut. It depends on the shape and the table of kernels only.
func cutGradFilter[T Float](t *table[T], s *ConvShape) (c gradFilterCut) {
	_, filters := s.group()
	depth := s.depth()
	c.colCuts = ceilDiv(depth, 8*t.cols)
	c.cols = roundUp(ceilDiv(depth, c.colCuts), t.cols)
	c.colCuts = ceilDiv(depth, c.cols)
	work := float64(s.units()) * float64(filters+memoryWork) * float64(s.pixels()) * float64(depth)
	want := wantedCuts(work, s.Groups*c.colCuts)
	most := max(1, min(mostShares, sharesSize/(s.Filters*depth), s.Batch))
	c.images = ceilDiv(s.Batch, min(want, most))
	c.shares = ceilDiv(s.Batch, c.images)
	c.rows = clamp(max(1, t.kBlock/s.OutWidth), s.OutHeight)
	c.step = 1
	if c.rows == s.OutHeight {
		c.step = clamp(max(1, t.kBlock/s.pixels()), c.images)
	}
	return c
}

// Run computes the gradient on at most threads threads of the team.
func (c *ConvGradFilter[T]) Run(team *Team, threads int) {
	if len(c.DW) == 0 {
		return
	}
	if c.empty() {
		clear(c.DW)
		return
	}
	t := kernels[T]()
	c.kern, c.cut = t, cutGradFilter(t, &c.ConvShape)
	channels, _ := c.group()
	width, rows := c.OutWidth, c.cut.rows
	if c.band, c.direct = newDirectBand(&c.ConvShape, rows, t.lanes); c.direct {
		width, rows = width*rows, 1 // which follow one another
	} else {
		c.band = newBand(&c.ConvShape, rows)
	}
	c.places = c.band.places(&c.ConvShape, channels, c.places)
	c.runs = c.band.rowRuns(c.runs, width, rows, t.lanes, false)
	parts := c.cut.shares * c.Groups * c.cut.colCuts
	c.scratch.Prepare(min(threads, parts), c.size)
	if c.cut.shares == 1 {
		team.Run(threads, parts, c)
		return
	}
	sums := Grow(&c.sums, c.cut.shares*len(c.DW))
	team.Run(threads, parts, c)
	c.total = shareTask[T]{sums, c.DW}
	team.Run(threads, c.total.parts(), &c.total)
}

// size lets a part's memory grow to what it needs.
func (c *ConvGradFilter[T]) size(s *convSpace[T]) {
	channels, filters := c.group()
	k := c.cut.step * c.cut.rows * c.OutWidth
	if !c.direct {
		Grow(&s.band, c.cut.step*channels*c.band.plane+c.kern.lanes)
	}
	Grow(&s.a, filters*(k+rowGap))
	Grow(&s.b, c.kern.panels(k, min(c.cut.cols, c.depth()))+c.kern.slack())
	Grow(&s.rows, c.kern.lanes)
}

// Do computes one part: some elements of the filters of a group, from a share of the images.
func (c *ConvGradFilter[T]) Do(part int) {
	number, s := c.scratch.Take()
	defer c.scratch.Release(number)
	col := part % c.cut.colCuts * c.cut.cols
	part /= c.cut.colCuts
	g, share := part%c.Groups, part/c.Groups
	f := filterBlock{g, col, min(col+c.cut.cols, c.depth())}
	_, filters := c.group()
	dw := c.DW
	if c.cut.shares > 1 {
		dw = c.sums[share*len(c.DW):][:len(c.DW)]
	}
	dw = dw[g*filters*c.depth():]
	end := min((share+1)*c.cut.images, c.Batch)
	for image := share * c.cut.images; image < end; image += c.cut.step {
		images := min(c.cut.step, end-image)
		for row := 0; row < c.OutHeight; row += c.cut.rows {
			first := image == share*c.cut.images && row == 0
			c.step(f, image, images, row, min(c.cut.rows, c.OutHeight-row), dw, first, s)
		}
	}
}

// filterBlock is elements col0 to col1 of the filters of a group.
type filterBlock struct{ group, col0, col1 int }

// step adds to dw what some rows of some images contribute; the first step overwrites.
func (c *ConvGradFilter[T]) step(f filterBlock, image, images, row, rows int, dw []T, first bool, s *convSpace[T]) {
	_, filters := c.group()
	u, pixels := image*c.Groups+f.group, rows*c.OutWidth
	c.pack(f, u, images, row, rows, s)
	a := c.left(u, images, row, pixels, s)
	d := addend[T]{data: dw, row: c.depth(), mode: addMatrix}
	if first {
		d = addend[T]{}
	}
	for i := 0; i < filters; i += c.kern.mBlock {
		m := min(c.kern.mBlock, filters-i)
		b := left[T]{data: a.data[i*a.row:], row: a.row, step: 1}
		c.kern.multiply(m, images*pixels, b, right[T]{panels: s.b[:cap(s.b)]}, d.below(i), target[T]{dw[i*c.depth():], c.depth(), f.col0, f.col1})
	}
}

// pack brings the patches of rows of some images, from unit u on, into panels. Panels are filled in the order of memory, because
// transpose writes beyond their ends.
func (c *ConvGradFilter[T]) pack(f filterBlock, u, images, row, rows int, s *convSpace[T]) {
	first := f.col0 / c.taps()
	channels := (f.col1-1)/c.taps() + 1 - first
	band, size := s.band[:cap(s.band)], channels*c.band.plane
	runs := c.runs
	if c.direct {
		band, size = c.X[c.input(u)+first*c.Height*c.Width+row*c.Width:], c.Channels*c.Height*c.Width
	} else {
		for i := range images {
			x := c.X[c.input(u+i*c.Groups)+first*c.Height*c.Width:]
			fillBand(&c.band, &c.ConvShape, x, channels, row, band[i*size:])
		}
		runs = runs[:rows*ceilDiv(c.OutWidth, c.kern.lanes)*2]
	}
	places := c.places[f.col0-first*c.taps():][:f.col1-f.col0]
	dst := s.b[:cap(s.b)]
	for len(places) > 0 {
		width, _ := c.kern.panel(len(places))
		n := min(width, len(places))
		for i := range images {
			c.packPanel(band[i*size:], places[:n], runs, dst[i*rows*c.OutWidth*width:], width, s)
		}
		places, dst = places[n:], dst[images*rows*c.OutWidth*width:]
	}
}

// packPanel brings the pixels of runs, as seen from the places, into rows of a panel; missing columns are filled with the last one.
func (c *ConvGradFilter[T]) packPanel(band []T, places, runs []int32, dst []T, width int, s *convSpace[T]) {
	lines := s.rows[:c.kern.lanes]
	for col := 0; col < len(places); col += len(lines) {
		for i := range lines {
			lines[i] = int(places[min(col+i, len(places)-1)])
		}
		c.kern.transpose(band, lines, runs, dst[col:], width)
	}
}

// left makes pixels of dy, of consecutive images of a group, ready as the left operand.
func (c *ConvGradFilter[T]) left(u, images, row, pixels int, s *convSpace[T]) left[T] {
	if images == 1 {
		return left[T]{data: c.DY[c.output(u)+row*c.OutWidth:], row: c.pixels(), step: 1}
	}
	_, filters := c.group()
	k := images*pixels + rowGap
	a := s.a[:cap(s.a)]
	for i := range images {
		dy := c.DY[c.output(u+i*c.Groups):]
		for f := range filters {
			copy(a[f*k+i*pixels:][:pixels], dy[f*pixels:])
		}
	}
	return left[T]{data: a, row: k, step: 1}
}

// shareTask adds up the shares of a gradient.
type shareTask[T Float] struct{ sums, dw []T }

// shareGrain is the elements of a part of a shareTask.
const shareGrain = 4096

func (t *shareTask[T]) parts() int { return ceilDiv(len(t.dw), shareGrain) }

// Do computes one part.
func (t *shareTask[T]) Do(part int) {
	lo := part * shareGrain
	dw := t.dw[lo:min(lo+shareGrain, len(t.dw))]
	copy(dw, t.sums[lo:])
	for at := len(t.dw) + lo; at < len(t.sums); at += len(t.dw) {
		for i, v := range t.sums[at:][:len(dw)] {
			dw[i] += v
		}
	}
}

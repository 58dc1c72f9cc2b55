package kernel

// Conv computes y = act(conv(x, w) + bias):
//
//	y[n,f,i,j] = act(bias[f] + Σ w[f,c,k,l] · x[n, c, i·stride+k·dilation−pad, j·stride+l·dilation−pad]),
//
// x being 0 outside. For every image this is the product of the filters (Filters, depth) with the patches (depth, pixels), which are
// gathered panel by panel.
//
// The bits of an element do not depend on the other images and filters, nor on the threads. A Conv keeps its scratch memory.
type Conv[T Float] struct {
	ConvShape
	X, W, Bias, Y []T // Bias is nil, or has an element for each filter
	ReLU          bool
	Act           Unary[T] // nil, or another activation than ReLU

	kern    *table[T]
	cut     convCut
	band    band
	direct  bool // x is the band
	places  []int32
	runs    panelRuns
	scratch Scratch[convSpace[T]]
}

// convCut says how a convolution is divided into parts: by units, by rows of output and by filters.
type convCut struct {
	units               unitCut
	rows, rowCuts       int // output rows of a part
	filters, filterCuts int
	k, panels           int // steps along the depth, and panels of pixels, at a time
}

// cutConv chooses the cut. It depends on the shape and the table of kernels only.
func cutConv[T Float](t *table[T], s *ConvShape) (c convCut) {
	channels, filters := s.group()
	pixels, depth := s.pixels(), s.depth()
	c.units = cutUnits(s.units())
	c.k = cutK(depth, t.kBlock)
	work := float64(s.units()) * float64(filters+memoryWork) * float64(pixels) * float64(max(depth, 1))
	want := wantedCuts(work, c.units.parts())
	perRow := newBand(s, 1).row * max(1, channels*s.StrideHeight)
	c.rowCuts = max(ceilDiv(s.OutHeight*perRow, bandSize), min(want, pixels/(8*t.cols)))
	c.rowCuts = clamp(max(1, c.rowCuts), s.OutHeight)
	c.rows = ceilDiv(s.OutHeight, c.rowCuts)
	c.rowCuts = ceilDiv(s.OutHeight, c.rows)
	c.filterCuts = max(1, min(ceilDiv(want, c.rowCuts), filters/(4*t.rows)))
	c.filters = ceilDiv(filters, c.filterCuts)
	c.filterCuts = ceilDiv(filters, c.filters)
	c.panels = max(1, t.kBlock/c.k)
	if c.filters > t.mBlock {
		c.panels = max(16, c.panels)
	}
	return c
}

// Run computes the convolution on at most threads threads of the team.
func (c *Conv[T]) Run(team *Team, threads int) {
	if c.empty() {
		return
	}
	t := kernels[T]()
	c.kern, c.cut = t, cutConv(t, &c.ConvShape)
	channels, _ := c.group()
	width, rows := c.OutWidth, c.cut.rows
	if c.band, c.direct = newDirectBand(&c.ConvShape, rows, t.lanes); c.direct {
		width, rows = width*rows, 1 // which follow one another
	} else {
		c.band = newBand(&c.ConvShape, rows)
	}
	c.places = c.band.places(&c.ConvShape, channels, c.places)
	c.runs.fill(&c.band, width, rows, t.cols, t.lanes)
	parts := c.cut.units.parts() * c.cut.rowCuts * c.cut.filterCuts
	c.scratch.Prepare(min(threads, parts), c.size)
	team.Run(threads, parts, c)
}

// size lets a part's memory grow to what it needs.
func (c *Conv[T]) size(s *convSpace[T]) {
	channels, _ := c.group()
	if !c.direct {
		Grow(&s.band, channels*c.band.plane+c.kern.lanes)
	}
	Grow(&s.b, c.cut.panels*c.cut.k*c.kern.cols+c.kern.lanes)
}

// Do computes one part: some rows and some filters of some units.
func (c *Conv[T]) Do(part int) {
	number, s := c.scratch.Take()
	defer c.scratch.Release(number)
	filter := part % c.cut.filterCuts * c.cut.filters
	part /= c.cut.filterCuts
	row := part % c.cut.rowCuts * c.cut.rows
	first, end := c.cut.units.bounds(part / c.cut.rowCuts)
	channels, filters := c.group()
	b := convBlock{filter, min(filter+c.cut.filters, filters), row, min(row+c.cut.rows, c.OutHeight)}
	band := s.band[:cap(s.band)]
	for u := first; u < end; u++ {
		if c.direct {
			band = c.X[c.input(u)+row*c.Width:]
		} else {
			fillBand(&c.band, &c.ConvShape, c.X[c.input(u):], channels, row, band)
		}
		depth := c.depth()
		for p := 0; p == 0 || p < depth; p += c.cut.k {
			c.step(u, b, s, band, p, min(c.cut.k, depth-p))
		}
	}
}

// convBlock is some filters of a group and some rows of output.
type convBlock struct{ filter0, filter1, row0, row1 int }

// step adds to a block of y what k elements of the filters, from p on, contribute.
func (c *Conv[T]) step(u int, b convBlock, s *convSpace[T], band []T, p, k int) {
	pixels, at := (b.row1-b.row0)*c.OutWidth, b.row0*c.OutWidth
	cols := c.cut.panels * c.kern.cols
	for j := 0; j < pixels; j += cols {
		n := min(cols, pixels-j)
		patches := c.patches(s, band, p, k, j, n)
		c.multiply(u, b, patches, p, k, at+j, at+j+n)
	}
}

// patches gathers k rows, from p on, of n columns of the patches, from pixel j of the band on.
func (c *Conv[T]) patches(s *convSpace[T], band []T, p, k, j, n int) right[T] {
	t, panels := c.kern, s.b[:cap(s.b)]
	dst := panels
	for q := 0; q < n && k > 0; q += t.cols {
		width, _ := t.panel(n - q)
		t.gather(band, c.places[p:p+k], c.runs.panel((j+q)/t.cols), dst, width)
		dst = dst[k*width:]
	}
	return right[T]{panels: panels}
}

// multiply computes columns j0 to j1 of the product of the filters and the patches.
func (c *Conv[T]) multiply(u int, b convBlock, patches right[T], p, k, j0, j1 int) {
	w, y := c.W[c.weights(u):], c.Y[c.output(u):]
	depth, pixels, last := c.depth(), c.pixels(), p+k >= c.depth()
	_, filters := c.group()
	for i := b.filter0; i < b.filter1; i += c.kern.mBlock {
		m := min(c.kern.mBlock, b.filter1-i)
		d := addend[T]{relu: c.ReLU && last}
		if p > 0 {
			d.data, d.row, d.mode = y[i*pixels:], pixels, addMatrix
		} else if c.Bias != nil {
			d.data, d.row, d.mode = c.Bias[u%c.Groups*filters+i:], 1, addRows
		}
		c.kern.multiply(m, k, left[T]{data: w[i*depth+p:], row: depth, step: 1}, patches, d, target[T]{y[i*pixels:], pixels, j0, j1})
		if c.Act != nil && last {
			for r := i; r < i+m; r++ {
				row := y[r*pixels+j0 : r*pixels+j1]
				c.Act(row, row, 0, 0)
			}
		}
	}
}

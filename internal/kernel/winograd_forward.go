package kernel

// Winograd computes a Conv of 3 × 3 filters and stride 1 by F(2×2, 3×3), or the gradient for its input: then X is the gradient for the
// output, Y the result, and ConvShape still that of the Conv.
//
// The bits of an element do not depend on the other images and filters, nor on the threads. A Winograd keeps its scratch memory.
type Winograd struct {
	ConvShape
	X, W, Bias, Y []float32        // Bias is nil, or has an element for each filter
	Transformed   *WinogradFilters // nil, or W transformed before: W is not read then
	ReLU          bool
	Act           Unary[float32] // nil, or another activation than ReLU
	GradInput     bool

	kern    *table[float32]
	apply   *winogradTable
	shape   ConvShape // of the convolution of X
	tiling  ConvShape
	cut     winogradCut
	filters WinogradFilters // of this Run, unless they were given
	scratch Scratch[winogradSpace]
}

// winogradSpace is what one part needs for itself.
type winogradSpace struct {
	window tileWindow
	data   []float32 // of the window
	v, m   []float32 // planes of transformed patches (channels, tiles), and of products (filters, tiles)
}

// winogradCut says how a convolution is divided into parts: by blocks of tiles and by filters.
type winogradCut struct {
	tileCut
	filters, filterCuts int // of a part
	chunk               int // filters at a time
	k                   int // channels at a time
}

// winogradSize is the elements of the planes of a block: about what the second cache holds.
const winogradSize = 1 << 17

// cutWinograd chooses the cut. It depends on the shape and the table of kernels only.
func cutWinograd(t *table[float32], s, tiling *ConvShape) (c winogradCut) {
	channels, filters := s.group()
	c.tileCut = cutTiles(t, tiling, clamp(max(3*t.cols, winogradSize/(winogradPlanes*(channels+filters))), 8*t.cols))
	work := float64(s.units()) * float64(filters+memoryWork) * float64(tiling.pixels()*winogradPlanes) * float64(channels)
	want := wantedCuts(work, c.blocks()*s.Groups)
	c.filterCuts = max(1, min(want, filters/(4*t.rows)))
	c.filters = roundUp(ceilDiv(filters, c.filterCuts), t.rows)
	c.filterCuts = ceilDiv(filters, c.filters)
	c.chunk = min(c.filters, t.mBlock)
	c.k = cutK(channels, t.kBlock)
	return c
}

// Run computes the convolution on at most threads threads of the team.
func (w *Winograd) Run(team *Team, threads int) {
	w.kern, w.apply = kernels[float32](), winogradTransforms()
	w.shape = w.ConvShape
	if w.GradInput {
		w.shape = w.adjoint()
	}
	w.tiling = w.shape.tiling()
	w.cut = cutWinograd(w.kern, &w.shape, &w.tiling)
	if w.Transformed == nil {
		w.filters.transform(w.shape, w.W, w.GradInput, team, threads)
	}
	parts := w.cut.blocks() * w.shape.Groups * w.cut.filterCuts
	w.scratch.Prepare(min(threads, parts), w.size)
	team.Run(threads, parts, w)
}

// size lets a part's memory grow to what it needs.
func (w *Winograd) size(s *winogradSpace) {
	channels, _ := w.shape.group()
	Grow(&s.data, s.window.size(&w.tiling, &w.cut.tileCut))
	Grow(&s.v, winogradPlanes*w.cut.plane(channels))
	Grow(&s.m, winogradPlanes*w.cut.plane(w.cut.chunk))
}

// Do computes one part: some tiles and some filters of a group.
func (w *Winograd) Do(part int) {
	number, s := w.scratch.Take()
	defer w.scratch.Release(number)
	_, filters := w.shape.group()
	first := part % w.cut.filterCuts * w.cut.filters
	part /= w.cut.filterCuts
	group := part % w.shape.Groups
	b := w.cut.block(&w.tiling, part/w.shape.Groups)
	w.patches(b, group, s)
	for end := min(first+w.cut.filters, filters); first < end; first += w.cut.chunk {
		n := min(w.cut.chunk, end-first)
		w.multiply(b, group, first, n, s)
		w.tiles(b, group, first, n, s)
	}
}

// patches transforms the patches of a block.
func (w *Winograd) patches(b tileBlock, group int, s *winogradSpace) {
	channels, _ := w.shape.group()
	s.window.begin(s.data[:cap(s.data)])
	s.window.transform(w.apply.patches, w.apply, &w.tiling, b, group*channels, channels, w.X, s.v[:cap(s.v)], w.cut.row, w.cut.plane(channels))
}

// multiply computes the products of n filters, from first on, and the patches of a block.
func (w *Winograd) multiply(b tileBlock, group, first, n int, s *winogradSpace) {
	channels, filters := w.shape.group()
	row, transformed := w.cut.row, w.Transformed
	if transformed == nil {
		transformed = &w.filters
	}
	tiles := roundUp(b.tiles(), w.kern.cols)
	v, m := s.v[:cap(s.v)], s.m[:cap(s.m)]
	for i := range winogradPlanes {
		out := target[float32]{m[i*w.cut.plane(n):], row, 0, tiles}
		d := addend[float32]{}
		for p := 0; p < channels; p += w.cut.k {
			a := left[float32]{data: transformed.plane(i, group*filters+first, p), row: channels, step: 1}
			patches := right[float32]{strips: v[i*w.cut.plane(channels)+p*row:], row: row, strip: tiles, cols: tiles}
			w.kern.multiply(n, min(w.cut.k, channels-p), a, patches, d, out)
			d = addend[float32]{data: out.data, row: row, mode: addMatrix}
		}
	}
}

// tiles transforms the products of n filters, from first on, to elements of y.
func (w *Winograd) tiles(b tileBlock, group, first, n int, s *winogradSpace) {
	o, row := &w.shape, w.cut.row
	_, filters := o.group()
	m, from := s.m[:cap(s.m)], 2*b.row
	height, width, count := min(2*b.rows, o.OutHeight-from), min(2*b.cols, o.OutWidth-2*b.col), b.rows*b.cols
	for f := range n {
		filter := group*filters + first + f
		bias := float32(0)
		if w.Bias != nil {
			bias = w.Bias[filter]
		}
		for i := range b.images {
			y := w.Y[(((b.image+i)*o.Filters+filter)*o.OutHeight+from)*o.OutWidth+2*b.col:][:(height-1)*o.OutWidth+width]
			w.apply.tiles(b.rows, b.cols, m[f*row+i*count:], w.cut.plane(n), bias, w.ReLU, y, o.OutWidth, height, width)
			w.activate(y, height, width)
		}
	}
}

// activate applies Act to rows of y, which are one stretch of memory where they are whole.
func (w *Winograd) activate(y []float32, height, width int) {
	switch {
	case w.Act == nil:
	case width == w.shape.OutWidth:
		w.Act(y, y, 0, 0)
	default:
		for r := range height {
			row := y[r*w.shape.OutWidth:][:width]
			w.Act(row, row, 0, 0)
		}
	}
}

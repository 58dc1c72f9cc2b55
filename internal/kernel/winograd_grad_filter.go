package kernel

// WinogradGradFilter computes the gradient dw of a Conv of 3 × 3 filters and stride 1 by F(2×2, 3×3), like ConvGradFilter.
//
// The bits do not depend on the threads. A WinogradGradFilter keeps its scratch memory.
type WinogradGradFilter struct {
	ConvShape
	X, DY, DW []float32 // the images, the gradient for y, the result

	kern    *table[float32]
	apply   *winogradTable
	tiling  ConvShape // of the patches of x
	grads   ConvShape // of the tiles of dy
	cut     winogradGradCut
	sums    []float32 // of each share: planes of (filters, channels of a group)
	scratch Scratch[winogradGradSpace]
	taps    winogradTapTask
}

// winogradGradSpace is what one part needs for itself.
type winogradGradSpace struct {
	window [2]tileWindow // of x and of dy
	data   [2][]float32  // of the windows
	v, p   []float32     // planes of transformed patches (channels, tiles), and of transformed tiles of dy (filters, tiles)
	panels []float32     // packed patches
	rows   []int         // for table.transpose
	runs   []int32
}

// winogradGradCut says how the gradient is divided into parts: by filters and, where these are few, by the blocks of tiles, each share of which
// has sums of its own.
type winogradGradCut struct {
	tileCut
	filters, filterCuts int // of a part
	each, shares        int // blocks of a share
}

// leastGradTiles is the fewest tiles of a block, so that the sums are not read and written for few products.
const leastGradTiles = 192

// cutWinogradGrad chooses the cut. It depends on the shape and the table of kernels only.
func cutWinogradGrad(t *table[float32], s, tiling *ConvShape) (c winogradGradCut) {
	channels, filters := s.group()
	c.tileCut = cutTiles(t, tiling, clamp(max(leastGradTiles, winogradSize/(winogradPlanes*(channels+filters))), t.kBlock))
	blocks, size := c.blocks(), winogradPlanes*s.Filters*channels
	work := float64(s.units()) * float64(filters+memoryWork) * float64(tiling.pixels()*winogradPlanes) * float64(channels)
	want := wantedCuts(work, s.Groups)
	c.shares = max(1, min(want, mostShares, sharesSize/size, blocks))
	c.each = ceilDiv(blocks, c.shares)
	c.shares = ceilDiv(blocks, c.each)
	c.filterCuts = max(1, min(ceilDiv(want, c.shares), filters/(4*t.rows)))
	c.filters = roundUp(ceilDiv(filters, c.filterCuts), t.rows)
	c.filterCuts = ceilDiv(filters, c.filters)
	return c
}

// Run computes the gradient on at most threads threads of the team.
func (w *WinogradGradFilter) Run(team *Team, threads int) {
	w.kern, w.apply = kernels[float32](), winogradTransforms()
	w.tiling = w.ConvShape.tiling()
	w.grads = w.tiling
	w.grads.Channels, w.grads.Height, w.grads.Width = w.Filters, w.OutHeight, w.OutWidth
	w.grads.KernelHeight, w.grads.KernelWidth = 2, 2
	w.grads.PadTop, w.grads.PadBottom, w.grads.PadLeft, w.grads.PadRight = 0, 0, 0, 0
	w.cut = cutWinogradGrad(w.kern, &w.ConvShape, &w.tiling)
	parts := w.cut.shares * w.Groups * w.cut.filterCuts
	w.scratch.Prepare(min(threads, parts), w.size)
	sums := Grow(&w.sums, w.cut.shares*winogradPlanes*w.pairs())
	team.Run(threads, parts, w)
	w.taps.run(w.apply, sums, w.cut.shares, w.DW, team, threads)
}

// pairs returns the number of pairs of a filter and a channel.
func (w *WinogradGradFilter) pairs() int {
	channels, _ := w.group()
	return w.Filters * channels
}

// size lets a part's memory grow to what it needs.
func (w *WinogradGradFilter) size(s *winogradGradSpace) {
	channels, _ := w.group()
	row := w.cut.row
	for i, tiling := range []*ConvShape{&w.tiling, &w.grads} {
		Grow(&s.data[i], s.window[i].size(tiling, &w.cut.tileCut))
	}
	Grow(&s.v, winogradPlanes*w.cut.plane(channels))
	Grow(&s.p, winogradPlanes*w.cut.plane(w.cut.filters))
	Grow(&s.panels, w.kern.panels(row, channels)+w.kern.slack())
	Grow(&s.rows, w.kern.lanes)
	s.runs = w.kern.appendRuns(s.runs, row)
}

// Do computes one part: some filters of a group, from a share of the blocks.
func (w *WinogradGradFilter) Do(part int) {
	number, s := w.scratch.Take()
	defer w.scratch.Release(number)
	_, filters := w.group()
	first := part % w.cut.filterCuts * w.cut.filters
	part /= w.cut.filterCuts
	group, share := part%w.Groups, part/w.Groups
	n := min(w.cut.filters, filters-first)
	for i := share * w.cut.each; i < min((share+1)*w.cut.each, w.cut.blocks()); i++ {
		b := w.cut.block(&w.tiling, i)
		w.transform(b, group, first, n, s)
		w.multiply(b, group, first, n, share, i == share*w.cut.each, s)
	}
}

// transform transforms the patches of a block, and the tiles of n filters, from first on.
func (w *WinogradGradFilter) transform(b tileBlock, group, first, n int, s *winogradGradSpace) {
	channels, filters := w.group()
	for i := range s.window {
		s.window[i].begin(s.data[i][:cap(s.data[i])])
	}
	s.window[0].transform(w.apply.patches, w.apply, &w.tiling, b, group*channels, channels, w.X, s.v[:cap(s.v)], w.cut.row, w.cut.plane(channels))
	s.window[1].transform(w.apply.grads, w.apply, &w.grads, b, group*filters+first, n, w.DY, s.p[:cap(s.p)], w.cut.row, w.cut.plane(n))
}

// multiply adds to a share's sums the products of a block; the first block overwrites.
func (w *WinogradGradFilter) multiply(b tileBlock, group, first, n, share int, overwrite bool, s *winogradGradSpace) {
	channels, filters := w.group()
	row, k := w.cut.row, b.tiles()
	v, p, panels := s.v[:cap(s.v)], s.p[:cap(s.p)], s.panels[:cap(s.panels)]
	for i := range winogradPlanes {
		at := ((share*winogradPlanes+i)*w.Filters + group*filters + first) * channels
		out := target[float32]{w.sums[:cap(w.sums)][at:], channels, 0, channels}
		d := addend[float32]{}
		if !overwrite {
			d = addend[float32]{data: out.data, row: channels, mode: addMatrix}
		}
		w.kern.packTransposed(v[i*w.cut.plane(channels):], row, k, channels, s.runs, s.rows[:cap(s.rows)], panels)
		w.kern.multiply(n, k, left[float32]{data: p[i*w.cut.plane(n):], row: row, step: 1}, right[float32]{panels: panels}, d, out)
	}
}

// winogradTapTask adds up the shares of transformed gradients and transforms them back.
type winogradTapTask struct {
	apply  *winogradTable
	sums   []float32
	shares int
	dw     []float32

	scratch Scratch[[]float32] // nine planes of taps
}

// run computes dw from the sums of the shares on at most threads threads of the team.
func (t *winogradTapTask) run(apply *winogradTable, sums []float32, shares int, dw []float32, team *Team, threads int) {
	t.apply, t.sums, t.shares, t.dw = apply, sums, shares, dw
	t.scratch.Prepare(min(threads, t.parts()), growTaps)
	team.Run(threads, t.parts(), t)
	t.sums, t.dw = nil, nil
}

// pairs returns the number of pairs of a filter and a channel.
func (t *winogradTapTask) pairs() int { return len(t.dw) / 9 }

func (t *winogradTapTask) parts() int { return ceilDiv(t.pairs(), filterPairs) }

// Do computes one part.
func (t *winogradTapTask) Do(part int) {
	number, space := t.scratch.Take()
	defer t.scratch.Release(number)
	g := (*space)[:cap(*space)]
	pairs, at := t.pairs(), part*filterPairs
	n := min(filterPairs, pairs-at)
	for share := 1; share < t.shares; share++ {
		for i := range winogradPlanes {
			sum := t.sums[i*pairs+at:][:n]
			Add(sum, t.sums[(share*winogradPlanes+i)*pairs+at:][:n], sum)
		}
	}
	t.apply.taps(n, t.sums[at:], pairs, g, filterPairs)
	for q := range n {
		to, from := (*[9]float32)(t.dw[9*(at+q):]), g[q:8*filterPairs+q+1]
		for i := range to {
			to[i] = from[i*filterPairs]
		}
	}
}

package kernel

// weight is the right operand of the products of all steps, packed once: into panels as those of Gemm, and, for steps of so few rows
// that only a wide tile keeps a processor busy, into strips of the width of the widest tile.
type weight[T Float] struct {
	kern  *table[T]
	data  []T // (k, n), or with trans (n, k), rows row apart
	row   int
	k, n  int
	trans bool

	block          int // steps along K at a time
	panels, strips []T // each block of K after the other
	strip          int // columns of a strip
	inStrips       int // columns that lie in strips: whole strips, 0 for none
	inPanels       int // first column that lies in panels
	runs           []int32
	spaces         Scratch[[]int] // for table.transpose
}

// prepare packs the weight for steps of few rows, of many, or of both.
func (w *weight[T]) prepare(team *Team, threads int, few, many bool) {
	w.kern = kernels[T]()
	w.block = cutK(w.k, w.kern.kBlock)
	w.strip, w.inStrips, w.inPanels = w.kern.widest(), 0, 0
	if few && w.strip > 0 {
		w.inStrips = w.n / w.strip * w.strip
	}
	if !many {
		w.inPanels = w.inStrips
	}
	Grow(&w.panels, w.kern.panels(w.k, w.n)+w.kern.slack())
	Grow(&w.strips, w.k*w.inStrips+w.strip*w.kern.lanes)
	w.runs = w.kern.appendRuns(w.runs, w.block)
	blocks := ceilDiv(w.k, w.block)
	w.spaces.Prepare(min(threads, blocks), w.size)
	team.Run(threads, blocks, w)
	w.data = nil
}

// widest returns the columns of the widest tile, if panels fit into them, else 0.
func (t *table[T]) widest() (cols int) {
	for _, w := range t.wide {
		cols = max(cols, w.cols)
	}
	if cols%t.cols != 0 {
		return 0
	}
	return cols
}

// size lets the memory of a part grow.
func (w *weight[T]) size(rows *[]int) { Grow(rows, w.kern.lanes) }

// Do packs one block of K. What packing writes beyond a panel is written again by the next one, but for what is beyond the last panel of
// the last block: only there k is not a multiple of the lanes.
func (w *weight[T]) Do(part int) {
	number, space := w.spaces.Take()
	defer w.spaces.Release(number)
	p := part * w.block
	k := min(w.block, w.k-p)
	rows := (*space)[:cap(*space)]
	panels, strips := w.panelsOf(p, k, w.inPanels), w.stripsOf(p)
	if w.trans {
		w.kern.packTransposed(w.data[min(w.inPanels*w.row+p, len(w.data)):], w.row, k, w.n-w.inPanels, w.runs, rows, panels)
		for j := 0; j < w.inStrips; j += w.kern.lanes {
			w.kern.transposeRows(w.data[j*w.row+p:], w.row, k, w.kern.lanes, w.runs, rows, strips[j/w.strip*w.strip*k+j%w.strip:], w.strip)
		}
		return
	}
	data := w.data[p*w.row:]
	w.kern.packRows(data[min(w.inPanels, len(data)):], w.row, k, w.n-w.inPanels, panels)
	for j := 0; j < min(w.strip, w.inStrips); j += w.kern.cols {
		w.kern.splitRows(data[j:], w.row, k, w.inStrips/w.strip, w.kern.cols, w.strip, strips[j:])
	}
}

// panelsOf returns the panels of k steps from p on, from column j on.
func (w *weight[T]) panelsOf(p, k, j int) []T {
	return w.panels[w.kern.panels(p, w.n)+k*j : cap(w.panels)]
}

// stripsOf returns the strips of the steps from p on.
func (w *weight[T]) stripsOf(p int) []T { return w.strips[p*w.inStrips : cap(w.strips)] }

// multiply computes m rows of c = d + a·W; rows of a are aRow apart.
func (w *weight[T]) multiply(m int, a []T, aRow int, d addend[T], c []T, cRow int) {
	w.multiplyAhead(m, a, aRow, d, c, cRow, ahead[T]{})
}

// multiplyAhead is multiply, and meanwhile it asks for what is wanted next.
func (w *weight[T]) multiplyAhead(m int, a []T, aRow int, d addend[T], c []T, cRow int, next ahead[T]) {
	next.spread(ceilDiv(w.k, w.block) * ceilDiv(w.n, w.kern.cols))
	for p := 0; p < w.k; p += w.block {
		k := min(w.block, w.k-p)
		left, to := left[T]{data: a[p:], row: aRow, step: 1}, target[T]{c, cRow, 0, w.n}
		for j := 0; j < w.n; {
			column := w.column(m, p, k, j)
			column.compute(m, k, &left, &d, &to, j)
			j += column.cols
			next.ask()
		}
		d = addend[T]{data: c, row: cRow, mode: addMatrix}
	}
}

// column returns the column of tiles of m rows that begins with column j, for k steps from p on.
func (w *weight[T]) column(m, p, k, j int) column[T] {
	if j < w.inStrips && m < len(w.kern.wide) {
		if wide := w.kern.wide[m]; wide.cols > 0 && w.strip%wide.cols == 0 {
			return column[T]{wide.tiles, m, wide.cols, w.stripsOf(p)[j/w.strip*w.strip*k+j%w.strip:], w.strip, true}
		}
	}
	right := right[T]{panels: w.panelsOf(p, k, j)}
	return w.kern.column(&right, m, w.n-j)
}

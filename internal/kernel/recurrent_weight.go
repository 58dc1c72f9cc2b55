package kernel

// weight is the right operand of the products of all steps, packed once.
type weight[T Float] struct {
	kern   *table[T]
	data   []T // (k, n), or with trans (n, k), rows row apart
	row    int
	k, n   int
	trans  bool
	block  int // steps along K at a time
	panels []T // each block of K after the other
	runs   []int32
	spaces Scratch[[]int] // for table.transpose
}

// prepare packs the weight.
func (w *weight[T]) prepare(team *Team, threads int) {
	w.kern = kernels[T]()
	w.block = cutK(w.k, w.kern.kBlock)
	Grow(&w.panels, w.kern.panels(w.k, w.n)+w.kern.slack())
	w.runs = w.kern.appendRuns(w.runs, w.block)
	blocks := ceilDiv(w.k, w.block)
	w.spaces.Prepare(min(threads, blocks), w.size)
	team.Run(threads, blocks, w)
}

// size lets the memory of a part grow.
func (w *weight[T]) size(rows *[]int) { Grow(rows, w.kern.lanes) }

// Do packs one block of K. What packing writes beyond a block is written again by nobody but the block itself: only the last block's steps
// are not a multiple of the lanes.
func (w *weight[T]) Do(part int) {
	number, rows := w.spaces.Take()
	defer w.spaces.Release(number)
	p := part * w.block
	k := min(w.block, w.k-p)
	dst := w.panels[w.kern.panels(p, w.n):cap(w.panels)]
	if w.trans {
		w.kern.packTransposed(w.data[p:], w.row, k, w.n, w.runs, (*rows)[:cap(*rows)], dst)
	} else {
		w.kern.packRows(w.data[p*w.row:], w.row, k, w.n, dst)
	}
}

// multiply computes m rows of c = d + a·W; rows of a are aRow apart.
func (w *weight[T]) multiply(m int, a []T, aRow int, d addend[T], c []T, cRow int) {
	for p := 0; p < w.k; p += w.block {
		k := min(w.block, w.k-p)
		right := right[T]{panels: w.panels[w.kern.panels(p, w.n):cap(w.panels)]}
		w.kern.multiply(m, k, left[T]{data: a[p:], row: aRow, step: 1}, right, d, target[T]{c, cRow, 0, w.n})
		d = addend[T]{data: c, row: cRow, mode: addMatrix}
	}
}

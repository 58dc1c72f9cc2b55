package kernel

// weight is the right operand of the products of all steps, packed once: for steps of so few rows that only a wide tile keeps a processor
// busy, for steps of more, or for both.
type weight[T Float] struct {
	data  []T // (k, n), or with trans (n, k), rows row apart
	row   int
	k, n  int
	trans bool

	few, many Packed[T] // in strips, and in panels
	isFew     bool      // few is packed
	isMany    bool      // many is packed
}

// prepare packs the weight for steps of few rows, of many, or of both.
func (w *weight[T]) prepare(team *Team, threads int, few, many bool) {
	w.isFew = few && kernels[T]().widest() > 0
	w.isMany = many || !w.isFew
	b := Operand[T]{Data: w.data, Row: w.row, Trans: w.trans}
	if w.isFew {
		w.few.pack(team, threads, b, w.k, w.n, true, w.k)
	}
	if w.isMany {
		w.many.pack(team, threads, b, w.k, w.n, false, w.k)
	}
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

// packed returns the form for products of m rows.
func (w *weight[T]) packed(m int) *Packed[T] {
	if w.isFew && (!w.isMany || w.few.kern.wideCols(m) > 0) {
		return &w.few
	}
	return &w.many
}

// multiply computes m rows of c = d + a·W; rows of a are aRow apart.
func (w *weight[T]) multiply(m int, a []T, aRow int, d addend[T], c []T, cRow int) {
	w.multiplyAhead(m, a, aRow, d, c, cRow, ahead[T]{})
}

// multiplyAhead is multiply, and meanwhile it asks for what is wanted next.
func (w *weight[T]) multiplyAhead(m int, a []T, aRow int, d addend[T], c []T, cRow int, next ahead[T]) {
	b := w.packed(m)
	next.spread(b.blocks() * ceilDiv(w.n, b.kern.cols))
	for p := 0; p < w.k; p += b.block {
		k := min(b.block, w.k-p)
		left, right, to := left[T]{data: a[p:], row: aRow, step: 1}, b.right(p, k, 0), target[T]{c, cRow, 0, w.n}
		for j := 0; j < w.n; {
			column := b.kern.column(&right, m, w.n-j)
			column.compute(m, k, &left, &d, &to, j)
			right.advance(column, k)
			j += column.cols
			next.ask()
		}
		d = addend[T]{data: c, row: cRow, mode: addMatrix}
	}
}

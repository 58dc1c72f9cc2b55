package kernel

// weight is the right operand of the products of all steps, packed once: for steps of so few rows that only a wide tile keeps a processor
// busy, for steps of more, or for both.
type weight[T Float] struct {
	data  []T // (k, n), or with trans (n, k), rows row apart
	row   int
	k, n  int
	trans bool

	few, many *Packed[T]   // in strips, and in panels; nil where no step wants them
	own       [2]Packed[T] // their memory, where they are not kept elsewhere
}

// Keeper keeps the packed forms of a weight that many runs use.
type Keeper[T Float] interface {
	// Keep returns the form, in strips or in panels, of the matrix b (k, n), which is a weight or neighbouring columns of one; nil if it is not
	// kept. Where it is to be made, PackWhole makes it.
	Keep(b Operand[T], k, n int, strips bool) *Packed[T]
}

// PackWhole is Pack for the products of recurrent layers, whose sums are not cut.
func (p *Packed[T]) PackWhole(team *Team, threads int, b Operand[T], k, n int, strips bool) {
	p.pack(kernels[T](), team, threads, b, k, n, strips, k)
}

// prepare packs the weight for steps of few rows, of many, or of both, unless keeper, nil for none, has it.
func (w *weight[T]) prepare(team *Team, threads int, few, many bool, keeper Keeper[T]) {
	b := Operand[T]{Data: w.data, Row: w.row, Trans: w.trans}
	form := func(i int, strips bool) (p *Packed[T]) {
		if keeper != nil {
			p = keeper.Keep(b, w.k, w.n, strips)
		}
		if p == nil {
			p = &w.own[i]
			p.PackWhole(team, threads, b, w.k, w.n, strips)
		}
		return p
	}
	w.few, w.many, w.data = nil, nil, nil
	if few && kernels[T]().widest() > 0 {
		w.few = form(0, true)
	}
	if many || w.few == nil {
		w.many = form(1, false)
	}
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
	if w.few != nil && (w.many == nil || w.few.kern.wideCols(m) > 0) {
		return w.few
	}
	return w.many
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

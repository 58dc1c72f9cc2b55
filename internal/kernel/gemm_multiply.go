package kernel

// left is a left operand that is ready for the micro-kernels. Element (i, p) is data[i·row + p·step]; where it is packed, panels of
// the height of a tile follow one another instead, each step by step, and that of rows i and after begins at i·row.
type left[T Float] struct {
	data      []T
	row, step int
	packed    bool
}

// tile returns the strides of a tileFunc of height h, and the distance from a row of op(A) to the next.
func (a *left[T]) tile(h int) (row, step, next int) {
	if a.packed {
		return 1, h, a.row
	}
	return a.row, a.step, a.row
}

// right is a right operand that is ready: cols columns in strips, which may be wider than a tile, and then panels. Both follow one
// another. The rows of a strip lie row apart; a matrix that is read where it is makes one strip.
type right[T Float] struct {
	panels []T
	strips []T
	row    int
	strip  int // columns that are left of the strip at hand
	cols   int // columns that are left of all strips
}

// addend is added to the sums: to element (i, j) data[i·row + j], or with addRows data[i·row]. relu follows.
type addend[T Float] struct {
	data      []T
	row, mode int
	relu      bool
}

// tileMode returns the mode for the tileFuncs.
func (d *addend[T]) tileMode() int {
	if d.relu {
		return d.mode | thenReLU
	}
	return d.mode
}

// below returns the addend from row i on.
func (d addend[T]) below(i int) addend[T] {
	if d.mode != addNothing {
		d.data = d.data[i*d.row:]
	}
	return d
}

// at returns the addend's elements from (i, j) on.
func (d *addend[T]) at(i, j int) []T {
	switch d.mode {
	case addMatrix:
		return d.data[i*d.row+j:]
	case addRows:
		return d.data[i*d.row:]
	}
	return nil
}

// target is where results go: columns j0 to j1 of rows that lie row apart.
type target[T Float] struct {
	data   []T
	row    int
	j0, j1 int
}

// below returns the target from row i on.
func (c target[T]) below(i int) target[T] {
	c.data = c.data[i*c.row:]
	return c
}

// multiply computes m rows of c from k columns of a and rows of b.
func (t *table[T]) multiply(m, k int, a left[T], b right[T], d addend[T], c target[T]) {
	for j := c.j0; j < c.j1; {
		col := t.column(&b, m, c.j1-j)
		col.compute(m, k, &a, &d, &c, j)
		b.advance(col, k)
		j += col.cols
	}
}

// column is a column of tiles of up to rows rows.
type column[T Float] struct {
	tiles      []tileFunc[T]
	rows, cols int
	b          []T
	width      int // of a row of b
	panel      bool
}

// column returns the first column of tiles of b, of which n columns are left.
func (t *table[T]) column(b *right[T], m, n int) column[T] {
	if wide := t.wideCols(m); b.cols > 0 && wide > 0 && min(n, b.strip) >= wide {
		return column[T]{t.wide[m].tiles, m, wide, b.strips, b.row, false}
	}
	if b.cols > 0 {
		return column[T]{t.full, t.rows, t.cols, b.strips, b.row, false}
	}
	width, tiles := t.panel(n)
	return column[T]{tiles, t.rows, min(n, width), b.panels, width, true}
}

// advance passes over a column of k rows.
func (b *right[T]) advance(c column[T], k int) {
	if c.panel {
		b.panels = b.panels[k*c.width:]
		return
	}
	b.cols, b.strip = b.cols-c.cols, b.strip-c.cols
	switch {
	case b.cols == 0:
		b.strips = nil
	case b.strip == 0:
		b.strips, b.strip = b.strips[c.cols+(k-1)*b.row:], b.row
	default:
		b.strips = b.strips[c.cols:]
	}
}

// compute writes the column of c that begins at j. The rows are shared evenly among the tiles, since low tiles use a processor badly.
func (col *column[T]) compute(m, k int, a *left[T], d *addend[T], c *target[T], j int) {
	tiles := ceilDiv(m, col.rows)
	low, tall := m/tiles, m%tiles // tall tiles have a row more
	if tall > 0 {
		col.run(0, tall, low+1, k, a, d, c, j)
	}
	col.run(tall*(low+1), tiles-tall, low, k, a, d, c, j)
}

// run computes tiles of height h from row i on.
func (col *column[T]) run(i, tiles, h, k int, a *left[T], d *addend[T], c *target[T], j int) {
	row, step, next := a.tile(h)
	col.tiles[h](tiles, k, a.data[i*next:], h*next, row, step, col.b, col.width, d.at(i, j), d.row, d.tileMode(), c.data[i*c.row+j:], c.row, col.cols)
}

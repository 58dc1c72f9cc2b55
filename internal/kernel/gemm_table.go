package kernel

// tileFunc computes a column of tiles of a matrix product, each of the height that the function is for. For every tile, for i < height
// and j < cols,
//
//	c[i·cRow+j] = Σ over p < k of a[i·aRow + p·aStep]·b[p·bStep + j], added in the order of p,
//
// plus d[i·dRow+j] in mode addMatrix, or d[i·dRow] in mode addRows; with thenReLU added to the mode, ReLU of this. The next tile lies
// aTile further in a, and height rows further in c and d. c may be d. Whole panels of b are read, also where cols is less. An element
// is the same bits in every tileFunc of a table.
type tileFunc[T Float] func(tiles, k int, a []T, aTile, aRow, aStep int, b []T, bStep int, d []T, dRow, mode int, c []T, cRow, cols int)

// The modes of a tileFunc.
const (
	addNothing = iota
	addMatrix
	addRows

	thenReLU = 4
)

// table is the set of kernels for one type of elements and one level of CPU features. The products' blocking is part of it.
type table[T Float] struct {
	rows, cols int // of the largest tile
	lanes      int // of a vector; a panel of B is cols or lanes columns wide
	kBlock     int // most steps along K at a time, so that a panel of B stays in the first cache
	mBlock     int // most rows of A at a time, so that they stay in the second cache

	full   []tileFunc[T]  // by height, cols wide
	narrow []tileFunc[T]  // by height, lanes wide
	wide   []wideTiles[T] // by height: for products of so few rows, B is read where it is, many columns at a time
	dots   []dotRows[T]   // the widest first; nil where there are none

	// split1 and split2 copy one or two vectors at i·srcRow+j·cols of src to j·dstPanel+i·cols of dst, i < rows, j < panels, in the
	// order of i and of j.
	split1, split2 func(rows, panels int, src []T, srcRow int, dst []T, cols, dstPanel int)
	// gather copies, for place i and each run (from, to), one vector at places[i]+from of src to i·dstRow+to of dst, in order.
	gather func(src []T, places, runs []int32, dst []T, dstRow int)
	// scatter adds, for place i and each run (from, to, n), n ≤ lanes elements at i·srcRow+to of src to those at places[i]+from of dst; of
	// src, and of dst, which gets + 0, whole vectors must exist.
	scatter func(src []T, srcRow int, places, runs []int32, dst []T)
	// transpose copies, for row i < lanes and each run (from, to), the elements rows[i]+from+j of src, j < lanes, to (to+j)·dstRow+i of
	// dst, in order.
	transpose func(src []T, rows []int, runs []int32, dst []T, dstRow int)

	// maxRows pool rows of windows, many at a time; see MaxPool2D. The wider ones come first.
	maxRows []maxRows[T]
}

// wideTiles is the tileFunc of one height that computes cols columns of one tile.
type wideTiles[T Float] struct {
	cols  int
	tiles []tileFunc[T] // by height, only one is set
}

// kernels returns the table for T on this CPU.
func kernels[T Float]() *table[T] {
	var t any
	if _, single := any(T(0)).(float32); single {
		t = table32()
	} else {
		t = table64()
	}
	return t.(*table[T])
}

// wideCols returns the columns of the wide tile of m rows, 0 if there is none.
func (t *table[T]) wideCols(m int) int {
	if m >= len(t.wide) {
		return 0
	}
	return t.wide[m].cols
}

// panel returns the width of the panel that holds n columns, and the tile functions for it.
func (t *table[T]) panel(n int) (width int, tiles []tileFunc[T]) {
	if n <= t.lanes {
		return t.lanes, t.narrow
	}
	return t.cols, t.full
}

// panels returns the elements that k rows of n columns take as panels.
func (t *table[T]) panels(k, n int) int {
	whole := n / t.cols * t.cols
	if n > whole {
		width, _ := t.panel(n - whole)
		whole += width
	}
	return k * whole
}

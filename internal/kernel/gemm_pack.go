package kernel

const (
	// directRows is the most rows of a block of C for which B is read where it is.
	directRows = 6
	// directSteps is the most steps along K for which a transposed A is read where it is.
	directSteps = 64
	// mostOnce is the most elements of B that are packed before a product.
	mostOnce = 1 << 22
)

// packsOnce reports whether B is packed before the product, rather than by each part what it needs: where parts of many rows would pack
// the same again and again.
func (g *Gemm[T]) packsOnce(m, batch int) bool {
	return g.Packed == nil && (g.source == nil || g.B.Trans) && m > mostRows && (batch == 1 || g.B.Next == 0) && g.N*g.K <= mostOnce
}

// slack is the elements that packing may write beyond a panel.
func (t *table[T]) slack() int { return t.lanes * t.cols }

// right makes rows p to p+k of op(B) ready, columns j0 to j1 of the block.
func (g *Gemm[T]) right(b *block[T], s *gemmSpace[T], p, k int) right[T] {
	if g.K == 0 || b.j0 == b.j1 {
		return right[T]{}
	}
	if g.Packed != nil {
		return g.Packed.right(p, k, b.j0)
	}
	panels := s.b[:cap(s.b)]
	if g.source != nil && !g.B.Trans {
		g.kern.layRight(b.j1-b.j0, func(j, many, n, width int) {
			g.source.splitRight(panelCut{b.matrix, p, k, b.j0 + j, many, n, width, k * width}, panels[k*j:])
		})
		return right[T]{panels: panels}
	}
	data := g.B.Data[b.matrix*g.B.Next:]
	if g.B.Trans {
		g.kern.packTransposed(data[b.j0*g.B.Row+p:], g.B.Row, k, b.j1-b.j0, g.runs, s.rows[:cap(s.rows)], panels)
		return right[T]{panels: panels}
	}
	data = data[p*g.B.Row:]
	if b.i1-b.i0 > directRows {
		g.kern.packRows(data[b.j0:], g.B.Row, k, b.j1-b.j0, panels)
		return right[T]{panels: panels}
	}
	last := (b.j1 - b.j0) % g.kern.cols
	g.kern.packRows(data[b.j1-last:], g.B.Row, k, last, panels)
	whole := b.j1 - b.j0 - last
	return right[T]{panels: panels, strips: data[b.j0:], row: g.B.Row, strip: whole, cols: whole}
}

// left makes m rows of op(A) ready, from row i on, and k columns, from p on. Rows of A are read where they are, from which packing them
// would not be faster; rows of a transposed A, whose elements lie far apart, are packed unless few of them are used or each only once.
func (g *Gemm[T]) left(b *block[T], s *gemmSpace[T], i, m, p, k int) left[T] {
	if g.K == 0 {
		return left[T]{}
	}
	if g.source != nil && g.A.Trans {
		packed, next := s.a[:cap(s.a)], k+leftGap
		g.kern.layLeft(m, func(j, many, n int) {
			g.source.splitLeft(panelCut{b.matrix, p, k, i + j, many, n, n, n * next}, packed[j*next:])
		})
		return left[T]{data: packed, row: next, packed: true}
	}
	data, row := g.A.Data[b.matrix*g.A.Next:], g.A.Row
	if !g.A.Trans {
		return left[T]{data: data[i*row+p:], row: row, step: 1}
	}
	data = data[p*row+i:]
	if k <= directSteps || b.j1-b.j0 <= g.kern.cols {
		return left[T]{data: data, row: 1, step: row}
	}
	return g.kern.packLeft(data, row, k, m, s.a[:cap(s.a)])
}

// leftGap is the elements by which a row of a packed left operand is longer than its steps. Without it the panels of a power of two of
// steps, to which packing returns with every step, would all be in the same few lines of the cache.
const leftGap = 8

// leftSize returns the elements that packing m rows of k steps of a left operand takes.
func (t *table[T]) leftSize(m, k int) int { return m*(k+leftGap) + t.slack() }

// packRows brings k rows of n columns, which lie row apart in src, into panels.
func (t *table[T]) packRows(src []T, row, k, n int, dst []T) {
	t.layRight(n, func(j, panels, n, width int) { t.splitRows(src[j:], row, k, panels, n, width, k*width, dst[k*j:]) })
}

// layRight calls split for the panels of n columns: for those that are whole, and for the last. Each begins with column j.
func (t *table[T]) layRight(n int, split func(j, panels, n, width int)) {
	whole := n / t.cols
	split(0, whole, t.cols, t.cols)
	if done := whole * t.cols; done < n {
		width, _ := t.panel(n - done)
		split(done, 1, n-done, width)
	}
}

// packLeft brings k rows of m columns, a transposed left operand, into panels of the heights of the tiles of m rows.
func (t *table[T]) packLeft(src []T, row, k, m int, dst []T) left[T] {
	next := k + leftGap
	t.layLeft(m, func(j, panels, n int) { t.splitRows(src[j:], row, k, panels, n, n, n*next, dst[j*next:]) })
	return left[T]{data: dst, row: next, packed: true}
}

// layLeft calls split for the panels of m columns of a transposed left operand: for the tall tiles, and for the low ones. Each begins with
// column j.
func (t *table[T]) layLeft(m int, split func(j, panels, n int)) {
	tiles := ceilDiv(m, t.rows)
	low, tall := m/tiles, m%tiles
	split(0, tall, low+1)
	split(tall*(low+1), tiles-tall, low)
}

// splitRows brings k rows into panels of n ≤ width columns, width apart in src and in the rows of the panels, which begin next apart.
// Whole vectors are moved: what they write beyond a row is written again by the next one. The last rows, which no other follows or where
// src ends too early for that, are moved one element at a time.
func (t *table[T]) splitRows(src []T, row, k, panels, n, width, next int, dst []T) {
	if panels == 0 {
		return
	}
	vectors := ceilDiv(n, t.lanes)
	split := t.split1
	if vectors == 2 {
		split = t.split2
	}
	rows := k
	if vectors*t.lanes > width {
		rows--
	}
	if room := len(src) - (panels-1)*width - vectors*t.lanes; room < 0 {
		rows = 0
	} else {
		rows = min(rows, room/row+1)
	}
	if rows > 0 {
		split(rows, panels, src, row, dst, width, next)
	}
	for i := rows; i < k; i++ {
		for j := range panels {
			copy(dst[j*next+i*width:], src[i*row+j*width:][:n])
		}
	}
}

// packTransposed brings k columns of n rows, which lie row apart in src, into panels: the columns become rows.
func (t *table[T]) packTransposed(src []T, row, k, n int, runs []int32, rows []int, dst []T) {
	for j := 0; j < n; j += t.cols {
		width, _ := t.panel(n - j)
		for l := 0; l < width && j+l < n; l += t.lanes {
			t.transposeRows(src[(j+l)*row:], row, k, min(t.lanes, n-j-l), runs, rows, dst[l:], width)
		}
		dst = dst[k*width:]
	}
}

// transposeRows turns n ≤ lanes rows of k elements into columns of dst. Missing rows are replaced by the last one; nobody reads what
// comes of them. As in splitRows, whole vectors are moved where src is long enough.
func (t *table[T]) transposeRows(src []T, row, k, n int, runs []int32, rows []int, dst []T, width int) {
	for i := range rows {
		rows[i] = min(i, n-1) * row
	}
	blocks := ceilDiv(k, t.lanes)
	if rows[n-1]+blocks*t.lanes > len(src) {
		blocks = k / t.lanes
	}
	if blocks > 0 {
		t.transpose(src, rows, runs[:2*blocks], dst, width)
	}
	for i := range n {
		for p := blocks * t.lanes; p < k; p++ {
			dst[p*width+i] = src[i*row+p]
		}
	}
}

// appendRuns returns the runs of k neighbouring elements.
func (t *table[T]) appendRuns(runs []int32, k int) []int32 {
	runs = runs[:0]
	for p := 0; p < k; p += t.lanes {
		runs = append(runs, int32(p), int32(p))
	}
	return runs
}

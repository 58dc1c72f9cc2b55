package kernel

// How a product is cut. The cut depends on the shape and on the table of kernels, never on the number of threads.
const (
	// partWork is the multiply-adds that are worth a part of their own: a few microseconds.
	partWork = 1 << 17
	// mostCuts is the most parts that a product is cut into for the sake of threads.
	mostCuts = 16
	// enoughCuts is the number of parts from which on they are not made smaller than the caches like.
	enoughCuts = 8
	// memoryWork is what reading an element of B costs, in multiply-adds.
	memoryWork = 8
	// largest block of C of a part
	mostRows, mostCols = 512, 512
)

// cut says how each product of a batch is divided: into blocks of C, and K into chunks and these into steps.
type cut struct {
	m, batch         int // rows of a product, and products
	rows, cols       int // of a block of C
	rowCuts, colCuts int
	rowStep          int  // rows of A at a time
	k                int  // steps along K at a time
	chunk, chunks    int  // steps along K of a chunk, and how many there are
	apart            bool // whether the chunks of a block are parts of their own
}

// block is one block of C.
type block[T Float] struct {
	matrix, chunk  int
	i0, i1, j0, j1 int // rows and columns
	c              []T // the whole matrix
}

// cutProduct chooses the cut of batch products. Columns are cut first, because a part packs its columns of B for all of its rows; where B
// is packed already rows are, because a part reads its rows of A for all of its columns.
func cutProduct[T Float](t *table[T], m, n, k, batch int, packed bool) cut {
	work := float64(m+memoryWork) * float64(n) * float64(max(k, 1))
	want := wantedCuts(work*float64(batch), batch)
	c := cut{m: m, batch: batch, rowCuts: ceilDiv(m, mostRows), colCuts: ceilDiv(n, mostCols)}
	c.chunks, c.chunk = cutChunks(k)
	c.apart = c.chunks > 1 && want > 1 && batch*m*n <= mostApart
	enough := enoughCuts
	if c.apart {
		want, enough = ceilDiv(want, c.chunks), ceilDiv(enough, c.chunks)
	}
	if packed {
		c.rowCuts = max(c.rowCuts, min(ceilDiv(want, c.colCuts), m/96))
	}
	for _, least := range [...]struct{ rows, cols int }{{mostRows, 4 * t.cols}, {96, 4 * t.cols}, {96, 2 * t.cols}, {32, 2 * t.cols}} {
		if c.rowCuts*c.colCuts >= min(want, enough) {
			break
		}
		c.colCuts = max(c.colCuts, min(ceilDiv(want, c.rowCuts), n/least.cols))
		c.rowCuts = max(c.rowCuts, min(ceilDiv(want, c.colCuts), m/least.rows))
	}
	c.cols = roundUp(ceilDiv(n, c.colCuts), max(t.cols, t.wideCols(m)))
	c.colCuts = ceilDiv(n, c.cols)
	c.rows = roundUp(ceilDiv(m, c.rowCuts), t.rows)
	c.rowCuts = ceilDiv(m, c.rows)
	c.rowStep = roundUp(ceilDiv(c.rows, ceilDiv(c.rows, t.mBlock)), t.rows)
	c.k = cutK(c.chunk, t.kBlock)
	return c
}

// wantedCuts returns into how many parts each of n pieces should be cut that together are work multiply-adds.
func wantedCuts(work float64, n int) int {
	return max(1, ceilDiv(int(min(work/partWork, mostCuts)), n))
}

// cutK returns the steps along K at a time: all, or even blocks of at most most, so that the last is not short.
func cutK(k, most int) int {
	if k <= most+most/4 {
		return max(k, 1)
	}
	return roundUp(ceilDiv(k, ceilDiv(k, most+most/4)), 8)
}

// parts returns the number of blocks of the batch, or of their chunks.
func (c *cut) parts() int {
	n := c.batch * c.rowCuts * c.colCuts
	if c.apart {
		n *= c.chunks
	}
	return n
}

// block returns the block of a part. The parts of one chunk follow one another, for they read the same rows of op(B).
func (g *Gemm[T]) block(part int) block[T] {
	c := &g.cut
	j0, part := part%c.colCuts*c.cols, part/c.colCuts
	i0, matrix, chunk := part%c.rowCuts*c.rows, part/c.rowCuts, 0
	if c.apart {
		matrix, chunk = matrix/c.chunks, matrix%c.chunks
	}
	return block[T]{
		matrix: matrix, chunk: chunk,
		i0: i0, i1: min(i0+c.rows, c.m),
		j0: j0, j1: min(j0+c.cols, g.N),
		c: g.C[matrix*g.CNext:],
	}
}

// ceilDiv returns a/b rounded up.
func ceilDiv(a, b int) int { return (a + b - 1) / b }

// roundUp returns the least multiple of b that is not less than a.
func roundUp(a, b int) int { return ceilDiv(a, b) * b }

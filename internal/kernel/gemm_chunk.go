package kernel

// A long sum is computed in chunks: each is summed from zero, and the chunks are added in their order. They depend on K alone, and so do
// the bits. Where C is small they are parts of their own, and a part reads whole rows of a transposed A and of B, once; cut into blocks
// of C instead, every part would read all of A. Where C is large each part adds its chunks one after another.
const (
	leastChunk = 1536    // steps along K of a chunk, at least
	mostChunks = 16      // chunks of a sum
	mostApart  = 1 << 18 // elements of C for which the chunks are parts of their own
)

// cutChunks returns the number of chunks of k steps, a power of two so that they are shared evenly by as many threads, and their length.
func cutChunks(k int) (chunks, length int) {
	chunks = 1
	for chunks < mostChunks && k >= 2*chunks*leastChunk {
		chunks *= 2
	}
	if chunks == 1 {
		return 1, max(k, 1)
	}
	return chunks, roundUp(ceilDiv(k, chunks), 8)
}

// chunk computes one chunk of the sums of a block. The first goes to C, with what is added to the product.
func (g *Gemm[T]) chunk(b *block[T], s *gemmSpace[T], number int) {
	if number == 0 && g.Accumulate && g.Bias != nil {
		g.addBias(b)
	}
	out := g.place(b, s, number)
	d := addend[T]{}
	switch {
	case number > 0:
	case g.Accumulate:
		d = addend[T]{data: out.data, row: out.row, mode: addMatrix}
	case g.Bias != nil:
		d = addend[T]{data: g.Bias, mode: addMatrix}
	}
	from := number * g.cut.chunk
	to := min(from+g.cut.chunk, g.K)
	for p := from; p == from || p < to; p += g.cut.k {
		g.step(b, s, d, out, p, min(g.cut.k, to-p))
		d = addend[T]{data: out.data, row: out.row, mode: addMatrix}
	}
}

// place returns where a chunk of the sums of a block goes, from the block's first row on.
func (g *Gemm[T]) place(b *block[T], s *gemmSpace[T], number int) target[T] {
	switch {
	case number == 0:
		return target[T]{b.c[b.i0*g.CRow:], g.CRow, b.j0, b.j1}
	case g.cut.apart:
		at := (b.matrix*(g.cut.chunks-1)+number-1)*g.cut.m + b.i0
		return target[T]{g.chunks.sums[:cap(g.chunks.sums)][at*g.N:], g.N, b.j0, b.j1}
	}
	return target[T]{s.c[:cap(s.c)], b.j1 - b.j0, 0, b.j1 - b.j0}
}

// addChunks computes all chunks of a block but the first and adds them to C.
func (g *Gemm[T]) addChunks(b *block[T], s *gemmSpace[T]) {
	n := b.j1 - b.j0
	for number := 1; number < g.cut.chunks; number++ {
		g.chunk(b, s, number)
		for i := b.i0; i < b.i1; i++ {
			row := b.c[i*g.CRow+b.j0:][:n]
			Add(row, s.c[:cap(s.c)][(i-b.i0)*n:][:n], row)
		}
	}
	for i := b.i0; i < b.i1; i++ {
		g.finish(b.c[i*g.CRow+b.j0:][:n])
	}
}

// finish applies the function that follows a product to complete sums.
func (g *Gemm[T]) finish(y []T) {
	if g.ReLU {
		ReLU(y, y, 0, 0)
	}
	if g.Act != nil {
		g.Act(y, y, 0, 0)
	}
}

// chunks is the task of adding chunks that are parts of their own. A part of it is a few rows of C.
type chunks[T Float] struct {
	gemm *Gemm[T]
	rows int
	sums []T // of all chunks but the first: the rows of all products, without gaps
}

// add adds the chunks to C.
func (c *chunks[T]) add(g *Gemm[T], team *Team, threads int) {
	c.gemm = g
	m := g.cut.batch * g.cut.m
	parts := wantedCuts(float64(m)*float64(g.N)*float64(g.cut.chunks)*memoryWork, 1)
	c.rows = ceilDiv(m, min(parts, m))
	team.Run(threads, ceilDiv(m, c.rows), c)
	c.gemm = nil
}

// Do adds the chunks of one part.
func (c *chunks[T]) Do(part int) {
	g := c.gemm
	for i := part * c.rows; i < min((part+1)*c.rows, g.cut.batch*g.cut.m); i++ {
		matrix, row := i/g.cut.m, i%g.cut.m
		y := g.C[matrix*g.CNext+row*g.CRow:][:g.N]
		for number := 1; number < g.cut.chunks; number++ {
			at := (matrix*(g.cut.chunks-1)+number-1)*g.cut.m + row
			Add(y, c.sums[:cap(c.sums)][at*g.N:][:g.N], y)
		}
		g.finish(y)
	}
}

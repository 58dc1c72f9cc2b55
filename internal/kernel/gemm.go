package kernel

// Operand is one side of the products of a batch: row i of matrix n begins at Data[n·Next + i·Row]. Next is 0 where all products use
// the same matrix. With Trans a product uses its transpose.
type Operand[T Float | uint16] struct {
	Data      []T
	Row, Next int
	Trans     bool
}

// Gemm computes, for every matrix of a batch, C = act(op(A)·op(B) + bias) with op(A) (M, K) and op(B) (K, N), or with Accumulate
// C = act(C + op(A)·op(B) + bias). Row i of matrix n of C begins at C[n·CNext + i·CRow]; C overlaps neither A nor B.
//
// The method is the one of Goto and van de Geijn (2008) and of BLIS (Van Zee and van de Geijn, 2015): blocks of K rows of B are
// brought into panels that a micro-kernel, which keeps a tile of C in registers, reads from the nearest cache.
//
// The bits of an element depend on K, its row of op(A), its column of op(B), its bias and the CPU's features only: not on the other
// rows and columns, on the transpositions or on the threads. So a row of a batch gives what it would give alone.
//
// A Gemm keeps its scratch memory from one Run to the next.
type Gemm[T Float] struct {
	M, N, K, Batch int
	A, B           Operand[T]
	Packed         *Packed[T] // nil, or op(B) of all products, packed before: B is not read then
	C              []T
	CRow, CNext    int
	Bias           []T // nil, or N
	Accumulate     bool
	ReLU           bool     // act is max(x, 0)
	Act            Unary[T] // nil, or another act

	kern    *table[T]
	source  panelSource[T] // nil, or what brings op(B) and a transposed A into panels in the place of their rows
	cut     cut
	own     Packed[T] // see packsOnce
	scratch Scratch[gemmSpace[T]]
	runs    []int32 // of a whole block of K, for table.transpose
	chunks  chunks[T]
}

// panelSource brings rows of op(B), or of the A that is transposed, into panels.
type panelSource[T Float] interface {
	splitRight(c panelCut, dst []T)
	splitLeft(c panelCut, dst []T)
}

// panelCut is what becomes panels: k rows of a matrix, from row p on, and panels·n columns, from column j on. The rows of a panel are cols
// apart, and the panels next.
type panelCut struct{ matrix, p, k, j, panels, n, cols, next int }

// gemmSpace is what one part of a Gemm needs for itself.
type gemmSpace[T Float] struct {
	a, b []T   // packed blocks
	c    []T   // the sums of a chunk
	rows []int // for table.transpose
}

// Run computes the products on at most threads threads of the team.
func (g *Gemm[T]) Run(team *Team, threads int) { g.run(kernels[T](), team, threads) }

// run computes the products with the kernels of a table.
func (g *Gemm[T]) run(kern *table[T], team *Team, threads int) {
	if g.M == 0 || g.N == 0 || g.Batch == 0 {
		return
	}
	g.kern = kern
	m, batch := g.merged()
	if g.packsOnce(m, batch) {
		_, chunk := cutChunks(g.K)
		g.own.pack(kern, team, threads, g.B, g.K, g.N, false, chunk)
		g.Packed = &g.own
		defer func() { g.Packed = nil }()
	}
	g.cut = cutProduct(g.kern, m, g.N, g.K, batch, g.Packed != nil)
	parts := g.cut.parts()
	g.runs = g.kern.appendRuns(g.runs, g.cut.k)
	g.scratch.Prepare(min(threads, parts), g.size)
	if g.cut.apart {
		Grow(&g.chunks.sums, batch*(g.cut.chunks-1)*m*g.N)
	}
	team.Run(threads, parts, g)
	if g.cut.apart {
		g.chunks.add(g, team, threads)
	}
}

// merged returns the rows of a product and the size of the batch: a batch that shares B, and whose rows follow one another, is one
// product.
func (g *Gemm[T]) merged() (m, batch int) {
	if (g.B.Next == 0 || g.Packed != nil) && !g.A.Trans && g.A.Next == g.M*g.A.Row && g.CNext == g.M*g.CRow {
		return g.M * g.Batch, 1
	}
	return g.M, g.Batch
}

// size lets a part's memory grow to what the blocks need.
func (g *Gemm[T]) size(s *gemmSpace[T]) {
	t := g.kern
	if g.Packed == nil {
		Grow(&s.b, t.panels(g.cut.k, min(g.cut.cols, g.N))+t.slack())
	}
	if g.A.Trans {
		Grow(&s.a, t.leftSize(min(g.cut.rowStep, g.cut.m), g.cut.k))
	}
	if g.B.Trans && g.Packed == nil {
		Grow(&s.rows, t.lanes)
		Grow(&s.a, t.dotSpace())
	}
	if g.cut.chunks > 1 && !g.cut.apart {
		Grow(&s.c, min(g.cut.rows, g.cut.m)*min(g.cut.cols, g.N))
	}
}

// Do computes one block of C, or one chunk of its sums.
func (g *Gemm[T]) Do(part int) {
	number, space := g.scratch.Take()
	defer g.scratch.Release(number)
	b := g.block(part)
	if g.cut.apart {
		g.chunk(&b, space, b.chunk)
		return
	}
	g.chunk(&b, space, 0)
	if g.cut.chunks > 1 {
		g.addChunks(&b, space)
	}
}

// step adds to a block, whose sums so far are d, the products of k columns of op(A) and rows of op(B), from p on.
func (g *Gemm[T]) step(b *block[T], s *gemmSpace[T], d addend[T], out target[T], p, k int) {
	last := g.cut.chunks == 1 && p+k >= g.K
	d.relu = g.ReLU && last
	rest := *b
	if g.dotted(b, k) {
		n := g.dotStep(b, s, d, out, p, k)
		rest.j0, out.j0 = b.j0+n, out.j0+n
	}
	right := g.right(&rest, s, p, k)
	for i := b.i0; i < b.i1; i += g.cut.rowStep {
		m := min(g.cut.rowStep, b.i1-i)
		left := g.left(b, s, i, m, p, k)
		g.kern.multiply(m, k, left, right, d.below(i-b.i0), out.below(i-b.i0))
		if g.Act != nil && last {
			g.activate(b, i, m)
		}
	}
}

// activate applies Act to m rows of a block.
func (g *Gemm[T]) activate(b *block[T], i, m int) {
	for r := i; r < i+m; r++ {
		y := b.c[r*g.CRow+b.j0 : r*g.CRow+b.j1]
		g.Act(y, y, 0, 0)
	}
}

// addBias adds the bias to a block of C, for a product that accumulates.
func (g *Gemm[T]) addBias(b *block[T]) {
	bias := g.Bias[b.j0:b.j1]
	for i := b.i0; i < b.i1; i++ {
		row := b.c[i*g.CRow+b.j0:][:len(bias)]
		for j, v := range bias {
			row[j] += v
		}
	}
}

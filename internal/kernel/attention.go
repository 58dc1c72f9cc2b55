package kernel

// AttentionShape holds the sizes of a self-attention. Of each sample there are Length positions, and of each of these Heads queries, keys
// and values of Width elements.
type AttentionShape struct {
	Batch, Length, Heads, Width int
	Scale                       float64 // of the scores
}

// attentionBlock is the scores that a part works on at a time: what the second cache holds beside the operands.
const attentionBlock = 1 << 15

// blocks divides the positions of a sample into blocks of rows.
func (s *AttentionShape) blocks() (n, rows int) {
	const least = 96
	n = max(1, s.Length/max(least, attentionBlock/s.Length))
	rows = ceilDiv(s.Length, n)
	return ceilDiv(s.Length, rows), rows
}

// empty reports whether there is nothing to compute.
func (s *AttentionShape) empty() bool {
	return s.Batch == 0 || s.Length == 0 || s.Heads == 0 || s.Width == 0
}

// wide returns the elements of one position of all heads: the distance of positions in Y. In In it is three times that.
func (s *AttentionShape) wide() int { return s.Heads * s.Width }

// places returns where the queries of a head of the batch begin in In, its results in Y, and its scores.
func (s *AttentionShape) places(n int) (in, y, scores int) {
	sample, head := n/s.Heads, n%s.Heads
	y = sample*s.Length*s.wide() + head*s.Width
	return y + 2*sample*s.Length*s.wide(), y, n * s.Length * s.Length
}

// Attention computes, for every sample and head, the scaled dot-product attention of Vaswani et al. (2017, equation 1):
//
//	weights = softmax(Scale·Q·Kᵀ),  y = weights·V
//
// In is (Batch, Length, 3, Heads, Width), of which Q, K and V are the three; Y (Batch, Length, Heads, Width); Weights (Batch, Heads,
// Length, Length), or nil where nobody wants them. The heads are read and written where they lie, and the scores of a block of
// queries stay in the cache until they are used up. The bits are those of the products and of Softmax. An Attention keeps its scratch memory.
type Attention[T Float] struct {
	AttentionShape
	In, Weights, Y []T // operands

	perHead, rows int // blocks
	scratch       Scratch[attentionSpace[T]]
}

// attentionSpace is what one part needs for itself.
type attentionSpace[T Float] struct {
	product Gemm[T]
	scores  []T
}

// Run computes the attention on at most threads threads of the team.
func (a *Attention[T]) Run(team *Team, threads int) {
	if a.empty() {
		return
	}
	a.perHead, a.rows = a.blocks()
	parts := a.Batch * a.Heads * a.perHead
	a.scratch.Prepare(min(threads, parts), a.size)
	team.Run(threads, parts, a)
}

// size lets a part's memory grow.
func (a *Attention[T]) size(s *attentionSpace[T]) {
	if a.Weights == nil {
		Grow(&s.scores, a.rows*a.Length)
	}
}

// Do computes the results of one block of queries of a head.
func (a *Attention[T]) Do(part int) {
	number, s := a.scratch.Take()
	defer a.scratch.Release(number)
	first := part % a.perHead * a.rows
	m, wide := min(a.rows, a.Length-first), a.wide()
	in, y, at := a.places(part / a.perHead)
	weights := s.scores[:cap(s.scores)]
	if a.Weights != nil {
		weights = a.Weights[at+first*a.Length:]
	}
	weights = weights[:m*a.Length]
	queries := Operand[T]{Data: a.In[in+first*3*wide:], Row: 3 * wide}
	keys := Operand[T]{Data: a.In[in+wide:], Row: 3 * wide, Trans: true}
	values := Operand[T]{Data: a.In[in+2*wide:], Row: 3 * wide}
	s.product.multiply(m, a.Length, a.Width, queries, keys, weights, a.Length)
	MulConst(weights, weights, a.Scale, 0)
	for i := 0; i < len(weights); i += a.Length {
		row := weights[i : i+a.Length]
		Softmax(row, row)
	}
	s.product.multiply(m, a.Width, a.Length, Operand[T]{Data: weights, Row: a.Length}, values, a.Y[y+first*wide:], wide)
}

// multiply computes c = op(a)·op(b) on the caller's goroutine, which does a part of something else.
func (g *Gemm[T]) multiply(m, n, k int, a, b Operand[T], c []T, cRow int) {
	g.M, g.N, g.K, g.Batch, g.A, g.B, g.C, g.CRow = m, n, k, 1, a, b, c, cRow
	g.kern = kernels[T]()
	g.cut = cutProduct(g.kern, m, n, k, mostCuts, false) // as one of so many that none is cut for threads
	g.cut.batch = 1
	g.runs = g.kern.appendRuns(g.runs, g.cut.k)
	g.scratch.Prepare(1, g.size)
	for part := range g.cut.parts() {
		g.Do(part)
	}
	g.A, g.B, g.C = Operand[T]{}, Operand[T]{}, nil
}

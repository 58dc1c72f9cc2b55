package kernel

// AttentionGrad computes the gradient of Attention for In from that of Y, with P the weights:
//
//	dscores = Scale·P·(dY·Vᵀ − rows' Σ P·(dY·Vᵀ)),  dQ = dscores·K,  dK = dscoresᵀ·Q,  dV = Pᵀ·dY
//
// DIn has the shape of In, and DScores, which is computed on the way, that of Weights. An AttentionGrad keeps its scratch memory.
type AttentionGrad[T Float] struct {
	AttentionShape
	In, Weights, DY []T // operands
	DIn, DScores    []T // results

	perHead, rows int  // blocks
	keys          bool // what Do computes where a head has several blocks: the keys' and values' gradients, or else the queries'
	scratch       Scratch[Gemm[T]]
}

// Run computes the gradient on at most threads threads of the team.
func (a *AttentionGrad[T]) Run(team *Team, threads int) {
	if a.empty() {
		return
	}
	a.perHead, a.rows = a.blocks()
	parts := a.Batch * a.Heads * a.perHead
	a.scratch.Prepare(min(threads, parts), func(*Gemm[T]) {})
	a.keys = false
	team.Run(threads, parts, a)
	if a.perHead > 1 { // keys need the scores of all queries
		a.keys = true
		team.Run(threads, parts, a)
	}
}

// Do computes the gradients of one block of a head.
func (a *AttentionGrad[T]) Do(part int) {
	number, g := a.scratch.Take()
	defer a.scratch.Release(number)
	head, first := part/a.perHead, part%a.perHead*a.rows
	m := min(a.rows, a.Length-first)
	if !a.keys {
		a.queryBlock(g, head, first, m)
	}
	if a.keys || a.perHead == 1 {
		a.keyBlock(g, head, first, m)
	}
}

// queryBlock computes the gradients of the scores and the queries of m positions.
func (a *AttentionGrad[T]) queryBlock(g *Gemm[T], head, first, m int) {
	wide := a.wide()
	in, y, at := a.places(head)
	at += first * a.Length
	weights, dscores := a.Weights[at:at+m*a.Length], a.DScores[at:at+m*a.Length]
	dy := Operand[T]{Data: a.DY[y+first*wide:], Row: wide}
	values := Operand[T]{Data: a.In[in+2*wide:], Row: 3 * wide, Trans: true}
	g.multiply(m, a.Length, a.Width, dy, values, dscores, a.Length)
	for i := 0; i < len(dscores); i += a.Length {
		row := dscores[i : i+a.Length]
		SoftmaxGrad(weights[i:i+a.Length], row, row)
	}
	MulConst(dscores, dscores, a.Scale, 0)
	keys := Operand[T]{Data: a.In[in+wide:], Row: 3 * wide}
	g.multiply(m, a.Width, a.Length, Operand[T]{Data: dscores, Row: a.Length}, keys, a.DIn[in+first*3*wide:], 3*wide)
}

// keyBlock computes the gradients of the keys and values of m positions.
func (a *AttentionGrad[T]) keyBlock(g *Gemm[T], head, first, m int) {
	wide := a.wide()
	in, y, at := a.places(head)
	columns := func(x []T) Operand[T] { return Operand[T]{Data: x[at+first:], Row: a.Length, Trans: true} }
	dkeys, dvalues := a.DIn[in+wide+first*3*wide:], a.DIn[in+2*wide+first*3*wide:]
	g.multiply(m, a.Width, a.Length, columns(a.DScores), Operand[T]{Data: a.In[in:], Row: 3 * wide}, dkeys, 3*wide)
	g.multiply(m, a.Width, a.Length, columns(a.Weights), Operand[T]{Data: a.DY[y:], Row: wide}, dvalues, 3*wide)
}

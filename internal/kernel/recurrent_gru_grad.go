package kernel

// GRUGradOperands are the operands of op.GRUGradArgs.
type GRUGradOperands[T Float] struct {
	ResetAfter   bool
	Gates, W     []T
	H0, H, Inner []T
	DH, DHLast   []T // nil for zeros
	DH0, DInner  []T
}

// GRUGrad computes op.GRUGradArgs. It keeps its scratch memory from one Run to the next.
type GRUGrad[T Float] struct {
	Recurrent[T]
	GRUGradOperands[T]

	all, gates, candidate weight[T] // W transposed, and its parts
}

// Run computes the gradients on at most threads threads of the team.
func (g *GRUGrad[T]) Run(team *Team, threads int) {
	n := g.hidden
	g.divide(threads, 3*n)
	if g.ResetAfter {
		g.pack(&g.all, g.W, 3*n, 3*n, n, true, team, threads)
	} else {
		g.pack(&g.gates, g.W, 3*n, 2*n, n, true, team, threads)
		g.pack(&g.candidate, g.W[min(2*n, len(g.W)):], 3*n, n, n, true, team, threads)
	}
	team.Run(threads, g.share.parts(), g)
}

// Do walks back all steps of the ranks of a part.
func (g *GRUGrad[T]) Do(part int) {
	number, space := g.scratch.Take()
	defer g.scratch.Release(number)
	lo, hi := g.share.bounds[part], g.share.bounds[part+1]
	g.begin(lo, hi, g.DHLast, g.DH0)
	for i := g.steps() - 1; i >= 0; i-- {
		going, beginning := g.at(i, lo, hi)
		g.stretch(beginning, space)
		g.stretch(going, space)
	}
}

// stretch computes a stretch of one step.
func (g *GRUGrad[T]) stretch(s stretch, space *recurrentSpace[T]) {
	rows := g.atOnce(s.n)
	for i := 0; i < s.n; i += rows {
		g.block(s.part(i, rows), space)
	}
}

// block computes a few rows of one step.
func (g *GRUGrad[T]) block(s stretch, space *recurrentSpace[T]) {
	dh := g.lines(g.DH0, s.rank, s.n)
	if g.ResetAfter {
		g.resetAfter(s, dh, space.a[:len(dh)])
	} else {
		g.resetBefore(s, dh, space)
	}
}

// resetAfter computes the gradients where the reset gate comes after the product.
func (g *GRUGrad[T]) resetAfter(s stretch, dh, product []T) {
	n := 3 * g.hidden
	gates, dInner := g.Gates[s.row*n:][:s.n*n], g.DInner[s.row*n:][:s.n*n]
	before, beforeRow := g.orZeros(g.before(s, g.H, g.H0))
	dy, dyRow := g.orZeros(g.given(s, g.DH))
	g.cells.gruGrad(s.n, g.hidden, gates, dInner, g.lines(g.Inner, s.row, s.n), before, beforeRow, dy, dyRow, dh)
	if g.mask == nil {
		g.all.multiplyAhead(s.n, dInner, n, addend[T]{data: dh, row: g.hidden, mode: addMatrix}, dh, g.hidden, g.wanted(s, g.Gates, g.DH))
		return
	}
	g.all.multiplyAhead(s.n, dInner, n, addend[T]{}, product, g.hidden, g.wanted(s, g.Gates, g.DH))
	Add(dh, g.masked(s, product, product), dh)
}

// resetBefore computes the gradients where the reset gate comes before the product.
func (g *GRUGrad[T]) resetBefore(s stretch, dh []T, space *recurrentSpace[T]) {
	n := 3 * g.hidden
	gates := g.Gates[s.row*n:][:s.n*n]
	old := g.before(s, g.H, g.H0)
	before, beforeRow := g.orZeros(old)
	dy, dyRow := g.orZeros(g.given(s, g.DH))
	g.cells.gruUpdateGrad(s.n, g.hidden, gates, before, beforeRow, dy, dyRow, dh)
	product := space.b[:len(dh)]
	g.candidate.multiply(s.n, gates[2*g.hidden:], n, addend[T]{}, product, g.hidden)
	state, stateRow := g.orZeros(g.masked(s, old, space.a))
	g.cells.gruResetGrad(s.n, g.hidden, gates, state, stateRow, product)
	g.gates.multiplyAhead(s.n, gates, n, addend[T]{data: product, row: g.hidden, mode: addMatrix}, product, g.hidden, g.wanted(s, g.Gates, g.DH))
	Add(dh, g.masked(s, product, product), dh)
}

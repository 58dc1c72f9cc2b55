package kernel

// GRUOperands are the operands of op.GRUArgs.
type GRUOperands[T Float] struct {
	ResetAfter     bool
	Gates, W, Bias []T
	H0             []T // nil for zeros
	H              []T
	HLast, Inner   []T // nil if nobody reads them
}

// GRU computes op.GRUArgs. It keeps its scratch memory from one Run to the next.
type GRU[T Float] struct {
	Recurrent[T]
	GRUOperands[T]

	gates, candidate weight[T] // the columns r and z of W, and the columns n
}

// Run computes all steps on at most threads threads of the team.
func (g *GRU[T]) Run(team *Team, threads int) {
	n := g.hidden
	g.divide(threads, 3*n)
	g.pack(&g.gates, g.W, 3*n, n, 2*n, false, team, threads)
	g.pack(&g.candidate, g.W[min(2*n, len(g.W)):], 3*n, n, n, false, team, threads)
	team.Run(threads, g.share.parts(), g)
}

// Do walks all steps of the ranks of a part.
func (g *GRU[T]) Do(part int) {
	number, space := g.scratch.Take()
	defer g.scratch.Release(number)
	lo, hi := g.share.bounds[part], g.share.bounds[part+1]
	for i := range g.steps() {
		going, beginning := g.at(i, lo, hi)
		g.stretch(going, space)
		g.stretch(beginning, space)
		g.keepLast(i, lo, hi, g.H, g.HLast)
	}
	g.keepFirst(lo, hi, g.H0, g.HLast)
}

// stretch computes a stretch of one step.
func (g *GRU[T]) stretch(s stretch, space *recurrentSpace[T]) {
	rows := g.atOnce(s.n)
	for i := 0; i < s.n; i += rows {
		g.block(s.part(i, rows), space)
	}
}

// block computes a few rows of one step.
func (g *GRU[T]) block(s stretch, space *recurrentSpace[T]) {
	n := 3 * g.hidden
	gates := g.Gates[s.row*n:][:s.n*n]
	inner := space.b[:s.n*g.hidden]
	if g.Inner != nil {
		inner = g.lines(g.Inner, s.row, s.n)
	}
	before := g.before(s, g.H, g.H0)
	state := g.masked(s, before, space.a)
	if state != nil {
		g.gates.multiply(s.n, state, g.hidden, addend[T]{data: gates, row: n, mode: addMatrix}, gates, n)
	}
	if g.ResetAfter {
		g.resetAfter(s, state, before, gates, inner)
	} else {
		g.resetBefore(s, state, before, gates, inner)
	}
}

// resetAfter computes the states where the reset gate comes after the product.
func (g *GRU[T]) resetAfter(s stretch, state, before, gates, inner []T) {
	switch {
	case state != nil && g.Bias != nil:
		g.candidate.multiply(s.n, state, g.hidden, addend[T]{data: g.Bias, mode: addMatrix}, inner, g.hidden)
	case state != nil:
		g.candidate.multiply(s.n, state, g.hidden, addend[T]{}, inner, g.hidden)
	default:
		for i := range s.n {
			copyOrClear(g.lines(inner, i, 1), g.Bias, 0)
		}
	}
	old, oldRow := g.orZeros(before)
	g.cells.gru(s.n, g.hidden, gates, inner, old, oldRow, g.lines(g.H, s.row, s.n))
}

// resetBefore computes the states where the reset gate comes before the product.
func (g *GRU[T]) resetBefore(s stretch, state, before, gates, inner []T) {
	n := 3 * g.hidden
	m, mRow := g.orZeros(state)
	g.cells.gruReset(s.n, g.hidden, gates, m, mRow, inner)
	if state != nil {
		candidate := gates[2*g.hidden:]
		g.candidate.multiply(s.n, inner, g.hidden, addend[T]{data: candidate, row: n, mode: addMatrix}, candidate, n)
	}
	old, oldRow := g.orZeros(before)
	g.cells.gruUpdate(s.n, g.hidden, gates, old, oldRow, g.lines(g.H, s.row, s.n))
}

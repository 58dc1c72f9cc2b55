package kernel

// LSTMGradOperands are the operands of op.LSTMGradArgs.
type LSTMGradOperands[T Float] struct {
	Gates, W, Peephole []T
	C0, C              []T
	DH, DC             []T // nil for zeros, as the next two
	DHLast, DCLast     []T
	DH0, DC0           []T
	DPeephole          []T // nil without Peephole
}

// LSTMGrad computes op.LSTMGradArgs. It keeps its scratch memory from one Run to the next.
type LSTMGrad[T Float] struct {
	Recurrent[T]
	LSTMGradOperands[T]

	weight   weight[T]
	peephole peepholeGrad[T]
}

// Run computes the gradients on at most threads threads of the team.
func (l *LSTMGrad[T]) Run(team *Team, threads int) {
	l.divide(threads, 4*l.hidden)
	l.pack(&l.weight, l.W, 4*l.hidden, 4*l.hidden, l.hidden, true, team, threads)
	team.Run(threads, l.share.parts(), l)
	if l.DPeephole != nil {
		l.peephole.run(l, team, threads)
	}
}

// Do walks back all steps of the ranks of a part.
func (l *LSTMGrad[T]) Do(part int) {
	lo, hi := l.share.bounds[part], l.share.bounds[part+1]
	l.begin(lo, hi, l.DHLast, l.DH0)
	l.begin(lo, hi, l.DCLast, l.DC0)
	for i := l.steps() - 1; i >= 0; i-- {
		going, beginning := l.at(i, lo, hi)
		l.stretch(beginning)
		l.stretch(going)
	}
}

// stretch computes a stretch of one step.
func (l *LSTMGrad[T]) stretch(s stretch) {
	rows := l.atOnce(s.n)
	for i := 0; i < s.n; i += rows {
		l.block(s.part(i, rows))
	}
}

// block computes a few rows of one step.
func (l *LSTMGrad[T]) block(s stretch) {
	n := 4 * l.hidden
	gates := l.Gates[s.row*n:][:s.n*n]
	before, beforeRow := l.orZeros(l.before(s, l.C, l.C0))
	c, dh, dc := l.lines(l.C, s.row, s.n), l.lines(l.DH0, s.rank, s.n), l.lines(l.DC0, s.rank, s.n)
	dy, dyRow := l.orZeros(l.given(s, l.DH))
	if l.DC != nil {
		Add(dc, l.lines(l.DC, s.row, s.n), dc)
	}
	if l.Peephole == nil {
		l.cells.lstmGrad(s.n, l.hidden, gates, before, beforeRow, c, dy, dyRow, dh, dc)
	} else {
		i, f, o := l.peepholes(l.Peephole)
		l.cells.lstmPeepholeGrad(s.n, l.hidden, gates, i, f, o, before, beforeRow, c, dy, dyRow, dh, dc)
	}
	l.weight.multiplyAhead(s.n, gates, n, addend[T]{}, dh, l.hidden, l.wanted(s, l.Gates, l.DH))
	l.masked(s, dh, dh)
}

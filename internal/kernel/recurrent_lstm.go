package kernel

// LSTMOperands are the operands of op.LSTMArgs.
type LSTMOperands[T Float] struct {
	Gates, W, Peephole []T
	H0, C0             []T // nil for zeros
	H, C               []T
	HLast, CLast       []T // nil if nobody reads them
}

// LSTM computes op.LSTMArgs. It keeps its scratch memory from one Run to the next.
type LSTM[T Float] struct {
	Recurrent[T]
	LSTMOperands[T]

	weight weight[T]
}

// Run computes all steps on at most threads threads of the team.
func (l *LSTM[T]) Run(team *Team, threads int) {
	l.divide(threads, 4*l.hidden)
	l.pack(&l.weight, l.W, 4*l.hidden, l.hidden, 4*l.hidden, false, team, threads)
	team.Run(threads, l.share.parts(), l)
}

// Do walks all steps of the ranks of a part.
func (l *LSTM[T]) Do(part int) {
	number, space := l.scratch.Take()
	defer l.scratch.Release(number)
	lo, hi := l.share.bounds[part], l.share.bounds[part+1]
	for i := 0; i < l.steps(); i++ {
		going, beginning := l.at(i, lo, hi)
		l.stretch(going, space)
		l.stretch(beginning, space)
		l.keepLast(i, lo, hi, l.H, l.HLast)
		l.keepLast(i, lo, hi, l.C, l.CLast)
	}
	l.keepFirst(lo, hi, l.H0, l.HLast)
	l.keepFirst(lo, hi, l.C0, l.CLast)
}

// stretch computes a stretch of one step.
func (l *LSTM[T]) stretch(s stretch, space *recurrentSpace[T]) {
	rows := l.atOnce(s.n)
	for i := 0; i < s.n; i += rows {
		l.block(s.part(i, rows), space)
	}
}

// block computes a few rows of one step.
func (l *LSTM[T]) block(s stretch, space *recurrentSpace[T]) {
	n := 4 * l.hidden
	gates := l.Gates[s.row*n:][:s.n*n]
	c, h := l.lines(l.C, s.row, s.n), l.lines(l.H, s.row, s.n)
	if state := l.masked(s, l.before(s, l.H, l.H0), space.a); state != nil {
		l.weight.multiply(s.n, state, l.hidden, addend[T]{data: gates, row: n, mode: addMatrix}, gates, n)
	}
	before, beforeRow := l.orZeros(l.before(s, l.C, l.C0))
	if l.Peephole == nil {
		l.cells.lstm(s.n, l.hidden, gates, before, beforeRow, c, h)
	} else {
		i, f, o := l.peepholes(l.Peephole)
		l.cells.lstmPeephole(s.n, l.hidden, gates, i, f, o, before, beforeRow, c, h)
	}
}

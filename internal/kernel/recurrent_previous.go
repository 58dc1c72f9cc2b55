package kernel

// PreviousRows computes op.RecurrentBackend's PreviousRows, of matrices of hidden columns.
type PreviousRows[T Float] struct {
	Recurrent[T]
	X, First []T // First is nil for zeros
	Y        []T

	grain int // steps of a part
}

// Run copies the rows on at most threads threads of the team.
func (p *PreviousRows[T]) Run(team *Team, threads int) {
	n := p.steps()
	p.grain = max(1, n*copyGrain/max(1, p.rows()*p.hidden))
	team.Run(threads, ceilDiv(n, p.grain), p)
}

// copyGrain is the elements that are worth a part of their own.
const copyGrain = 16384

// Do copies the rows of some steps.
func (p *PreviousRows[T]) Do(part int) {
	for i := part * p.grain; i < min((part+1)*p.grain, p.steps()); i++ {
		going, beginning := p.at(i, 0, p.width(0))
		p.stretch(going)
		p.stretch(beginning)
	}
}

// stretch copies the rows of a stretch.
func (p *PreviousRows[T]) stretch(s stretch) {
	y := p.lines(p.Y, s.row, s.n)
	from := p.before(s, p.X, p.First)
	switch {
	case from == nil:
		clear(y)
	case p.mask != nil:
		Mul(from, p.lines(p.mask, s.rank, s.n), y)
	default:
		copy(y, from)
	}
}

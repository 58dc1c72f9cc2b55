package kernel

// RNNOperands are the operands of op.RNNArgs.
type RNNOperands[T Float] struct {
	H, W  []T
	H0    []T // nil for zeros
	HLast []T // nil if nobody reads it
	ReLU  bool
	Act   Unary[T] // nil, or another act
}

// RNN computes op.RNNArgs. It keeps its scratch memory from one Run to the next.
type RNN[T Float] struct {
	Recurrent[T]
	RNNOperands[T]

	weight weight[T]
}

// Run computes all steps on at most threads threads of the team.
func (r *RNN[T]) Run(team *Team, threads int) {
	r.divide(threads, r.hidden)
	r.pack(&r.weight, r.W, r.hidden, r.hidden, r.hidden, false, team, threads)
	team.Run(threads, r.share.parts(), r)
}

// Do walks all steps of the ranks of a part.
func (r *RNN[T]) Do(part int) {
	number, space := r.scratch.Take()
	defer r.scratch.Release(number)
	lo, hi := r.share.bounds[part], r.share.bounds[part+1]
	for i := range r.steps() {
		going, beginning := r.at(i, lo, hi)
		r.stretch(going, space)
		r.stretch(beginning, space)
		r.keepLast(i, lo, hi, r.H, r.HLast)
	}
	r.keepFirst(lo, hi, r.H0, r.HLast)
}

// stretch computes a stretch of one step.
func (r *RNN[T]) stretch(s stretch, space *recurrentSpace[T]) {
	rows := r.atOnce(s.n)
	for i := 0; i < s.n; i += rows {
		r.block(s.part(i, rows), space)
	}
}

// block computes a few rows of one step.
func (r *RNN[T]) block(s stretch, space *recurrentSpace[T]) {
	y := r.lines(r.H, s.row, s.n)
	if h := r.masked(s, r.before(s, r.H, r.H0), space.a); h != nil {
		r.weight.multiply(s.n, h, r.hidden, addend[T]{data: y, row: r.hidden, mode: addMatrix}, y, r.hidden)
	}
	switch {
	case r.ReLU:
		ReLU(y, y, 0, 0)
	case r.Act != nil:
		r.Act(y, y, 0, 0)
	}
}

// RNNGradOperands are the operands of op.RNNGradArgs.
type RNNGradOperands[T Float] struct {
	W, H        []T
	DH, DHLast  []T // nil for zeros
	DH0, DGates []T
	ActGrad     UnaryGrad[T] // from the result; nil if there is no act
}

// RNNGrad computes op.RNNGradArgs. It keeps its scratch memory from one Run to the next.
type RNNGrad[T Float] struct {
	Recurrent[T]
	RNNGradOperands[T]

	weight weight[T]
}

// Run computes the gradients on at most threads threads of the team.
func (r *RNNGrad[T]) Run(team *Team, threads int) {
	r.divide(threads, r.hidden)
	r.pack(&r.weight, r.W, r.hidden, r.hidden, r.hidden, true, team, threads)
	team.Run(threads, r.share.parts(), r)
}

// Do walks back all steps of the ranks of a part.
func (r *RNNGrad[T]) Do(part int) {
	lo, hi := r.share.bounds[part], r.share.bounds[part+1]
	r.begin(lo, hi, r.DHLast, r.DH0)
	for i := r.steps() - 1; i >= 0; i-- {
		going, beginning := r.at(i, lo, hi)
		r.stretch(beginning)
		r.stretch(going)
	}
}

// stretch computes a stretch of one step.
func (r *RNNGrad[T]) stretch(s stretch) {
	rows := r.atOnce(s.n)
	for i := 0; i < s.n; i += rows {
		r.block(s.part(i, rows))
	}
}

// block computes a few rows of one step.
func (r *RNNGrad[T]) block(s stretch) {
	dh, y, dGates := r.lines(r.DH0, s.rank, s.n), r.lines(r.H, s.row, s.n), r.lines(r.DGates, s.row, s.n)
	if r.DH != nil {
		Add(dh, r.lines(r.DH, s.row, s.n), dh)
	}
	if r.ActGrad == nil {
		copy(dGates, dh)
	} else {
		r.ActGrad(y, dh, dGates, 0, 0)
	}
	r.weight.multiply(s.n, dGates, r.hidden, addend[T]{}, dh, r.hidden)
	r.masked(s, dh, dh)
}

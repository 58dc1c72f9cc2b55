package kernel

// Recurrent is what the kernels that walk over packed sequences have in common.
type Recurrent[T Float] struct {
	Timeline

	batch, hidden int
	mask          []T // (batch, hidden), multiplies the states before W; nil for none

	// Keeper has the packed weight from other runs; nil for none.
	Keeper Keeper[T]

	cells   *cellTable[T]
	share   share
	scratch Scratch[recurrentSpace[T]]
	zeros   []T // hidden
	most    int // rows at a time
}

// recurrentSpace is what a part needs for itself: two blocks of states.
type recurrentSpace[T Float] struct{ a, b []T }

// Begin sets the sizes and the mask, nil for none. states is the elements of what is computed for every sequence, with or without steps.
func (r *Recurrent[T]) Begin(hidden, states int, mask []T) {
	r.hidden, r.mask = hidden, mask
	r.batch = max(r.width(0), states/max(hidden, 1))
}

// End lets go of the caller's memory.
func (r *Recurrent[T]) End() { r.Timeline, r.mask, r.Keeper = Timeline{}, nil, nil }

const (
	// mostElements is how many elements of the gates are computed at a time, so that they stay in the second cache.
	mostElements = 1 << 16
	// leastRows is how many rows are computed at a time in any case, so that the weights are not read for few.
	leastRows = 96
)

// atOnce returns how many of n rows are computed at a time, about as many every time.
func (r *Recurrent[T]) atOnce(n int) int { return ceilDiv(n, max(1, ceilDiv(n, r.most))) }

// divide makes the parts, for gates of width columns, and the memory for them.
func (r *Recurrent[T]) divide(threads, width int) {
	r.cells = cells[T]()
	work := r.rows() * r.hidden * width
	r.share.divide(&r.Timeline, r.batch, min(threads, 1+work/partWork))
	r.most = max(leastRows, mostElements/max(width, 1))
	clear(Grow(&r.zeros, r.hidden))
	r.scratch.Prepare(r.share.parts(), r.size)
}

// fewSteps is how many steps of few rows are worth packing the weights for.
const fewSteps = 4

// pack prepares a weight of k rows and n columns, or with trans of n rows and k columns that lie row apart.
func (r *Recurrent[T]) pack(w *weight[T], data []T, row, k, n int, trans bool, team *Team, threads int) {
	w.data, w.row, w.k, w.n, w.trans = data, row, k, n, trans
	few, many := r.share.steps(max(0, len(kernels[T]().wide)-1))
	w.prepare(team, threads, few >= fewSteps || many == 0, many > 0, r.Keeper)
}

// size lets the memory of a part grow.
func (r *Recurrent[T]) size(s *recurrentSpace[T]) {
	Grow(&s.a, r.most*r.hidden)
	Grow(&s.b, r.most*r.hidden)
}

// lines returns n rows of a matrix of hidden columns, from row i on.
func (r *Recurrent[T]) lines(x []T, i, n int) []T { return x[i*r.hidden:][:n*r.hidden] }

// orZeros returns rows and how far apart they are, and for nil one row of zeros that stands for all.
func (r *Recurrent[T]) orZeros(x []T) (rows []T, row int) {
	if x == nil {
		return r.zeros[:r.hidden], 0
	}
	return x, r.hidden
}

// before returns the states before a stretch: rows of x, or of first, nil if they are zeros.
func (r *Recurrent[T]) before(s stretch, x, first []T) []T {
	switch {
	case !s.first:
		return r.lines(x, s.before, s.n)
	case first != nil:
		return r.lines(first, s.rank, s.n)
	}
	return nil
}

// masked returns states times the mask, in dst, or the states themselves if there is no mask.
func (r *Recurrent[T]) masked(s stretch, states, dst []T) []T {
	if r.mask == nil || states == nil {
		return states
	}
	dst = dst[:len(states)]
	Mul(states, r.lines(r.mask, s.rank, s.n), dst)
	return dst
}

// keepLast copies the states of the sequences that end with the i-th step of a part to last.
func (r *Recurrent[T]) keepLast(i, lo, hi int, x, last []T) {
	if last == nil {
		return
	}
	if rank, n, row := r.ending(i, lo, hi); n > 0 {
		copy(r.lines(last, rank, n), r.lines(x, row, n))
	}
}

// keepFirst copies the initial states of the sequences of a part that have no step to last.
func (r *Recurrent[T]) keepFirst(lo, hi int, first, last []T) {
	if lo = max(lo, r.width(0)); last != nil && lo < hi {
		copyOrClear(r.lines(last, lo, hi-lo), first, lo*r.hidden)
	}
}

// copyOrClear copies what lies in src from at on to dst, or clears dst if src is nil.
func copyOrClear[T Float](dst, src []T, at int) {
	if src == nil {
		clear(dst)
	} else {
		copy(dst, src[at:])
	}
}

// begin sets the running gradient of the ranks of a part to that of their last states.
func (r *Recurrent[T]) begin(lo, hi int, last, running []T) {
	copyOrClear(r.lines(running, lo, hi-lo), last, lo*r.hidden)
}

// given returns the rows of a stretch of x, nil if that is.
func (r *Recurrent[T]) given(s stretch, x []T) []T {
	if x == nil {
		return nil
	}
	return r.lines(x, s.row, s.n)
}

// peepholes returns the rows of (3, hidden) weights.
func (r *Recurrent[T]) peepholes(x []T) (i, f, o []T) {
	return r.lines(x, 0, 1), r.lines(x, 1, 1), r.lines(x, 2, 1)
}

// wanted returns the rows of gates and dh, nil for none, that a gradient reads next: those of the step before.
func (r *Recurrent[T]) wanted(s stretch, gates, dh []T) (next ahead[T]) {
	if s.first {
		return next
	}
	width := len(gates) / r.rows()
	next.rows[0] = gates[s.before*width:][:s.n*width]
	if dh != nil {
		next.rows[1] = r.lines(dh, s.before, s.n)
	}
	return next
}

package kernel

// Timeline is the layout of packed sequences: sorted by length, longest first, step t of all that have one in rows Steps[t] to
// Steps[t+1]; see op.RecurrentBackend. With Reverse they are walked from the last step to the first.
type Timeline struct {
	Steps   []int32
	Reverse bool
}

// steps returns the number of steps.
func (l *Timeline) steps() int { return max(len(l.Steps)-1, 0) }

// width returns how many sequences have step t; none has one before the first step or after the last.
func (l *Timeline) width(t int) int {
	if t < 0 || t >= l.steps() {
		return 0
	}
	return int(l.Steps[t+1] - l.Steps[t])
}

// rows returns the rows of all steps.
func (l *Timeline) rows() int {
	if n := l.steps(); n > 0 {
		return int(l.Steps[n])
	}
	return 0
}

// stretch is n neighbouring rows of one step, of the sequences from rank on, whose states before lie in the rows from before on. The
// sequences of a first stretch have none: they begin here.
type stretch struct {
	row, rank, n int
	before       int
	first        bool
}

// at returns what is computed as the i-th step, for the ranks lo to hi: the stretch that goes on and the one that begins. Each may be
// empty.
func (l *Timeline) at(i, lo, hi int) (going, beginning stretch) {
	t, before := i, i-1
	if l.Reverse {
		t = l.steps() - 1 - i
		before = t + 1
	}
	hi = min(hi, l.width(t))
	start := int(l.Steps[t])
	if middle := min(hi, max(lo, l.width(before))); middle > lo {
		going = stretch{row: start + lo, rank: lo, n: middle - lo, before: int(l.Steps[before]) + lo}
		lo = middle
	}
	return going, stretch{row: start + lo, rank: lo, n: max(hi-lo, 0), first: true}
}

// ending returns the ranks below hi, from rank lo on, that end with the step that is computed as the i-th, and the row of the first.
func (l *Timeline) ending(i, lo, hi int) (rank, n, row int) {
	t, after := i, i+1
	if l.Reverse {
		t = l.steps() - 1 - i
		after = t - 1
	}
	if after >= 0 && after < l.steps() {
		lo = max(lo, l.width(after))
	}
	return lo, max(min(hi, l.width(t))-lo, 0), int(l.Steps[t]) + lo
}

// part cuts a stretch: its rows from i on, at most n.
func (s stretch) part(i, n int) stretch {
	s.row, s.rank, s.before, s.n = s.row+i, s.rank+i, s.before+i, min(n, s.n-i)
	return s
}

// share is how ranks are divided among threads. A part walks all steps of its ranks and waits for nobody.
type share struct {
	lengths []int32 // of the sequences
	bounds  []int   // part p has the ranks bounds[p] to bounds[p+1]
}

// stepCost is what a step costs a part, in rows, however few it has of them: the weights are read.
const stepCost = 3

// divide makes at most parts parts of batch ranks, such that the costliest is as cheap as it can be.
func (s *share) divide(l *Timeline, batch, parts int) {
	lengths := Grow(&s.lengths, batch)
	clear(lengths)
	r := batch
	for t := range l.steps() { // the ranks of which t is the length, from the last on
		for ; r > l.width(t); r-- {
			lengths[r-1] = int32(t)
		}
	}
	for ; r > 0; r-- {
		lengths[r-1] = int32(l.steps())
	}
	lo, hi := l.rows()/max(parts, 1), l.rows()+(stepCost+1)*(l.steps()+1)
	for lo < hi {
		if limit := lo + (hi-lo)/2; s.fill(lengths, limit) <= parts {
			hi = limit
		} else {
			lo = limit + 1
		}
	}
	s.fill(lengths, hi)
}

// fill gives each part as many ranks as cost no more than limit, and at least one. It returns the number of parts.
func (s *share) fill(lengths []int32, limit int) int {
	s.bounds = append(s.bounds[:0], 0)
	cost := 0
	for r, n := range lengths {
		begin := stepCost * int(n)
		if cost == 0 {
			cost = begin + int(n)
			continue
		}
		if cost += int(n); cost > limit {
			s.bounds = append(s.bounds, r)
			cost = begin + int(n)
		}
	}
	if len(lengths) > 0 {
		s.bounds = append(s.bounds, len(lengths))
	}
	return len(s.bounds) - 1
}

// parts returns the number of parts.
func (s *share) parts() int { return len(s.bounds) - 1 }

// steps counts the steps of all parts in which a part has at most few ranks, and those in which it has more.
func (s *share) steps(few int) (below, above int) {
	for p := range s.parts() {
		lo, hi := s.bounds[p], s.bounds[p+1]
		below += int(s.lengths[lo])
		if lo+few < hi {
			below -= int(s.lengths[lo+few])
			above += int(s.lengths[lo+few])
		}
	}
	return below, above
}

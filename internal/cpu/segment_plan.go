package cpu

import "paddle/internal/kernel"

// segmentPlan divides segments among parts of about equal numbers of rows, and their columns among as many blocks as it takes that the
// longest of them does not outlast the others. It depends on the segments and the width only.
type segmentPlan struct {
	starts, index []int32
	width         int
	longest       int // rows of a segment
	groups        int // of segments
	blocks, block int // of columns, and the width of one
}

// leastColumns is the least width of a block: a line of the cache.
const leastColumns = 16

func (p *segmentPlan) set(starts, index []int32, width, grain int) {
	p.starts, p.index, p.width = starts, index, width
	rows := p.keys()
	p.longest = 0
	for i := range len(starts) - 1 {
		p.longest = max(p.longest, int(starts[i+1]-starts[i]))
	}
	p.groups = min(max(rows*max(width, 1)/grain, 1), mostParts)
	p.blocks, p.block = 1, width
	if n := min(p.longest*p.groups/max(rows, 1), width/leastColumns); n > 1 {
		p.block = ceilDiv(ceilDiv(width, n), leastColumns) * leastColumns
		p.blocks = ceilDiv(width, p.block)
	}
}

// keys is how many rows and segments there are: a segment weighs one more than its rows.
func (p *segmentPlan) keys() int {
	n := len(p.starts) - 1
	return int(p.starts[n]) + n
}

// first returns the first segment of a group.
func (p *segmentPlan) first(group int) int {
	key := p.keys() * group / p.groups
	lo, hi := 0, len(p.starts)-1
	for lo < hi {
		if mid := (lo + hi) / 2; int(p.starts[mid])+mid < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// columns returns which columns a block has.
func (p *segmentPlan) columns(block int) (first, last int) {
	return block * p.block, min((block+1)*p.block, p.width)
}

// parts returns how many parts there are.
func (p *segmentPlan) parts() int {
	if len(p.starts) <= 1 {
		return 0
	}
	return p.groups * p.blocks
}

// segmentWalk goes over the segments of one part.
type segmentWalk struct {
	plan      *segmentPlan
	at        kernel.Segment
	segment   int // of at
	ahead, to int
}

// extent is a run of elements.
type extent struct{ lo, hi int }

func (p *segmentPlan) walk(part int) segmentWalk {
	group, block := part/p.blocks, part%p.blocks
	w := segmentWalk{plan: p, ahead: p.first(group), to: p.first(group + 1)}
	first, last := p.columns(block)
	w.at = kernel.Segment{Index: p.index, Width: p.width, First: first, Last: last}
	return w
}

// next moves to the next segment; false where there is none.
func (w *segmentWalk) next() bool {
	if w.ahead == w.to {
		return false
	}
	w.segment = w.ahead
	w.at.From, w.at.To = int(w.plan.starts[w.segment]), int(w.plan.starts[w.segment+1])
	w.ahead++
	return true
}

// one returns where the columns of the segment's own row lie, in a matrix of one row a segment.
func (w *segmentWalk) one() extent {
	at := w.segment * w.plan.width
	return extent{at + w.at.First, at + w.at.Last}
}

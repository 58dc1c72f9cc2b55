package cpu

import "paddle/op"

// A reduction is divided into units, each of which goes through a part of the elements that belong to a few results. Where there are
// many results, a unit goes through all elements of its results. Where there are few, the elements are divided into chunks, whose
// partial results are joined in order. The division depends on the shape only, and so does the order of every sum.
const (
	mostColumns = 256 // results of one unit, if these are neighbours
	mostChunks  = 64
	enoughUnits = 16 // with as many units, chunks are not needed
	chunkSize   = 16384
)

// reducePlan is the division of a reduction over some axes. After joining axes, the last one is either reduced, and the results are
// of runs of neighbours in x, or it is kept, and they are of columns.
type reducePlan struct {
	kept, reduced layout // the other axes: strides in x
	columns       bool
	length        int // of the last axis
	outputs       int // number of results
	elements      int // that belong to each result

	blocks int // of columns
	steps  int // of a unit: elements of a run, or rows
	chunks int
}

// set plans a reduction over the axes of shape whose bits are set.
func (p *reducePlan) set(axes uint32, shape []int) {
	stride := 1
	var strides [op.MaxRank]int
	for k := len(shape) - 1; k >= 0; k-- {
		strides[k] = stride
		stride *= shape[k]
	}
	p.kept.rank, p.reduced.rank = 0, 0
	last := &p.reduced
	for k, d := range shape {
		l := &p.kept
		if axes>>k&1 == 1 {
			l = &p.reduced
		}
		if l.push(d, [operands]int{strides[k]}); d != 1 {
			last = l
		}
	}
	p.columns = last == &p.kept
	p.outputs, p.elements = p.kept.count(), p.reduced.count()
	p.length, _ = last.pop()
	p.divide()
}

// divide fixes the units. It wants a buffer that has elements.
func (p *reducePlan) divide() {
	p.blocks, p.chunks, p.steps = 1, 1, p.elements
	if p.outputs == 0 || p.elements == 0 {
		return
	}
	width := 1
	if p.columns {
		width = min(p.length, mostColumns)
		p.blocks = ceilDiv(p.length, width)
	}
	if p.kept.count()*p.blocks < enoughUnits {
		p.steps = max(ceilDiv(chunkSize, width), ceilDiv(p.elements, mostChunks))
		p.chunks = ceilDiv(p.elements, p.steps)
	}
}

// rowwise reports whether each result is that of a row of x, and the rows follow one another.
func (p *reducePlan) rowwise() bool {
	return !p.columns && p.reduced.rank == 0 && (p.kept.rank == 0 || p.kept.rank == 1 && p.kept.stride[0][0] == p.length)
}

// span divides the units into parts.
func (p *reducePlan) span() span {
	size := min(p.steps, p.elements)
	if p.columns {
		size *= min(p.length, mostColumns)
	}
	return rowSpan(p.kept.count()*p.blocks*p.chunks, size, lightGrain)
}

// reduceUnit is one unit: the results from first to first+width−1, and the pieces of x that they are computed from.
type reduceUnit struct {
	first, width int
	chunk        int
	at           int // of the first result's elements in x
	step, end    int
	run, off     int // where step is: which run, and how far in it
}

// unit returns unit i.
func (p *reducePlan) unit(i int) (u reduceUnit) {
	u.chunk = i % p.chunks
	i /= p.chunks
	row, block := i/p.blocks, i%p.blocks
	u.first, u.width, u.at = row, 1, p.kept.at(row)[0]
	if p.columns {
		col := block * mostColumns
		u.first, u.width, u.at = row*p.length+col, min(mostColumns, p.length-col), u.at+col
	}
	u.step = u.chunk * p.steps
	u.end = min(u.step+p.steps, p.elements)
	if !p.columns && u.step > 0 {
		u.run, u.off = u.step/p.length, u.step%p.length
	}
	return u
}

// evenly returns where the rest of a unit of columns begins in x, and how many rows there are how far apart, if these distances are equal.
func (p *reducePlan) evenly(u *reduceUnit) (at, rows, row int, ok bool) {
	if !p.columns || p.reduced.rank > 1 {
		return 0, 0, 0, false
	}
	if p.reduced.rank == 1 {
		row = p.reduced.stride[0][0]
	}
	return u.at + u.step*row, u.end - u.step, row, true
}

// next returns the next piece of x: the columns of a row, or a run of elements of one result.
func (p *reducePlan) next(u *reduceUnit) (lo, hi int, ok bool) {
	if u.step >= u.end {
		return 0, 0, false
	}
	if p.columns {
		lo = u.at + p.reduced.at(u.step)[0]
		u.step++
		return lo, lo + u.width, true
	}
	n := min(p.length-u.off, u.end-u.step)
	lo = u.at + p.reduced.at(u.run)[0] + u.off
	u.step += n
	u.run, u.off = u.run+1, 0
	return lo, lo + n, true
}

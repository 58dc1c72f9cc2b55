package kernel

// peepholeGrad sums the gradient of the peepholes over all rows, in the order of the steps, a block of columns after the other.
type peepholeGrad[T Float] struct {
	grad    *LSTMGrad[T]
	scratch Scratch[peepholeSums]
}

// peepholeColumns is the columns of a block.
const peepholeColumns = 64

// peepholeSums are the sums of one block, and what SumProductsColumns wants beside them.
type peepholeSums struct {
	i, f, o     [peepholeColumns]float64
	zero, spare [peepholeColumns]float64
}

// clear begins with nothing.
func (s *peepholeSums) clear() { *s = peepholeSums{} }

// run computes the gradient from those of the gates.
func (p *peepholeGrad[T]) run(l *LSTMGrad[T], team *Team, threads int) {
	p.grad = l
	blocks := ceilDiv(l.hidden, peepholeColumns)
	p.scratch.Prepare(min(threads, blocks), (*peepholeSums).clear)
	team.Run(threads, blocks, p)
	p.grad = nil
}

// Do computes the columns of one block.
func (p *peepholeGrad[T]) Do(part int) {
	number, s := p.scratch.Take()
	defer p.scratch.Release(number)
	s.clear()
	l := p.grad
	lo := part * peepholeColumns
	hi := min(lo+peepholeColumns, l.hidden)
	for i := range l.steps() {
		going, beginning := l.at(i, 0, l.batch)
		p.add(s, going, lo, hi)
		p.add(s, beginning, lo, hi)
	}
	for k, sum := range [...]*[peepholeColumns]float64{&s.i, &s.f, &s.o} {
		for j := lo; j < hi; j++ {
			l.DPeephole[k*l.hidden+j] = T(sum[j-lo])
		}
	}
}

// add adds the rows of a stretch: i and f saw the cell before, o the new one.
func (p *peepholeGrad[T]) add(s *peepholeSums, rows stretch, lo, hi int) {
	l, n := p.grad, p.grad.hidden
	before, beforeRow := l.orZeros(l.before(rows, l.C, l.C0))
	for k := range rows.n {
		gates, old := l.Gates[(rows.row+k)*4*n:][:4*n], before[k*beforeRow+lo:]
		zero, spare := s.zero[:], s.spare[:hi-lo]
		SumProductsColumns(old, gates[lo:], zero, spare, s.i[:])
		SumProductsColumns(old, gates[n+lo:], zero, spare, s.f[:])
		SumProductsColumns(l.C[(rows.row+k)*n+lo:], gates[3*n+lo:], zero, spare, s.o[:])
	}
}

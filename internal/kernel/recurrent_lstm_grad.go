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
	l.weight.data, l.weight.row, l.weight.k, l.weight.n, l.weight.trans = l.W, 4*l.hidden, 4*l.hidden, l.hidden, true
	l.weight.prepare(team, threads)
	team.Run(threads, l.share.parts(), l)
	if l.DPeephole != nil {
		l.peephole.run(l, team, threads)
	}
}

// Do walks back all steps of the ranks of a part.
func (l *LSTMGrad[T]) Do(part int) {
	number, space := l.scratch.Take()
	defer l.scratch.Release(number)
	lo, hi := l.share.bounds[part], l.share.bounds[part+1]
	l.begin(lo, hi, l.DHLast, l.DH0)
	l.begin(lo, hi, l.DCLast, l.DC0)
	for i := l.steps() - 1; i >= 0; i-- {
		going, beginning := l.at(i, lo, hi)
		l.stretch(beginning, space)
		l.stretch(going, space)
	}
}

// stretch computes a stretch of one step.
func (l *LSTMGrad[T]) stretch(s stretch, space *recurrentSpace[T]) {
	for i := 0; i < s.n; i += l.chunk {
		l.block(s.part(i, l.chunk), space)
	}
}

// block computes a few rows of one step.
func (l *LSTMGrad[T]) block(s stretch, space *recurrentSpace[T]) {
	n := 4 * l.hidden
	gates := l.Gates[s.row*n:][:s.n*n]
	before := l.before(s, l.C, l.C0)
	dh, dc := l.lines(l.DH0, s.rank, s.n), l.lines(l.DC0, s.rank, s.n)
	l.include(s, l.DH, dh)
	l.include(s, l.DC, dc)
	for i := range s.n {
		lstmCellGrad(gates[i*n:][:n], l.Peephole, l.line(before, i), l.line(l.C, s.row+i), l.line(dh, i), l.line(dc, i), space.a)
	}
	l.weight.multiply(s.n, gates, n, addend[T]{}, dh, l.hidden)
	l.masked(s, dh, dh)
}

// lstmCellGrad computes the gradient of lstmCell: gates (4, hidden) become their gradients, dh is that of h, dc that of c becomes that of
// before.
func lstmCellGrad[T Float](gates, peephole, before, c, dh, dc, tanh []T) {
	n := len(dh)
	i, f, g, o := gates[:n], gates[n:2*n], gates[2*n:3*n], gates[3*n:4*n]
	tanh = tanh[:n]
	Tanh(c, tanh, 0, 0)
	for j, t := range tanh {
		v := o[j]
		o[j] = T(dh[j]*t) * T(v*(1-v))
		dc[j] += T(dh[j]*v) * T((1-t)*(1+t))
	}
	if peephole != nil {
		addProducts(peephole[2*n:3*n], o, dc)
	}
	for j, d := range dc {
		in, forget, value := i[j], f[j], g[j]
		i[j] = T(d*value) * T(in*(1-in))
		f[j] = T(d*before[j]) * T(forget*(1-forget))
		g[j] = T(d*in) * T((1-value)*(1+value))
		dc[j] = d * forget
	}
	if peephole != nil {
		addProducts(peephole[:n], i, dc)
		addProducts(peephole[n:2*n], f, dc)
	}
}

// peepholeGrad sums the gradient of the peepholes over all rows, a block of columns after the other.
type peepholeGrad[T Float] struct{ grad *LSTMGrad[T] }

// peepholeColumns is the columns of a block.
const peepholeColumns = 64

// run computes the gradient from those of the gates.
func (p *peepholeGrad[T]) run(l *LSTMGrad[T], team *Team, threads int) {
	p.grad = l
	team.Run(threads, ceilDiv(l.hidden, peepholeColumns), p)
	p.grad = nil
}

// Do computes the columns of one part.
func (p *peepholeGrad[T]) Do(part int) {
	l := p.grad
	lo := part * peepholeColumns
	hi := min(lo+peepholeColumns, l.hidden)
	var sums [3][peepholeColumns]float64
	for i := range l.steps() {
		going, beginning := l.at(i, 0, l.batch)
		for _, s := range [...]stretch{going, beginning} {
			before := l.before(s, l.C, l.C0)
			for k := range s.n {
				gates := l.Gates[(s.row+k)*4*l.hidden:][:4*l.hidden]
				old := l.line(before, k)[lo:hi]
				addProducts64(&sums[0], gates[lo:hi], old)
				addProducts64(&sums[1], gates[l.hidden+lo:][:hi-lo], old)
				addProducts64(&sums[2], gates[3*l.hidden+lo:][:hi-lo], l.line(l.C, s.row+k)[lo:hi])
			}
		}
	}
	for k := range sums {
		for j := lo; j < hi; j++ {
			l.DPeephole[k*l.hidden+j] = T(sums[k][j-lo])
		}
	}
}

// addProducts64 computes sum += a·b.
func addProducts64[T Float](sum *[peepholeColumns]float64, a, b []T) {
	for j, v := range a {
		sum[j] += float64(v) * float64(b[j])
	}
}

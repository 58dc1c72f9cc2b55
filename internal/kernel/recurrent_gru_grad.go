package kernel

// GRUGradOperands are the operands of op.GRUGradArgs.
type GRUGradOperands[T Float] struct {
	ResetAfter   bool
	Gates, W     []T
	H0, H, Inner []T
	DH, DHLast   []T // nil for zeros
	DH0, DInner  []T
}

// GRUGrad computes op.GRUGradArgs. It keeps its scratch memory from one Run to the next.
type GRUGrad[T Float] struct {
	Recurrent[T]
	GRUGradOperands[T]

	all, gates, candidate weight[T] // W transposed, and its parts
}

// Run computes the gradients on at most threads threads of the team.
func (g *GRUGrad[T]) Run(team *Team, threads int) {
	n := g.hidden
	g.divide(threads, 3*n)
	if g.ResetAfter {
		g.all.data, g.all.row, g.all.k, g.all.n, g.all.trans = g.W, 3*n, 3*n, n, true
		g.all.prepare(team, threads)
	} else {
		g.gates.data, g.gates.row, g.gates.k, g.gates.n, g.gates.trans = g.W, 3*n, 2*n, n, true
		g.candidate.data, g.candidate.row, g.candidate.k, g.candidate.n, g.candidate.trans = g.W[min(2*n, len(g.W)):], 3*n, n, n, true
		g.gates.prepare(team, threads)
		g.candidate.prepare(team, threads)
	}
	team.Run(threads, g.share.parts(), g)
}

// Do walks back all steps of the ranks of a part.
func (g *GRUGrad[T]) Do(part int) {
	number, space := g.scratch.Take()
	defer g.scratch.Release(number)
	lo, hi := g.share.bounds[part], g.share.bounds[part+1]
	g.begin(lo, hi, g.DHLast, g.DH0)
	for i := g.steps() - 1; i >= 0; i-- {
		going, beginning := g.at(i, lo, hi)
		g.stretch(beginning, space)
		g.stretch(going, space)
	}
}

// stretch computes a stretch of one step.
func (g *GRUGrad[T]) stretch(s stretch, space *recurrentSpace[T]) {
	for i := 0; i < s.n; i += g.chunk {
		g.block(s.part(i, g.chunk), space)
	}
}

// block computes a few rows of one step.
func (g *GRUGrad[T]) block(s stretch, space *recurrentSpace[T]) {
	dh := g.lines(g.DH0, s.rank, s.n)
	g.include(s, g.DH, dh)
	if g.ResetAfter {
		g.resetAfter(s, dh, space.a[:len(dh)])
	} else {
		g.resetBefore(s, dh, space)
	}
}

// resetAfter computes the gradients where the reset gate comes after the product.
func (g *GRUGrad[T]) resetAfter(s stretch, dh, product []T) {
	n := 3 * g.hidden
	gates, dInner := g.Gates[s.row*n:][:s.n*n], g.DInner[s.row*n:][:s.n*n]
	before := g.before(s, g.H, g.H0)
	for i := range s.n {
		gruCellGrad(gates[i*n:][:n], dInner[i*n:][:n], g.line(g.Inner, s.row+i), g.line(before, i), g.line(dh, i))
	}
	if g.mask == nil {
		g.all.multiply(s.n, dInner, n, addend[T]{data: dh, row: g.hidden, mode: addMatrix}, dh, g.hidden)
		return
	}
	g.all.multiply(s.n, dInner, n, addend[T]{}, product, g.hidden)
	addProducts(g.lines(g.mask, s.rank, s.n), product, dh)
}

// resetBefore computes the gradients where the reset gate comes before the product.
func (g *GRUGrad[T]) resetBefore(s stretch, dh []T, space *recurrentSpace[T]) {
	n := 3 * g.hidden
	gates := g.Gates[s.row*n:][:s.n*n]
	before := g.before(s, g.H, g.H0)
	for i := range s.n {
		gruUpdateGrad(gates[i*n:][:n], g.line(before, i), g.line(dh, i))
	}
	product := space.b[:len(dh)]
	g.candidate.multiply(s.n, gates[2*g.hidden:], n, addend[T]{}, product, g.hidden)
	state := g.masked(s, before, space.a)
	for i := range s.n {
		gruResetGrad(gates[i*n:][:n], g.line(state, i), g.line(product, i))
	}
	g.gates.multiply(s.n, gates, n, addend[T]{data: product, row: g.hidden, mode: addMatrix}, product, g.hidden)
	Add(dh, g.masked(s, product, product), dh)
}

// gruCellGrad computes the gradient of gruCell: gates and dInner (3, hidden) get those of the gates before and after the reset, and dh,
// that of h, becomes the part of before that does not come through W.
func gruCellGrad[T Float](gates, dInner, inner, before, dh []T) {
	gruUpdateGrad(gates, before, dh)
	n := len(dh)
	r, z, c := gates[:n], gates[n:2*n], gates[2*n:3*n]
	for j, v := range r {
		dInner[2*n+j] = c[j] * v
		r[j] = T(c[j]*inner[j]) * T(v*(1-v))
	}
	copy(dInner[:n], r)
	copy(dInner[n:2*n], z)
}

// gruUpdateGrad computes the gradients of z and n, which it leaves in gates (3, hidden), and of before in dh.
func gruUpdateGrad[T Float](gates, before, dh []T) {
	n := len(dh)
	z, c := gates[n:2*n], gates[2*n:3*n]
	for j, d := range dh {
		u, v := z[j], c[j]
		z[j] = T(d*(before[j]-v)) * T(u*(1-u))
		c[j] = T(d*(1-u)) * T((1-v)*(1+v))
		dh[j] = d * u
	}
}

// gruResetGrad computes the gradient of r, which it leaves in gates, from that of inner, which becomes that of state.
func gruResetGrad[T Float](gates, state, inner []T) {
	for j, d := range inner {
		v := gates[j]
		gates[j] = T(d*state[j]) * T(v*(1-v))
		inner[j] = d * v
	}
}

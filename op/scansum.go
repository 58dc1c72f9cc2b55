package op

// sum returns a function that gives, after the backward run, the sum over all steps of n, the gradient of a captured value in one step. Where n
// is a product or a sum over the rows of the step, Σₙ AₙᵀBₙ = AᵀB: it is computed at once from the rows of all steps; other
// terms are added up step by step.
func (d *scanDraft) sum(n *Node) func() *Node {
	if late := d.overRows(n); late != nil {
		return late
	}
	return d.result(Densify(n), role{})
}

// overRows is sum, nil where n has to be added up step by step.
func (d *scanDraft) overRows(n *Node) func() *Node {
	if n.rows != nil {
		return d.sparseRows(n.shape, n.rows.IDs, n.rows.Values, n.rows.Padding)
	}
	if n.call == nil {
		return nil
	}
	in := n.call.In
	switch o := n.call.Op.(type) {
	case binary:
		if o.Func == BinaryAdd && SameShape(in[0].shape, n.shape) && SameShape(in[1].shape, n.shape) {
			return d.sumOfBoth(in[0], in[1])
		}
	case matmul:
		if o.TransA && !o.TransB && len(in) == 2 && in[0].Rank() == 2 && in[1].Rank() == 2 {
			return d.linear(o, in...)
		}
	case reduce:
		if o.Func == ReduceSum && o.Axes&1 == 1 {
			return d.linear(o, in...)
		}
	case densify:
		return d.sparseRows(o.Shape, in[0], in[1], o.Padding)
	case reshape:
		return d.after(in[0], func(s *Node) *Node { return Reshape(s, n.shape...) })
	case transpose:
		return d.after(in[0], func(s *Node) *Node { return apply1(o, s) })
	case cast:
		return d.after(in[0], func(s *Node) *Node { return apply1(o, s) })
	case unary:
		if o.Func == UnaryNeg || o.Func == UnaryMulConst {
			return d.after(in[0], func(s *Node) *Node { return apply1(o, s) })
		}
	}
	return nil
}

// sumOfBoth is overRows of a + b; one of them may be added up step by step.
func (d *scanDraft) sumOfBoth(a, b *Node) func() *Node {
	first, second := d.overRows(a), d.overRows(b)
	if first == nil && second == nil {
		return nil
	}
	if first == nil {
		first = d.result(a, role{})
	}
	if second == nil {
		second = d.result(b, role{})
	}
	return func() *Node { return sum(first(), second()) }
}

// after is overRows of a linear function of x that keeps the sizes of a captured value.
func (d *scanDraft) after(x *Node, f func(*Node) *Node) func() *Node {
	late := d.overRows(x)
	if late == nil {
		return nil
	}
	return func() *Node { return f(Densify(late())) }
}

// linear applies o, which sums over the first axis of its inputs, to the rows of all steps.
func (d *scanDraft) linear(o Op, in ...*Node) func() *Node {
	for _, n := range in {
		if !d.stackable(n) {
			return nil
		}
	}
	stacks := make([]func() *Node, len(in))
	for i, n := range in {
		stacks[i] = d.stack(n)
	}
	return func() *Node {
		args := make([]*Node, len(stacks))
		for i, s := range stacks {
			args[i] = s()
		}
		return apply1(o, args...)
	}
}

// sparseRows puts the rows of all steps one after another.
func (d *scanDraft) sparseRows(shape []Dim, ids, values *Node, padding int64) func() *Node {
	if !d.stackable(ids) || !d.stackable(values) {
		return nil
	}
	first, second := d.stack(ids), d.stack(values)
	return func() *Node { return SparseRows(shape, first(), second(), padding) }
}

// stackable reports whether n has rows of one axis, as many of them or a multiple, that can be kept for all steps.
func (d *scanDraft) stackable(n *Node) bool {
	t := d.call.graph.dims
	p, ok := t.roleOf(d.op.axes, n.shape)
	if !ok || p.kind != rolePacked || d.op.axes[p.axis].ends {
		return false
	}
	return !t.mentions(n.shape[1:], d.op.axes[p.axis].symbol)
}

// stack returns a function that gives n, which is stackable, for the rows of all steps.
func (d *scanDraft) stack(n *Node) func() *Node {
	t := d.call.graph.dims
	p, _ := t.roleOf(d.op.axes, n.shape)
	a := d.op.axes[p.axis]
	times, _ := t.exact(n.shape[0], a.symbol)
	shape := append([]Dim{t.mul(a.total, times)}, n.shape[1:]...)
	got := d.overSteps(n, p)
	return func() *Node { return Reshape(got(), shape...) }
}

// overSteps returns a function that gives n over all steps: an input, a value that is kept, or a result of the backward run.
func (d *scanDraft) overSteps(n *Node, p role) func() *Node {
	if g, ok := d.given[n]; ok && g.role.kind == rolePacked {
		return func() *Node { return g.outer }
	}
	if source := viewed(n); source != n {
		return d.overSteps(source, p)
	}
	if d.isState(n) || d.forward[n.call] {
		d.keep(n)
		return func() *Node { return d.call.Out[d.keptAt[n]] }
	}
	return d.result(n, p)
}

// viewed follows reshapes to the value that has n's memory.
func viewed(n *Node) *Node {
	for n.call != nil {
		if _, ok := n.call.Op.(reshape); !ok {
			break
		}
		n = n.call.In[0]
	}
	return n
}

package op

import "slices"

// divide makes the forward body, which computes what is kept too, and the backward body, and applies the backward scan. It returns a failed node if that
// fails.
func (d *scanDraft) divide() *Node {
	d.chooseKept()
	for _, n := range d.inputs { // the memories themselves are the forward run's alone
		if d.given[n].role.kind == roleMemory && !slices.Contains(d.kept, n) {
			delete(d.given, n)
			d.order = slices.DeleteFunc(d.order, func(m *Node) bool { return m == n })
		}
	}
	d.extendForward()
	return d.applyBackward()
}

// extendForward gives the application of the scan the values to keep as further outputs.
func (d *scanDraft) extendForward() {
	o, c := d.op, d.call
	roots := slices.Clone(d.outputs)
	o.results = slices.Clone(o.results)
	out := slices.Clone(c.Out)
	for _, n := range d.kept {
		p, _ := c.graph.dims.roleOf(o.axes, n.shape)
		if i := d.outputOf(n, p); i >= 0 {
			d.keptAt[n] = i
			continue
		}
		shape := p.whole(c.graph.dims, o.axes, d.steps, n.shape)
		d.keptAt[n] = len(out)
		out = append(out, &Node{graph: c.graph, call: c, index: len(out), dtype: n.dtype, shape: shape})
		roots = append(roots, n)
		o.results = append(o.results, p)
	}
	body, find := carve(c.graph, d.body, d.inputs, roots)
	o.body, o.outputs = body, nil
	for _, n := range roots {
		o.outputs = append(o.outputs, find(n))
	}
	c.Op, c.Out = o, out
}

// outputOf returns which output of the application has the values of n over all steps already, −1 for none.
func (d *scanDraft) outputOf(n *Node, p role) int {
	for i, m := range d.outputs {
		if m == n && d.op.results[i] == p {
			return i
		}
	}
	return -1
}

// applyBackward makes the backward body and applies it.
func (d *scanDraft) applyBackward() *Node {
	o := scan{Reverse: !d.op.Reverse, axes: d.op.axes, Sizes: d.op.Sizes}
	accumulates := func(p role) bool { return p.kind == roleMemory || p.kind == roleSame || p.kind == rolePrefix }
	var order []int // results that accumulate come first
	for _, first := range []bool{true, false} {
		for i, p := range d.roles {
			if accumulates(p) == first {
				order = append(order, i)
			}
		}
		if first {
			o.required = len(order)
		}
	}
	var roots []*Node
	for _, i := range order {
		roots = append(roots, d.results[i])
		o.results = append(o.results, d.roles[i])
	}
	roots = o.detached(roots)
	inputs := d.backwardInputs(roots)
	in := slices.Clone(d.call.In[:len(o.axes)])
	for _, n := range inputs {
		in = append(in, d.given[n].outer)
		o.args = append(o.args, d.given[n].role)
	}
	body, find := carve(d.call.graph, d.body, inputs, roots)
	for _, n := range body.inputs[len(inputs):] {
		in = append(in, n.outer)
		o.args = append(o.args, role{})
	}
	o.body = body
	for _, n := range roots {
		o.outputs = append(o.outputs, find(n))
	}
	if len(roots) == 0 {
		return nil
	}
	out := Apply(o, in...)
	if out[0].err != nil {
		return out[0]
	}
	d.backward = make([]*Node, len(d.results))
	for k, i := range order {
		d.backward[i] = out[k]
	}
	return nil
}

// backwardInputs returns the inputs that the backward body needs: those of the draft that roots depend on, the values that are kept among
// them, and the gradients of all memories.
func (d *scanDraft) backwardInputs(roots []*Node) []*Node {
	for _, n := range d.kept {
		p, _ := d.call.graph.dims.roleOf(d.op.axes, n.shape)
		d.give(n, d.call.Out[d.keptAt[n]], p)
	}
	read := d.ancestors(roots)
	return slices.DeleteFunc(slices.Clone(d.order), func(n *Node) bool {
		return !read[n] && d.given[n].role.kind != roleMemory
	})
}

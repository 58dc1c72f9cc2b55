package op

import "slices"

// hoister moves out of the body of a Scan what is the same in every step, and products and look-ups of what does not depend on memories:
// these are computed once, before the first step, for all rows.
type hoister struct {
	b     *scanBuilder
	roles map[*Node]role // of what can be moved: the same in every step, or rows that depend on rows of one axis only
	dear  map[*Node]bool // a product or a look-up is part of it
	outer map[*Node]*Node
}

// hoist moves what it can and returns the roots in the body that is left.
func (b *scanBuilder) hoist(roots []*Node) []*Node {
	h := &hoister{b: b, roles: map[*Node]role{}, dear: map[*Node]bool{}, outer: map[*Node]*Node{}}
	for i, n := range b.body.inputs {
		switch {
		case i >= len(b.inputs):
			h.roles[n], h.outer[n] = role{}, n.outer
		case b.inputs[i].role.kind != roleMemory:
			h.roles[n], h.outer[n] = b.inputs[i].role, b.inputs[i].outer
		}
	}
	for _, c := range b.body.calls {
		h.classify(c)
	}
	return h.divide(roots)
}

// classify finds out whether the outputs of c can be computed for all steps at once.
func (h *hoister) classify(c *Call) {
	t := traitsOf(c.Op)
	if _, bodied := c.Op.(Bodied); bodied || t.Random || c.Effect() || len(c.Deps) > 0 {
		return
	}
	r, found, dear := role{}, false, false
	for _, in := range c.In {
		of, ok := h.roles[in]
		if !ok {
			return
		}
		dear = dear || h.dear[in]
		if of.kind == roleSame {
			continue
		}
		if found && of != r {
			return
		}
		r, found = of, true
	}
	if found && !h.byRows(c, h.b.axes[r.axis].symbol) || !found && h.mentions(c) {
		return
	}
	switch c.Op.(type) {
	case matmul, gather:
		dear = true
	}
	for _, n := range c.Out {
		h.roles[n], h.dear[n] = r, dear
	}
}

// mentions reports whether c's outputs or attributes depend on the rows of a step or on a count.
func (h *hoister) mentions(c *Call) bool {
	dims := DimsOf(c.Op)
	for _, n := range c.Out {
		dims = append(dims, n.shape...)
	}
	_, counted := h.b.graph.Symbols(dims)
	return counted || slices.ContainsFunc(h.b.axes, func(a scanAxis) bool { return h.b.graph.dims.mentions(dims, a.symbol) })
}

// byRows reports whether c computes each row along the first axis, of size rows, from that row of its inputs, and from inputs that are
// the same in every step.
func (h *hoister) byRows(c *Call, rows Dim) bool {
	t := h.b.graph.dims
	for _, n := range slices.Concat(c.In, c.Out) {
		if h.roles[n].kind == roleSame && !slices.Contains(c.Out, n) {
			continue
		}
		if !t.startsWith(n.shape, rows) {
			return false
		}
	}
	same := func(i int) bool { return h.roles[c.In[i]].kind == roleSame }
	switch o := c.Op.(type) {
	case matmul:
		return !o.TransA && len(c.In) == 2 && !same(0) && same(1) && c.In[1].Rank() == 2
	case gather:
		return same(0) && !same(1)
	case unary, cast, duplicate, reshape:
		return true
	case slice:
		return o.Axis > 0
	case concat:
		return o.Axis > 0 && !slices.ContainsFunc(c.In, func(n *Node) bool { return h.roles[n].kind == roleSame })
	case reduce:
		return o.Axes&1 == 0
	case binary, where:
		return !slices.ContainsFunc(c.In, func(n *Node) bool {
			r := c.Out[0].Rank()
			if h.roles[n].kind == roleSame {
				return n.Rank() == r && n.shape[0] != 1
			}
			return n.Rank() != r
		})
	}
	return false
}

// divide finds the values that the rest of the body reads of what is moved, and makes them inputs.
func (h *hoister) divide(roots []*Node) []*Node {
	b := h.b
	var cut []*Node
	read := map[*Node]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		if read[n] {
			return
		}
		read[n] = true
		if n.call == nil {
			return
		}
		if h.moves(n) {
			cut = append(cut, n)
			return
		}
		for _, in := range n.call.In {
			visit(in)
		}
		for _, d := range n.call.Deps {
			for _, o := range d.Out {
				visit(o)
			}
		}
	}
	for _, n := range roots {
		for _, m := range n.parts() {
			visit(m)
		}
	}
	var inputs []*Node
	var kept []scanInput
	for i, x := range b.inputs {
		if n := b.body.inputs[i]; read[n] || x.role.kind == roleMemory {
			inputs, kept = append(inputs, n), append(kept, x)
		}
	}
	for _, n := range cut {
		inputs, kept = append(inputs, n), append(kept, scanInput{n.Name(), h.outside(n), h.roles[n]})
	}
	body, find := carve(b.graph, b.body, inputs, roots)
	b.body, b.inputs = body, kept
	out := make([]*Node, len(roots))
	for i, n := range roots {
		out[i] = find(n)
	}
	return out
}

// moves reports whether n, which something that stays reads, is worth moving.
func (h *hoister) moves(n *Node) bool {
	r, ok := h.roles[n]
	if !ok || r.kind != roleSame {
		return ok && h.dear[n]
	}
	return len(n.call.In) > 0
}

// outside returns n for all steps, built in the enclosing graph.
func (h *hoister) outside(n *Node) *Node {
	if m := h.outer[n]; m != nil {
		return m
	}
	c := n.call
	in := make([]*Node, len(c.In))
	for i, x := range c.In {
		in[i] = h.outside(x)
	}
	h.b.graph.derive(c, c.Phase, func() {
		var out []*Node
		if o, ok := c.Op.(reshape); ok && h.roles[n].kind != roleSame {
			out = []*Node{Reshape(in[0], append([]Dim{in[0].shape[0]}, o.Shape[1:]...)...)}
		} else {
			out = h.b.graph.Apply(c.Op, in...)
		}
		for i, m := range c.Out {
			h.outer[m] = out[i]
		}
	})
	return h.outer[n]
}

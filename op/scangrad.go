package op

import "slices"

// Gradient returns the gradient as a scan in the other direction. A draft body holds the step and its vector-Jacobian product; it is divided
// into what the forward run computes, some of which it keeps for all steps, and what is left for the backward run. What the steps add
// to the gradient of a captured value by products and sums over rows is computed from all rows at once, after the backward run.
func (o scan) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	d := newScanDraft(o, c)
	if n := d.differentiate(dout, want); n != nil {
		return failed(n)[:1]
	}
	if len(d.gradients) == 0 {
		return nil
	}
	for _, g := range d.gradients {
		d.plan(g)
	}
	if n := d.divide(); n != nil {
		return failed(n)[:1]
	}
	out := make([]*Node, len(c.In))
	for _, g := range d.gradients {
		if want[g.input] {
			out[g.input] = g.late()
		}
	}
	return out
}

// scanDraft is a step and its gradient in one body, before it is divided.
type scanDraft struct {
	op    scan
	call  *Call
	body  *Graph
	steps Dim

	inputs  []*Node         // of the forward body
	outputs []*Node         // of the forward body
	given   map[*Node]given // inputs of the draft: what they are over all steps
	order   []*Node         // of given
	forward map[*Call]bool

	gradients []*scanGradient
	kept      []*Node       // values that the forward run keeps, besides its outputs
	keptAt    map[*Node]int // which output of the forward application they are
	results   []*Node       // of the backward body
	roles     []role
	backward  []*Node // outputs of the backward application
}

// given is an input of a body and the value over all steps that it has its own from.
type given struct {
	outer *Node
	role  role
}

// scanGradient is the gradient for one input of a scan.
type scanGradient struct {
	input int   // of the application
	at    *Node // the input of the draft
	value *Node // its gradient in one step; nil for none
	late  func() *Node
}

func newScanDraft(o scan, c *Call) *scanDraft {
	d := &scanDraft{op: o, call: c, body: c.graph.newBody(), given: map[*Node]given{}, forward: map[*Call]bool{}, keptAt: map[*Node]int{}}
	d.steps = c.graph.dims.addConst(c.In[0].shape[0], -1)
	_, find := copyInto(d.body, nil, o.body, Training, o.outputs)
	d.inputs = slices.Clone(d.body.inputs)
	for i, n := range d.inputs {
		d.give(n, c.In[len(o.axes)+i], o.args[i])
	}
	for _, n := range o.outputs {
		d.outputs = append(d.outputs, find(n))
	}
	for _, call := range d.body.calls {
		d.forward[call] = true
	}
	return d
}

func (d *scanDraft) give(n, outer *Node, p role) {
	if _, ok := d.given[n]; !ok {
		d.order = append(d.order, n)
	}
	d.given[n] = given{outer, p}
}

// differentiate adds the vector-Jacobian product of the step to the draft. It returns a failed node if that fails.
func (d *scanDraft) differentiate(dout []*Node, want []bool) *Node {
	var ys, dys []*Node
	for i, y := range d.outputs {
		p := d.op.results[i]
		if !y.dtype.IsFloat() || dout[i] == nil && p.kind != roleMemory {
			continue
		}
		outer := dout[i]
		if outer == nil {
			outer = Zeros(d.call.Out[i])
		}
		dy := d.body.newInput("gradient", y.dtype, y.shape)
		d.give(dy, Densify(outer), p)
		ys, dys = append(ys, y), append(dys, dy)
	}
	first := len(d.op.axes)
	var wrt []*Node
	for i, n := range d.inputs {
		if n.dtype.IsFloat() && (want[first+i] || d.op.args[i].kind == roleMemory) {
			d.gradients = append(d.gradients, &scanGradient{input: first + i, at: n})
			wrt = append(wrt, n)
		}
	}
	for i, dx := range VJP(ys, dys, wrt) {
		if dx != nil && dx.Err() != nil {
			return dx
		}
		d.gradients[i].value = dx
	}
	d.gradients = slices.DeleteFunc(d.gradients, func(g *scanGradient) bool {
		return g.value == nil && d.given[g.at].role.kind != roleMemory
	})
	return nil
}

// plan decides how the gradient g comes about from results of the backward body.
func (d *scanDraft) plan(g *scanGradient) {
	p := d.given[g.at].role
	switch {
	case p.kind == roleSame:
		g.late = d.sum(g.value)
	case g.value == nil:
		g.late = d.result(Zeros(g.at), p)
	default:
		g.late = d.result(Densify(g.value), p)
	}
}

// result makes n a result of the backward body and returns a function that gives its value over all steps, once there is one.
func (d *scanDraft) result(n *Node, p role) func() *Node {
	i := len(d.results)
	for j, m := range d.results {
		if m == n && d.roles[j] == p && p.kind != roleMemory {
			i = j
		}
	}
	if i == len(d.results) {
		d.results, d.roles = append(d.results, n), append(d.roles, p)
	}
	return func() *Node { return d.backward[i] }
}

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

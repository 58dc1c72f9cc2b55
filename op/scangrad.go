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

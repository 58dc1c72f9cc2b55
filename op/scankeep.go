package op

import "slices"

// smallStep is the most elements of a value without rows that is kept for every step; larger ones are computed again.
const smallStep = 1024

// keep has the forward run keep n for all steps.
func (d *scanDraft) keep(n *Node) {
	if !slices.Contains(d.kept, n) {
		d.kept = append(d.kept, n)
	}
}

// chooseKept decides for each value of the forward run that the backward run reads whether it is kept or computed again. Kept are memories,
// and what is dear: products, sums, transcendental functions, other bodies. What is cheap is computed again where all that it
// needs is at hand anyway; so is, from what is kept, whatever has no place over all steps.
func (d *scanDraft) chooseKept() {
	read := d.readBackward()
	for _, n := range read {
		if d.isState(n) || n.call != nil && dear(n.call.Op) && d.keepable(n) {
			d.keep(n)
		}
	}
	for _, n := range read {
		d.settle(n)
	}
}

// readBackward returns the memories and the results of forward applications that results or backward applications read, in order.
func (d *scanDraft) readBackward() []*Node {
	found := map[*Node]bool{}
	seen := map[*Node]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		for _, m := range n.parts() {
			switch {
			case seen[m]:
			case d.isState(m) || d.forward[m.call]:
				found[m] = true
			case m.call != nil:
				seen[m] = true
				for _, in := range m.call.In {
					visit(in)
				}
			}
		}
	}
	for _, n := range d.results {
		visit(n)
	}
	var out []*Node
	for _, n := range d.inputs {
		if found[n] {
			out = append(out, n)
		}
	}
	for _, c := range d.body.calls {
		for _, n := range c.Out {
			if found[n] {
				out = append(out, n)
			}
		}
	}
	return out
}

// isState reports whether n is a memory before the step.
func (d *scanDraft) isState(n *Node) bool {
	return slices.Contains(d.inputs, n) && d.given[n].role.kind == roleMemory
}

// settle makes n available to the backward run: kept, or computed again.
func (d *scanDraft) settle(n *Node) {
	switch {
	case slices.Contains(d.kept, n):
	case d.isState(n):
		d.keep(n)
	case n.call == nil:
	case d.keepable(n) && !d.atHand(n):
		d.keep(n)
	default:
		for _, in := range n.call.In {
			d.settle(in)
		}
	}
}

// atHand reports whether n can be computed cheaply from inputs and what is kept so far.
func (d *scanDraft) atHand(n *Node) bool {
	switch {
	case slices.Contains(d.kept, n):
		return true
	case n.call == nil:
		return !d.isState(n)
	case len(traitsOf(n.call.Op).Views) == 0 && dear(n.call.Op):
		return false
	}
	return !slices.ContainsFunc(n.call.In, func(in *Node) bool { return !d.atHand(in) })
}

// keepable reports whether values of n can be kept for all steps.
func (d *scanDraft) keepable(n *Node) bool {
	p, ok := d.call.graph.dims.roleOf(d.op.axes, n.shape)
	if !ok || p.kind == rolePacked && d.op.axes[p.axis].ends {
		return false
	}
	if p.kind != roleStep {
		return true
	}
	elements := Dim(1)
	for _, s := range n.shape {
		elements = d.call.graph.dims.mul(elements, s)
	}
	return elements >= 0 && elements <= smallStep
}

// dear reports whether it takes longer to compute o again than to read its result.
func dear(o Op) bool {
	switch o := o.(type) {
	case unary:
		switch o.Func {
		case UnaryNeg, UnaryAbs, UnarySign, UnarySquare, UnaryReLU, UnaryLeakyReLU, UnaryClip, UnaryAddConst, UnaryMulConst, UnaryFloor,
			UnaryCeil, UnaryRound, UnaryIsFinite, UnaryNot:
			return false
		}
	case binary:
		return o.Func == BinaryDiv || o.Func == BinaryPow
	case full, where, cast, slice, broadcastTo, reshape, stopGradient, dimSize, duplicate:
		return false
	}
	return true
}

// ancestors returns roots and what they depend on, as far as the inputs of the backward body.
func (d *scanDraft) ancestors(roots []*Node) map[*Node]bool {
	seen := map[*Node]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		for _, m := range n.parts() {
			if seen[m] {
				continue
			}
			seen[m] = true
			if _, stop := d.given[m]; !stop && m.call != nil {
				for _, in := range m.call.In {
					visit(in)
				}
			}
		}
	}
	for _, n := range roots {
		visit(n)
	}
	return seen
}

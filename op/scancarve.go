package op

// carve copies what roots depend on in g, a body or a draft of one, into a new body of parent. Each of inputs becomes an input of it, in
// that order, whatever computes it in g; further captured values follow. It returns the copy of a node.
func carve(parent, g *Graph, inputs, roots []*Node) (*Graph, func(*Node) *Node) {
	to := parent.newBody()
	c := &copier{mode: Training, to: to, nodes: map[*Node]*Node{}, calls: map[*Call]*Call{}}
	for _, n := range inputs {
		if n.kind == capturedLeaf {
			c.leaf(n)
		} else {
			c.nodes[n] = to.newInput(n.Name(), n.dtype, n.shape)
		}
	}
	needed := map[*Call]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		for _, m := range n.parts() {
			if c.nodes[m] != nil || m.call == nil || needed[m.call] {
				continue
			}
			needed[m.call] = true
			for _, in := range m.call.In {
				visit(in)
			}
			for _, d := range m.call.Deps {
				for _, o := range d.Out {
					visit(o)
				}
			}
		}
	}
	for _, n := range roots {
		visit(n)
	}
	for _, call := range g.calls {
		if needed[call] {
			kept := c.given(call.Out)
			c.call(call)
			for i, n := range kept {
				if n != nil {
					c.nodes[call.Out[i]] = n
				}
			}
		}
	}
	return to, c.node
}

// given returns the nodes that stand for ns already.
func (c *copier) given(ns []*Node) []*Node {
	out := make([]*Node, len(ns))
	for i, n := range ns {
		out[i] = c.nodes[n]
	}
	return out
}

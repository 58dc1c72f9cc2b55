package op

import (
	"fmt"
	"slices"
)

// Mode says what a graph is copied for.
type Mode uint8

// The modes of a program.
const (
	Training  Mode = iota // as built: dropout drops, batch norm uses the batch, updates happen
	Inference             // for prediction: Inferencer ops are replaced, nothing is updated
)

// Copy returns a graph with what the roots depend on, in the given mode, and a function that gives the copy of a node (nil for one of
// another graph, or that the roots do not depend on). In training it also has the updates that belong to the roots: those whose every
// input the roots depend on, such as the running statistics of a batch norm in their path. Programs are compiled from copies, so that
// passes leave the user's graph alone; g is only read. Seeds, counts of roots (Count), positions, phases, names and the first mistake are kept.
func Copy(g *Graph, mode Mode, roots ...*Node) (*Graph, func(*Node) *Node) {
	id := *g.nextID
	roots = slices.DeleteFunc(slices.Clone(roots), func(n *Node) bool { return n.Graph() != g })
	for _, r := range roots {
		if r.count != nil {
			roots = append(roots, r.count)
		}
	}
	return copyInto(&Graph{Seed: g.Seed, err: g.Err(), dims: g.dims.clone(), model: g.model, nextID: &id, randoms: g.randoms}, nil, g, mode, roots)
}

// copyInto copies into the empty graph to; outer copies the enclosing graph of a body.
func copyInto(to *Graph, outer *copier, g *Graph, mode Mode, roots []*Node) (*Graph, func(*Node) *Node) {
	c := &copier{mode: mode, to: to, outer: outer, nodes: map[*Node]*Node{}, calls: map[*Call]*Call{}}
	to.vars, to.capture = map[*Variable]*Node{}, map[*Node]*Node{}
	for _, in := range g.inputs {
		c.leaf(in)
	}
	calls := topological(roots)
	if mode == Training {
		calls = withEffects(g, calls)
	}
	for _, call := range calls {
		c.call(call)
	}
	for _, r := range roots {
		c.node(r)
	}
	for _, r := range roots {
		if m := c.nodes[r]; m != nil && r.count != nil {
			m.count = c.nodes[r.count]
		}
	}
	return c.to, func(n *Node) *Node { return c.nodes[n] }
}

// withEffects adds the updates of g whose inputs are all at hand once calls have run.
func withEffects(g *Graph, calls []*Call) []*Call {
	have := map[*Call]bool{}
	for _, c := range calls {
		have[c] = true
	}
	roots := calls
	for _, c := range g.calls {
		if !c.Effect() || have[c] {
			continue
		}
		complete := true
		for _, d := range c.dependencies() {
			complete = complete && have[d]
		}
		if complete {
			have[c] = true
			roots = append(roots, c)
		}
	}
	return Schedule(roots)
}

type copier struct {
	mode  Mode
	to    *Graph
	outer *copier
	nodes map[*Node]*Node
	calls map[*Call]*Call
}

// node returns the copy of n, whose application has been copied.
func (c *copier) node(n *Node) *Node {
	if m, ok := c.nodes[n]; ok {
		return m
	}
	if n.kind == notLeaf {
		return nil
	}
	return c.leaf(n)
}

func (c *copier) leaf(n *Node) *Node {
	if m, ok := c.nodes[n]; ok {
		return m
	}
	m := *n
	m.graph = c.to
	c.nodes[n] = &m
	switch n.kind {
	case inputLeaf:
		c.to.inputs = append(c.to.inputs, &m)
	case capturedLeaf:
		if c.outer != nil {
			m.outer = c.outer.node(n.outer)
		}
		c.to.inputs = append(c.to.inputs, &m)
		c.to.capture[m.outer] = &m
	case variableLeaf:
		c.to.vars[n.variable] = &m
		c.to.ordered = append(c.to.ordered, &m)
	case applyLeaf:
		c.to.apply = &m
	case sparseLeaf:
		rows := *n.rows
		rows.IDs, rows.Values = c.node(rows.IDs), c.node(rows.Values)
		m.rows = &rows
		c.to.sparse = append(c.to.sparse, &m)
	}
	if n.count != nil {
		m.count = c.node(n.count)
	}
	return &m
}

func (c *copier) call(old *Call) {
	in := make([]*Node, len(old.In))
	for i, n := range old.In {
		in[i] = c.node(n)
	}
	if x, ok := old.Op.(Inferencer); ok && c.mode == Inference {
		c.to.derive(old, old.Phase, func() {
			var by []*Node
			err := guard(func() { by = x.Inference(old, in) })
			if err == nil && len(by) != len(old.Out) {
				err = fmt.Errorf("%d nodes for %d outputs", len(by), len(old.Out))
			}
			if err != nil {
				by = slices.Repeat([]*Node{c.to.failOp(old.Op, old.origin, fmt.Errorf("inference: %w", err))}, len(old.Out))
			}
			for i, n := range by {
				c.nodes[old.Out[i]] = n
			}
		})
		return
	}
	fresh := *old
	fresh.graph, fresh.In, fresh.Out, fresh.Deps = c.to, in, nil, nil
	fresh.Op = c.body(old.Op)
	for _, d := range old.Deps {
		if m := c.calls[d]; m != nil {
			fresh.Deps = append(fresh.Deps, m)
		}
	}
	for _, o := range old.Out {
		m := *o
		m.graph, m.call = c.to, &fresh
		fresh.Out = append(fresh.Out, &m)
		c.nodes[o] = &m
	}
	for i, o := range old.Out {
		if o.count != nil {
			fresh.Out[i].count = c.nodes[o.count]
		}
	}
	c.calls[old] = &fresh
	c.to.calls = append(c.to.calls, &fresh)
}

// body copies the inner graph of a Bodied op in the same mode.
func (c *copier) body(o Op) Op {
	b, ok := o.(Bodied)
	if !ok {
		return o
	}
	inner, outputs := b.Body()
	g, find := copyInto(&Graph{parent: c.to, dims: c.to.dims, model: inner.model, nextID: c.to.nextID}, c, inner, c.mode, outputs)
	mapped := make([]*Node, len(outputs))
	for i, n := range outputs {
		mapped[i] = find(n)
	}
	return b.WithBody(g, mapped, find)
}

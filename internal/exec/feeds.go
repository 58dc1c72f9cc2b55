package exec

import (
	"fmt"
	"slices"

	"paddle/op"
)

// needs collects the symbols that a program cannot run without, each with who wants it, in the order in which they are met.
type needs struct {
	graph   *op.Graph
	symbols []op.Dim
	by      map[op.Dim]string
}

func (n *needs) add(who string, dims []op.Dim) {
	symbols, _ := n.graph.Symbols(dims)
	for _, d := range symbols {
		if _, ok := n.by[d]; !ok {
			n.by[d] = who
			n.symbols = append(n.symbols, d)
		}
	}
}

// calls adds the symbols in results and attributes, in bodies too; a body's rows are bound when it runs.
func (n *needs) calls(calls []*op.Call) {
	for _, c := range calls {
		for _, o := range c.Out {
			n.add(c.Name(), o.Shape())
		}
		n.add(c.Name(), op.DimsOf(c.Op))
		if b, ok := c.Op.(op.Bodied); ok {
			g, _ := b.Body()
			n.calls(g.Calls())
			rows, _ := b.Rows()
			for _, d := range rows {
				n.bound(d)
			}
		}
	}
}

// bound says that a symbol has its number.
func (n *needs) bound(d op.Dim) {
	n.by[d] = ""
	n.symbols = slices.DeleteFunc(n.symbols, func(s op.Dim) bool { return s == d })
}

// findFeeds lists the inputs that calls read, and those that bind a symbol that nothing else binds.
func (p *Program) findFeeds(calls []*op.Call) error {
	n := &needs{graph: p.graph, by: map[op.Dim]string{}}
	n.calls(calls)
	used := map[*op.Node]bool{}
	for _, c := range calls {
		for _, in := range c.In {
			used[in] = true
		}
	}
	for _, s := range p.unit.outputs {
		used[p.unit.slots[s].node] = true
	}
	for _, in := range p.graph.Inputs() {
		if used[in] {
			n.add(in.Name(), in.Shape())
		}
	}
	for _, in := range p.graph.Inputs() {
		if used[in] {
			p.addFeed(in, n)
		}
	}
	for _, in := range p.graph.Inputs() {
		if !used[in] && slices.ContainsFunc(in.Shape(), func(d op.Dim) bool { return slices.Contains(n.symbols, d) }) {
			n.add(in.Name(), in.Shape())
			p.addFeed(in, n)
		}
	}
	for _, d := range n.symbols {
		return fmt.Errorf("exec: %s has size %s, which is not the size of an input", n.by[d], p.graph.DimString(d))
	}
	return nil
}

func (p *Program) addFeed(in *op.Node, n *needs) {
	p.feeds = append(p.feeds, feed{in, p.unit.index[in]})
	for _, d := range in.Shape() {
		n.bound(d)
	}
}

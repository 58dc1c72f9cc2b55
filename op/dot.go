package op

import (
	"fmt"
	"strings"
)

// DOT returns the graph as a drawing in the language of Graphviz: `dot -Tsvg`. Boxes are applications, with the layer that built them;
// edges carry shapes; bodies are drawn as clusters.
func (g *Graph) DOT() string {
	d := &drawing{ids: map[any]string{}}
	d.line("digraph paddle {")
	d.line("  rankdir=TB; node [shape=box, fontname=\"sans-serif\", fontsize=10]; edge [fontname=\"sans-serif\", fontsize=9];")
	d.graph(g)
	d.line("}")
	return d.b.String()
}

type drawing struct {
	b   strings.Builder
	ids map[any]string
}

func (d *drawing) line(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

func (d *drawing) id(of any) string {
	if d.ids[of] == "" {
		d.ids[of] = fmt.Sprintf("n%d", len(d.ids))
	}
	return d.ids[of]
}

func (d *drawing) graph(g *Graph) {
	for _, n := range g.inputs {
		d.leaf(n)
	}
	for _, c := range g.calls {
		label := describe(c.Op)
		if c.Layer != "" {
			label = c.Layer + "\n" + label
		}
		color := map[Phase]string{Forward: "black", Backward: "blue", Update: "red"}[c.Phase]
		d.line("  %s [label=%q, color=%s];", d.id(c), label, color)
		for _, in := range c.In {
			d.edge(in, c)
		}
		if b, ok := c.Op.(Bodied); ok {
			inner, _ := b.Body()
			d.line("  subgraph cluster_%s {\n  label=%q;", d.id(c), c.Name())
			d.graph(inner)
			d.line("  }")
		}
	}
}

// leaf declares an input, a variable or a constant once and returns its id.
func (d *drawing) leaf(n *Node) string {
	if id, ok := d.ids[n]; ok {
		return id
	}
	shape := "ellipse"
	if n.variable != nil {
		shape = "cylinder"
	}
	d.line("  %s [label=%q, shape=%s];", d.id(n), n.Name()+"\n"+n.dtype.String()+" "+n.ShapeString(), shape)
	return d.ids[n]
}

func (d *drawing) edge(n *Node, to *Call) {
	for _, p := range n.parts() {
		from := ""
		if p.call != nil {
			from = d.id(p.call)
		} else {
			from = d.leaf(p)
		}
		d.line("  %s -> %s [label=%q];", from, d.id(to), p.ShapeString())
	}
}

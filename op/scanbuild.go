package op

import (
	"fmt"
	"slices"
	"strconv"
)

// scanBuilder builds the body of a Scan and checks what it is given.
type scanBuilder struct {
	graph  *Graph // the enclosing one
	body   *Graph
	axes   []scanAxis
	tables []scanInput // of the axes
	inputs []scanInput
	err    error
}

// scanInput is a value that a body takes rows of.
type scanInput struct {
	label string
	outer *Node
	role  role
}

func newScanBuilder(in ScanInputs) *scanBuilder {
	b := &scanBuilder{}
	b.axis("Starts", in.Starts)
	b.add("Rows", in.Rows, role{kind: rolePacked})
	b.add("Init", in.Init, role{kind: roleMemory})
	b.add("Static", in.Static, role{kind: rolePrefix})
	for i, s := range in.Streams {
		label := fmt.Sprintf("Streams[%d].", i)
		a := b.axis(label+"Bounds", s.Bounds)
		b.add(label+"Rows", s.Rows, role{kind: rolePacked, axis: a})
	}
	for i, r := range in.Ragged {
		label := fmt.Sprintf("Ragged[%d].", i)
		a := b.axis(label+"Ends", r.Ends)
		b.axes[a].ends = true
		b.add(label+"Init", r.Init, role{kind: roleMemory, axis: a})
		b.add(label+"Static", r.Static, role{kind: rolePrefix, axis: a})
	}
	b.number()
	b.check()
	return b
}

func (b *scanBuilder) axis(label string, table *Node) int {
	b.tables = append(b.tables, scanInput{label: label, outer: table})
	b.axes = append(b.axes, scanAxis{symbol: noDim, total: noDim, most: noDim})
	return len(b.axes) - 1
}

func (b *scanBuilder) add(label string, nodes []*Node, p role) {
	for i, n := range nodes {
		b.inputs = append(b.inputs, scanInput{fmt.Sprintf("%s[%d]", label, i), n, p})
	}
}

// number gives the memories their numbers.
func (b *scanBuilder) number() {
	n := 0
	for i := range b.inputs {
		if p := &b.inputs[i].role; p.kind == roleMemory {
			p.memory = n
			n++
		}
	}
}

// open makes the body and the values that a step sees.
func (b *scanBuilder) open(in ScanInputs) *ScanStep {
	b.body = b.graph.newBody()
	names := []string{"rows"}
	for i := range in.Streams {
		names = append(names, "stream"+strconv.Itoa(i))
	}
	for i := range in.Ragged {
		names = append(names, "ragged"+strconv.Itoa(i))
	}
	for i := range b.axes {
		b.axes[i].symbol = b.graph.dims.symbol("scan" + strconv.Itoa(len(b.graph.dims.entries)) + "." + names[i])
	}
	s := &ScanStep{Streams: make([][]*Node, len(in.Streams)), Ragged: make([][]*Node, len(in.Ragged))}
	var ragged []*Node
	for _, x := range b.inputs {
		shape := append([]Dim{b.axes[x.role.axis].symbol}, x.outer.shape[1:]...)
		n := b.body.newInput(x.label, x.outer.dtype, shape)
		at := x.role.axis - 1
		switch {
		case x.role.kind == roleMemory && x.role.axis == 0:
			s.Memory = append(s.Memory, n)
		case x.role.kind == roleMemory:
			ragged = append(ragged, n)
		case x.role.kind == rolePrefix && x.role.axis == 0:
			s.Static = append(s.Static, n)
		case x.role.kind == rolePrefix:
			at -= len(in.Streams)
			s.Ragged[at] = append(s.Ragged[at], n)
		case x.role.axis == 0:
			s.Rows = append(s.Rows, n)
		default:
			s.Streams[at] = append(s.Streams[at], n)
		}
	}
	s.Memory = append(s.Memory, ragged...)
	return s
}

// apply makes the op of the body and applies it.
func (b *scanBuilder) apply(out, next []*Node, reverse bool) []*Node {
	o := scan{Reverse: reverse, axes: b.axes, required: len(next)}
	for i := range next {
		o.results = append(o.results, b.memoryRole(i))
	}
	for _, n := range out {
		p, _ := b.graph.dims.roleOf(b.axes, n.shape)
		o.results = append(o.results, p)
	}
	roots := slices.Concat(next, out)
	for i, n := range roots {
		roots[i] = b.body.own(n)
	}
	o.outputs = o.detached(b.hoist(roots))
	o.body = b.body
	var in []*Node
	for _, x := range slices.Concat(b.tables, b.inputs) {
		in = append(in, x.outer)
	}
	for _, x := range b.inputs {
		o.args = append(o.args, x.role)
	}
	for _, c := range b.body.inputs[len(b.inputs):] {
		in = append(in, c.outer)
		o.args = append(o.args, role{})
	}
	o.Sizes = o.sizes()
	return Apply(o, in...)
}

// memoryRole returns the role of memory i.
func (b *scanBuilder) memoryRole(i int) role {
	at := slices.IndexFunc(b.inputs, func(x scanInput) bool { return x.role.kind == roleMemory && x.role.memory == i })
	return b.inputs[at].role
}

// own returns n as a value of g: itself, or captured.
func (g *Graph) own(n *Node) *Node {
	if n.graph == g {
		return n
	}
	return g.captured(n)
}

// detached returns n, or a copy of it where n is memory that the body was given.
func detached(n *Node) *Node {
	at := n
	for at.call != nil {
		v := traitsOf(at.call.Op).Views
		i := slices.IndexFunc(v, func(p Pair) bool { return p.Out == at.index })
		if i < 0 {
			return n
		}
		at = at.call.In[v[i].In]
	}
	return Duplicate(n)
}

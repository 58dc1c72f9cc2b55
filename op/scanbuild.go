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

// check finds the first input that is missing or does not fit, and the sizes of the axes.
func (b *scanBuilder) check() {
	all := slices.Concat(b.tables, b.inputs)
	var nodes []*Node
	for _, x := range all {
		nodes = append(nodes, x.outer)
	}
	var err error
	b.graph, err = commonGraph(nodes)
	for _, x := range all {
		switch {
		case x.outer == nil:
			b.fail("%s is nil", x.label)
		case x.outer.err != nil:
			b.failure(x.outer.err)
		case err != nil && !b.graph.within(x.outer.graph):
			b.fail("%s, %s, belongs to another graph", x.label, quoted(x.outer))
		}
	}
	if b.err != nil {
		return
	}
	for i, x := range b.tables {
		if x.outer.dtype != Int32 || x.outer.Rank() != 1 {
			want := "(steps+1,)"
			if b.axes[i].ends {
				want = "(steps,)"
			}
			b.fail("%s, %s, is %v %s, want int32 %s", x.label, quoted(x.outer), x.outer.dtype, x.outer.ShapeString(), want)
		}
	}
	for _, x := range b.inputs {
		b.measure(x)
	}
	b.complete()
}

func (b *scanBuilder) fail(format string, args ...any) { b.failure(fmt.Errorf(format, args...)) }

func (b *scanBuilder) failure(err error) {
	if b.err == nil {
		b.err = err
	}
}

// measure compares the rows of an input with those of the others that lie along the same axis, or takes them as the measure.
func (b *scanBuilder) measure(x scanInput) {
	if x.outer.Rank() == 0 {
		b.fail("%s, %s, has shape (), want one whose first axis is rows", x.label, quoted(x.outer))
		return
	}
	a := &b.axes[x.role.axis]
	size := &a.most
	if x.role.kind == rolePacked {
		size = &a.total
	}
	if *size == noDim {
		*size = x.outer.shape[0]
	}
	if *size != x.outer.shape[0] {
		first := slices.IndexFunc(b.inputs, func(y scanInput) bool {
			return y.role.axis == x.role.axis && (y.role.kind == rolePacked) == (x.role.kind == rolePacked)
		})
		b.fail("%s, %s, has shape %s, want %s rows, as %s", x.label, quoted(x.outer), x.outer.ShapeString(), b.graph.dims.string(*size), b.inputs[first].label)
	}
}

// complete fills in the sizes of axes that no input shows.
func (b *scanBuilder) complete() {
	for i := range b.axes {
		a := &b.axes[i]
		switch {
		case b.err != nil:
			return
		case !a.ends && a.total == noDim:
			b.fail("%s has no rows to divide into steps, want one value or more", b.tables[i].label)
		case a.ends && a.most == noDim:
			b.fail("%s has neither statics nor memories, want one value or more", b.tables[i].label)
		case a.ends:
			a.total = b.graph.dims.mul(a.most, b.steps())
		case a.most == noDim:
			a.most = a.total
		}
	}
}

func (b *scanBuilder) steps() Dim { return b.graph.dims.addConst(b.tables[0].outer.shape[0], -1) }

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

// checkStep returns an error unless the results of a step fit its rows and its memories.
func (b *scanBuilder) checkStep(memory, out, next []*Node) error {
	for i, n := range slices.Concat(next, out) {
		what := fmt.Sprintf("memory %d", i)
		if i >= len(next) {
			what = fmt.Sprintf("output %d", i-len(next))
		}
		switch {
		case n.Err() != nil:
			return n.Err()
		case !b.body.within(n.graph):
			return fmt.Errorf("%s of the step belongs to another graph", what)
		}
	}
	if len(next) != len(memory) {
		return fmt.Errorf("the step returns %d memories, want %d", len(next), len(memory))
	}
	for i, n := range next {
		if !SameShape(n.shape, memory[i].shape) || n.dtype != memory[i].dtype {
			return fmt.Errorf("memory %d of the step is %v %s, want %v %s", i, n.dtype, n.ShapeString(), memory[i].dtype, memory[i].ShapeString())
		}
	}
	for i, n := range out {
		p, ok := b.graph.dims.roleOf(b.axes, n.shape)
		if !ok || p.kind != rolePacked || b.axes[p.axis].ends || n.shape[0] != b.axes[p.axis].symbol {
			return fmt.Errorf("output %d of the step has shape %s, want (%s, …)", i, n.ShapeString(), b.rowNames())
		}
	}
	return nil
}

// rowNames lists the symbols that the first axis of an output may have.
func (b *scanBuilder) rowNames() string {
	text := ""
	for _, a := range b.axes {
		if !a.ends {
			if text != "" {
				text += " or "
			}
			text += b.graph.dims.string(a.symbol)
		}
	}
	return text
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

package op

import (
	"fmt"
	"slices"
)

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

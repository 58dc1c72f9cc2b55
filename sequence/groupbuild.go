package sequence

import (
	"slices"

	"paddle/op"
)

// groupBuilder turns a Group into an op.Scan.
type groupBuilder struct {
	group  Group
	like   *Node // a sequence whose rows are the steps
	packed *Packed
	in     op.ScanInputs
	bad    *Node

	nested []*arranged // of Nested
	whole  []whole     // sequences that every step sees as a whole, by their lengths

	inner []*Node // the sub-sequences that the step saw
	from  []int   // which of Nested each sequence that the step returned is like
}

func (b *groupBuilder) fail(format string, args ...any) bool {
	if b.bad == nil {
		b.bad = b.like.fail(format, args...)
	}
	return false
}

// find looks for a sequence whose rows are the steps.
func (b *groupBuilder) find() bool {
	for _, x := range b.group.Inputs {
		if x.Err() != nil {
			b.bad = x.failed()
			return false
		}
	}
	for _, x := range b.group.Nested {
		if x.Err() != nil {
			b.bad = x.failed()
			return false
		}
	}
	switch {
	case len(b.group.Inputs) > 0:
		b.like = b.group.Inputs[0]
	case len(b.group.Nested) > 0:
		x := b.group.Nested[0]
		b.like = x.Outer(x.inner.Lengths())
	default:
		b.bad = failed((*op.Graph)(nil).Fail("no inputs, want one sequence or more"))
		return false
	}
	b.packed = b.like.layout.pack()
	return true
}

// check compares lengths and numbers of sequences.
func (b *groupBuilder) check() bool {
	l := b.group
	if l.Step == nil {
		return b.fail("Step is nil")
	}
	for i, x := range l.Inputs {
		if x.layout != b.like.layout {
			return b.fail("input %d, %s, has lengths %s, want those of input 0, %s, which has %s: see sequence.Node.As",
				i, x.Name(), x.layout.name, b.like.Name(), b.like.layout.name)
		}
	}
	for i, x := range l.Nested {
		if x.outer != b.like.layout {
			return b.fail("nested input %d, %s, has %s sub-sequences, want as many as %s, the lengths of %s", i, x.inner.Name(), x.outer.name, b.like.layout.name, b.like.Name())
		}
	}
	for i, x := range l.Static {
		if x.Err() != nil {
			b.bad = failed(x)
			return false
		}
		if x.Rank() == 0 || x.Dim(0) != b.like.Len() {
			return b.fail("static %d, %s, has shape %s, want (%s, …): one row a sequence", i, x.Name(), x.ShapeString(), b.dim(b.like.Len()))
		}
	}
	return b.checkSequences("static sequence", l.StaticSequences) && b.checkSequences("sequence memory", l.SequenceMemories)
}

func (b *groupBuilder) dim(d op.Dim) string { return b.like.Graph().DimString(d) }

func (b *groupBuilder) checkSequences(what string, xs []*Node) bool {
	for i, x := range xs {
		if x.Err() != nil {
			b.bad = x.failed()
			return false
		}
		if x.Len() != b.like.Len() {
			return b.fail("%s %d, %s, has %s sequences, want %s, as %s", what, i, x.Name(), b.dim(x.Len()), b.dim(b.like.Len()), b.like.Name())
		}
	}
	return true
}

// stateless reports whether no step leaves anything to the next. A scan has at least one memory: it is then a number that stays 0.
func (b *groupBuilder) stateless() bool {
	return len(b.group.Memories)+len(b.group.SequenceMemories) == 0
}

// gather brings the values into the order of the scan.
func (b *groupBuilder) gather() {
	l, p := b.group, *b.packed
	b.in = op.ScanInputs{Starts: p.Steps, Reverse: l.Reverse}
	for _, x := range l.Inputs {
		b.in.Rows = append(b.in.Rows, x.packedRows())
	}
	for i, m := range l.Memories {
		b.in.Init = append(b.in.Init, p.Sort(b.boot(i, m)))
	}
	if b.stateless() {
		b.in.Init = append(b.in.Init, p.Sort(b.like.Graph().Full(op.Int32, 0, b.like.Len())))
	}
	for _, x := range l.Static {
		b.in.Static = append(b.in.Static, p.Sort(x))
	}
	for _, x := range l.Nested {
		a := arrange(x.inner, p.Index, p.Place)
		b.nested = append(b.nested, a)
		b.in.Rows = append(b.in.Rows, a.lengths)
		b.in.Streams = append(b.in.Streams, op.Stream{Bounds: a.bounds(p.Steps), Rows: []*op.Node{a.rowsOf(x.inner)}})
	}
	for i, x := range l.StaticSequences {
		w := b.wholeOf(x)
		w.statics = append(w.statics, i)
		w.ragged.Static = append(w.ragged.Static, w.arranged.rowsOf(x))
	}
	for i, x := range l.SequenceMemories {
		w := b.wholeOf(x)
		w.memories = append(w.memories, i)
		w.ragged.Init = append(w.ragged.Init, w.arranged.rowsOf(x))
	}
	for i := range b.whole {
		b.in.Static = append(b.in.Static, b.whole[i].arranged.lengths)
		b.in.Ragged = append(b.in.Ragged, b.whole[i].ragged)
	}
}

// whole are sequences of the same lengths that every step sees as a whole.
type whole struct {
	layout            *layout
	arranged          *arranged
	ragged            op.Ragged
	statics, memories []int // which of StaticSequences and of SequenceMemories they are
}

// wholeOf returns the sequences of x's lengths.
func (b *groupBuilder) wholeOf(x *Node) *whole {
	for i := range b.whole {
		if b.whole[i].layout == x.layout {
			return &b.whole[i]
		}
	}
	a := arrange(x, b.packed.Order, b.packed.Rank)
	b.whole = append(b.whole, whole{layout: x.layout, arranged: a, ragged: op.Ragged{Ends: a.ends(b.packed.Steps)}})
	return &b.whole[len(b.whole)-1]
}

// boot returns the first value of a memory in the caller's order.
func (b *groupBuilder) boot(i int, m Memory) *op.Node {
	g, sequences := b.like.Graph(), b.like.Len()
	said := 0
	for _, is := range []bool{m.Boot != nil, m.Size != 0, m.ID != nil} {
		if is {
			said++
		}
	}
	switch {
	case said != 1:
		b.fail("memory %d has %d of Boot, Size and ID, want one of them", i, said)
	case m.Size < 0:
		b.fail("memory %d has Size %d, want 1 or more", i, m.Size)
	case m.Boot != nil:
		if m.Boot.Err() == nil && (m.Boot.Rank() == 0 || m.Boot.Dim(0) != sequences) {
			b.fail("memory %d begins with %s, which has shape %s, want (%s, …): one row a sequence", i, m.Boot.Name(), m.Boot.ShapeString(), b.dim(sequences))
		}
		return m.Boot
	case m.ID != nil:
		return g.Full(op.Int32, float64(*m.ID), sequences)
	}
	dtype := m.DType
	if dtype == op.InvalidDType {
		dtype = b.float()
	}
	return g.Full(dtype, 0, sequences, op.Dim(m.Size))
}

// float returns the type of the first input of floats.
func (b *groupBuilder) float() op.DType {
	for _, x := range b.group.Inputs {
		if x.DType().IsFloat() {
			return x.DType()
		}
	}
	for _, x := range b.group.Nested {
		if x.inner.DType().IsFloat() {
			return x.inner.DType()
		}
	}
	return op.Float32
}

// step is the step of the scan.
func (b *groupBuilder) step(s *op.ScanStep) (out, next []*op.Node) {
	l := b.group
	live := s.Rows[len(l.Inputs):] // lengths of sub-sequences
	lengths := s.Static[len(l.Static):]
	plain := len(l.Memories)
	step := Step{Inputs: s.Rows[:len(l.Inputs)], Static: s.Static[:len(l.Static)], Memories: s.Memory[:plain]}
	for i := range l.Nested {
		step.Nested = append(step.Nested, New(s.Streams[i][0], live[i]))
	}
	step.StaticSequences = make([]*Node, len(l.StaticSequences))
	step.SequenceMemories = make([]*Node, len(l.SequenceMemories))
	ragged := s.Memory[plain:]
	for i, w := range b.whole {
		var first *Node
		same := func(rows *op.Node) *Node {
			if first == nil {
				first = New(rows, lengths[i])
				return first
			}
			return first.of(rows, false)
		}
		for k, at := range w.statics {
			step.StaticSequences[at] = same(s.Ragged[i][k])
		}
		for k, at := range w.memories {
			step.SequenceMemories[at] = same(ragged[k])
		}
		ragged = ragged[len(w.memories):]
	}
	rows, before := s.Rows[0].Dim(0), slices.Clone(step.SequenceMemories)
	b.inner = slices.Clone(step.Nested)
	r := l.Step(&step)
	for i, x := range r.Sequences {
		out = append(out, b.sequenceOf(i, x))
	}
	for i, n := range r.Outputs {
		out = append(out, b.output(i, n, rows))
	}
	next = append(next, r.Memories...)
	if b.stateless() {
		next = append(next, s.Memory...)
	}
	if len(r.Memories) != plain || len(r.SequenceMemories) != len(l.SequenceMemories) {
		b.fail("the step returns %d memories and %d sequence memories, want %d and %d", len(r.Memories), len(r.SequenceMemories), plain, len(l.SequenceMemories))
		return []*op.Node{b.bad.Node()}, nil
	}
	for _, w := range b.whole {
		for _, i := range w.memories {
			next = append(next, b.memoryOf(i, r.SequenceMemories[i], before[i]))
		}
	}
	return out, next
}

// output returns an output of the step, which has as many rows as there are sequences that have not ended.
func (b *groupBuilder) output(i int, n *op.Node, rows op.Dim) *op.Node {
	if n.Err() == nil && (n.Rank() == 0 || n.Dim(0) != rows) {
		b.fail("output %d that the step returns, %s, has shape %s, want (%s, …): one row for each of the sequences that have not ended", i, n.Name(), n.ShapeString(), b.dim(rows))
		return b.bad.Node()
	}
	return n
}

// sequenceOf returns the rows of a sequence that the step computed.
func (b *groupBuilder) sequenceOf(i int, x *Node) *op.Node {
	if x.Err() != nil {
		return x.failed().Node()
	}
	for k, like := range b.inner {
		if x.layout == like.layout {
			b.from = append(b.from, k)
			return x.Rows()
		}
	}
	b.fail("sequence %d that the step returns, %s, has other lengths than all of Step.Nested", i, x.Name())
	return b.bad.Node()
}

// memoryOf returns the rows of the next sequence memory.
func (b *groupBuilder) memoryOf(i int, x, before *Node) *op.Node {
	if x.Err() != nil {
		return x.failed().Node()
	}
	if x.layout != before.layout {
		b.fail("sequence memory %d that the step returns, %s, has other lengths than the one before", i, x.Name())
		return b.bad.Node()
	}
	if x.DType() != before.DType() || !op.SameShape(x.Shape(), before.Shape()) {
		b.fail("sequence memory %d that the step returns, %s, is %v %s, want %v %s as before", i, x.Name(), x.DType(), x.ShapeString(), before.DType(), before.ShapeString())
		return b.bad.Node()
	}
	return x.Rows()
}

// results brings the results of the scan into the caller's order.
func (b *groupBuilder) results(outs, last []*op.Node) GroupResult {
	var r GroupResult
	p, plain := *b.packed, len(b.group.Memories)
	for i, k := range b.from {
		x := b.group.Nested[k]
		r.Sequences = append(r.Sequences, x.Of(x.inner.Of(b.nested[k].restore(outs[i]))))
	}
	for _, n := range outs[len(b.from):] {
		r.Outputs = append(r.Outputs, p.Of(n))
	}
	for _, n := range last[:plain] {
		r.Memories = append(r.Memories, p.Restore(n))
	}
	r.SequenceMemories = make([]*Node, len(b.group.SequenceMemories))
	last = last[plain:]
	for _, w := range b.whole {
		for k, i := range w.memories {
			r.SequenceMemories[i] = b.group.SequenceMemories[i].Of(w.arranged.restore(last[k]))
		}
		last = last[len(w.memories):]
	}
	return r
}

package sequence

import (
	"gorgonia.org/tensor"

	"paddle/op"
)

// Nested is a batch of two-level sequences in a graph: each sample is a sequence of sub-sequences, such as a document of sentences of
// words. Its rows (tokens, …) are those of all sub-sequences of all samples, one after another. Samples without sub-sequences and
// sub-sequences without rows are legal.
type Nested struct {
	inner *Node   // the sub-sequences
	outer *layout // rows are sub-sequences

	flat *layout
}

// NestedInput returns two-level sequences that are fed at every run: rows (tokens, width…) under the given name, lengths
// of the sub-sequences under the name with ".lengths" added, and how many each sample has (batch) under the name with
// ".counts" added, both Int32. A NestedBatch feeds all three.
func NestedInput(g *op.Graph, name string, dtype op.DType, width ...op.Dim) *Nested {
	if g == nil {
		return &Nested{inner: failed(g.Fail("the graph of input %q is nil", name))}
	}
	inner := inputOf(g, name, dtype, g.Dim(name+".sequences"), width)
	return Nest(inner, g.Input(name+".counts", op.Int32, op.Batch))
}

// Nest returns the two-level sequences whose sub-sequences are those of x, counts[i] of them in sample i; counts (samples) is Int32.
func Nest(x *Node, counts *op.Node) *Nested {
	if x.Err() != nil {
		return &Nested{inner: x.failed()}
	}
	units := New(x.Lengths(), counts) // one row a sub-sequence
	if units.Err() != nil {
		return &Nested{inner: units}
	}
	return &Nested{inner: x, outer: units.layout}
}

// Err returns the mistake that made x fail, nil if there is none.
func (x *Nested) Err() error {
	if x == nil {
		return errNil
	}
	return x.inner.Err()
}

func (x *Nested) failed() *Node {
	if x == nil {
		return (*Node)(nil).failed()
	}
	return x.inner.failed()
}

// Inner returns the sub-sequences as sequences of their own, those of all samples one after another.
func (x *Nested) Inner() *Node {
	if x.Err() != nil {
		return x.failed()
	}
	return x.inner
}

// Outer returns rows (sub-sequences, …), one for each sub-sequence, such as a pooling of Inner, as one sequence a sample.
func (x *Nested) Outer(rows *op.Node) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	like := Node{layout: x.outer, rows: x.inner.Lengths()}
	return like.of(rows, false)
}

// Flat returns the rows as one sequence a sample: sub-sequences one after another.
func (x *Nested) Flat() *Node {
	if x.Err() != nil {
		return x.failed()
	}
	if x.flat == nil {
		lengths := op.Apply(sumLengths{}, x.inner.Starts(), x.outer.starts())[0].WithName(x.inner.layout.name)
		x.flat = &layout{lengths: lengths, tokens: x.inner.layout.tokens, name: x.inner.layout.name}
	}
	return &Node{layout: x.flat, rows: x.inner.Rows()}
}

// Counts returns how many sub-sequences each sample has (samples), as Int32.
func (x *Nested) Counts() *op.Node {
	if x.Err() != nil {
		return x.failed().Node()
	}
	return x.outer.lengths
}

// Map returns f of the rows, as Node.Map does.
func (x *Nested) Map(f func(rows *op.Node) *op.Node) *Nested {
	if x.Err() != nil {
		return &Nested{inner: x.failed()}
	}
	return x.Of(x.inner.Map(f))
}

// Of returns y, sequences of the lengths of x.Inner, as two-level sequences of x's shape.
func (x *Nested) Of(y *Node) *Nested {
	switch {
	case x.Err() != nil:
		return &Nested{inner: x.failed()}
	case y.Err() != nil:
		return &Nested{inner: y.failed()}
	case y.layout != x.inner.layout:
		return &Nested{inner: y.fail("sequences %s are not known to have the lengths of %s: see sequence.Node.As", y.Name(), x.inner.Name())}
	}
	return &Nested{inner: y, outer: x.outer, flat: x.flat}
}

// sumLengths computes the length of each sample from where sub-sequences and samples begin.
type sumLengths struct{}

func (sumLengths) Name() string { return "sum_lengths" }

func (sumLengths) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(2); err != nil {
		return nil, err
	}
	return []op.Spec{{DType: op.Int32, Shape: []op.Dim{s.AddConst(s.In[1].Shape[0], -1)}}}, nil
}

func (sumLengths) Run(e *op.Env, in, out []op.Buffer) error {
	rows, samples, y := in[0].Int32s(), in[1].Int32s(), out[0].Int32s()
	for i := range y {
		y[i] = rows[samples[i+1]] - rows[samples[i]]
	}
	return nil
}

// NestedBatch is a batch of two-level sequences on the host: what NestedInput is fed with.
type NestedBatch struct {
	Batch                // of the sub-sequences
	Counts *tensor.Dense // (samples) int32
}

// NewNestedBatch copies two-level sequences into a batch; see NewBatch for width.
func NewNestedBatch[T Element](samples [][][]T, width ...int) (NestedBatch, error) {
	var all [][]T
	counts := make([]int32, len(samples))
	for i, s := range samples {
		counts[i] = int32(len(s))
		all = append(all, s...)
	}
	b, err := NewBatch(all, width...)
	return NestedBatch{b, dense(counts, len(counts))}, err
}

// Feed adds the batch to f for the NestedInput of that name.
func (b NestedBatch) Feed(f op.Feeds, name string) {
	b.Batch.Feed(f, name)
	f[name+".counts"] = b.Counts
}

// Feeds returns feeds that hold the batch under a name.
func (b NestedBatch) Feeds(name string) op.Feeds {
	f := op.Feeds{}
	b.Feed(f, name)
	return f
}

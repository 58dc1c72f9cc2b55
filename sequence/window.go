package sequence

import "paddle/op"

// PoolWindows makes one row of every stride rows of each sequence, from its start on: x (tokens, …) becomes a shorter sequence, of
// ⌈n/stride⌉ rows for n. The last window of a sequence may have fewer rows. See Pool for the ways.
func PoolWindows(p Pooling, x *Node, stride int) *Node {
	switch {
	case x.Err() != nil:
		return x.failed()
	case int(p) >= len(poolFuncs):
		return x.fail("pooling %d, want PoolMax to PoolFirst", p)
	case stride < 1:
		return x.fail("windows of %d rows, want 1 or more", stride)
	}
	packed := x.rows == nil
	order := x.layout.order(packed)
	w := op.Apply(strides{Stride: stride, Tokens: x.layout.tokens}, order[0])
	order = append([]*op.Node{x.Node(), w[0]}, order[1:]...)
	rows := op.Apply(segmentReduce{Func: poolFuncs[p], Packed: packed}, order...)[0]
	return New(rows, w[1].WithName(x.layout.name))
}

// strides computes where windows of Stride rows begin, and how many each sequence has, from where sequences begin among Tokens rows.
type strides struct {
	Stride int
	Tokens op.Dim
}

func (strides) Name() string { return "strides" }

func (o strides) Infer(s *op.Shapes) ([]op.Spec, error) {
	sequences := s.AddConst(s.In[0].Shape[0], -1)
	most := s.Add(s.Div(o.Tokens, op.Dim(o.Stride)), sequences)
	if o.Stride == 1 {
		most = o.Tokens
	}
	return []op.Spec{
		{DType: op.Int32, Shape: []op.Dim{s.Count("windows", s.AddConst(most, 1))}},
		{DType: op.Int32, Shape: []op.Dim{sequences}},
	}, s.Arity(1)
}

func (o strides) Run(e *op.Env, in, out []op.Buffer) error {
	starts, at, lengths := in[0].Int32s(), out[0].Int32s(), out[1].Int32s()
	n := 0
	for i := range lengths {
		from := n
		for row := starts[i]; row < starts[i+1]; row += int32(o.Stride) {
			at[n] = row
			n++
		}
		lengths[i] = int32(n - from)
	}
	at[n] = starts[len(lengths)]
	return e.SetCount(0, n+1)
}

package sequence

import (
	"fmt"

	"paddle/op"
)

// Select keeps some sub-sequences of each sample, in the order in which indices names them: indices is a sequence of Int32 for each sample, such
// as KMax of a score for each sub-sequence. An index out of range, or a sub-sequence that is named twice, is an error of the run.
func Select(x *Nested, indices *Node) *Nested {
	switch {
	case x.Err() != nil:
		return &Nested{inner: x.failed()}
	case indices.Err() != nil:
		return &Nested{inner: indices.failed()}
	case indices.DType() != op.Int32 || indices.Rank() != 1 || indices.Len() != x.outer.sequences():
		g := x.inner.Graph()
		return &Nested{inner: indices.fail("indices %s are %v %s, want int32 (indices), sequences for the %s samples of %s", indices.Name(), indices.DType(),
			indices.ShapeString(), g.DimString(x.outer.sequences()), x.inner.Name())}
	}
	o := selectRows{Packed: x.inner.rows == nil, Tokens: x.inner.layout.tokens}
	in := append(x.inner.layout.order(o.Packed), x.outer.starts(), indices.Rows(), indices.layout.starts())
	out := op.Apply(o, in...)
	kept := New(takeRows(x.inner.Node(), out[0]), out[1].WithName(x.inner.layout.name))
	return &Nested{inner: kept, outer: indices.layout}
}

// selectRows computes which rows sub-sequences have that are kept, and the lengths of these. Its inputs are the layout.order of the
// sub-sequences, where the samples begin among them, the indices, and where those of each sample begin. Its third output marks what was kept.
type selectRows struct {
	Packed bool
	Tokens op.Dim
}

func (selectRows) Name() string { return "select_sequences" }

func (o selectRows) Infer(s *op.Shapes) ([]op.Spec, error) {
	ints := func(d op.Dim) op.Spec { return op.Spec{DType: op.Int32, Shape: []op.Dim{d}} }
	kept := s.In[len(s.In)-2].Shape[0]
	return []op.Spec{ints(s.Count("rows", o.Tokens)), ints(kept), ints(s.AddConst(s.In[0].Shape[0], -1))}, nil
}

func (o selectRows) Run(e *op.Env, in, out []op.Buffer) error {
	at, rest := placesIn(in, o.Packed)
	samples, indices, each := rest[0].Int32s(), rest[1].Int32s(), rest[2].Int32s()
	index, lengths, taken := out[0].Int32s(), out[1].Int32s(), out[2].Int32s()
	clear(taken)
	n := 0
	for sample := range len(samples) - 1 {
		first, count := samples[sample], samples[sample+1]-samples[sample]
		for j := each[sample]; j < each[sample+1]; j++ {
			i := indices[j]
			switch {
			case i < 0 || i >= count:
				return fmt.Errorf("sub-sequence %d of sample %d, which has %d", i, sample, count)
			case taken[first+i] != 0:
				return fmt.Errorf("sub-sequence %d of sample %d is named twice", i, sample)
			}
			taken[first+i] = 1
			from, to := at.bounds(int(first + i))
			for t := from; t < to; t++ {
				index[n] = at.of(t)
				n++
			}
			lengths[j] = to - from
		}
	}
	return e.SetCount(0, n)
}

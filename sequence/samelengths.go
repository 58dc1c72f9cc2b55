package sequence

import (
	"fmt"

	"paddle/op"
)

// sameLengths passes rows on after a check that their lengths are those of other sequences, whose number of tokens is Tokens. Got and Want are
// the names of the two lists of lengths.
type sameLengths struct {
	Tokens    op.Dim
	Got, Want string
}

func (sameLengths) Name() string { return "same_lengths" }

func (sameLengths) Traits() op.Traits { return op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}} }

func (o sameLengths) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(3); err != nil {
		return nil, err
	}
	return []op.Spec{{DType: s.In[0].DType, Shape: append([]op.Dim{o.Tokens}, s.In[0].Shape[1:]...)}}, nil
}

func (o sameLengths) Run(e *op.Env, in, out []op.Buffer) error {
	got, want := in[1].Int32s(), in[2].Int32s()
	if len(got) != len(want) {
		return fmt.Errorf("%d sequences by %s, want %d, as by %s", len(got), o.Got, len(want), o.Want)
	}
	for i, n := range got {
		if n != want[i] {
			return fmt.Errorf("sequence %d has length %d by %s, want %d, as by %s", i, n, o.Got, want[i], o.Want)
		}
	}
	if in[0].Shape[0] != out[0].Shape[0] {
		return fmt.Errorf("%d rows with lengths %s, want %d, as with %s", in[0].Shape[0], o.Got, out[0].Shape[0], o.Want)
	}
	copy(out[0].Bytes(), in[0].Bytes())
	return nil
}

func (sameLengths) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	back := sameLengths{Tokens: c.In[0].Dim(0), Got: c.Op.(sameLengths).Want, Want: c.Op.(sameLengths).Got}
	return []*op.Node{op.Apply(back, dout[0], c.In[2], c.In[1])[0], nil, nil}
}

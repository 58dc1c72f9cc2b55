package sequence

import (
	"fmt"

	"paddle/op"
)

// Reshape returns the elements of each sequence as rows of the given width: n rows of m elements (tokens, …) become n·m/width rows (tokens',
// width). A run in which n·m is no multiple of width for some sequence is an error that names it. It moves no data where it need not.
func Reshape(x *Node, width int) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	if width < 1 {
		return x.fail("rows of width %d, want 1 or more", width)
	}
	m := op.Dim(1)
	for _, d := range x.Shape()[1:] {
		m = x.Graph().MulDims(m, d)
	}
	o := regroup{From: m, To: op.Dim(width), Lengths: x.layout.name}
	out := op.Apply(o, x.Rows(), x.layout.lengths, x.layout.starts())
	return New(out[0], out[1].WithName(x.layout.name))
}

// regroup turns sequences of rows of From elements into those of rows of To, and computes their lengths from those named Lengths. Its
// inputs are the rows, the lengths, and the starts, by which the lengths have been checked.
type regroup struct {
	From, To op.Dim
	Lengths  string
}

func (regroup) Name() string { return "reshape_sequences" }

func (regroup) Traits() op.Traits { return op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}} }

func (o regroup) Infer(s *op.Shapes) ([]op.Spec, error) {
	tokens := s.Div(s.Mul(s.In[0].Shape[0], o.From), o.To)
	return []op.Spec{{DType: s.In[0].DType, Shape: []op.Dim{tokens, o.To}}, s.In[1]}, s.Arity(3)
}

func (o regroup) Run(e *op.Env, in, out []op.Buffer) error {
	from, to := e.Size(o.From), e.Size(o.To)
	lengths := out[1].Int32s()
	for i, n := range in[1].Int32s() {
		if int(n)*from%to != 0 {
			return fmt.Errorf("%s: sequence %d has %d rows of %d elements, want a multiple of %d elements", o.Lengths, i, n, from, to)
		}
		lengths[i] = int32(int(n) * from / to)
	}
	copy(out[0].Bytes(), in[0].Bytes())
	return nil
}

func (o regroup) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	if dout[0] == nil {
		return nil
	}
	return []*op.Node{op.Apply(sameElements{Shape: c.In[0].Shape()}, dout[0])[0], nil, nil}
}

// sameElements gives elements another shape of as many; it was found in the run that they are as many.
type sameElements struct{ Shape []op.Dim }

func (sameElements) Name() string { return "same_elements" }

func (sameElements) Traits() op.Traits { return op.Traits{Views: []op.Pair{{In: 0, Out: 0}}} }

func (o sameElements) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{{DType: s.In[0].DType, Shape: o.Shape}}, nil
}

func (sameElements) Run(*op.Env, []op.Buffer, []op.Buffer) error { return nil }

func (sameElements) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	return []*op.Node{op.Apply(sameElements{Shape: c.In[0].Shape()}, dout[0])[0]}
}

package sequence

import (
	"math"

	"paddle/op"
)

// noRow is the index that stands for a row of zeros.
const noRow = math.MaxInt32

// takeRows returns rows of x (rows, …) by their index, of any shape; it must have been checked. noRow gives zeros.
func takeRows(x, index *op.Node) *op.Node { return op.Apply(take{}, x, index)[0] }

type take struct{}

func (take) Name() string { return "take_rows" }

func (take) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(2); err != nil {
		return nil, err
	}
	shape := append(append([]op.Dim{}, s.In[1].Shape...), s.In[0].Shape[1:]...)
	return []op.Spec{{DType: s.In[0].DType, Shape: shape}}, nil
}

func (take) Run(e *op.Env, in, out []op.Buffer) error {
	return e.Gather(noRow, in[0], in[1], out[0])
}

func (take) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	return []*op.Node{op.Apply(addRows{c.In[0].Dim(0)}, dout[0], c.In[1])[0], nil}
}

// addRows adds rows to those that an index names among Rows, in their order, and leaves 0 elsewhere: the transpose of take.
type addRows struct{ Rows op.Dim }

func (addRows) Name() string { return "add_rows" }

func (o addRows) Infer(s *op.Shapes) ([]op.Spec, error) {
	width := s.In[0].Shape[len(s.In[1].Shape):]
	return []op.Spec{{DType: s.In[0].DType, Shape: append([]op.Dim{o.Rows}, width...)}}, s.Arity(2)
}

func (addRows) Run(e *op.Env, in, out []op.Buffer) error {
	e.Fill(out[0], 0)
	e.ScatterAdd(noRow, in[1], in[0], out[0])
	return nil
}

func (addRows) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	return []*op.Node{takeRows(dout[0], c.In[1]), nil}
}

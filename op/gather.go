package op

import "fmt"

// GatherRows returns rows of table (rows, width…) by ids (Int32 or Int64, any shape): the result has the shape of ids followed by width.
// An id outside of the table is an error of the run that gives its position and value. Rows of the padding id are zero (negative: no
// padding). The gradient for table is sparse.
func GatherRows(table, ids *Node, padding int64) *Node {
	return apply1(gather{padding}, table, ids)
}

type gather struct{ Padding int64 }

func (gather) Name() string { return "gather" }

func (o gather) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(2); err != nil {
		return nil, err
	}
	if err := s.Integer(1); err != nil {
		return nil, err
	}
	if len(s.In[0].Shape) == 0 {
		return nil, s.Wrong(0, "at least one axis")
	}
	if rows := s.In[0].Shape[0]; rows >= 0 && o.Padding >= int64(rows) {
		return nil, fmt.Errorf("padding id %d, want one below %d", o.Padding, rows)
	}
	return []Spec{{s.In[0].DType, append(append([]Dim{}, s.In[1].Shape...), s.In[0].Shape[1:]...)}}, nil
}

func (o gather) Run(e *Env, in, out []Buffer) error { return e.Gather(o.Padding, in[0], in[1], out[0]) }

func (o gather) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	table, ids := c.In[0], c.In[1]
	flat := Reshape(ids, Auto)
	values := Reshape(dout[0], append([]Dim{flat.Dim(0)}, table.shape[1:]...)...)
	return []*Node{SparseRows(table.shape, flat, values, o.Padding), nil}
}

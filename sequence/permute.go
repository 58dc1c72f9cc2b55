package sequence

import "paddle/op"

// permute returns the rows of x in another order: row i is row index[i] of x. inverse is the order back.
func permute(x, index, inverse *op.Node) *op.Node {
	return op.Apply(permuteRows{}, x, index, inverse)[0]
}

// permuteRows puts rows into the order of its second input, whose inverse is the third: so its gradient is a copy too, not a sum.
type permuteRows struct{}

func (permuteRows) Name() string { return "permute_rows" }

func (permuteRows) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{s.In[0]}, s.Arity(3)
}

func (permuteRows) Run(e *op.Env, in, out []op.Buffer) error {
	return e.Gather(-1, in[0], in[1], out[0])
}

func (permuteRows) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	return []*op.Node{permute(dout[0], c.In[2], c.In[1]), nil, nil}
}

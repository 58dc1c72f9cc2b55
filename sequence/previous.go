package sequence

import "paddle/op"

// previous returns, for each row of a recurrent op c, the state before it as the weight saw it: output h of c one step before, or the
// input first where the sequence begins, times the input mask. Places of inputs are 0 where there is none.
func previous(c *op.Call, h int, reverse bool, first, mask int) *op.Node {
	o := previousRows{Reverse: reverse, First: first > 0, Mask: mask > 0}
	in := []*op.Node{c.In[0], c.Out[h]}
	if o.First {
		in = append(in, c.In[first])
	}
	if o.Mask {
		in = append(in, c.In[mask])
	}
	return op.Apply(o, in...)[0]
}

// previousRows shifts packed rows by one step in time. Its inputs are the steps, the rows, and as its attributes say the rows before the
// first step and a mask, one row a sequence.
type previousRows struct{ Reverse, First, Mask bool }

func (previousRows) Name() string { return "previous_rows" }

func (previousRows) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[1]}, nil }

func (o previousRows) Run(e *op.Env, in, out []op.Buffer) error {
	var first, mask op.Buffer
	if o.First {
		first = in[2]
	}
	if o.Mask {
		mask = in[len(in)-1]
	}
	e.PreviousRows(in[0].Int32s(), o.Reverse, in[1], first, mask, out[0])
	return nil
}

// Inference leaves out the mask.
func (o previousRows) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	if o.Mask {
		in = unmasked(in, len(in)-1)
	}
	o.Mask = false
	return op.Apply(o, in...)
}

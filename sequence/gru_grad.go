package sequence

import "paddle/op"

// Gradient walks the steps the other way and leaves the gradient of the gates; those of the weight and the bias are products and sums
// over all rows. Of the outputs h and the last h have one: nothing but the gradient reads the others.
func (o gru) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	h, bias, mask := o.places()
	if mask > 0 && want[mask] {
		return []*op.Node{c.Graph().Fail("the mask of a GRU has no gradient")}
	}
	g := gruGrad{Sequences: o.Sequences, Reverse: o.Reverse, ResetAfter: o.ResetAfter}
	in := operands{nodes: []*op.Node{c.In[0], c.Out[1], c.In[2], c.Out[0], c.Out[3]}}
	if o.State {
		g.State = in.add(c.In[h])
	}
	if o.Mask {
		g.Mask = in.add(c.In[mask])
	}
	g.DH, g.DHLast = in.add(dout[0]), in.add(dout[2])
	grads := op.Apply(g, in.nodes...)
	if grads[0].Err() != nil {
		return grads[:1]
	}
	out := make([]*op.Node, len(c.In))
	if want[1] {
		out[1] = grads[0]
	}
	hidden := c.Out[0].Dim(1)
	if want[2] {
		before := previous(c, 0, o.Reverse, h, mask)
		if o.ResetAfter {
			out[2] = op.TMatMul(before, grads[2])
		} else {
			gates := op.TMatMul(before, op.Slice(grads[0], 1, 0, 2*hidden))
			out[2] = op.Concat(1, gates, op.TMatMul(c.Out[3], op.Slice(grads[0], 1, 2*hidden, 3*hidden)))
		}
	}
	if o.State && want[h] {
		out[h] = grads[1]
	}
	if o.Bias && want[bias] {
		out[bias] = op.Slice(op.Sum(grads[2], 0), 0, 2*hidden, 3*hidden)
	}
	return out
}

// gruGrad is the gradient of gru. Its inputs are the steps, the gates as gru left them, the weight, h of every row and what gru kept, and
// as its attributes say the first h, the mask, and the gradients of gru's outputs; its outputs the gradients of the gates, of
// the first h, and with ResetAfter of the products with the weight.
type gruGrad struct {
	Sequences                        op.Dim
	Reverse, ResetAfter, State, Mask bool
	DH, DHLast                       bool
}

func (gruGrad) Name() string { return "gru_grad" }

func (gruGrad) Traits() op.Traits {
	return op.Traits{InPlace: []op.Pair{{In: 1, Out: 0}}, OptionalOutputs: true, RequiredOutputs: 3, Precision: op.Keep32}
}

func (o gruGrad) Infer(s *op.Shapes) ([]op.Spec, error) {
	out := []op.Spec{s.In[1], {DType: s.In[1].DType, Shape: []op.Dim{o.Sequences, s.In[2].Shape[0]}}}
	if o.ResetAfter {
		out = append(out, s.In[1])
	}
	return out, nil
}

func (o gruGrad) Run(e *op.Env, in, out []op.Buffer) error {
	rest := remaining(in[5:])
	inPlace(in[1], out[0])
	a := op.GRUGradArgs{
		Steps: in[0].Int32s(), Reverse: o.Reverse, ResetAfter: o.ResetAfter, Gates: out[0], W: in[2], H: in[3], Inner: in[4], DH0: out[1],
	}
	a.H0, a.Mask, a.DH, a.DHLast = rest.next(o.State), rest.next(o.Mask), rest.next(o.DH), rest.next(o.DHLast)
	if o.ResetAfter {
		a.DInner = out[2]
	}
	e.GRUGrad(a)
	return nil
}

// Inference leaves out the mask.
func (o gruGrad) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	switch {
	case o.Mask && o.State:
		in = unmasked(in, 6)
	case o.Mask:
		in = unmasked(in, 5)
	}
	o.Mask = false
	return op.Apply(o, in...)
}

// FLOPs counts the products only.
func (o gruGrad) FLOPs(in, out [][]int) int64 {
	return 2 * int64(in[1][0]) * int64(in[2][0]) * int64(in[2][1])
}

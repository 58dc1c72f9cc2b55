package sequence

import "paddle/op"

// Gradient walks the steps the other way and leaves the gradient of the gates; that of the weight is one product over all rows. Of the
// outputs only the gates have none: nothing but the gradient reads them.
func (o lstm) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	p, out := o.places(), make([]*op.Node, len(c.In))
	if p.mask > 0 && want[p.mask] {
		return []*op.Node{c.Graph().Fail("the mask of an LSTM has no gradient")}
	}
	g := lstmGrad{Sequences: o.Sequences, Reverse: o.Reverse}
	in := operands{nodes: []*op.Node{c.In[0], c.Out[1], c.In[2], c.Out[2]}}
	if o.State {
		g.State = in.add(c.In[p.c])
	}
	if o.Peephole {
		g.Peephole = in.add(c.In[p.peephole])
	}
	if o.Mask {
		g.Mask = in.add(c.In[p.mask])
	}
	g.DH, g.DC = in.add(dout[0]), in.add(dout[2])
	g.DHLast, g.DCLast = in.add(dout[3]), in.add(dout[4])
	grads := op.Apply(g, in.nodes...)
	if grads[0].Err() != nil {
		return grads[:1]
	}
	given := func(i int, grad *op.Node) {
		if i > 0 && want[i] {
			out[i] = grad
		}
	}
	given(1, grads[0])
	if want[2] {
		out[2] = op.TMatMul(previous(c, 0, o.Reverse, p.h, p.mask), grads[0])
	}
	given(p.h, grads[1])
	given(p.c, grads[2])
	given(p.peephole, grads[len(grads)-1])
	return out
}

// lstmGrad is the gradient of lstm. Its inputs are the steps, the gates as lstm left them, the weight and c of every row, and as its
// attributes say the first c, the peepholes, the mask, and the gradients of lstm's outputs; its outputs the gradients of the gates, of
// the first h and c and of the peepholes.
type lstmGrad struct {
	Sequences                      op.Dim
	Reverse, State, Peephole, Mask bool
	DH, DC, DHLast, DCLast         bool
}

func (lstmGrad) Name() string { return "lstm_grad" }

func (lstmGrad) Traits() op.Traits {
	return op.Traits{InPlace: []op.Pair{{In: 1, Out: 0}}, OptionalOutputs: true, RequiredOutputs: 4, Precision: op.Keep32}
}

func (o lstmGrad) Infer(s *op.Shapes) ([]op.Spec, error) {
	hidden := s.In[2].Shape[0]
	state := op.Spec{DType: s.In[1].DType, Shape: []op.Dim{o.Sequences, hidden}}
	out := []op.Spec{s.In[1], state, state}
	if o.Peephole {
		out = append(out, op.Spec{DType: s.In[1].DType, Shape: []op.Dim{3, hidden}})
	}
	return out, nil
}

func (o lstmGrad) Run(e *op.Env, in, out []op.Buffer) error {
	rest := remaining(in[4:])
	inPlace(in[1], out[0])
	a := op.LSTMGradArgs{Steps: in[0].Int32s(), Reverse: o.Reverse, Gates: out[0], W: in[2], C: in[3], DH0: out[1], DC0: out[2]}
	a.C0, a.Peephole, a.Mask = rest.next(o.State), rest.next(o.Peephole), rest.next(o.Mask)
	a.DH, a.DC, a.DHLast, a.DCLast = rest.next(o.DH), rest.next(o.DC), rest.next(o.DHLast), rest.next(o.DCLast)
	if o.Peephole {
		a.DPeephole = out[3]
	}
	e.LSTMGrad(a)
	return nil
}

// Inference leaves out the mask.
func (o lstmGrad) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	in = unmasked(in, o.mask())
	o.Mask = false
	return op.Apply(o, in...)
}

// mask returns the place of the mask, 0 if there is none.
func (o lstmGrad) mask() int {
	if !o.Mask {
		return 0
	}
	place := 4
	for _, there := range []bool{o.State, o.Peephole} {
		if there {
			place++
		}
	}
	return place
}

// FLOPs counts the products only.
func (o lstmGrad) FLOPs(in, out [][]int) int64 {
	return 2 * int64(in[1][0]) * int64(in[2][0]) * int64(in[2][1])
}

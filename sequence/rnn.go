package sequence

import "paddle/op"

// RNN is simple recurrent units over the tokens of sequences (Elman, 1990): h = act(gates + h·Weight) for each token, from the h of the
// token before, where gates (tokens, hidden) are x·Wx + b. All of Float32 or Float64.
type RNN struct {
	Weight *op.Node      // (hidden, hidden)
	Act    op.Activation // NoActivation, ActReLU, ActSigmoid or ActTanh

	// Mask (sequences, hidden) multiplies h before Weight, the same at every token: variational dropout (Gal and Ghahramani, 2016). It
	// gets no gradient, and where a model only predicts it is left out. nil for none.
	Mask *op.Node

	H       *op.Node // (sequences, hidden), the state before the first token; nil for 0
	Reverse bool     // walks each sequence from its own last token to its first
}

// Run returns h for every token (tokens, hidden), and the state after the last token of each sequence (sequences, hidden): with Reverse,
// after its first. A sequence without tokens keeps its initial state.
func (l RNN) Run(gates *Node) (h *Node, last *op.Node) {
	switch {
	case gates.Err() != nil:
		return gates.failed(), gates.failed().Node()
	case l.Weight == nil:
		bad := gates.fail("the RNN's Weight is nil, want (hidden, hidden)")
		return bad, bad.Node()
	case l.Act > op.ActTanh:
		bad := gates.fail("the RNN's Act is %d, want NoActivation, ActReLU, ActSigmoid or ActTanh", l.Act)
		return bad, bad.Node()
	}
	p := gates.Pack()
	o := rnn{Sequences: gates.Len(), Reverse: l.Reverse, Act: l.Act}
	in := operands{nodes: []*op.Node{p.Steps, p.Rows, l.Weight}}
	o.State = in.add(p.sortIf(l.H))
	o.Mask = in.add(p.sortIf(l.Mask))
	out := op.Apply(o, in.nodes...)
	return p.Of(out[0]), p.Restore(out[1])
}

// rnn runs a simple recurrent layer over packed rows. Its inputs are the steps, the gates, the weight, and as its attributes say h before
// the first token and the mask; its outputs h and the last h. States are in the order of rank.
type rnn struct {
	Sequences            op.Dim
	Act                  op.Activation
	Reverse, State, Mask bool
}

func (rnn) Name() string { return "rnn" }

func (o rnn) Traits() op.Traits {
	return op.Traits{InPlace: []op.Pair{{In: 1, Out: 0}}, OptionalOutputs: true, RequiredOutputs: 1, Precision: op.Keep32}
}

func (o rnn) places() (h, mask int) {
	n := slots(3)
	return n.next(o.State), n.next(o.Mask)
}

func (o rnn) Infer(s *op.Shapes) ([]op.Spec, error) {
	h, mask := o.places()
	hidden, err := recurrentShapes(s, 1, o.Sequences, h, mask)
	if err != nil {
		return nil, err
	}
	return []op.Spec{s.In[1], {DType: s.In[1].DType, Shape: []op.Dim{o.Sequences, hidden}}}, nil
}

func (o rnn) Run(e *op.Env, in, out []op.Buffer) error {
	h, mask := o.places()
	inPlace(in[1], out[0])
	e.RNN(op.RNNArgs{
		Steps: in[0].Int32s(), Reverse: o.Reverse, Act: o.Act, H: out[0], W: in[2], Mask: at(in, mask), H0: at(in, h), HLast: out[1],
	})
	return nil
}

// Inference leaves out the mask.
func (o rnn) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	_, mask := o.places()
	o.Mask = false
	return op.Apply(o, unmasked(in, mask)...)
}

// FLOPs counts the products only.
func (o rnn) FLOPs(in, out [][]int) int64 {
	return 2 * int64(in[1][0]) * int64(in[2][0]) * int64(in[2][1])
}

// Gradient walks the steps the other way and leaves the gradient of the gates; that of the weight is one product over all rows.
func (o rnn) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	h, mask := o.places()
	if mask > 0 && want[mask] {
		return []*op.Node{c.Graph().Fail("the mask of an RNN has no gradient")}
	}
	g := rnnGrad{Sequences: o.Sequences, Reverse: o.Reverse, Act: o.Act}
	in := operands{nodes: []*op.Node{c.In[0], c.Out[0], c.In[2]}}
	if o.Mask {
		g.Mask = in.add(c.In[mask])
	}
	g.DH, g.DHLast = in.add(dout[0]), in.add(dout[1])
	grads := op.Apply(g, in.nodes...)
	if grads[0].Err() != nil {
		return grads[:1]
	}
	out := make([]*op.Node, len(c.In))
	if want[1] {
		out[1] = grads[0]
	}
	if want[2] {
		out[2] = op.TMatMul(previous(c, 0, o.Reverse, h, mask), grads[0])
	}
	if o.State && want[h] {
		out[h] = grads[1]
	}
	return out
}

// rnnGrad is the gradient of rnn. Its inputs are the steps, h of every row and the weight, and as its attributes say the mask
// and the gradients of rnn's outputs; its outputs the gradients of the gates and of the first h.
type rnnGrad struct {
	Sequences                 op.Dim
	Act                       op.Activation
	Reverse, Mask, DH, DHLast bool
}

func (rnnGrad) Name() string { return "rnn_grad" }

func (o rnnGrad) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{s.In[1], {DType: s.In[1].DType, Shape: []op.Dim{o.Sequences, s.In[2].Shape[0]}}}, nil
}

func (rnnGrad) Traits() op.Traits {
	return op.Traits{OptionalOutputs: true, RequiredOutputs: 2, Precision: op.Keep32}
}

func (o rnnGrad) Run(e *op.Env, in, out []op.Buffer) error {
	rest := remaining(in[3:])
	a := op.RNNGradArgs{Steps: in[0].Int32s(), Reverse: o.Reverse, Act: o.Act, W: in[2], H: in[1], DH0: out[1], DGates: out[0]}
	a.Mask, a.DH, a.DHLast = rest.next(o.Mask), rest.next(o.DH), rest.next(o.DHLast)
	e.RNNGrad(a)
	return nil
}

// Inference leaves out the mask.
func (o rnnGrad) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	if o.Mask {
		in = unmasked(in, 3)
	}
	o.Mask = false
	return op.Apply(o, in...)
}

// FLOPs counts the products only.
func (o rnnGrad) FLOPs(in, out [][]int) int64 {
	return 2 * int64(in[1][0]) * int64(in[2][0]) * int64(in[2][1])
}

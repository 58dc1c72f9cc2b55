package sequence

import "paddle/op"

// GRU is gated recurrent units over the tokens of sequences (Cho et al., 2014). From the h of the token before it computes, for each
// token,
//
//	r, z, n = gates                      (hidden columns each, in this order)
//	r, z = σ(r + h·Wr), σ(z + h·Wz)
//	n = tanh(n + (r⊙h)·Wn)               or, with ResetAfter, tanh(n + r⊙(h·Wn + Bias))
//	h = (1−z)⊙n + z⊙h
//
// where gates (tokens, 3·hidden) are x·Wx + b. All of Float32 or Float64.
type GRU struct {
	Weight     *op.Node // (hidden, 3·hidden): Wr, Wz, Wn side by side
	Bias       *op.Node // (hidden), with ResetAfter only; nil for 0
	ResetAfter bool     // the reset gate comes after the product, as in cuDNN and PyTorch

	// Mask (sequences, hidden) multiplies h before Weight, the same at every token: variational dropout (Gal and Ghahramani, 2016). It
	// gets no gradient, and where a model only predicts it is left out. nil for none.
	Mask *op.Node

	H       *op.Node // (sequences, hidden), the state before the first token; nil for 0
	Reverse bool     // walks each sequence from its own last token to its first
}

// Run returns h for every token (tokens, hidden), and the state after the last token of each sequence (sequences, hidden): with Reverse,
// after its first. A sequence without tokens keeps its initial state.
func (l GRU) Run(gates *Node) (h *Node, last *op.Node) {
	switch {
	case gates.Err() != nil:
		return gates.failed(), gates.failed().Node()
	case l.Weight == nil:
		bad := gates.fail("the GRU's Weight is nil, want (hidden, 3·hidden)")
		return bad, bad.Node()
	case l.Bias != nil && !l.ResetAfter:
		bad := gates.fail("the GRU has a Bias, want none unless ResetAfter: it is part of the gates")
		return bad, bad.Node()
	}
	p := gates.Pack()
	o := gru{Sequences: gates.Len(), Reverse: l.Reverse, ResetAfter: l.ResetAfter}
	in := operands{nodes: []*op.Node{p.Steps, p.Rows, l.Weight}}
	o.State = in.add(p.sortIf(l.H))
	o.Bias = in.add(l.Bias)
	o.Mask = in.add(p.sortIf(l.Mask))
	out := op.Apply(o, in.nodes...)
	return p.Of(out[0]), p.Restore(out[2])
}

// gru runs a GRU over packed rows. Its inputs are the steps, the gates, the weight, and as its attributes say h before the first token,
// the bias and the mask; its outputs h, the gates with their functions applied, the last h, and what the gradient needs besides. States
// are in the order of rank.
type gru struct {
	Sequences                              op.Dim
	Reverse, ResetAfter, State, Bias, Mask bool
}

func (gru) Name() string { return "gru" }

func (o gru) Traits() op.Traits {
	return op.Traits{InPlace: []op.Pair{{In: 1, Out: 1}}, OptionalOutputs: true, RequiredOutputs: 2, Precision: op.Keep32}
}

func (o gru) places() (h, bias, mask int) {
	n := slots(3)
	return n.next(o.State), n.next(o.Bias), n.next(o.Mask)
}

func (o gru) Infer(s *op.Shapes) ([]op.Spec, error) {
	h, bias, mask := o.places()
	hidden, err := recurrentShapes(s, 3, o.Sequences, h, mask)
	if err == nil && bias > 0 && !op.SameShape(s.In[bias].Shape, []op.Dim{hidden}) {
		err = s.Wrong(bias, "(%s,)", s.DimString(hidden))
	}
	if err != nil {
		return nil, err
	}
	row := func(d op.Dim) op.Spec { return op.Spec{DType: s.In[1].DType, Shape: []op.Dim{d, hidden}} }
	tokens := s.In[1].Shape[0]
	return []op.Spec{row(tokens), s.In[1], row(o.Sequences), row(tokens)}, nil
}

func (o gru) Run(e *op.Env, in, out []op.Buffer) error {
	h, bias, mask := o.places()
	inPlace(in[1], out[1])
	e.GRU(op.GRUArgs{
		Steps: in[0].Int32s(), Reverse: o.Reverse, ResetAfter: o.ResetAfter, Gates: out[1], W: in[2], Bias: at(in, bias),
		Mask: at(in, mask), H0: at(in, h), H: out[0], HLast: out[2], Inner: out[3],
	})
	return nil
}

// Inference leaves out the mask.
func (o gru) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	_, _, mask := o.places()
	o.Mask = false
	return op.Apply(o, unmasked(in, mask)...)
}

// FLOPs counts the products only.
func (o gru) FLOPs(in, out [][]int) int64 {
	return 2 * int64(in[1][0]) * int64(in[2][0]) * int64(in[2][1])
}

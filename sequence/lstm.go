package sequence

import (
	"slices"

	"paddle/op"
)

// LSTM is long short-term memory over the tokens of sequences (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers,
// Schmidhuber and Cummins, 2000). From the h and c of the token before it computes, for each token,
//
//	i, f, g, o = gates + h·Weight        (hidden columns each, in this order)
//	i, f = σ(i + pᵢ⊙c), σ(f + p_f⊙c)
//	c = f⊙c + i⊙tanh(g)
//	h = σ(o + pₒ⊙c)⊙tanh(c)
//
// where gates (tokens, 4·hidden) are x·Wx + b, and pᵢ, p_f, pₒ are the rows of Peephole, without which they count as 0. All of
// Float32 or Float64.
type LSTM struct {
	Weight   *op.Node // (hidden, 4·hidden)
	Peephole *op.Node // (3, hidden); nil for none (Gers, Schraudolph and Schmidhuber, 2002)

	// Mask (sequences, hidden) multiplies h before Weight, the same at every token: variational dropout (Gal and Ghahramani, 2016). It
	// gets no gradient, and where a model only predicts it is left out. nil for none.
	Mask *op.Node

	// H and C (sequences, hidden) are the state before the first token; nil for 0.
	H, C *op.Node

	// Reverse walks each sequence from its own last token to its first.
	Reverse bool
}

// State is what an LSTM hands from one token to the next (sequences, hidden).
type State struct{ H, C *op.Node }

// Run returns h for every token (tokens, hidden), and the state after the last token of each sequence: with Reverse, after its first. A
// sequence without tokens keeps its initial state.
func (l LSTM) Run(gates *Node) (h *Node, last State) {
	out, p, bad := l.apply(gates)
	if bad != nil {
		return bad, State{bad.Node(), bad.Node()}
	}
	return p.Of(out[0]), State{p.Restore(out[3]), p.Restore(out[4])}
}

// Cells is Run that also returns c for every token (tokens, hidden).
func (l LSTM) Cells(gates *Node) (h, c *Node, last State) {
	out, p, bad := l.apply(gates)
	if bad != nil {
		return bad, bad, State{bad.Node(), bad.Node()}
	}
	return p.Of(out[0]), p.Of(out[2]), State{p.Restore(out[3]), p.Restore(out[4])}
}

func (l LSTM) apply(gates *Node) (out []*op.Node, p Packed, bad *Node) {
	if gates.Err() != nil {
		return nil, p, gates.failed()
	}
	if l.Weight == nil {
		return nil, p, gates.fail("the LSTM's Weight is nil, want (hidden, 4·hidden)")
	}
	p = gates.Pack()
	o := lstm{Sequences: gates.Len(), Reverse: l.Reverse}
	in := operands{nodes: []*op.Node{p.Steps, p.Rows, l.Weight}}
	h, c := both(l.H, l.C)
	o.State = in.add(p.sortIf(h), p.sortIf(c))
	o.Peephole = in.add(l.Peephole)
	o.Mask = in.add(p.sortIf(l.Mask))
	out = op.Apply(o, in.nodes...)
	if out[0].Err() != nil {
		return nil, p, failed(out[0])
	}
	return out, p, nil
}

// both returns two initial states, the missing one as zeros, if there is one.
func both(h, c *op.Node) (*op.Node, *op.Node) {
	switch {
	case h == nil && c != nil:
		h = op.Zeros(c)
	case h != nil && c == nil:
		c = op.Zeros(h)
	}
	return h, c
}

// sortIf is Sort for rows that may be missing.
func (p Packed) sortIf(rows *op.Node) *op.Node {
	if rows == nil {
		return nil
	}
	return p.Sort(rows)
}

// lstm runs an LSTM over packed rows. Its inputs are the steps, the gates, the weight, and as its attributes say h and c before
// the first token, the peepholes and the mask; its outputs h, the gates with their functions applied, c, and the last h and c. States are in
// the order of rank.
type lstm struct {
	Sequences                      op.Dim
	Reverse, State, Peephole, Mask bool
}

func (lstm) Name() string { return "lstm" }

func (o lstm) Traits() op.Traits {
	return op.Traits{InPlace: []op.Pair{{In: 1, Out: 1}}, OptionalOutputs: true, RequiredOutputs: 3, Precision: op.Keep32}
}

// lstmInputs are the places of lstm's inputs, 0 where there is none.
type lstmInputs struct{ h, c, peephole, mask int }

func (o lstm) places() (p lstmInputs) {
	n := slots(3)
	p.h, p.c, p.peephole, p.mask = n.next(o.State), n.next(o.State), n.next(o.Peephole), n.next(o.Mask)
	return p
}

func (o lstm) Infer(s *op.Shapes) ([]op.Spec, error) {
	p := o.places()
	hidden, err := recurrentShapes(s, 4, o.Sequences, p.h, p.c, p.mask)
	if err == nil && p.peephole > 0 && !op.SameShape(s.In[p.peephole].Shape, []op.Dim{3, hidden}) {
		err = s.Wrong(p.peephole, "(3, %s)", s.DimString(hidden))
	}
	if err != nil {
		return nil, err
	}
	row := func(d op.Dim) op.Spec { return op.Spec{DType: s.In[1].DType, Shape: []op.Dim{d, hidden}} }
	tokens := s.In[1].Shape[0]
	return []op.Spec{row(tokens), s.In[1], row(tokens), row(o.Sequences), row(o.Sequences)}, nil
}

// recurrentShapes checks the steps, the rows of gates and the weight of a recurrent op, and those of its inputs that have one
// row a sequence (place 0: missing), and returns the size of the state.
func recurrentShapes(s *op.Shapes, gates op.Dim, sequences op.Dim, states ...int) (hidden op.Dim, err error) {
	if err := s.Float(1); err != nil {
		return 0, err
	}
	for i := range s.In[2:] {
		if s.In[2+i].DType != s.In[1].DType {
			return 0, s.WrongType(2+i, s.In[1].DType.String()+", as the gates")
		}
	}
	w := s.In[2].Shape
	if len(w) != 2 || w[0] < 1 || w[1] != gates*w[0] {
		return 0, s.Wrong(2, "(hidden, %s)", times(gates))
	}
	hidden = w[0]
	if len(s.In[1].Shape) != 2 || s.In[1].Shape[1] != gates*hidden {
		return 0, s.Wrong(1, "(tokens, %s)", s.DimString(gates*hidden))
	}
	for _, i := range states {
		if i > 0 && !op.SameShape(s.In[i].Shape, []op.Dim{sequences, hidden}) {
			return 0, s.Wrong(i, "(%s, %s)", s.DimString(sequences), s.DimString(hidden))
		}
	}
	return hidden, nil
}

// times names a multiple of the size of the state.
func times(n op.Dim) string {
	return [...]string{1: "hidden", 3: "3·hidden", 4: "4·hidden"}[n]
}

func (o lstm) Run(e *op.Env, in, out []op.Buffer) error {
	p := o.places()
	inPlace(in[1], out[1])
	e.LSTM(op.LSTMArgs{
		Steps: in[0].Int32s(), Reverse: o.Reverse, Gates: out[1], W: in[2], Peephole: at(in, p.peephole), Mask: at(in, p.mask),
		H0: at(in, p.h), C0: at(in, p.c), H: out[0], C: out[2], HLast: out[3], CLast: out[4],
	})
	return nil
}

// Inference leaves out the mask.
func (o lstm) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	in = unmasked(in, o.places().mask)
	o.Mask = false
	return op.Apply(o, in...)
}

// unmasked returns the inputs of an op without the mask, which place 0 says is not there.
func unmasked(in []*op.Node, mask int) []*op.Node {
	if mask == 0 {
		return in
	}
	return slices.Delete(slices.Clone(in), mask, mask+1)
}

// FLOPs counts the products only.
func (o lstm) FLOPs(in, out [][]int) int64 {
	return 2 * int64(in[1][0]) * int64(in[2][0]) * int64(in[2][1])
}

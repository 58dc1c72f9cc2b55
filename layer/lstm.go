package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// LSTM is a layer of long short-term memory (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers, Schmidhuber and Cummins, 2000).
// It walks over the tokens x of each sequence (in), and from the h and c of the token before computes
//
//	i, f, g, o = x·InWeight + h·Weight + Bias      (Size columns each, in this order)
//	c = σ(f)⊙c + σ(i)⊙tanh(g)
//	h = σ(o)⊙tanh(c)
//
// Its result is h for every token (tokens, Size). Before the first token h and c are 0, or what Run is given. No sequence is padded: the work is
// the sum of the lengths.
//
// Paddle's simple_lstm is this layer with Peephole, its lstmemory what follows the product with InWeight: sequence.LSTM.
type LSTM struct {
	Size int // columns of c, and of h unless there is a Projection

	// Reverse walks each sequence from its own last token to its first.
	Reverse bool

	// Peephole lets the gates see the cell: p₀⊙c is added to i and p₁⊙c to f before σ, with the c of the token before, and p₂⊙c to o with the
	// new one, where p are the rows of PeepholeWeight (Gers, Schraudolph and Schmidhuber, 2002).
	Peephole bool

	// Projection makes h narrower: it is (σ(o)⊙tanh(c))·ProjectionWeight, with that many columns (Sak, Senior and Beaufays, 2014). 0 is none.
	Projection int

	// LayerNorm normalises what a token adds to the gates, what h does, and the cell (Ba, Kiros and Hinton, 2016, equations 20 to 22), with
	// N(v) = (v − mean)/√(variance + 1e-5) over a row:
	//
	//	i, f, g, o = InGain⊙N(x·InWeight) + Gain⊙N(h·Weight) + Bias
	//	h = σ(o)⊙tanh(CellGain⊙N(c) + CellBias)
	LayerNorm bool

	// RecurrentDropout is the fraction of h that training sets to 0 before Weight; the others are multiplied by 1/(1−RecurrentDropout). Which
	// they are is drawn once for each sequence and holds for all of its tokens: variational dropout (Gal and Ghahramani, 2016).
	RecurrentDropout float64

	InWeight         *op.Parameter // (in, 4·Size), by default Xavier uniform for each gate
	Weight           *op.Parameter // (columns of h, 4·Size), by default Xavier uniform for each gate
	Bias             *op.Parameter // (4·Size), by default 1 for f (Jozefowicz, Zaremba and Sutskever, 2015), else 0
	PeepholeWeight   *op.Parameter // (3, Size), by default 0; with Peephole only
	ProjectionWeight *op.Parameter // (Size, Projection), by default Xavier uniform; with Projection only

	InGain, Gain *op.Parameter // (4·Size), by default 1; with LayerNorm only
	CellGain     *op.Parameter // (Size), by default 1; with LayerNorm only
	CellBias     *op.Parameter // (Size), by default 0; with LayerNorm only

	_ noCopy
}

// Forward builds the layer on x (tokens, in) and returns h (tokens, columns of h).
func (l *LSTM) Forward(x *sequence.Node) *sequence.Node {
	h, _ := l.Run(x, sequence.State{})
	return h
}

// Final implements Recurrent.
func (l *LSTM) Final(x *sequence.Node) (h *sequence.Node, last *op.Node) {
	h, state := l.Run(x, sequence.State{})
	return h, state.H
}

// Run is Forward from the state before the first token, H (sequences, columns of h) and C (sequences, Size), of which nil stands for 0. It
// returns besides the state after the last token of each sequence, with Reverse after its first; a sequence without tokens keeps its
// initial state. States are in the order of the sequences, whatever their lengths.
func (l *LSTM) Run(x *sequence.Node, init sequence.State) (h *sequence.Node, last sequence.State) {
	s := enter(l, x, init.H, init.C)
	defer s.Leave()
	in := 0
	if s.Failed() == nil {
		in = l.check(s, x, init)
	}
	if bad := s.Failed(); bad != nil {
		return failedSequence(bad), sequence.State{H: bad, C: bad}
	}
	if l.Projection > 0 || l.LayerNorm {
		return l.scan(s, x, in, init)
	}
	d := x.DType()
	bias := s.Parameter("Bias", l.Bias, d, forgetBias{}, 4*l.Size)
	fused := sequence.LSTM{
		Weight: s.Parameter("Weight", l.Weight, d, xavier{l.Size, l.Size}, l.Size, 4*l.Size),
		Mask:   stateMask(x, l.RecurrentDropout, l.Size),
		H:      init.H, C: init.C, Reverse: l.Reverse,
	}
	if l.Peephole {
		fused.Peephole = s.Parameter("PeepholeWeight", l.PeepholeWeight, d, op.InitConstant(0), 3, l.Size)
	}
	return fused.Run(packedProduct(x, s.Parameter("InWeight", l.InWeight, d, xavier{in, l.Size}, in, 4*l.Size), bias))
}

// check reports options, states or an input that make no sense, and returns the width of x.
func (l *LSTM) check(s *op.Scope, x *sequence.Node, init sequence.State) (in int) {
	if l.Projection < 0 {
		s.Fail("projection %d, want 0 for none or more", l.Projection)
		return 0
	}
	if in = checkRecurrent(s, x, l.Size, l.RecurrentDropout, init.C, l.InWeight); s.Failed() == nil {
		checkState(s, x, init.H, l.columns())
	}
	return in
}

// columns returns how many columns h has.
func (l *LSTM) columns() int {
	if l.Projection > 0 {
		return l.Projection
	}
	return l.Size
}

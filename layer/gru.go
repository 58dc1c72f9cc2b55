package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// GRU is a layer of gated recurrent units (Cho et al., 2014). It walks over the tokens x of each sequence (in), and from the h of the
// token before computes
//
//	r, z, n = x·InWeight + Bias                  (Size columns each, in this order)
//	r, z = σ(r + h·Wr), σ(z + h·Wz)
//	n = tanh(n + (r⊙h)·Wn)
//	h = (1−z)⊙n + z⊙h
//
// where Wr, Wz, Wn are Weight. Its result is h for every token (tokens, Size). Before the first token h is 0, or what Run is given. No
// sequence is padded: the work is the sum of the lengths.
//
// Paddle's simple_gru and simple_gru2 are this layer, its grumemory what follows the product with InWeight: sequence.GRU.
type GRU struct {
	Size int // columns of h

	// Reverse walks each sequence from its own last token to its first.
	Reverse bool

	// ResetAfter applies the reset gate behind the product: n = tanh(n + r⊙(h·Wn + HiddenBias)), as cuDNN and PyTorch do. The default is the
	// unit as it was published, which is Paddle's too.
	ResetAfter bool

	// RecurrentDropout is the fraction of h that training sets to 0 before Weight; the others are multiplied by 1/(1−RecurrentDropout). Which
	// they are is drawn once for each sequence and holds for all of its tokens: variational dropout (Gal and Ghahramani, 2016).
	RecurrentDropout float64

	InWeight   *op.Parameter // (in, 3·Size), by default Xavier uniform for each gate
	Weight     *op.Parameter // (Size, 3·Size), by default Xavier uniform for each gate
	Bias       *op.Parameter // (3·Size), by default 0
	HiddenBias *op.Parameter // (Size), by default 0; with ResetAfter only

	_ noCopy
}

// Forward builds the layer on x (tokens, in) and returns h (tokens, Size).
func (l *GRU) Forward(x *sequence.Node) *sequence.Node {
	h, _ := l.Run(x, nil)
	return h
}

// Final implements Recurrent.
func (l *GRU) Final(x *sequence.Node) (h *sequence.Node, last *op.Node) { return l.Run(x, nil) }

// Run is Forward from the state before the first token (sequences, Size); nil stands for 0. It returns besides the state after the last token
// of each sequence (sequences, Size), with Reverse after its first; a sequence without tokens keeps its initial state. States are in the
// order of the sequences, whatever their lengths.
func (l *GRU) Run(x *sequence.Node, init *op.Node) (h *sequence.Node, last *op.Node) {
	s := enter(l, x, init)
	defer s.Leave()
	in := 0
	if s.Failed() == nil {
		in = checkRecurrent(s, x, l.Size, l.RecurrentDropout, init, l.InWeight)
	}
	if bad := s.Failed(); bad != nil {
		return failedSequence(bad), bad
	}
	d := x.DType()
	fused := sequence.GRU{
		Weight: s.Parameter("Weight", l.Weight, d, xavier{l.Size, l.Size}, l.Size, 3*l.Size),
		Mask:   stateMask(x, l.RecurrentDropout, l.Size),
		H:      init, Reverse: l.Reverse, ResetAfter: l.ResetAfter,
	}
	if l.ResetAfter {
		fused.Bias = s.Parameter("HiddenBias", l.HiddenBias, d, op.InitConstant(0), l.Size)
	}
	bias := s.Parameter("Bias", l.Bias, d, op.InitConstant(0), 3*l.Size)
	return fused.Run(packedProduct(x, s.Parameter("InWeight", l.InWeight, d, xavier{in, l.Size}, in, 3*l.Size), bias))
}

package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// RNN is a layer of simple recurrent units (Elman, 1990). It walks over the tokens x of each sequence (in), and from the h of the token
// before computes
//
//	h = Act(x·InWeight + h·Weight + Bias)
//
// Its result is h for every token (tokens, Size). Before the first token h is 0, or what Run is given. No sequence is padded: the work is
// the sum of the lengths.
type RNN struct {
	Size int               // columns of h
	Act  op.ActivationFunc // nil is op.Tanh; with that, op.ReLU and op.Sigmoid all steps are one op, with others an op.Scan

	// Reverse walks each sequence from its own last token to its first.
	Reverse bool

	// RecurrentDropout is the fraction of h that training sets to 0 before Weight; the others are multiplied by 1/(1−RecurrentDropout). Which
	// they are is drawn once for each sequence and holds for all of its tokens: variational dropout (Gal and Ghahramani, 2016).
	RecurrentDropout float64

	InWeight *op.Parameter // (in, Size), by default Xavier uniform
	Weight   *op.Parameter // (Size, Size), by default Xavier uniform
	Bias     *op.Parameter // (Size), by default 0

	_ noCopy
}

// Forward builds the layer on x (tokens, in) and returns h (tokens, Size).
func (l *RNN) Forward(x *sequence.Node) *sequence.Node {
	h, _ := l.Run(x, nil)
	return h
}

// Final implements Recurrent.
func (l *RNN) Final(x *sequence.Node) (h *sequence.Node, last *op.Node) { return l.Run(x, nil) }

// Run is Forward from the state before the first token (sequences, Size); nil stands for 0. It returns besides the state after the last token
// of each sequence (sequences, Size), with Reverse after its first; a sequence without tokens keeps its initial state. States are in the
// order of the sequences, whatever their lengths.
func (l *RNN) Run(x *sequence.Node, init *op.Node) (h *sequence.Node, last *op.Node) {
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
	bias := s.Parameter("Bias", l.Bias, d, op.InitConstant(0), l.Size)
	gates := packedProduct(x, s.Parameter("InWeight", l.InWeight, d, op.InitXavier{}, in, l.Size), bias)
	weight := s.Parameter("Weight", l.Weight, d, op.InitXavier{}, l.Size, l.Size)
	mask := stateMask(x, l.RecurrentDropout, l.Size)
	act, known := kernelAct(l.Act)
	if !known {
		return l.scan(gates, weight, mask, init)
	}
	return sequence.RNN{Weight: weight, Act: act, Mask: mask, H: init, Reverse: l.Reverse}.Run(gates)
}

// kernelAct returns the activation of kernels that f is, where it is one: f is called on a graph of its own to see what it builds.
func kernelAct(f op.ActivationFunc) (act op.Activation, known bool) {
	if f == nil {
		return op.ActTanh, true
	}
	x := op.NewGraph(nil).Input("x", op.Float32, op.Batch)
	c, _ := f(x).Call()
	if c == nil || len(c.In) != 1 || c.In[0] != x {
		return op.NoActivation, false
	}
	for _, a := range op.Attributes(c.Op) {
		switch a.Value {
		case op.UnaryTanh:
			return op.ActTanh, true
		case op.UnaryReLU:
			return op.ActReLU, true
		case op.UnarySigmoid:
			return op.ActSigmoid, true
		}
	}
	return op.NoActivation, false
}

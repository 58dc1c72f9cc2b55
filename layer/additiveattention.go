package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// AdditiveAttention looks at the rows x (tokens, width) of each sequence by how well they go with the sequence's state (sequences, columns), as
// a decoder does at each of its steps (Bahdanau, Cho and Bengio, 2015, appendix A.1.2; Paddle's simple_attention):
//
//	scoreₜ = Weightᵀ·tanh(xₜ·KeyWeight + state·StateWeight)
//	context = Σ softmax(score)ₜ·xₜ       over the tokens of the sequence
//
// Forward computes the keys x·KeyWeight and attends. Where many states look at the same sequences, as in the steps of a sequence.Group, Keys
// computes them once and Attend uses them.
type AdditiveAttention struct {
	Size int // of the space in which keys and states are compared

	KeyWeight   *op.Parameter // (width, Size), by default Xavier uniform
	StateWeight *op.Parameter // (columns, Size), by default Xavier uniform
	Weight      *op.Parameter // (Size), by default Xavier uniform

	_ noCopy
}

// Forward returns the context (sequences, width) of each sequence of x for its state; it is 0 where there are no tokens.
func (l *AdditiveAttention) Forward(x *sequence.Node, state *op.Node) *op.Node {
	context, _ := l.Attend(x, l.Keys(x), state)
	return context
}

// Keys returns x·KeyWeight (tokens, Size), for Attend.
func (l *AdditiveAttention) Keys(x *sequence.Node) *sequence.Node {
	s := enter(l, x)
	defer s.Leave()
	if !l.checkSize(s) {
		return failedSequence(s.Failed())
	}
	in, ok := tokenWidth(s, x, l.KeyWeight)
	if !ok {
		return failedSequence(s.Failed())
	}
	weight := s.Parameter("KeyWeight", l.KeyWeight, x.DType(), op.InitXavier{}, in, l.Size)
	return x.Map(func(rows *op.Node) *op.Node { return op.MatMul(rows, weight) })
}

// Attend returns the context (sequences, width) for a state of each sequence (sequences, columns), and the weights of the tokens (tokens, 1). keys
// are what Keys made of x; x may also be other values of the same lengths. In a step of a sequence.Group both are StaticSequences.
func (l *AdditiveAttention) Attend(x, keys *sequence.Node, state *op.Node) (context *op.Node, weights *sequence.Node) {
	s := op.Enter(l, x.Node(), keys.Node(), state)
	defer s.Leave()
	if !l.checkSize(s) || !l.checkAttended(s, keys, state) {
		return s.Failed(), failedSequence(s.Failed())
	}
	d := x.DType()
	query := op.MatMul(state, s.Parameter("StateWeight", l.StateWeight, d, op.InitXavier{}, int(state.Dim(1)), l.Size))
	return sequence.AdditiveAttention(x, keys, query, s.Parameter("Weight", l.Weight, d, xavier{l.Size, 1}, l.Size))
}

func (l *AdditiveAttention) checkSize(s *op.Scope) bool {
	if s.Failed() == nil && l.Size < 1 {
		s.Fail("size %d, want 1 or more", l.Size)
	}
	return s.Failed() == nil
}

// checkAttended reports keys and a state that do not fit the layer.
func (l *AdditiveAttention) checkAttended(s *op.Scope, keys *sequence.Node, state *op.Node) bool {
	switch shape := shapeOf(l.StateWeight); {
	case keys.Rank() != 2 || keys.Dim(1) != op.Dim(l.Size):
		s.Wrong(keys.Node(), "(tokens, %d)", l.Size)
	case state.Rank() != 2:
		s.Wrong(state, "(sequences, columns)")
	case state.Dim(1) < 0:
		s.Wrong(state, "a last axis of known size")
	case len(shape) == 2 && state.Dim(1) != op.Dim(shape[0]):
		s.Wrong(state, "%d columns", shape[0])
	}
	return s.Failed() == nil
}

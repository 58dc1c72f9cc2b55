package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// SequenceLayer is anything that turns sequences into sequences: the layers of this package that walk over time, and those of the user.
// Layers that work row by row are Layers; EachToken makes a SequenceLayer of them.
type SequenceLayer interface {
	// Forward builds the layer's nodes on x.
	Forward(x *sequence.Node) *sequence.Node
}

// Recurrent is a SequenceLayer that hands a state from token to token: LSTM, GRU, RNN, Bidirectional, and those of the user.
type Recurrent interface {
	SequenceLayer
	// Final returns the result h of Forward (tokens, width), and besides the row of h that is computed last in each sequence (sequences,
	// width). It is 0 for a sequence without tokens.
	Final(x *sequence.Node) (h *sequence.Node, last *op.Node)
}

// SequenceFunc is a function as a SequenceLayer: for a Stack.
type SequenceFunc func(x *sequence.Node) *sequence.Node

// Forward returns f(x).
func (f SequenceFunc) Forward(x *sequence.Node) *sequence.Node {
	if f == nil {
		return failedSequence(x.Graph().Fail("the function is nil"))
	}
	return f(x)
}

// Stack is a SequenceLayer that applies layers one after another. Its parameters are named by position, such as 0.weight.
type Stack []SequenceLayer

// Forward returns the last layer's result; without layers, x.
func (s Stack) Forward(x *sequence.Node) *sequence.Node {
	for i, l := range s {
		if l == nil {
			return failedSequence(x.Graph().Fail("layer %d of %d is nil", i, len(s)))
		}
		x = l.Forward(x)
	}
	return x
}

// EachToken is a SequenceLayer that applies layers, one after another, to the row of each token alone. Its parameters are named by position,
// such as 0.weight. As a function it is sequence.Node.Map.
type EachToken []Layer

// Forward returns the last layer's result; without layers, x.
func (e EachToken) Forward(x *sequence.Node) *sequence.Node { return x.Map(Sequential(e).Forward) }

// enter begins the scope of a layer on sequences and other inputs, of which those that are nil are optional.
func enter(layer any, x *sequence.Node, optional ...*op.Node) *op.Scope {
	in := []*op.Node{x.Node(), x.Lengths()}
	for _, n := range optional {
		if n != nil {
			in = append(in, n)
		}
	}
	return op.Enter(layer, in...)
}

// failedSequence returns sequences that failed as n did.
func failedSequence(n *op.Node) *sequence.Node { return sequence.New(n, n) }

// tokenWidth returns the width of x (tokens, in), or reports what is wrong with it. weight (in, …) is a parameter that x is multiplied with.
func tokenWidth(s *op.Scope, x *sequence.Node, weight *op.Parameter) (in int, ok bool) {
	n, want := x.Node(), -1
	if shape := shapeOf(weight); len(shape) == 2 {
		want = shape[0]
	}
	in = int(n.Dim(-1))
	tokens := n.Graph().DimString(n.Dim(0))
	switch {
	case n.Rank() == 2 && in >= 0 && (want < 0 || want == in):
		return in, true
	case want >= 0:
		s.Wrong(n, "(%s, %d)", tokens, want)
	case n.Rank() == 2:
		s.Wrong(n, "a last axis of known size")
	default:
		s.Wrong(n, "(%s, in)", tokens)
	}
	return 0, false
}

// checkState reports a state that is not (sequences, size) as a mistake; nil is one that is 0.
func checkState(s *op.Scope, x *sequence.Node, state *op.Node, size int) {
	if state != nil && !op.SameShape(state.Shape(), []op.Dim{x.Len(), op.Dim(size)}) {
		s.Wrong(state, "(%s, %d), one row a sequence", x.Graph().DimString(x.Len()), size)
	}
}

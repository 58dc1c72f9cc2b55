package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// Bidirectional runs two recurrent layers over the same sequences (Schuster and Paliwal, 1997), one from the start of each and one from
// its end. Its result for each token is that of FromStart, then that of FromEnd, side by side. Each has its own parameters:
//
//	layer.Bidirectional{FromStart: &layer.LSTM{Size: 128}, FromEnd: &layer.LSTM{Size: 128, Reverse: true}}
//
// Paddle's bidirectional_lstm and bidirectional_gru are this: Forward with return_seq, the second result of Final without.
type Bidirectional struct {
	FromStart Recurrent // walks from the first token to the last
	FromEnd   Recurrent // walks from the last token to the first: with Reverse
}

// Forward builds both layers on x and returns their results side by side (tokens, width).
func (b Bidirectional) Forward(x *sequence.Node) *sequence.Node {
	if bad := b.check(x); bad != nil {
		return failedSequence(bad)
	}
	return sequence.Combine(sideBySide, b.FromStart.Forward(x), b.FromEnd.Forward(x))
}

// Final implements Recurrent: last is that of FromStart, at each sequence's last token, then that of FromEnd, at its first token, side
// by side (sequences, width).
func (b Bidirectional) Final(x *sequence.Node) (h *sequence.Node, last *op.Node) {
	if bad := b.check(x); bad != nil {
		return failedSequence(bad), bad
	}
	first, firstLast := b.FromStart.Final(x)
	second, secondLast := b.FromEnd.Final(x)
	return sequence.Combine(sideBySide, first, second), sideBySide(firstLast, secondLast)
}

// sideBySide returns the columns of matrices with as many rows.
func sideBySide(xs ...*op.Node) *op.Node { return op.Concat(-1, xs...) }

// directed is a recurrent layer that tells in which direction it walks.
type directed interface{ fromEnd() bool }

func (l *LSTM) fromEnd() bool { return l != nil && l.Reverse }
func (l *GRU) fromEnd() bool  { return l != nil && l.Reverse }
func (l *RNN) fromEnd() bool  { return l != nil && l.Reverse }

// check returns a failed node unless both layers are there and walk as their names say.
func (b Bidirectional) check(x *sequence.Node) *op.Node {
	if b.FromStart == nil || b.FromEnd == nil {
		return x.Graph().Fail("FromStart is %T and FromEnd is %T, want two recurrent layers", b.FromStart, b.FromEnd)
	}
	if d, ok := b.FromStart.(directed); ok && d.fromEnd() {
		return x.Graph().Fail("FromStart walks from the end, want a %T without Reverse", b.FromStart)
	}
	if d, ok := b.FromEnd.(directed); ok && !d.fromEnd() {
		return x.Graph().Fail("FromEnd walks from the start, want a %T with Reverse", b.FromEnd)
	}
	return nil
}

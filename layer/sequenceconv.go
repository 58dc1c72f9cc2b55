package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// SequenceConv is a convolution over time, y = Act([x₋ … x₊]·Weight + Bias): each token sees Length rows of its sequence side by side (Paddle's
// context_projection followed by fc). x is (tokens, in), the result (tokens, Filters).
type SequenceConv struct {
	Filters int // columns of the result
	Length  int // rows that a token sees

	// Start is where the first of them stands, counted from the token itself; nil is −⌊Length/2⌋, so that the token is in their middle.
	Start *int

	// Valid keeps only the windows that lie inside of their sequence, n−Length+1 of n rows, or none (Kim, 2014). Otherwise what lies outside of a
	// sequence counts as rows of PaddingWeight with LearnPadding, else as rows of 0.
	Valid        bool
	LearnPadding bool

	Act    op.ActivationFunc // nil for none
	NoBias bool              // leaves out Bias

	Weight        *op.Parameter // (Length·in, Filters), by default Xavier uniform
	Bias          *op.Parameter // (Filters), by default 0
	PaddingWeight *op.Parameter // (rows before + rows after, in), by default 0; with LearnPadding only

	_ noCopy
}

// Forward builds the layer on x.
func (l *SequenceConv) Forward(x *sequence.Node) *sequence.Node {
	s := enter(l, x)
	defer s.Leave()
	in, ok := l.check(s, x)
	if !ok {
		return failedSequence(s.Failed())
	}
	d := x.DType()
	weight := s.Parameter("Weight", l.Weight, d, op.InitXavier{}, l.Length*in, l.Filters)
	var y *sequence.Node
	if l.Valid {
		y = sequence.ConvValid(x, weight, l.Length)
	} else {
		y = sequence.Conv(x, weight, l.context(s, d, in))
	}
	var bias *op.Node
	if !l.NoBias {
		bias = s.Parameter("Bias", l.Bias, d, op.InitConstant(0), l.Filters)
	}
	return y.Map(func(rows *op.Node) *op.Node {
		if bias != nil {
			rows = op.Add(rows, bias)
		}
		return activate(l.Act, rows)
	})
}

// check reports what is wrong with the options or x, and returns the width of x.
func (l *SequenceConv) check(s *op.Scope, x *sequence.Node) (in int, ok bool) {
	switch {
	case s.Failed() != nil:
		return 0, false
	case l.Filters < 1:
		s.Fail("%d filters, want 1 or more", l.Filters)
		return 0, false
	case l.Length < 1:
		s.Fail("a window of %d rows, want 1 or more", l.Length)
		return 0, false
	case l.Valid && (l.Start != nil || l.LearnPadding):
		s.Fail("Valid with Start or LearnPadding, want neither: nothing outside of a sequence is seen")
		return 0, false
	}
	if in, ok = tokenWidth(s, x, nil); !ok {
		return 0, false
	}
	if shape := shapeOf(l.Weight); len(shape) == 2 && shape[0] != l.Length*in {
		s.Wrong(x.Node(), "%d columns", shape[0]/l.Length)
		return 0, false
	}
	return in, true
}

// context returns the rows that a token sees.
func (l *SequenceConv) context(s *op.Scope, d op.DType, in int) sequence.Context {
	c := sequence.Centred(l.Length)
	if l.Start != nil {
		c.Start = *l.Start
	}
	if outside := max(0, -c.Start) + max(0, c.Start+c.Length-1); l.LearnPadding && outside > 0 {
		c.Padding = s.Parameter("PaddingWeight", l.PaddingWeight, d, op.InitConstant(0), outside, in)
	}
	return c
}

// SequenceConvPool convolves sequences and pools each result to one row a sequence; the rows of several convolutions stand side by side. With
// one it is Paddle's sequence_conv_pool and text_conv_pool; with windows of several lengths it is the sentence classifier of Kim (2014):
//
//	layer.SequenceConvPool{Convs: []*layer.SequenceConv{
//		{Filters: 100, Length: 3, Valid: true, Act: op.ReLU},
//		{Filters: 100, Length: 4, Valid: true, Act: op.ReLU},
//		{Filters: 100, Length: 5, Valid: true, Act: op.ReLU},
//	}}
type SequenceConvPool struct {
	Convs []*SequenceConv
	Pool  sequence.Pooling // the zero value is sequence.PoolMax
}

// Forward builds the layers on x (tokens, in) and returns (sequences, filters of all convolutions). A sequence without windows gives 0.
func (l SequenceConvPool) Forward(x *sequence.Node) *op.Node {
	if len(l.Convs) == 0 {
		return x.Graph().Fail("no convolutions, want one or more")
	}
	pooled := make([]*op.Node, len(l.Convs))
	for i, conv := range l.Convs {
		pooled[i] = sequence.Pool(l.Pool, conv.Forward(x), 0)
	}
	return sideBySide(pooled...)
}

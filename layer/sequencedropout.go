package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// SequenceDropout sets the fraction P of the elements of the tokens' rows to 0 in training and multiplies the others by 1/(1−P); prediction
// leaves them as they are.
type SequenceDropout struct {
	P float64 // from 0 to 1

	// Variational drops the same columns of all tokens of a sequence, drawn once for each sequence (Gal and Ghahramani, 2016). Otherwise each
	// element is drawn on its own, as in Dropout.
	Variational bool

	_ noCopy
}

// Forward builds the layer on x (tokens, …).
func (l *SequenceDropout) Forward(x *sequence.Node) *sequence.Node {
	s := enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return failedSequence(s.Failed())
	}
	if !l.Variational || l.P == 0 {
		return x.Map(func(rows *op.Node) *op.Node { return op.Dropout(rows, l.P) })
	}
	ones := x.Graph().Full(x.DType(), 1, append([]op.Dim{x.Len()}, x.Shape()[1:]...)...)
	mask := sequence.Expand(op.Dropout(ones, l.P), x)
	return sequence.Combine(func(rows ...*op.Node) *op.Node {
		return op.Apply(inTraining{}, op.Mul(rows[0], rows[1]), rows[0])[0]
	}, x, mask)
}

// inTraining is its first input in training, and its second where a model only predicts.
type inTraining struct{}

func (inTraining) Name() string { return "in_training" }

func (inTraining) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Arity(2) }

func (inTraining) Run(*op.Env, []op.Buffer, []op.Buffer) error { return nil }

func (inTraining) Traits() op.Traits { return op.Traits{Views: []op.Pair{{In: 0, Out: 0}}} }

// Gradient goes through the first input, which holds the same as the second where a model only predicts.
func (inTraining) Gradient(_ *op.Call, dout []*op.Node, _ []bool) []*op.Node {
	return []*op.Node{dout[0], nil}
}

// Inference implements op.Inferencer.
func (inTraining) Inference(_ *op.Call, in []*op.Node) []*op.Node { return in[1:] }

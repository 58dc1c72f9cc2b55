package optest_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// affine is a layer: x·weight + bias.
type affine struct {
	Weight, Bias *op.Parameter
	Calls        *op.Variable

	act func(*op.Node) *op.Node // on the bias
}

func (l *affine) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	w := s.Parameter("Weight", l.Weight, x.DType(), op.InitXavier{}, int(x.Dim(-1)), 4)
	b := s.Parameter("Bias", l.Bias, x.DType(), op.InitUniform{Low: -1, High: 1}, 4)
	return op.Add(op.MatMul(x, w), l.act(b))
}

func layer(act func(*op.Node) *op.Node) optest.Case {
	return optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 3)},
		Model: func() (any, optest.Build) {
			l := &affine{act: act}
			return l, optest.Unary(l.Forward)
		},
	}
}

func TestModel(t *testing.T) {
	optest.Check(t, layer(op.Tanh))
}

func TestFindsWrongGradientOfParameter(t *testing.T) {
	c := layer(custom{gradient: func(_ *op.Call, dout []*op.Node, _ []bool) []*op.Node { return []*op.Node{op.Neg(dout[0])} }}.apply)
	finds(t, c, "the gradient of parameter bias at [", "by differences")
}

// A layer that runs twice on one model shares its parameters; their gradients add up.
func TestModelUsedTwice(t *testing.T) {
	c := layer(op.Tanh)
	c.In[0].Shape = []op.Dim{op.Batch, 4}
	c.Model = func() (any, optest.Build) {
		l := &affine{act: op.Tanh}
		return l, optest.Unary(func(x *op.Node) *op.Node { return l.Forward(op.Sigmoid(l.Forward(x))) })
	}
	optest.Check(t, c)
}

// centred subtracts a running mean and moves it: state that a run writes is put back before the next, so that the rules hold for it.
type centred struct{ Mean *op.Variable }

func (l *centred) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	mean := s.Variable("Mean", l.Mean, x.DType(), op.InitConstant(0.5), int(x.Dim(-1)))
	now := op.Mean(x, 0)
	op.Blend(x.Graph().ApplyFlag(), mean, op.StopGradient(now), 0.9)
	return op.Sub(op.Add(x, now), mean)
}

func TestModelWithState(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Given([]float64{1, 2, 3, 6}, op.Batch, 2)},
		Model: func() (any, optest.Build) {
			l := &centred{}
			return l, optest.Unary(l.Forward)
		},
		Want: [][]float64{{2.5, 5.5, 4.5, 9.5}},
	})
}

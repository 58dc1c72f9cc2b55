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

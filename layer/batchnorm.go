package layer

import "paddle/op"

// BatchNorm is the layer y = act(γ·(x − mean)/√(variance + ε) + β), channel by channel (Ioffe and Szegedy, 2015). x is (batch, channels) or
// (batch, channels, …), such as images. Training uses the moments of the batch and moves the running statistics, prediction uses
// those: see op.BatchNorm. Momentum is the fraction of them that a step keeps, and the variance is divided by n, not n−1, so that
// values from other libraries may have to be converted: their momentum may be 1 minus this one.
type BatchNorm struct {
	Momentum *float64          // nil is 0.9
	Epsilon  *float64          // nil is 1e-5
	Act      op.ActivationFunc // nil for none

	Weight   *op.Parameter // γ (channels), by default 1
	Bias     *op.Parameter // β (channels), by default 0
	Mean     *op.Variable  // running mean (channels), 0 at first
	Variance *op.Variable  // running variance (channels), 1 at first

	_ noCopy
}

// Forward builds the layer on x.
func (l *BatchNorm) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	channels := int(x.Dim(1))
	switch shape := shapeOf(l.Weight); {
	case x.Rank() < 2:
		return s.Wrong(x, "(batch, channels) or (batch, channels, …)")
	case channels < 0:
		return s.Wrong(x, "a known number of channels")
	case len(shape) == 1 && shape[0] != channels:
		return s.Wrong(x, "%d channels", shape[0])
	}
	d := x.DType()
	y := op.BatchNorm(x, op.Norm{
		Weight:   s.Parameter("Weight", l.Weight, d, op.InitConstant(1), channels),
		Bias:     s.Parameter("Bias", l.Bias, d, op.InitConstant(0), channels),
		Mean:     s.Variable("Mean", l.Mean, d, op.InitConstant(0), channels),
		Variance: s.Variable("Variance", l.Variance, d, op.InitConstant(1), channels),
		Momentum: orDefault(l.Momentum, 0.9), Epsilon: orDefault(l.Epsilon, 1e-5),
	})
	return activate(l.Act, y)
}

// orDefault returns the option, or its default where it is nil.
func orDefault(option *float64, value float64) float64 {
	if option != nil {
		return *option
	}
	return value
}

package layer

import "paddle/op"

// LayerNorm is the layer y = γ·(x − mean)/√(variance + ε) + β over the last axis of x (…, width), row by row (Ba, Kiros and Hinton, 2016). It is the
// same in training and prediction.
type LayerNorm struct {
	Epsilon *float64 // nil is 1e-5

	Weight *op.Parameter // γ (width), by default 1
	Bias   *op.Parameter // β (width), by default 0

	_ noCopy
}

// Forward builds the layer on x.
func (l *LayerNorm) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	width := int(x.Dim(-1))
	switch shape := shapeOf(l.Weight); {
	case x.Rank() < 1:
		return s.Wrong(x, "(…, width)")
	case width < 0:
		return s.Wrong(x, "a last axis of known size")
	case len(shape) == 1 && shape[0] != width:
		return s.Wrong(x, "%d in the last axis", shape[0])
	}
	weight := s.Parameter("Weight", l.Weight, x.DType(), op.InitConstant(1), width)
	bias := s.Parameter("Bias", l.Bias, x.DType(), op.InitConstant(0), width)
	return op.LayerNorm(x, weight, bias, orDefault(l.Epsilon, 1e-5))
}

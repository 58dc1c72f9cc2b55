package layer

import "paddle/op"

// SelfAttention is multi-head self-attention (Vaswani et al., 2017, section 3.2). x is (batch, length, width); with h heads of width
// d = width/Heads and [Q K V] = x·In + inBias,
//
//	yₕ = softmax(Qₕ·Kₕᵀ/√d)·Vₕ
//
// the result is the heads side by side times Out plus outBias, (batch, length, width). Every position sees all positions of its sample.
type SelfAttention struct {
	Heads int // they divide the width; 0 means 1

	InWeight  *op.Parameter // (width, 3·width): queries, keys and values side by side; by default Xavier uniform
	InBias    *op.Parameter // (3·width), by default 0
	OutWeight *op.Parameter // (width, width), by default Xavier uniform
	OutBias   *op.Parameter // (width), by default 0

	_ noCopy
}

// Forward builds the layer on x.
func (l *SelfAttention) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	heads, width := max(l.Heads, 1), int(x.Dim(-1))
	switch shape := shapeOf(l.OutWeight); {
	case l.Heads < 0:
		return s.Fail("%d heads, want 1 or more", l.Heads)
	case x.Rank() != 3:
		return s.Wrong(x, "(batch, length, width)")
	case width < 1:
		return s.Wrong(x, "a last axis of known size")
	case width%heads != 0:
		return s.Wrong(x, "a width that %d heads divide", heads)
	case len(shape) == 2 && shape[0] != width:
		return s.Wrong(x, "%d in the last axis", shape[0])
	}
	d := x.DType()
	in := op.Add(
		op.MatMul(x, s.Parameter("InWeight", l.InWeight, d, op.InitXavier{}, width, 3*width)),
		s.Parameter("InBias", l.InBias, d, op.InitConstant(0), 3*width),
	)
	y := op.SelfAttention(in, heads)
	return op.Add(
		op.MatMul(y, s.Parameter("OutWeight", l.OutWeight, d, op.InitXavier{}, width, width)),
		s.Parameter("OutBias", l.OutBias, d, op.InitConstant(0), width),
	)
}

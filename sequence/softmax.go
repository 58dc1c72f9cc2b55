package sequence

import "paddle/op"

// Softmax returns exp(xₜ)/Σ exp(xₛ) over the rows s of each sequence, every column on its own: for scores (tokens, 1) or (tokens), weights
// that add up to 1 in each sequence. It does not overflow. A column in which all scores are −Inf, that is, in which nothing is
// allowed, gives zeros.
func Softmax(x *Node) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	packed := x.rows == nil
	in := append([]*op.Node{x.Node()}, x.layout.order(packed)...)
	return x.of(op.Apply(segmentSoftmax{packed}, in...)[0], packed)
}

// segmentSoftmax computes the softmax over sequences. Its inputs are the rows and those of layout.order.
type segmentSoftmax struct{ Packed bool }

func (segmentSoftmax) Name() string { return "sequence_softmax" }

func (segmentSoftmax) Traits() op.Traits {
	return op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}, Precision: op.Keep32}
}

func (segmentSoftmax) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{s.In[0]}, s.Float(0)
}

func (o segmentSoftmax) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in[1:], o.Packed)
	e.SegmentSoftmax(at.starts, at.index, in[0], out[0])
	return nil
}

func (segmentSoftmax) FLOPs(in, _ [][]int) int64 { return 4 * elements64(in[0]) }

func (o segmentSoftmax) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	in := append([]*op.Node{dout[0], c.Out[0]}, c.In[1:]...)
	return []*op.Node{op.Apply(segmentSoftmaxGrad(o), in...)[0]}
}

// segmentSoftmaxGrad computes the gradient of segmentSoftmax from that of its result, the result, and the order.
type segmentSoftmaxGrad segmentSoftmax

func (segmentSoftmaxGrad) Name() string { return "sequence_softmax_grad" }

func (segmentSoftmaxGrad) Traits() op.Traits { return segmentSoftmax{}.Traits() }

func (segmentSoftmaxGrad) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, nil }

func (o segmentSoftmaxGrad) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in[2:], o.Packed)
	e.SegmentSoftmaxGrad(at.starts, at.index, in[1], in[0], out[0])
	return nil
}

// Gradient follows from dx = y·(dy − c), c = Σ y·dy over the sequence: for h, the gradient of dx, that for dy is y·(h − Σ y·h), and that for y
// is h·(dy − c) − dy·Σ y·h.
func (o segmentSoftmaxGrad) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	dy, y, order, h := c.In[0], c.In[1], c.In[2:], dout[0]
	total := func(v *op.Node) *op.Node {
		sum := op.Apply(segmentReduce{Func: op.SegmentSum, Packed: o.Packed}, append([]*op.Node{op.Mul(y, v)}, order...)...)[0]
		return spread(segmentSpread{op.SegmentSum, o.Packed, y.Dim(0)}, sum, order, nil)
	}
	out := make([]*op.Node, len(c.In))
	if want[0] {
		out[0] = op.Apply(o, append([]*op.Node{h, y}, order...)...)[0]
	}
	if want[1] {
		out[1] = op.Sub(op.Mul(h, op.Sub(dy, total(dy))), op.Mul(dy, total(h)))
	}
	return out
}

// elements64 returns the number of elements of a shape.
func elements64(shape []int) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

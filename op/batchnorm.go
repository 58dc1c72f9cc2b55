package op

import "fmt"

// Norm holds the inputs of BatchNorm besides x, each (channels), and its attributes.
type Norm struct {
	Weight, Bias   *Node   // scale γ and shift β
	Mean, Variance *Node   // running statistics, nodes of variables
	Momentum       float64 // fraction of the running statistics that a step keeps
	Epsilon        float64 // added to the variance
}

// BatchNorm returns x normalised channel by channel (Ioffe and Szegedy, 2015):
//
//	y = (x − mean)/√(variance + ε) · γ + β
//
// x is (batch, channels) or (batch, channels, …). In training mean and variance (divided by n) are those of the batch, over all axes but the
// channels', and a step moves the running statistics: running ← momentum·running + (1−momentum)·batch, with the same variance. When
// a model only predicts, the running statistics take their place.
//
// A channel with fewer than two values has no variance: that is an error of the training run, before anything has changed, and of building the
// gradient where the sizes are known.
func BatchNorm(x *Node, n Norm) *Node {
	out := Apply(batchNorm{Epsilon: n.Epsilon}, x, n.Weight, n.Bias, n.Mean, n.Variance)
	if out[0].err != nil {
		return out[0]
	}
	if !(n.Momentum >= 0 && n.Momentum <= 1) {
		return out[0].graph.Fail("the fraction %v to keep is not from 0 to 1", n.Momentum)
	}
	apply := out[0].graph.ApplyFlag()
	Blend(apply, n.Mean, out[1], n.Momentum)
	Blend(apply, n.Variance, out[2], n.Momentum)
	return out[0]
}

// batchNorm normalises by the moments of the batch, which it gives as well. The running statistics are inputs for Inference only. The fusion
// pass gives it an activation.
type batchNorm struct {
	Epsilon float64
	Act     NormAct
}

func (batchNorm) Name() string { return "batch_norm" }

func (o batchNorm) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(5); err != nil {
		return nil, err
	}
	if err := s.Float(0); err != nil {
		return nil, err
	}
	if err := s.SameType(); err != nil {
		return nil, err
	}
	x := s.In[0].Shape
	if len(x) < 2 {
		return nil, s.Wrong(0, "(batch, channels) or (batch, channels, …)")
	}
	for i := range s.In[1:] {
		if !SameShape(s.In[i+1].Shape, x[1:2]) {
			return nil, s.Wrong(i+1, "(%s,), one value per channel of %s", s.DimString(x[1]), s.input(0))
		}
	}
	if !(o.Epsilon >= 0) {
		return nil, fmt.Errorf("epsilon %v, want 0 or more", o.Epsilon)
	}
	channel := Spec{s.In[0].DType, x[1:2]}
	return []Spec{s.In[0], channel, channel}, nil
}

func (o batchNorm) Run(e *Env, in, out []Buffer) error {
	c := channels(in[0].Shape)
	if err := enough(c, in[0].Shape); err != nil {
		return err
	}
	e.BatchNorm(NormSpec{c, o.Epsilon, o.Act}, in[0], in[1], in[2], out[1], out[2], out[0])
	return nil
}

// channels splits (batch, channels, …).
func channels(shape []int) ChannelSpec {
	c := ChannelSpec{Outer: shape[0], Channels: shape[1], Inner: 1}
	for _, d := range shape[2:] {
		c.Inner *= d
	}
	return c
}

func enough(c ChannelSpec, shape []int) error {
	if n := c.Outer * c.Inner; n < 2 && c.Channels > 0 {
		return fmt.Errorf("the input has shape %s: values per channel %d, want 2 or more to train on", shapeText(shape), n)
	}
	return nil
}

func (o batchNorm) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	if dout[0] == nil || !want[0] && !want[1] && !want[2] {
		return make([]*Node, len(c.In))
	}
	x := c.In[0]
	if known := knownShape(x.shape); known != nil {
		if err := enough(channels(known), known); err != nil {
			bad := make([]*Node, len(c.In))
			failAll(bad, c.failed(err))
			return bad
		}
	}
	grads := make([]*Node, len(c.In))
	for i, dx := range Apply(batchNormGrad(o), x, c.Out[1], c.Out[2], c.In[1], c.In[2], dout[0])[:3] {
		if want[i] {
			grads[i] = dx
		}
	}
	return grads
}

// knownShape returns shape as numbers, nil if a size is symbolic.
func knownShape(shape []Dim) []int {
	out := make([]int, len(shape))
	for i, d := range shape {
		if out[i] = int(d); d < 0 {
			return nil
		}
	}
	return out
}

// failed records a mistake of whoever built c, found later, and returns a failed node.
func (c *Call) failed(err error) *Node {
	e := c.RunError(err)
	c.graph.keep(e)
	return &Node{graph: c.graph, err: e}
}

// Inference normalises by the running statistics.
func (o batchNorm) Inference(_ *Call, in []*Node) []*Node {
	return []*Node{apply1(normalize(o), in[0], in[3], in[4], in[1], in[2]), in[3], in[4]}
}

func (batchNorm) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}, Precision: Keep32} }

func (batchNorm) FLOPs(in, _ [][]int) int64 { return 7 * elements(in[0]) }

// normalize computes (x − mean)/√(variance + ε)·γ + β for each channel, and may apply an activation.
type normalize batchNorm

func (normalize) Name() string { return "normalize" }

func (normalize) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(5) }

func (o normalize) Run(e *Env, in, out []Buffer) error {
	e.Normalize(NormSpec{channels(in[0].Shape), o.Epsilon, o.Act}, in[0], in[1], in[2], in[3], in[4], out[0])
	return nil
}

func (normalize) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}, Precision: Keep32} }

func (normalize) FLOPs(in, _ [][]int) int64 { return 3 * elements(in[0]) }

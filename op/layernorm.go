package op

import "fmt"

// LayerNorm returns weight·(x − mean)/√(variance + epsilon) + bias, where mean and variance (divided by n) are those of the last axis of
// each row (Ba, Kiros and Hinton, 2016). x is (…, width), weight and bias (width).
func LayerNorm(x, weight, bias *Node, epsilon float64) *Node {
	return Add(Mul(Apply(layerNorm{epsilon}, x)[0], weight), bias)
}

// layerNorm gives the normalised rows, and the mean and variance of each.
type layerNorm struct{ Epsilon float64 }

func (layerNorm) Name() string { return "layer_norm" }

func (o layerNorm) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	if err := s.Float(0); err != nil {
		return nil, err
	}
	shape := s.In[0].Shape
	if len(shape) == 0 || shape[len(shape)-1] == 0 {
		return nil, s.Wrong(0, "(…, width) with a width of 1 or more")
	}
	if !(o.Epsilon >= 0) {
		return nil, fmt.Errorf("epsilon %v, want 0 or more", o.Epsilon)
	}
	row := Spec{s.In[0].DType, shape[:len(shape)-1]}
	return []Spec{s.In[0], row, row}, nil
}

// rowChannels makes a channel of each row of the last axis.
func rowChannels(shape []int) ChannelSpec {
	c := ChannelSpec{Outer: 1, Channels: 1, Inner: shape[len(shape)-1]}
	for _, d := range shape[:len(shape)-1] {
		c.Channels *= d
	}
	return c
}

func (o layerNorm) Run(e *Env, in, out []Buffer) error {
	c := rowChannels(in[0].Shape)
	if c.Inner == 0 {
		return fmt.Errorf("the input has shape %s, want a width of 1 or more", shapeText(in[0].Shape))
	}
	e.Moments(c, in[0], out[1], out[2])
	e.Normalize(c, o.Epsilon, in[0], out[1], out[2], Buffer{}, Buffer{}, out[0])
	return nil
}

func (o layerNorm) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	if dout[0] == nil {
		return []*Node{nil}
	}
	return []*Node{apply1(layerNormGrad(o), c.In[0], c.Out[1], c.Out[2], dout[0])}
}

func (layerNorm) Traits() Traits { return Traits{InPlace: []Pair{{0, 0}}, Precision: Keep32} }

func (layerNorm) FLOPs(in, _ [][]int) int64 { return 7 * elements(in[0]) }

// layerNormGrad is the gradient of layerNorm for x, from x, the moments of its rows and the gradient of the result.
type layerNormGrad struct{ Epsilon float64 }

func (layerNormGrad) Name() string { return "layer_norm_grad" }

func (layerNormGrad) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(4) }

func (o layerNormGrad) Run(e *Env, in, out []Buffer) error {
	e.NormalizeGrad(rowChannels(in[0].Shape), o.Epsilon, in[0], in[1], in[2], Buffer{}, in[3], out[0], Buffer{}, Buffer{})
	return nil
}

func (layerNormGrad) Traits() Traits { return Traits{Precision: Keep32} }

func (layerNormGrad) FLOPs(in, _ [][]int) int64 { return 12 * elements(in[0]) }

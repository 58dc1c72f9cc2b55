package op

import "fmt"

// LayerNorm returns weight·(x − mean)/√(variance + epsilon) + bias, where mean and variance (divided by n) are those of the last axis of
// each row (Ba, Kiros and Hinton, 2016). x is (…, width), weight and bias (width).
func LayerNorm(x, weight, bias *Node, epsilon float64) *Node {
	return Apply(layerNorm{epsilon}, x, weight, bias)[0]
}

// layerNorm gives the result, and the mean and variance of each row.
type layerNorm struct{ Epsilon float64 }

func (layerNorm) Name() string { return "layer_norm" }

func (o layerNorm) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(3); err != nil {
		return nil, err
	}
	if err := s.Float(0); err != nil {
		return nil, err
	}
	shape := s.In[0].Shape
	last := len(shape) - 1
	if last < 0 || shape[last] == 0 {
		return nil, s.Wrong(0, "(…, width) with a width of 1 or more")
	}
	if !(o.Epsilon >= 0) {
		return nil, fmt.Errorf("epsilon %v, want 0 or more", o.Epsilon)
	}
	if err := s.SameType(); err != nil {
		return nil, err
	}
	for i := range 2 {
		if !SameShape(s.In[i+1].Shape, shape[last:]) {
			return nil, s.Wrong(i+1, "(%s,), the width of %s", s.DimString(shape[last]), s.input(0))
		}
	}
	row := Spec{s.In[0].DType, shape[:last]}
	return []Spec{s.In[0], row, row}, nil
}

func (o layerNorm) Run(e *Env, in, out []Buffer) error {
	if shape := in[0].Shape; shape[len(shape)-1] == 0 {
		return fmt.Errorf("the input has shape %s, want a width of 1 or more", shapeText(shape))
	}
	e.LayerNorm(o.Epsilon, in[0], in[1], in[2], out[0], out[1], out[2])
	return nil
}

func (o layerNorm) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	grads := make([]*Node, len(c.In))
	if dout[0] == nil {
		return grads
	}
	for i, d := range Apply(layerNormGrad(o), c.In[0], c.Out[1], c.Out[2], c.In[1], dout[0]) {
		if want[i] {
			grads[i] = d
		}
	}
	return grads
}

func (layerNorm) Traits() Traits {
	return Traits{InPlace: []Pair{{0, 0}}, OptionalOutputs: true, RequiredOutputs: 1, Precision: Keep32}
}

func (layerNorm) FLOPs(in, _ [][]int) int64 { return 9 * elements(in[0]) }

// layerNormGrad computes the gradients of layerNorm for x, weight and bias from x, the moments of its rows, weight and the gradient of the
// result. With x̂ the normalised x, g = weight·dy and n values per row,
//
//	dx = (g − Σg/n − x̂·Σ(g·x̂)/n)/√(variance + ε),  dweight = Σ dy·x̂,  dbias = Σ dy
type layerNormGrad struct{ Epsilon float64 }

func (layerNormGrad) Name() string { return "layer_norm_grad" }

func (layerNormGrad) Infer(s *Shapes) ([]Spec, error) {
	return []Spec{s.In[0], s.In[3], s.In[3]}, s.Arity(5)
}

func (o layerNormGrad) Run(e *Env, in, out []Buffer) error {
	e.LayerNormGrad(o.Epsilon, in[0], in[1], in[2], in[3], in[4], out[0], out[1], out[2])
	return nil
}

func (layerNormGrad) Traits() Traits {
	return Traits{InPlace: []Pair{{4, 0}}, OptionalOutputs: true, Precision: Keep32}
}

func (layerNormGrad) FLOPs(in, _ [][]int) int64 { return 16 * elements(in[0]) }

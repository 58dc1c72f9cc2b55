package op

import (
	"fmt"
	"math"
)

// SelfAttention returns the multi-head scaled dot-product attention of sequences to themselves (Vaswani et al., 2017, section 3.2). qkv is
// (batch, length, 3·width): of every position the query, the key and the value, side by side, each with a part of d = width/heads elements
// for every head h:
//
//	yₕ = softmax(Qₕ·Kₕᵀ/√d)·Vₕ
//
// The result is the heads side by side, (batch, length, width). Every position sees all positions of its sample.
func SelfAttention(qkv *Node, heads int) *Node { return Apply(selfAttention{heads}, qkv)[0] }

// selfAttention gives the result, and the weights (batch, heads, length, length) of the values in it.
type selfAttention struct{ Heads int }

func (selfAttention) Name() string { return "self_attention" }

func (o selfAttention) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	if err := s.Float(0); err != nil {
		return nil, err
	}
	if o.Heads < 1 {
		return nil, fmt.Errorf("%d heads, want 1 or more", o.Heads)
	}
	x := s.In[0].Shape
	if len(x) != 3 || x[2] < 1 || int(x[2])%3 != 0 || int(x[2])/3%o.Heads != 0 {
		return nil, s.Wrong(0, "(batch, length, 3·width) with a known width that %d heads divide", o.Heads)
	}
	d := s.In[0].DType
	return []Spec{{d, []Dim{x[0], x[1], x[2] / 3}}, {d, []Dim{x[0], Dim(o.Heads), x[1], x[1]}}}, nil
}

func (o selfAttention) spec(qkv []int) AttentionSpec {
	a := AttentionSpec{Batch: qkv[0], Length: qkv[1], Heads: o.Heads, Width: qkv[2] / 3 / o.Heads}
	a.Scale = 1 / math.Sqrt(float64(a.Width))
	return a
}

func (o selfAttention) Run(e *Env, in, out []Buffer) error {
	e.Attention(o.spec(in[0].Shape), in[0], out[1], out[0])
	return nil
}

func (o selfAttention) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	if dout[0] == nil {
		return []*Node{nil}
	}
	return Apply(selfAttentionGrad(o), c.In[0], c.Out[1], dout[0])[:1]
}

func (selfAttention) Traits() Traits {
	return Traits{OptionalOutputs: true, RequiredOutputs: 1, Precision: Keep32}
}

func (selfAttention) FLOPs(in, out [][]int) int64 { return 4 * elements(out[0]) * int64(in[0][1]) }

// selfAttentionGrad computes the gradient of a self-attention from its input, the weights and the gradient of the result. The second
// output, the gradient of the scores, is computed on the way.
type selfAttentionGrad selfAttention

func (selfAttentionGrad) Name() string { return "self_attention_grad" }

func (selfAttentionGrad) Infer(s *Shapes) ([]Spec, error) {
	return []Spec{s.In[0], s.In[1]}, s.Arity(3)
}

func (o selfAttentionGrad) Run(e *Env, in, out []Buffer) error {
	e.AttentionGrad(selfAttention(o).spec(in[0].Shape), in[0], in[1], in[2], out[0], out[1])
	return nil
}

func (selfAttentionGrad) Traits() Traits {
	return Traits{OptionalOutputs: true, RequiredOutputs: 2, Precision: Keep32}
}

func (selfAttentionGrad) FLOPs(in, _ [][]int) int64 { return 8 * elements(in[2]) * int64(in[0][1]) }

package optest_test

import (
	"paddle/op"
)

// custom is an op whose parts a test breaks one at a time. Unbroken it computes y = x³.
type custom struct {
	infer    func(s *op.Shapes) ([]op.Spec, error)
	run      func(e *op.Env, in, out []op.Buffer) error
	gradient func(c *op.Call, dout []*op.Node, want []bool) []*op.Node
	traits   op.Traits
}

func (custom) Name() string { return "custom" }

func (o custom) Infer(s *op.Shapes) ([]op.Spec, error) {
	if o.infer != nil {
		return o.infer(s)
	}
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	return []op.Spec{s.In[0]}, s.Float(0)
}

func (o custom) Run(e *op.Env, in, out []op.Buffer) error {
	if o.run != nil {
		return o.run(e, in, out)
	}
	cube(in[0], out[0])
	return nil
}

func (o custom) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	if o.gradient != nil {
		return o.gradient(c, dout, want)
	}
	return []*op.Node{op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 3))}
}

func (o custom) Traits() op.Traits { return o.traits }

// apply applies o to x.
func (o custom) apply(x *op.Node) *op.Node { return op.Apply(o, x)[0] }

func cube(x, y op.Buffer) { each(x, y, func(x float64) float64 { return x * x * x }) }

// each computes y = f(x), element by element.
func each(x, y op.Buffer, f func(float64) float64) {
	for i := range x.Len() {
		set(y, i, f(get(x, i)))
	}
}

func get(b op.Buffer, i int) float64 {
	if b.DType == op.Float32 {
		return float64(b.Float32s()[i])
	}
	return b.Float64s()[i]
}

func set(b op.Buffer, i int, v float64) {
	if b.DType == op.Float32 {
		b.Float32s()[i] = float32(v)
	} else {
		b.Float64s()[i] = v
	}
}

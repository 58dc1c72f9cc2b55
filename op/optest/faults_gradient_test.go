package optest_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

func TestFindsWrongGradient(t *testing.T) {
	c := unary(custom{gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		return []*op.Node{op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 2))}
	}})
	finds(t, c, "float64: the gradient of input 0 (x0) at [", "by differences", "x0 = [3 3]")
}

// One wrong element among many is found, and named.
func TestFindsWrongElementOfGradient(t *testing.T) {
	c := optest.Case{In: []optest.Input{optest.Float(40, 10)}, Build: optest.Unary(custom{gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		d := op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 3))
		hole := op.Pad(op.Pad(op.Ones(op.Slice(op.Slice(d, 0, 0, 1), 1, 0, 1)), 0, 17, 22), 1, 4, 5)
		return []*op.Node{op.Mul(d, op.AddConst(op.MulConst(hole, -1), 1))}
	}}.apply)}
	finds(t, c, "the gradient of input 0 (x0) at [17 4] is", ", by differences")
}

func TestFindsMissingGradient(t *testing.T) {
	finds(t, unary(custom{gradient: func(*op.Call, []*op.Node, []bool) []*op.Node { return []*op.Node{nil} }}),
		"the gradient of input 0 (x0) at [", "is 0, by differences")
}

func TestFindsGradientWrongInFloat32(t *testing.T) {
	c := unary(custom{gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		factor := 3.0
		if c.In[0].DType() == op.Float32 {
			factor = 3.01
		}
		return []*op.Node{op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), factor))}
	}})
	finds(t, c, "float32: the gradient of input 0 (x0)")
}

func TestFindsGradientOfWrongShape(t *testing.T) {
	finds(t, unary(custom{gradient: func(_ *op.Call, dout []*op.Node, _ []bool) []*op.Node { return []*op.Node{op.Sum(dout[0], 1)} }}),
		"the gradient of", "is float64 (batch,), want float64 (batch, 3)")
}

// pair has two outputs, x³ and x².
var pair = custom{
	infer: func(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0], s.In[0]}, s.Arity(1) },
	run: func(_ *op.Env, in, out []op.Buffer) error {
		cube(in[0], out[0])
		each(in[0], out[1], func(x float64) float64 { return x * x })
		return nil
	},
	gradient: func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		var dx *op.Node
		if dout[0] != nil {
			dx = op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 3))
		}
		if dout[1] != nil {
			second := op.Mul(dout[1], op.MulConst(c.In[0], 2))
			if dx == nil {
				return []*op.Node{second}
			}
			dx = op.Add(dx, second)
		}
		return []*op.Node{dx}
	},
}

func both(o custom) optest.Case {
	return optest.Case{In: x, Build: func(in ...*op.Node) []*op.Node { return op.Apply(o, in...)[:2] }}
}

func TestFindsUnusedOutput(t *testing.T) {
	optest.Check(t, both(pair))

	needsBoth := pair
	needsBoth.gradient = func(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
		return []*op.Node{op.Add(op.Mul(dout[0], op.MulConst(op.Square(c.In[0]), 3)), op.Mul(dout[1], op.MulConst(c.In[0], 2)))}
	}
	finds(t, both(needsBoth), "gradient of output 0 alone", "is nil")

	forgets := pair
	forgets.gradient = func(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
		if dout[0] == nil {
			return []*op.Node{nil}
		}
		return pair.gradient(c, dout, want)
	}
	finds(t, both(forgets), "the gradient of input 0 (x0) at [", "is 0, by differences")

	optional := pair
	optional.traits.OptionalOutputs = true
	optional.run = func(e *op.Env, in, out []op.Buffer) error {
		if out[1].IsNil() {
			each(in[0], out[0], func(float64) float64 { return 0 })
			return nil
		}
		if out[0].IsNil() {
			out[0] = op.NewBuffer(in[0].DType, in[0].Shape...)
		}
		return pair.run(e, in, out)
	}
	finds(t, both(optional), "output 0 differs when no other output is used")
}

// product is a·b with a gradient rule that a test breaks.
func product(gradient func(c *op.Call, dy *op.Node, want []bool) []*op.Node) optest.Case {
	o := custom{
		infer: func(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Arity(2) },
		run: func(_ *op.Env, in, out []op.Buffer) error {
			for i := range in[0].Len() {
				set(out[0], i, get(in[0], i)*get(in[1], i))
			}
			return nil
		},
		gradient: func(c *op.Call, dout []*op.Node, want []bool) []*op.Node { return gradient(c, dout[0], want) },
	}
	return optest.Case{
		In:    []optest.Input{optest.Float(op.Batch, 3), optest.Float(op.Batch, 3)},
		Build: optest.One(func(in ...*op.Node) *op.Node { return op.Apply(o, in...)[0] }),
	}
}

func TestFindsNeedlessWork(t *testing.T) {
	always := product(func(c *op.Call, dy *op.Node, _ []bool) []*op.Node {
		return []*op.Node{op.Mul(dy, c.In[1]), op.Mul(dy, c.In[0])}
	})
	finds(t, always, "custom, asked for the gradient of input 0 only, builds one for input 1")

	dead := product(func(c *op.Call, dy *op.Node, want []bool) []*op.Node {
		da, db := op.Mul(dy, c.In[1]), op.Mul(dy, c.In[0])
		if !want[0] {
			da = nil
		}
		if !want[1] {
			db = nil
		}
		return []*op.Node{da, db}
	})
	finds(t, dead, "custom, asked for the gradient of input 1 only, builds mul, which that does not need")

	joint := product(func(c *op.Call, dy *op.Node, want []bool) []*op.Node {
		d := op.Apply(custom{
			infer: func(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0], s.In[0]}, nil },
			run: func(_ *op.Env, in, out []op.Buffer) error {
				for i := range in[0].Len() {
					set(out[0], i, get(in[0], i)*get(in[2], i))
					set(out[1], i, get(in[0], i)*get(in[1], i))
				}
				return nil
			},
		}, dy, c.In[0], c.In[1])
		out := make([]*op.Node, 2)
		for i := range out {
			if want[i] {
				out[i] = d[i]
			}
		}
		return out
	})
	finds(t, joint, "makes custom compute output 1, which nobody reads: give it the trait OptionalOutputs")
}

func TestFindsGradientWhereNoneIsClaimed(t *testing.T) {
	c := unary(custom{})
	c.NoGradient = true
	finds(t, c, "the case says that there is no gradient, and there is one")
}

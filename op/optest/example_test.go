package optest_test

import (
	"fmt"
	"math"

	"paddle/op"
	"paddle/op/optest"
)

// Mish is an op written outside of paddle/op: y = x·tanh(log(1+eˣ)) (Misra, 2019), element by element.
func Mish(x *op.Node) *op.Node { return op.Apply(mish{}, x)[0] }

type mish struct{}

func (mish) Name() string { return "mish" }

func (mish) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	return []op.Spec{s.In[0]}, s.Float(0)
}

func (mish) Run(e *op.Env, in, out []op.Buffer) error {
	e.Parallel(in[0].Len(), 1024, func(lo, hi int) {
		if x, y := in[0].Float32s(), out[0].Float32s(); x != nil {
			for i := lo; i < hi; i++ {
				y[i] = float32(mishOf(float64(x[i])))
			}
		}
		if x, y := in[0].Float64s(), out[0].Float64s(); x != nil {
			for i := lo; i < hi; i++ {
				y[i] = mishOf(x[i])
			}
		}
	})
	return nil
}

func mishOf(x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) }

// Gradient builds dy·(t + x·(1−t²)·σ(x)), where t = tanh(softplus(x)).
func (mish) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	x := c.In[0]
	t := op.Tanh(op.Softplus(x))
	slope := op.Mul(op.Mul(x, op.Sigmoid(x)), op.AddConst(op.Neg(op.Square(t)), 1))
	return []*op.Node{op.Mul(dout[0], op.Add(t, slope))}
}

// The op may write its result where its input was.
func (mish) Traits() op.Traits { return op.Traits{InPlace: []op.Pair{{In: 0, Out: 0}}} }

// printer prints what a *testing.T would report.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A custom op with its gradient, and its test.
func Example() {
	var t printer // in a test, its *testing.T
	optest.Check(t, optest.Case{
		In:    []optest.Input{optest.Float(op.Batch, 5)},
		Build: optest.Unary(Mish),
		Reference: func(in []optest.Array) []optest.Array {
			return []optest.Array{in[0].Map(mishOf)}
		},
		Misuse: []optest.Misuse{{
			In:    []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{op.Batch}}},
			Build: optest.Unary(Mish),
			Want:  `mish: input "ids" has type int32, want a floating-point type`,
		}},
	})
	fmt.Println("checked")
	// Output:
	// checked
}

// A wrong value is reported with the place, both numbers and the inputs.
func ExampleCheck() {
	var t printer // in a test, its *testing.T
	optest.Check(t, optest.Case{
		Name:  "by hand",
		In:    []optest.Input{optest.Given([]float64{0, 1}, 2)},
		Build: optest.Unary(Mish),
		Want:  [][]float64{{0, 1}},
	})
	// Output:
	// by hand: float64: output 0 at [1]: got 0.8650983882673103, want 1; x0 = [2][0 1]
}

package op_test

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
)

// A graph is built from inputs whose sizes may be symbols, and serves every size.
func Example() {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 3)
	w := g.Constant(tensor.New(tensor.WithShape(3, 1), tensor.WithBacking([]float32{1, 10, 100})))
	y := op.ReLU(op.MatMul(x, w))
	fmt.Println(y.DType(), y.ShapeString())

	program, err := paddle.NewPredictor(y)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rows := range [][]float32{{1, 2, 3}, {1, 2, 3, -4, -5, -6}} {
		in := tensor.New(tensor.WithShape(len(rows)/3, 3), tensor.WithBacking(rows))
		out, err := program.Predict(context.Background(), op.Feeds{"x": in})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(out[0].Shape(), out[0].Float32s())
	}
	// Output:
	// float32 (batch, 1)
	// (1, 1) [321]
	// (2, 1) [321 0]
}

// Gradient adds nodes to the graph. They are values like any other.
func ExampleGradient() {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch)
	loss := op.Sum(op.Mul(x, op.Square(x))) // Σ x³
	dx := op.Gradient(loss, x)[0]
	program, err := paddle.NewPredictor(loss, dx)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := program.Predict(context.Background(), op.Feeds{"x": tensor.New(tensor.WithBacking([]float64{1, 2, 3}))})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out[0].ScalarValue(), out[1].Float64s())
	// Output: 36 [3 12 27]
}

// Building never panics and returns no errors call by call: a mistake goes with the nodes, and the first one is kept with its place.
func ExampleGraph_Err() {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 3)
	w := g.Input("w", op.Float32, 4, 2)
	y := op.Softmax(op.MatMul(x, w))
	fmt.Println(y.Err())
	fmt.Println(g.Err() == y.Err())
	// Output:
	// example_test.go:66: op.MatMul: input "w" has shape (4, 2), want 3 where the matrices meet, as in (batch, 3)
	// true
}

// Double is an op of one's own: it needs a name, the shape of its result, a way to compute it and, to be trained through, a gradient.
// Package optest checks that they fit together.
func Double(x *op.Node) *op.Node { return op.Apply(double{}, x)[0] }

type double struct{}

func (double) Name() string { return "double" }

func (double) Infer(s *op.Shapes) ([]op.Spec, error) {
	if err := s.Arity(1); err != nil {
		return nil, err
	}
	return []op.Spec{s.In[0]}, s.Float(0)
}

func (double) Run(e *op.Env, in, out []op.Buffer) error {
	e.Binary(op.BinaryAdd, in[0], in[0], out[0])
	return nil
}

func (double) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	return []*op.Node{Double(dout[0])}
}

func ExampleApply() {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch)
	y := op.Square(Double(x)) // 4x²
	program, err := paddle.NewPredictor(y, op.Gradient(op.Sum(y), x)[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := program.Predict(context.Background(), op.Feeds{"x": tensor.New(tensor.WithBacking([]float64{1, 2}))})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out[0].Float64s(), out[1].Float64s())
	// Output: [4 16] [8 16]
}

// Sizes that Reshape can work out are left to it.
func ExampleReshape() {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, g.Dim("time"), 8)
	fmt.Println(op.Reshape(x, op.Auto, 8).ShapeString())
	fmt.Println(op.Reshape(x, op.Batch, op.Auto).ShapeString())
	// Output:
	// (batch·time, 8)
	// (batch, 8·time)
}

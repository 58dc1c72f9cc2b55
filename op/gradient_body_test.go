package op_test

import (
	"context"
	"math"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
)

// TestGradientInsideAStep: a step may take a gradient for a value of the enclosing graph, here d/dw Σ (w·x)² = 2·w·Σx², also from a step
// inside a step.
func TestGradientInsideAStep(t *testing.T) {
	g := op.NewGraph(nil)
	x, w, starts := g.Input("x", op.Float64, g.Dim("rows")), g.Input("w", op.Float64), g.Input("starts", op.Int32, g.Dim("steps"))
	init := g.Input("init", op.Float64, op.Batch)
	step := func(inner bool) func(s *op.ScanStep) (out, next []*op.Node) {
		return func(s *op.ScanStep) (out, next []*op.Node) {
			rows := s.Rows[0]
			if inner {
				var sum []*op.Node
				_, sum = op.Scan(op.ScanInputs{Starts: starts, Rows: []*op.Node{x}, Init: []*op.Node{init}}, func(in *op.ScanStep) (out, next []*op.Node) {
					d := op.Gradient(op.Sum(op.Square(op.Mul(in.Rows[0], w))), w)[0]
					return nil, []*op.Node{op.Add(in.Memory[0], op.Mul(d, op.Ones(in.Memory[0])))}
				})
				return nil, []*op.Node{op.Add(s.Memory[0], op.Mul(op.Sum(sum[0]), op.Ones(rows)))}
			}
			d := op.Gradient(op.Sum(op.Square(op.Mul(rows, w))), w)[0]
			return nil, []*op.Node{op.Add(s.Memory[0], op.Mul(d, op.Ones(rows)))}
		}
	}
	in := op.ScanInputs{Starts: starts, Rows: []*op.Node{x}, Init: []*op.Node{init}}
	_, plain := op.Scan(in, step(false))
	_, nested := op.Scan(in, step(true))
	p, err := paddle.NewPredictor(plain[0], nested[0])
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Predict(context.Background(), op.Feeds{
		"x": tensor.New(tensor.WithBacking([]float64{1, 2, 3})), "w": tensor.New(tensor.FromScalar(0.5)),
		"starts": tensor.New(tensor.WithBacking([]int32{0, 2, 3})), "init": tensor.New(tensor.WithBacking([]float64{0, 0})),
	})
	if err != nil {
		t.Fatal(err)
	}
	// d is 5 in the first step and 9 in the second, which has one row. The nested scan has memories of 14 and 5 at its end, in each step.
	for i, want := range [][]float64{{14, 5}, {38, 19}} {
		for k, v := range out[i].Float64s() {
			if math.Abs(v-want[k]) > 1e-12 {
				t.Errorf("scan %d: memory %d is %v, want %v", i, k, v, want[k])
			}
		}
	}
}

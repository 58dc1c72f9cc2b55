package op_test

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// Two sequences, 1 2 3 and 10 20, are summed up step by step. Their rows are packed by step: 1 10, then 2 20, then 3.
func ExampleScan() {
	g := op.NewGraph(nil)
	in := op.ScanInputs{
		Starts: g.Input("starts", op.Int32, g.Dim("steps")),
		Rows:   []*op.Node{g.Input("x", op.Float64, g.Dim("rows"))},
		Init:   []*op.Node{g.Input("zero", op.Float64, op.Batch)},
	}
	outs, last := op.Scan(in, func(s *op.ScanStep) (out, next []*op.Node) {
		sum := op.Add(s.Memory[0], s.Rows[0])
		return []*op.Node{sum}, []*op.Node{sum}
	})
	p, err := exec.Compile(g, []*op.Node{outs[0], last[0]}, exec.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	feeds := op.Feeds{
		"starts": tensor.New(tensor.WithBacking([]int32{0, 2, 4, 5})),
		"x":      tensor.New(tensor.WithBacking([]float64{1, 10, 2, 20, 3})),
		"zero":   tensor.New(tensor.WithBacking([]float64{0, 0})),
	}
	err = p.Run(context.Background(), feeds, 0, func(values []op.Buffer) error {
		fmt.Println("sums", values[0].Float64s())
		fmt.Println("last", values[1].Float64s())
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// sums [1 10 3 30 6]
	// last [6 30]
}

package sequence_test

import (
	"context"
	"fmt"

	"paddle"
	"paddle/op"
	"paddle/sequence"
)

// fetch runs nodes on sequences of rows of one number.
func fetch(rows [][]float32, nodes ...*op.Node) {
	b, err := sequence.NewBatch(rows, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := paddle.NewPredictor(nodes...)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := p.Predict(context.Background(), b.Feeds("x"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, y := range out {
		fmt.Printf("%.3f\n", y.Data())
	}
}

// A recurrent layer by hand: its gates are a product of all tokens, computed before it walks.
func ExampleLSTM() {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32, 1)
	gates := x.Map(func(rows *op.Node) *op.Node { return op.MatMul(rows, g.Full(op.Float32, 1, 1, 4)) })
	h, last := sequence.LSTM{Weight: g.Full(op.Float32, 0.5, 1, 4)}.Run(gates)
	fetch([][]float32{{1, 2}, {}, {1}}, h.Rows(), last.H, last.C)
	// Output:
	// [0.370 0.791 0.370]
	// [0.791 0.000 0.370]
	// [1.377 0.000 0.557]
}

// The two forms of the unit differ in where the reset gate is.
func ExampleGRU() {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32, 1)
	gates := x.Map(func(rows *op.Node) *op.Node { return op.MatMul(rows, g.Full(op.Float32, 1, 1, 3)) })
	weight := g.Full(op.Float32, 0.5, 1, 3)
	_, before := sequence.GRU{Weight: weight}.Run(gates)
	_, after := sequence.GRU{Weight: weight, ResetAfter: true, Bias: g.Full(op.Float32, -1, 1)}.Run(gates)
	fetch([][]float32{{1, 2}, {1}}, before, after)
	// Output:
	// [0.288 0.205]
	// [0.157 0.071]
}

// An RNN from the last token of each sequence to its first.
func ExampleRNN() {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32, 1)
	h, last := sequence.RNN{Weight: g.Full(op.Float32, 0.5, 1, 1), Act: op.ActReLU, Reverse: true}.Run(x)
	fetch([][]float32{{1, 2}, {9, 9, 9}}, h.Rows(), last)
	// Output:
	// [2.000 2.000 15.750 13.500 9.000]
	// [2.000 15.750]
}

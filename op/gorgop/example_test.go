package gorgop_test

import (
	"context"
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
	"paddle/op/gorgop"
)

// A function of Gorgonia's, Mish, and its gradient, at any batch size.
func Example() {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 2)
	y := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Mish(in[0]) }, x)
	gradient := op.Gradient(op.Sum(y), x)[0]

	p, err := paddle.NewPredictor(y, gradient)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rows := range []int{1, 2} {
		feeds := op.Feeds{"x": tensor.New(tensor.WithShape(rows, 2), tensor.WithBacking([]float32{-1, 0, 1, 2}[:2*rows]))}
		out, err := p.Predict(context.Background(), feeds)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.3f %.3f\n", out[0].Data(), out[1].Data())
	}
	// Output:
	// [-0.303 0.000] [0.059 0.600]
	// [-0.303 0.000 0.865 1.944] [0.059 0.600 1.049 1.069]
}

// A user's op; doubleWithGradient has the methods of gorgonia.SDOp.
func ExampleApply() {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 3)
	y := gorgop.Apply(doubleWithGradient{}, x)
	fmt.Println(y.ShapeString())

	// Mistakes are kept by the graph, as everywhere.
	z := gorgop.Apply(double{}, x)
	fmt.Println(op.Gradient(op.Sum(z), x)[0].Err() != nil)
	// Output:
	// (batch, 3)
	// true
}

// A strided im2col has heights that are quotients, so the shape is stated.
func ExampleApplyShape() {
	g := op.NewGraph(nil)
	height := g.Dim("height")
	image := g.Input("image", op.Float32, op.Batch, 3, height, 8)

	template := gorgonia.NewTensor(gorgonia.NewGraph(), tensor.Float32, 4, gorgonia.WithShape(1, 3, 8, 8))
	node := gorgonia.Must(gorgonia.Im2Col(template, tensor.Shape{2, 2}, tensor.Shape{0, 0}, tensor.Shape{2, 2}, tensor.Shape{1, 1}))
	columns := gorgop.ApplyShape([]op.Dim{op.Batch, g.DivDims(height, 2), 4, 12}, node.Op(), image)
	fmt.Println(columns.ShapeString(), columns.Err())
	// Output: (batch, height/2, 4, 12) <nil>
}

// classifier is a model of two layers.
type classifier struct{ Hidden, Out layer.FC }

// Our model on Gorgonia's machine: the same numbers from the same memory.
func ExampleExport() {
	m := &classifier{Hidden: layer.FC{Size: 4, Act: op.Tanh}, Out: layer.FC{Size: 2}}
	g := op.NewGraph(m)
	logits := m.Out.Forward(m.Hidden.Forward(g.Input("point", op.Float32, op.Batch, 3)))
	point := tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float32{1, 2, 3, 4, 5, 6}))

	graph, nodes, err := gorgop.Export(map[op.Dim]int{op.Batch: 2}, logits)
	if err != nil {
		fmt.Println(err)
		return
	}
	gorgonia.Let(graph.ByName("point")[0], point)
	machine := gorgonia.NewTapeMachine(graph)
	defer machine.Close()
	if err := machine.RunAll(); err != nil {
		fmt.Println(err)
		return
	}

	p, err := paddle.NewPredictor(logits)
	if err != nil {
		fmt.Println(err)
		return
	}
	ours, err := p.Predict(context.Background(), op.Feeds{"point": point})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(nodes[0].Shape(), nodes[0].Value().(*tensor.Dense).Eq(ours[0]))
	// Output: (2, 2) true
}

// Gorgonia's Adam trains our model.
func ExampleOptimizer() {
	m := &classifier{Hidden: layer.FC{Size: 8, Act: op.Tanh}, Out: layer.FC{Size: 4}}
	g := op.NewGraph(m)
	logits := m.Out.Forward(m.Hidden.Forward(g.Input("point", op.Float32, op.Batch, 2)))
	loss := op.CrossEntropy(logits, g.Input("label", op.Int32, op.Batch))

	solver := gorgonia.NewAdamSolver(gorgonia.WithLearnRate(0.05))
	trainer, err := paddle.NewTrainer(loss, gorgop.Optimizer{Solver: solver})
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := datasets.Blobs{Records: 64, Features: 2, Classes: 4, Seed: 1}.Set()
	if err != nil {
		fmt.Println(err)
		return
	}
	var last paddle.Step
	for range 20 {
		for batch, err := range set.InOrder(32) {
			if err == nil {
				last, err = trainer.Step(context.Background(), batch)
			}
			if err != nil {
				fmt.Println(err)
				return
			}
		}
	}
	fmt.Println(last.Update, last.Loss < 0.2)
	// Output: 40 true
}

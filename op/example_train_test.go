package op_test

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
)

// The size of the result is worked out, and checked, when the graph is built.
func ExampleConv2D() {
	g := op.NewGraph(nil)
	image := g.Input("image", op.Float32, op.Batch, 3, 32, 32)
	filters := g.Input("filters", op.Float32, 16, 3, 5, 5)
	fmt.Println(op.Conv2D(image, filters, op.Conv{}).ShapeString())
	fmt.Println(op.Conv2D(image, filters, op.Conv{Stride: 2, Padding: 2}).ShapeString())
	fmt.Println(op.Conv2D(image, filters, op.Conv{Same: true, StrideWidth: 3}).ShapeString())
	fmt.Println(op.Conv2D(image, filters, op.Conv{Dilation: 8}).Err())
	// Output:
	// (batch, 16, 28, 28)
	// (batch, 16, 16, 16)
	// (batch, 16, 32, 11)
	// example_train_test.go:21: op.Conv2D: input "image" has shape (batch, 3, 32, 32): height 32 with padding 0 and 0 is less than the 33 that kernel 5 with dilation 8 covers
}

func ExampleMaxPool2D() {
	g := op.NewGraph(nil)
	image := g.Input("image", op.Float32, op.Batch, 16, 7, 7)
	fmt.Println(op.MaxPool2D(image, op.Pool{Size: 2}).ShapeString())
	fmt.Println(op.MaxPool2D(image, op.Pool{Size: 2, Ceil: true}).ShapeString())
	fmt.Println(op.MaxPool2D(image, op.Pool{Size: 3, Stride: 1, Padding: 1}).ShapeString())
	// Output:
	// (batch, 16, 3, 3)
	// (batch, 16, 4, 4)
	// (batch, 16, 7, 7)
}

// Rows that are marked with IgnoreLabel are no part of the mean.
func ExampleCrossEntropy() {
	g := op.NewGraph(nil)
	logits, label := g.Input("logits", op.Float32, op.Batch, 3), g.Input("label", op.Int32, op.Batch)
	loss := op.CrossEntropy(logits, label)
	predictor, err := paddle.NewPredictor(loss, op.Count(loss), op.CrossEntropyRows(logits, label))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := predictor.Predict(context.Background(), op.Feeds{
		"logits": tensor.New(tensor.WithShape(3, 3), tensor.WithBacking([]float32{0, 0, 0, -500, 300, 450, 1, 2, 3})),
		"label":  tensor.New(tensor.WithBacking([]int32{1, 1, op.IgnoreLabel})),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f over %v rows: %.4f\n", out[0].ScalarValue(), out[1].ScalarValue(), out[2].Float32s())
	// Output: 75.5493 over 2 rows: [1.0986 150.0000 0.0000]
}

// An optimizer is a few nodes: the gradients, what is done to them, and the updates of a step.
func ExampleUpdateSGD() {
	g := op.NewGraph(nil)
	weight := new(op.Variable)
	if err := weight.Define(op.Float64, op.InitConstant(1), 2); err != nil {
		fmt.Println(err)
		return
	}
	w := g.Read(weight)
	loss := op.Sum(op.Square(w))
	clipped, norm, finite := op.ClipByGlobalNorm(op.Gradient(loss, w), 1)
	op.UpdateSGD(op.All(finite), w, clipped[0], g.Full(op.Float64, 0.5))
	fmt.Println(norm.DType(), clipped[0].ShapeString(), g.Err())
	// Output: float64 (2,) <nil>
}

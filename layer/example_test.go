package layer_test

import (
	"fmt"

	"paddle/layer"
	"paddle/op"
)

// LeNet recognises digits (LeCun et al., 1998, with ReLU and max pooling).
type LeNet struct {
	Conv1, Conv2 layer.Conv2D
	Hidden, Out  layer.FC
}

// Forward maps images (batch, 1, 28, 28) to logits (batch, 10).
func (m *LeNet) Forward(image *op.Node) *op.Node {
	x := op.MaxPool2D(m.Conv1.Forward(image), op.Pool{Size: 2, Stride: 2})
	x = op.MaxPool2D(m.Conv2.Forward(x), op.Pool{Size: 2, Stride: 2})
	return m.Out.Forward(m.Hidden.Forward(op.Flatten(x)))
}

func Example() {
	net := &LeNet{
		Conv1:  layer.Conv2D{Filters: 20, Kernel: 5, Act: op.ReLU},
		Conv2:  layer.Conv2D{Filters: 50, Kernel: 5, Act: op.ReLU},
		Hidden: layer.FC{Size: 500, Act: op.ReLU},
		Out:    layer.FC{Size: 10},
	}
	g := op.NewGraph(net)
	logits := net.Forward(g.Input("image", op.Float32, op.Batch, 1, 28, 28))
	fmt.Println(logits.ShapeString())
	for _, p := range g.Parameters() {
		fmt.Println(g.NameOf(&p.Variable), p.Shape())
	}
	// Output:
	// (batch, 10)
	// conv1.weight [20 1 5 5]
	// conv1.bias [20]
	// conv2.weight [50 20 5 5]
	// conv2.bias [50]
	// hidden.weight [800 500]
	// hidden.bias [500]
	// out.weight [500 10]
	// out.bias [10]
}

// A layer that does not fit its input says so with the place where it was built.
func ExampleFC() {
	net := &struct{ Out layer.FC }{layer.FC{Size: 10}}
	g := op.NewGraph(net)
	net.Out.Forward(g.Input("features", op.Float32, op.Batch, 5))
	net.Out.Forward(g.Input("image", op.Float32, 4, 3))
	fmt.Println(g.Err())
	// Output: example_test.go:53: layer.FC out: input "image" has shape (4, 3), want (batch, 5)
}

// Normalisation between a convolution without bias and its activation.
func ExampleBatchNorm() {
	net := layer.Sequential{
		&layer.Conv2D{Filters: 8, Kernel: 3, Same: true, NoBias: true},
		&layer.BatchNorm{Act: op.ReLU},
		layer.MaxPool2D{Size: 2},
	}
	g := op.NewGraph(&net)
	fmt.Println(net.Forward(g.Input("image", op.Float32, op.Batch, 3, 32, 32)).ShapeString())
	// Output: (batch, 8, 16, 16)
}

// The output layer of a language model can share the table of the embedding.
func ExampleEmbedding() {
	table := new(op.Parameter)
	net := &struct {
		Words layer.Embedding
		Next  layer.FC
	}{
		Words: layer.Embedding{Vocabulary: 10_000, Width: 64, Padding: new(0), Weight: table},
		Next:  layer.FC{Transposed: true, Weight: table},
	}
	g := op.NewGraph(net)
	words := g.Input("words", op.Int32, op.Batch)
	fmt.Println(net.Next.Forward(net.Words.Forward(words)).ShapeString())
	// Output: (batch, 10000)
}

// PReLU is a layer with a parameter of its own: y = max(x, 0) + a·min(x, 0), with a slope a for each feature (He et al., 2015).
type PReLU struct {
	Slope *op.Parameter // a (features), by default 0.25
}

// Forward builds the layer on x (batch, features).
func (l *PReLU) Forward(x *op.Node) *op.Node {
	s := op.Enter(l, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	if x.Rank() != 2 || x.Dim(1) < 1 {
		return s.Wrong(x, "(batch, features)")
	}
	a := s.Parameter("Slope", l.Slope, x.DType(), op.InitConstant(0.25), int(x.Dim(1)))
	return op.Add(op.ReLU(x), op.Mul(a, op.Minimum(x, op.Zeros(x))))
}

// A layer of one's own: NewGraph makes its parameter and names it by the field, Forward gives it a shape and uses it.
func ExampleLayer() {
	net := &struct {
		Hidden layer.FC
		Act    PReLU
	}{Hidden: layer.FC{Size: 3}}
	g := op.NewGraph(net)
	y := net.Act.Forward(net.Hidden.Forward(g.Input("x", op.Float32, op.Batch, 2)))
	fmt.Println(y.ShapeString(), g.Err())
	for _, p := range g.Parameters() {
		fmt.Println(g.NameOf(&p.Variable), p.Shape())
	}
	fmt.Println(net.Act.Forward(g.Input("image", op.Float32, op.Batch, 1, 28, 28)).Err())
	// Output:
	// (batch, 3) <nil>
	// hidden.weight [2 3]
	// hidden.bias [3]
	// act.slope [3]
	// example_test.go:99: layer_test.PReLU act: input "image" has shape (batch, 1, 28, 28), want (batch, features)
}

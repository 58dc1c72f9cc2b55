package main

import (
	"fmt"
	"math/rand/v2"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
)

var rng = rand.New(rand.NewPCG(1, 2))

func uniform(shape ...int) *tensor.Dense {
	t := tensor.New(tensor.WithShape(shape...), tensor.Of(tensor.Float32))
	for i := range t.Float32s() {
		t.Float32s()[i] = rng.Float32()
	}
	return t
}

func classes(n int, shape ...int) *tensor.Dense {
	t := tensor.New(tensor.WithShape(shape...), tensor.Of(tensor.Int32))
	for i := range t.Int32s() {
		t.Int32s()[i] = rng.Int32N(int32(n))
	}
	return t
}

func momentum() paddle.Optimizer { return paddle.Momentum{LearningRate: 0.01} }

// classifier is a case of a network on inputs x and labels y.
func classifier(name string, net layer.Sequential, labels int, o paddle.Optimizer, batch int, shape ...int) benchmark {
	g := op.NewGraph(net)
	dims := []op.Dim{op.Batch}
	for _, d := range shape {
		dims = append(dims, op.Dim(d))
	}
	x, y := g.Input("x", op.Float32, dims...), g.Input("y", op.Int32, op.Batch)
	feeds := op.Feeds{"x": uniform(append([]int{batch}, shape...)...), "y": classes(labels, batch)}
	return benchmark{name: name, loss: op.CrossEntropy(net.Forward(x), y), optimizer: o, batches: []op.Feeds{feeds}}
}

func perceptron() layer.Sequential {
	return layer.Sequential{&layer.FC{Size: 256, Act: op.ReLU}, &layer.FC{Size: 128, Act: op.ReLU}, &layer.FC{Size: 10}}
}

func perceptrons() []benchmark {
	var out []benchmark
	for _, batch := range []int{1, 8, 32, 64, 128} {
		out = append(out, classifier(fmt.Sprintf("mlp b%d adam", batch), perceptron(), 10, paddle.Adam{LearningRate: 1e-3}, batch, 784))
	}
	return out
}

func lenet() layer.Sequential {
	return layer.Sequential{
		&layer.Conv2D{Filters: 20, Kernel: 5}, pool(), &layer.Conv2D{Filters: 50, Kernel: 5}, pool(), layer.Func(op.Flatten),
		&layer.FC{Size: 500, Act: op.ReLU}, &layer.FC{Size: 10},
	}
}

func lenets() []benchmark {
	var out []benchmark
	for _, batch := range []int{64, 128} {
		out = append(out, classifier(fmt.Sprintf("lenet momentum b%d", batch), lenet(), 10, momentum(), batch, 1, 28, 28))
	}
	return out
}

func pool() layer.Layer {
	return layer.Func(func(x *op.Node) *op.Node { return op.MaxPool2D(x, op.Pool{Size: 2}) })
}

func cnn3s() []benchmark {
	net := layer.Sequential{
		&layer.Conv2D{Filters: 32, Kernel: 3, Act: op.ReLU}, &layer.Conv2D{Filters: 64, Kernel: 3, Act: op.ReLU}, pool(),
		layer.Func(op.Flatten), &layer.FC{Size: 128, Act: op.ReLU}, &layer.FC{Size: 10},
	}
	return []benchmark{classifier("cnn3 momentum b64", net, 10, momentum(), 64, 1, 28, 28)}
}

func softmaxes() []benchmark {
	var out []benchmark
	for _, batch := range []int{64, 128} {
		net := layer.Sequential{&layer.FC{Size: 100_000}}
		out = append(out, classifier(fmt.Sprintf("softmax100k b%d sgd", batch), net, 100_000, paddle.SGD{LearningRate: 0.01}, batch, 512))
	}
	return out
}

// clicks is a click-through model: 26 slots of a table with a million rows, and a perceptron.
type clicks struct {
	Words layer.Embedding
	Deep  layer.Sequential
}

func ctrs() []benchmark {
	var out []benchmark
	for _, batch := range []int{128, 1024} {
		net := &clicks{layer.Embedding{Vocabulary: 1_000_000, Width: 16}, layer.Sequential{
			&layer.FC{Size: 400, Act: op.ReLU}, &layer.FC{Size: 400, Act: op.ReLU}, &layer.FC{Size: 400, Act: op.ReLU}, &layer.FC{Size: 1},
		}}
		g := op.NewGraph(net)
		ids, y := g.Input("ids", op.Int32, op.Batch, 26), g.Input("y", op.Float32, op.Batch, 1)
		logits := net.Deep.Forward(op.Flatten(net.Words.Forward(ids)))
		b := benchmark{
			name: fmt.Sprintf("ctr b%d sparse-adam", batch), loss: op.BinaryCrossEntropy(logits, y), optimizer: paddle.Adam{LearningRate: 1e-3},
		}
		for range 16 {
			b.batches = append(b.batches, op.Feeds{"ids": classes(1_000_000, batch, 26), "y": uniform(batch, 1)})
		}
		out = append(out, b)
	}
	return out
}

// encoder is a Transformer's encoder layer with the norms after the sums (Vaswani et al., 2017). Its input is a parameter, so that the
// gradient for it is computed too.
type encoder struct {
	X         *op.Parameter
	Attention layer.SelfAttention
	Norm1     layer.LayerNorm
	Up, Down  layer.FC
	Norm2     layer.LayerNorm
}

func (m *encoder) forward(x *op.Node) *op.Node {
	x = m.Norm1.Forward(op.Add(x, m.Attention.Forward(x)))
	return m.Norm2.Forward(op.Add(x, m.Down.Forward(m.Up.Forward(x))))
}

func transformers() []benchmark {
	net := &encoder{Attention: layer.SelfAttention{Heads: 4}, Up: layer.FC{Size: 1024, Act: op.ReLU}, Down: layer.FC{Size: 256}}
	g := op.NewGraph(net)
	if err := net.X.Define(op.Float32, op.InitUniform{Low: 0, High: 1}, 16, 128, 256); err != nil {
		g.Fail("%w", err)
	}
	loss := op.Sum(net.forward(g.ReadParameter(net.X)))
	return []benchmark{{
		name: "transformer d256 h4 s128 b16 forward+backward", loss: loss, optimizer: paddle.SGD{LearningRate: 1e-9}, batches: []op.Feeds{{}},
	}}
}

package golden

import (
	"paddle/layer"
	"paddle/op"
)

// net maps the inputs, without the labels, to logits (batch, classes).
type net interface {
	Forward(x *op.Node) *op.Node
}

// nets makes the models of models.py with numbers of the given type; the parameters have the names that they have there.
var nets = map[string]func(d op.DType) net{
	"lenet":     func(op.DType) net { return newLeNet() },
	"mlp":       func(op.DType) net { return newMLP() },
	"batchnorm": func(op.DType) net { return newNormNet() },
	"bag": func(d op.DType) net {
		return &bag{Words: layer.Embedding{Vocabulary: 40, Width: 8, DType: d}, Out: layer.FC{Size: 5}}
	},
	"padded": func(d op.DType) net {
		return &bag{Words: layer.Embedding{Vocabulary: 40, Width: 8, Padding: new(22), DType: d}, Out: layer.FC{Size: 5}}
	},
	"small": func(op.DType) net {
		return &small{Hidden: layer.FC{Size: 12, Act: op.Tanh}, Out: layer.FC{Size: 5}}
	},
}

// leNet is the network of examples/mnist.
type leNet struct {
	Conv1, Conv2 layer.Conv2D
	Hidden, Out  layer.FC
}

func newLeNet() *leNet {
	return &leNet{
		Conv1:  layer.Conv2D{Filters: 20, Kernel: 5, Act: op.ReLU},
		Conv2:  layer.Conv2D{Filters: 50, Kernel: 5, Act: op.ReLU},
		Hidden: layer.FC{Size: 500, Act: op.ReLU},
		Out:    layer.FC{Size: 10},
	}
}

// Forward implements net for images (batch, 1, 28, 28).
func (m *leNet) Forward(x *op.Node) *op.Node {
	x = op.MaxPool2D(m.Conv1.Forward(x), op.Pool{Size: 2, Stride: 2})
	x = op.MaxPool2D(m.Conv2.Forward(x), op.Pool{Size: 2, Stride: 2})
	return m.Out.Forward(m.Hidden.Forward(op.Flatten(x)))
}

// mlp is the perceptron of examples/mnist.
type mlp struct{ Hidden1, Hidden2, Out layer.FC }

func newMLP() *mlp {
	return &mlp{
		Hidden1: layer.FC{Size: 256, Act: op.ReLU},
		Hidden2: layer.FC{Size: 128, Act: op.ReLU},
		Out:     layer.FC{Size: 10},
	}
}

// Forward implements net for images (batch, 1, 28, 28).
func (m *mlp) Forward(x *op.Node) *op.Node {
	return m.Out.Forward(m.Hidden2.Forward(m.Hidden1.Forward(op.Flatten(x))))
}

// normNet is a small net like VGG: convolutions of all kinds, each with batch norm, and poolings to means.
type normNet struct {
	Conv1, Conv2, Conv3 layer.Conv2D
	Norm1, Norm2, Norm3 layer.BatchNorm
	Out                 layer.FC
}

func newNormNet() *normNet {
	return &normNet{
		Conv1: layer.Conv2D{Filters: 8, Kernel: 3, Padding: 1, NoBias: true},
		Norm1: layer.BatchNorm{Act: op.ReLU},
		Conv2: layer.Conv2D{Filters: 8, Kernel: 3, Padding: 1, Groups: 2, NoBias: true},
		Norm2: layer.BatchNorm{Act: op.ReLU},
		Conv3: layer.Conv2D{Filters: 16, Kernel: 3, Stride: 2, Padding: 2, Dilation: 2, NoBias: true},
		Norm3: layer.BatchNorm{Act: op.ReLU},
		Out:   layer.FC{Size: 10},
	}
}

// Forward implements net for images (batch, 3, 18, 18).
func (m *normNet) Forward(x *op.Node) *op.Node {
	x = m.Norm1.Forward(m.Conv1.Forward(x))
	x = m.Norm2.Forward(m.Conv2.Forward(x))
	x = op.AvgPool2D(x, op.Pool{Size: 2})
	x = m.Norm3.Forward(m.Conv3.Forward(x))
	x = op.AvgPool2D(x, op.Pool{Size: 3, Stride: 2, Padding: 1, Ceil: true})
	return m.Out.Forward(op.Flatten(x))
}

// bag takes the mean of rows that it looks up, whatever their order.
type bag struct {
	Words layer.Embedding
	Out   layer.FC
}

// Forward implements net for ids (batch, words).
func (m *bag) Forward(ids *op.Node) *op.Node {
	return m.Out.Forward(op.Mean(m.Words.Forward(ids), 1))
}

// small has one hidden layer.
type small struct{ Hidden, Out layer.FC }

// Forward implements net for rows (batch, 6).
func (m *small) Forward(x *op.Node) *op.Node { return m.Out.Forward(m.Hidden.Forward(x)) }

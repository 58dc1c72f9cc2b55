package main

import (
	"paddle/layer"
	"paddle/op"
)

// model maps images (batch, 1, 28, 28) to logits (batch, 10).
type model interface {
	Forward(image *op.Node) *op.Node
}

// networks are what -model can name.
var networks = map[string]func() model{
	"lenet": func() model { return newLeNet() },
	"mlp":   func() model { return newMLP() },
}

// LeNet is the convolutional network of LeCun et al. (1998) in the sizes that Caffe and Paddle use.
type LeNet struct {
	Conv1, Conv2 layer.Conv2D
	Hidden, Out  layer.FC
}

func newLeNet() *LeNet {
	return &LeNet{
		Conv1:  layer.Conv2D{Filters: 20, Kernel: 5, Act: op.ReLU},
		Conv2:  layer.Conv2D{Filters: 50, Kernel: 5, Act: op.ReLU},
		Hidden: layer.FC{Size: 500, Act: op.ReLU},
		Out:    layer.FC{Size: 10},
	}
}

// Forward implements model.
func (m *LeNet) Forward(image *op.Node) *op.Node {
	x := op.MaxPool2D(m.Conv1.Forward(image), op.Pool{Size: 2, Stride: 2})
	x = op.MaxPool2D(m.Conv2.Forward(x), op.Pool{Size: 2, Stride: 2})
	return m.Out.Forward(m.Hidden.Forward(op.Flatten(x)))
}

// MLP is a perceptron with two hidden layers.
type MLP struct {
	Hidden1, Hidden2, Out layer.FC
}

func newMLP() *MLP {
	return &MLP{
		Hidden1: layer.FC{Size: 256, Act: op.ReLU},
		Hidden2: layer.FC{Size: 128, Act: op.ReLU},
		Out:     layer.FC{Size: 10},
	}
}

// Forward implements model.
func (m *MLP) Forward(image *op.Node) *op.Node {
	return m.Out.Forward(m.Hidden2.Forward(m.Hidden1.Forward(op.Flatten(image))))
}

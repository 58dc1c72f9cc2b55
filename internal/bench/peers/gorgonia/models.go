package main

import (
	"fmt"
	"math/rand/v2"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// model is a network in the making: x is what the last layer gave.
type model struct {
	graph      *G.ExprGraph
	parameters G.Nodes
	x          *G.Node
}

func newModel(shape ...int) *model {
	m := &model{graph: G.NewGraph()}
	m.x = G.NewTensor(m.graph, G.Float32, len(shape), G.WithShape(shape...), G.WithName("x"))
	values := make([]float32, tensor.Shape(shape).TotalSize())
	for i := range values {
		values[i] = rand.Float32()
	}
	fail(G.Let(m.x, tensor.New(tensor.WithShape(shape...), tensor.WithBacking(values))))
	return m
}

func (m *model) parameter(init G.InitWFn, shape ...int) *G.Node {
	p := G.NewTensor(m.graph, G.Float32, len(shape), G.WithShape(shape...), G.WithName(fmt.Sprint("w", len(m.parameters))), G.WithInit(init))
	m.parameters = append(m.parameters, p)
	return p
}

func (m *model) full(in, out int) {
	w, b := m.parameter(G.GlorotU(1), in, out), m.parameter(G.Zeroes(), 1, out)
	m.x = G.Must(G.BroadcastAdd(G.Must(G.Mul(m.x, w)), b, nil, []byte{0}))
}

func (m *model) rectify() { m.x = G.Must(G.Rectify(m.x)) }

func (m *model) convolve(in, out, kernel int) {
	w, b := m.parameter(G.GlorotU(1), out, in, kernel, kernel), m.parameter(G.Zeroes(), 1, out, 1, 1)
	x := G.Must(G.Conv2d(m.x, w, tensor.Shape{kernel, kernel}, []int{0, 0}, []int{1, 1}, []int{1, 1}))
	m.x = G.Must(G.BroadcastAdd(x, b, nil, []byte{0, 2, 3}))
}

func (m *model) pool() {
	m.x = G.Must(G.MaxPool2D(m.x, tensor.Shape{2, 2}, []int{0, 0}, []int{2, 2}))
}

// finish adds the loss, the mean cross-entropy with random labels, and the gradients, and returns where the loss will be.
func (m *model) finish() *G.Value {
	const classes = 10
	labels := make([]float32, batch*classes)
	for i := range batch {
		labels[i*classes+rand.IntN(classes)] = 1
	}
	y := G.NewMatrix(m.graph, G.Float32, G.WithShape(batch, classes), G.WithName("y"))
	fail(G.Let(y, tensor.New(tensor.WithShape(batch, classes), tensor.WithBacking(labels))))
	picked := G.Must(G.HadamardProd(G.Must(G.LogSoftMax(m.x)), y))
	loss := G.Must(G.Neg(G.Must(G.Div(G.Must(G.Sum(picked)), G.NewConstant(float32(batch))))))
	value := new(G.Value)
	G.Read(loss, value)
	_, err := G.Grad(loss, m.parameters...)
	fail(err)
	return value
}

func perceptron() *model {
	m := newModel(batch, 784)
	m.full(784, 256)
	m.rectify()
	m.full(256, 128)
	m.rectify()
	m.full(128, 10)
	return m
}

func lenet() *model {
	m := newModel(batch, 1, 28, 28)
	m.convolve(1, 20, 5)
	m.pool()
	m.convolve(20, 50, 5)
	m.pool()
	m.x = G.Must(G.Reshape(m.x, tensor.Shape{batch, 800}))
	m.full(800, 500)
	m.rectify()
	m.full(500, 10)
	return m
}

package layer_test

import (
	"testing"

	"paddle/layer"
	"paddle/op"
)

func TestSequential(t *testing.T) {
	model := &struct{ Net layer.Sequential }{layer.Sequential{
		&layer.Conv2D{Filters: 2, Kernel: 3, Padding: 1},
		layer.MaxPool2D{Size: 2},
		layer.AvgPool2D{Size: 2, Stride: 1},
		layer.Func(op.Flatten),
		&layer.FC{Size: 3},
	}}
	g := op.NewGraph(model)
	wantShape(t, model.Net.Forward(g.Input("x", op.Float32, op.Batch, 1, 6, 6)), "(batch, 3)")
	wantNames(t, model,
		"net.0.weight float32 2 1 3 3", "net.0.bias float32 2", "net.4.weight float32 8 3", "net.4.bias float32 3")

	whole := layer.Sequential{&layer.FC{Size: 3, NoBias: true}}
	g = op.NewGraph(&whole)
	x := g.Input("x", op.Float32, op.Batch, 2)
	wantShape(t, whole.Forward(x), "(batch, 3)")
	wantNames(t, &whole, "0.weight float32 2 3")
	if (layer.Sequential{}).Forward(x) != x {
		t.Error("no layers change x")
	}
	wantError(t, layer.Sequential{layer.Func(op.ReLU), nil}.Forward(x), `layer.Sequential: layer 1 of 2 is nil`)
	wantError(t, layer.Func(nil).Forward(x), `layer.Func: the function is nil`)
	wantError(t, layer.MaxPool2D{Size: 2}.Forward(x), `layer.MaxPool2D: input "x" has shape (batch, 2), want (batch, channels, height, width)`)
}

// A layer used twice has its parameters once.
func TestSharedLayer(t *testing.T) {
	shared := &layer.FC{Size: 2, NoBias: true}
	model := &struct{ A, B *layer.FC }{shared, shared}
	g := op.NewGraph(model)
	x := g.Input("x", op.Float32, op.Batch, 2)
	y := model.B.Forward(model.A.Forward(x))
	wantNames(t, model, "a.weight float32 2 2")
	assign(t, shared.Weight, 0, 1, 2, 0)
	wantNear(t, "y", evaluate(t, op.Training, op.Feeds{"x": tensorOf([]float32{1, 10}, 1, 2)}, y)[0], 2, 20)
}

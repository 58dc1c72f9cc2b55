package layer_test

import (
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/op/optest"
)

func TestConv2D(t *testing.T) {
	model := &struct{ Conv layer.Conv2D }{layer.Conv2D{Filters: 2, Kernel: 2, Act: op.ReLU}}
	g := op.NewGraph(model)
	y := model.Conv.Forward(g.Input("image", op.Float32, op.Batch, 1, 2, 3))
	wantShape(t, y, "(batch, 2, 1, 2)")
	wantNames(t, model, "conv.weight float32 2 1 2 2", "conv.bias float32 2")
	assign(t, model.Conv.Weight, 1, 2, 3, 4 /**/, -1, 0, 0, 1)
	assign(t, model.Conv.Bias, 0.5, -4)
	out := evaluate(t, op.Training, op.Feeds{"image": tensorOf([]float32{1, 2, 3, 4, 5, 6}, 1, 1, 2, 3)}, y)
	wantNear(t, "y", out[0], 1+4+12+20+0.5, 2+6+15+24+0.5 /**/, 0, 0)
}

func TestConv2DOptions(t *testing.T) {
	type net struct{ Conv layer.Conv2D }
	for _, c := range []struct {
		net   *net
		shape string
		names []string
	}{
		{&net{layer.Conv2D{Filters: 6, Kernel: 3, KernelWidth: 5, Padding: 1, PadRight: 1, Groups: 2, NoBias: true}}, "(batch, 6, 8, 7)", []string{"conv.weight float32 6 2 3 5"}},
		{&net{layer.Conv2D{Filters: 1, Kernel: 3, Stride: 2, StrideWidth: 3, Same: true}}, "(batch, 1, 4, 3)", []string{"conv.weight float32 1 4 3 3", "conv.bias float32 1"}},
		{&net{layer.Conv2D{Filters: 1, Kernel: 2, Dilation: 3, DilationWidth: 2, PadTop: 1, PadBottom: 2, PadLeft: 3}}, "(batch, 1, 8, 9)", []string{"conv.weight float32 1 4 2 2", "conv.bias float32 1"}},
	} {
		g := op.NewGraph(c.net)
		wantShape(t, c.net.Conv.Forward(g.Input("image", op.Float32, op.Batch, 4, 8, 8)), c.shape)
		wantNames(t, c.net, c.names...)
	}
}

func TestConv2DGradients(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 2, 4, 4)},
		Model: func() (any, optest.Build) {
			m := &struct{ A, B layer.Conv2D }{
				layer.Conv2D{Filters: 4, Kernel: 3, Padding: 1, Act: op.Tanh}, layer.Conv2D{Filters: 2, Kernel: 2, Stride: 2, Groups: 2},
			}
			return m, optest.Unary(func(x *op.Node) *op.Node { return m.B.Forward(m.A.Forward(x)) })
		},
	})
}

func TestConv2DMisuse(t *testing.T) {
	model := &struct{ Conv, Grouped, Empty layer.Conv2D }{
		Conv: layer.Conv2D{Filters: 2, Kernel: 3}, Grouped: layer.Conv2D{Filters: 2, Kernel: 1, Groups: 2},
	}
	g := op.NewGraph(model)
	model.Conv.Forward(g.Input("first", op.Float32, op.Batch, 3, 5, 5))
	wantError(t, model.Conv.Forward(g.Input("grey", op.Float32, op.Batch, 1, 5, 5)), `layer.Conv2D conv: input "grey" has shape (batch, 1, 5, 5), want 3 channels`)
	wantError(t, model.Conv.Forward(g.Input("flat", op.Float32, op.Batch, 3)), `layer.Conv2D conv: input "flat" has shape (batch, 3), want (batch, channels, height, width)`)
	wantError(t, model.Conv.Forward(g.Input("small", op.Float32, op.Batch, 3, 2, 5)),
		`layer.Conv2D conv: input "small" has shape (batch, 3, 2, 5): height 2 with padding 0 and 0 is less than the 3 that kernel 3 with dilation 1 covers`)
	wantError(t, model.Grouped.Forward(g.Input("odd", op.Float32, op.Batch, 3, 5, 5)),
		`layer.Conv2D grouped: input "odd" has shape (batch, 3, 5, 5), want a known number of channels that is a multiple of the 2 groups`)
	wantError(t, model.Empty.Forward(g.Input("a", op.Float32, op.Batch, 3, 5, 5)), `layer.Conv2D empty: 0 filters, want 1 or more`)
	model.Empty.Filters = 1
	wantError(t, model.Empty.Forward(g.Input("b", op.Float32, op.Batch, 3, 5, 5)), `layer.Conv2D empty: kernel 0×0, want 1 or more`)
}

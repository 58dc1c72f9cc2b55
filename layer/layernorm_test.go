package layer_test

import (
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/op/optest"
)

func TestLayerNorm(t *testing.T) {
	model := &struct{ Norm layer.LayerNorm }{layer.LayerNorm{Epsilon: new(0.0)}}
	g := op.NewGraph(model)
	y := model.Norm.Forward(g.Input("x", op.Float32, op.Batch, 2))
	wantShape(t, y, "(batch, 2)")
	wantNames(t, model, "norm.weight float32 2", "norm.bias float32 2")
	assign(t, model.Norm.Bias, 0.5, 0)
	out := evaluate(t, op.Inference, op.Feeds{"x": tensorOf([]float32{1, 3, 9, -1}, 2, 2)}, y)
	wantNear(t, "y", out[0], -0.5, 1, 1.5, -1)
}

func TestLayerNormGradients(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 2, 5)},
		Model: func() (any, optest.Build) {
			m := &layer.LayerNorm{}
			return m, optest.Unary(m.Forward)
		},
	})
}

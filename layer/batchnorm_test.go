package layer_test

import (
	"strings"
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/op/optest"
)

func TestBatchNorm(t *testing.T) {
	model := &struct{ Norm layer.BatchNorm }{layer.BatchNorm{Act: op.ReLU}}
	g := op.NewGraph(model)
	y := model.Norm.Forward(g.Input("x", op.Float32, op.Batch, 1, 1, 2))
	wantShape(t, y, "(batch, 1, 1, 2)")
	wantNames(t, model, "norm.weight float32 1", "norm.bias float32 1", "norm.mean float32 1", "norm.variance float32 1")
	assign(t, model.Norm.Bias, 0.5)
	feeds := op.Feeds{"x": tensorOf([]float32{9, 11}, 1, 1, 1, 2)}
	out := evaluate(t, op.Training, feeds, y)
	wantNear(t, "training", out[0], 0, 1.5-5e-6)
	mean, variance := model.Norm.Mean.Memory().Float32s(), model.Norm.Variance.Memory().Float32s()
	wantNear(t, "running statistics", append(mean[:1:1], variance...), 1, 1)
	wantNear(t, "prediction", evaluate(t, op.Inference, feeds, y)[0], 8+0.5-4e-5, 10+0.5-5e-5)
}

// Momentum and ε whose zero has a meaning are pointers.
func TestBatchNormOptions(t *testing.T) {
	model := &struct{ Norm layer.BatchNorm }{layer.BatchNorm{Momentum: new(0.0), Epsilon: new(3.0)}}
	g := op.NewGraph(model)
	y := model.Norm.Forward(g.Input("x", op.Float32, op.Batch, 1))
	out := evaluate(t, op.Training, op.Feeds{"x": tensorOf([]float32{9, 11}, 2, 1)}, y)
	wantNear(t, "y", out[0], -0.5, 0.5)
	wantNear(t, "mean", model.Norm.Mean.Memory().Float32s(), 10)
	wantNear(t, "variance", model.Norm.Variance.Memory().Float32s(), 1)
}

func TestBatchNormGradients(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 2, 3, 2)},
		Model: func() (any, optest.Build) {
			m := &layer.BatchNorm{Act: op.Tanh}
			return m, optest.Unary(m.Forward)
		},
	})
}

// N01: one value per channel is an error that names the layer.
func TestN01BatchNormOfOneValue(t *testing.T) {
	model := &struct{ Norm layer.BatchNorm }{}
	g := op.NewGraph(model)
	y := model.Norm.Forward(g.Input("x", op.Float32, op.Batch, 3))
	feeds := op.Feeds{"x": tensorOf([]float32{1, 2, 3}, 1, 3)}
	_, err := run(t, op.Training, feeds, y)
	const want = ": layer.BatchNorm norm: the input has shape (1, 3): values per channel 1, want 2 or more to train on"
	if err == nil || !strings.HasPrefix(err.Error(), "batchnorm_test.go:") || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want batchnorm_test.go:*%s", err, want)
	}
	wantNear(t, "running mean", model.Norm.Mean.Memory().Float32s(), 0, 0, 0)
	wantNear(t, "running variance", model.Norm.Variance.Memory().Float32s(), 1, 1, 1)
	wantNear(t, "prediction", evaluate(t, op.Inference, feeds, y)[0], 1, 2, 3)
}

func TestBatchNormMisuse(t *testing.T) {
	model := &struct{ Norm, Wrong layer.BatchNorm }{Wrong: layer.BatchNorm{Momentum: new(2.0)}}
	g := op.NewGraph(model)
	model.Norm.Forward(g.Input("first", op.Float32, op.Batch, 3))
	wantError(t, model.Norm.Forward(g.Input("x", op.Float32, op.Batch, 4)), `layer.BatchNorm norm: input "x" has shape (batch, 4), want 3 channels`)
	wantError(t, model.Norm.Forward(g.Input("v", op.Float32, op.Batch)), `layer.BatchNorm norm: input "v" has shape (batch,), want (batch, channels) or (batch, channels, …)`)
	wantError(t, model.Norm.Forward(g.Input("s", op.Float32, 3, op.Batch)), `layer.BatchNorm norm: input "s" has shape (3, batch), want a known number of channels`)
	wantError(t, model.Wrong.Forward(g.Input("y", op.Float32, op.Batch, 4)), `layer.BatchNorm wrong: the fraction 2 to keep is not from 0 to 1`)
}

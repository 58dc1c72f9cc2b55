package paddle_test

import (
	"context"
	"strings"
	"testing"

	"paddle"
	"paddle/op"
)

// descend trains w, which starts at start, on a loss whose gradient is the given one, and returns w after each step.
func descend(t *testing.T, o paddle.Optimizer, start float64, gradients []float32, passes ...op.Pass) []float64 {
	t.Helper()
	m, g, w := scalar(t, start)
	trainer := must(paddle.NewTrainer(op.Mul(w, op.Mean(g.Input("x", op.Float32, op.Batch))), o, passes...))(t)
	var out []float64
	for _, d := range gradients {
		must(trainer.Step(context.Background(), op.Feeds{"x": floats([]int{1}, d)}))(t)
		out = append(out, float64(m.value()[0]))
	}
	return out
}

// The wanted values are computed by hand from the equations in the optimizers' comments.
func TestOptimizers(t *testing.T) {
	halved := paddle.StepDecay{Every: 1, Factor: 0.5}
	for _, c := range []struct {
		name      string
		o         paddle.Optimizer
		start     float64
		gradients []float32
		passes    []op.Pass
		want      []float64
	}{
		{"SGD", paddle.SGD{LearningRate: 0.5}, 1, []float32{2, -1}, nil, []float64{0, 0.5}},
		{"momentum keeps raw gradients", paddle.Momentum{LearningRate: 0.1, Momentum: new(0.5), Schedule: halved}, 0, []float32{2, 2}, nil, []float64{-0.2, -0.35}},
		{"momentum of 0.9", paddle.Momentum{LearningRate: 0.1}, 0, []float32{1, 1}, nil, []float64{-0.1, -0.29}},
		// v = 1, 1.9; w −= 0.1·(g + 0.9v)
		{"Nesterov", paddle.Momentum{LearningRate: 0.1, Nesterov: true}, 0, []float32{1, 1}, nil, []float64{-0.19, -0.461}},
		{"Adam", paddle.Adam{LearningRate: 0.1}, 1, []float32{1, 1}, nil, []float64{0.9, 0.8}},
		{"Adam of another gradient", paddle.Adam{LearningRate: 0.1}, 1, []float32{100}, nil, []float64{0.9}},
		{"AdamW without gradient", paddle.AdamW{LearningRate: 0.1, Decay: 0.1}, 1, []float32{0}, nil, []float64{0.99}},
		{"AdamW", paddle.AdamW{LearningRate: 0.1, Decay: 0.1}, 1, []float32{1}, nil, []float64{0.89}},
		{"AdamW excludes", paddle.AdamW{LearningRate: 0.1, Decay: 0.1, Exclude: func(n string) bool { return n == "w" }}, 1, []float32{0}, nil, []float64{1}},
		{"Adam with L2", paddle.Adam{LearningRate: 0.1}, 1, []float32{0}, []op.Pass{paddle.L2(0.1, nil)}, []float64{0.9}},
		{"SGD with L2", paddle.SGD{LearningRate: 0.1}, 1, []float32{0}, []op.Pass{paddle.L2(0.1, nil)}, []float64{0.99}},
		{"L2 excludes", paddle.SGD{LearningRate: 0.1}, 1, []float32{0}, []op.Pass{paddle.L2(0.1, func(n string) bool { return n == "w" })}, []float64{1}},
		// a = 9, 25; w −= g/√a
		{"AdaGrad", paddle.AdaGrad{LearningRate: 1}, 0, []float32{3, 4}, nil, []float64{-1, -1.8}},
		{"clipping comes before decay", paddle.SGD{LearningRate: 1}, 1, []float32{30}, []op.Pass{paddle.L2(0.1, nil), paddle.ClipGlobalNorm(0.5)}, []float64{0.4}},
		{"clipping of a small gradient", paddle.SGD{LearningRate: 1}, 1, []float32{0.25}, []op.Pass{paddle.ClipGlobalNorm(0.5)}, []float64{0.75}},
		{"clipping of a huge gradient", paddle.SGD{LearningRate: 1}, 1, []float32{1e30}, []op.Pass{paddle.ClipGlobalNorm(0.5)}, []float64{0.5}},
	} {
		for i, got := range descend(t, c.o, c.start, c.gradients, c.passes...) {
			if !near(got, c.want[i], 1e-6) {
				t.Errorf("%s: after step %d w is %v, want %v", c.name, i+1, got, c.want[i])
			}
		}
	}
}

func TestOptimizerMistakes(t *testing.T) {
	_, g, w := scalar(t, 1)
	loss := op.Mul(w, op.Mean(g.Input("x", op.Float32, op.Batch)))
	for _, c := range []struct {
		o    paddle.Optimizer
		want string
	}{
		{nil, "paddle.NewTrainer: the optimizer is nil"},
		{paddle.SGD{}, "learning rate 0, want more than 0"},
		{paddle.Momentum{LearningRate: 1, Momentum: new(1.0)}, "momentum 1, want 0 ≤ momentum < 1"},
		{paddle.Adam{LearningRate: 1, Beta1: new(-0.1)}, "beta1 -0.1"},
		{paddle.Adam{LearningRate: 1, Beta2: new(1.5)}, "beta2 1.5"},
		{paddle.AdamW{LearningRate: 1, Epsilon: new(-1.0)}, "epsilon -1"},
		{paddle.AdamW{LearningRate: 1, Decay: -1}, "decay -1"},
		{paddle.AdaGrad{LearningRate: -1}, "learning rate -1"},
	} {
		if _, err := paddle.NewTrainer(loss, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, err := paddle.NewTrainer(loss, paddle.SGD{LearningRate: 1}, paddle.ClipGlobalNorm(0)); err == nil || !strings.Contains(err.Error(), "want a norm above 0") {
		t.Errorf("got %v, want an error about the norm", err)
	}
}

// stepping moves every parameter by its own step against the sign of the gradient, whatever the learning rate.
type stepping struct{ step float64 }

func (stepping) Rate(int64) float64 { return 0.25 }

func (o stepping) Build(t *op.TrainingGraph, _, _ *op.Node) error {
	for _, p := range t.Gradients {
		op.UpdateSGD(t.Apply, p.Node, op.Sign(op.Densify(p.Gradient)), t.Graph.Full(op.Float64, o.step))
	}
	return nil
}

func TestOptimizerThatReadsNoRate(t *testing.T) {
	if got := descend(t, stepping{0.5}, 1, []float32{3, 7, -2}); got[0] != 0.5 || got[1] != 0 || got[2] != 0.5 {
		t.Errorf("got %v, want [0.5 0 0.5]", got)
	}
	_, g, w := scalar(t, 1)
	trainer := must(paddle.NewTrainer(op.Mul(w, op.Mean(g.Input("x", op.Float32, op.Batch))), stepping{0.5}))(t)
	if s := must(trainer.Step(context.Background(), op.Feeds{"x": floats([]int{1}, 1)}))(t); s.LearningRate != 0.25 || s.Update != 1 {
		t.Errorf("got the learning rate %v at update %d, want 0.25 at 1", s.LearningRate, s.Update)
	}
}

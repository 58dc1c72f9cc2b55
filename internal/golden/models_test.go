package golden

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"paddle"
	"paddle/op"
)

// modelCase is a model that PyTorch has trained for some steps.
type modelCase struct {
	Name       string
	Batch      int // rows of the inputs that a step takes
	In         []array
	Parameters []array // initial values
	Losses     []float64
	Norms      []float64                    // of the gradients, before they are clipped
	Changes    map[string]map[string]digest // by step and parameter

	// Deviation32 is by how much PyTorch's own float32 is off, against the loss and the norm of the movement.
	Deviation32 struct{ Loss, Change float64 }

	// Of the model with batch norm: the running statistics, the number of values in a channel, and what it predicts in the end.
	Mean, UnbiasedVariance map[string][]float64
	Counts                 map[string]float64
	Logits                 []float64
}

// method is how a case of models.py is trained by this library.
type method struct {
	optimizer paddle.Optimizer
	passes    []op.Pass
}

var methods = map[string]method{
	"lenet/momentum":     {paddle.Momentum{LearningRate: 0.01}, nil},
	"mlp/adam":           {paddle.Adam{LearningRate: 1e-3}, nil},
	"batchnorm/momentum": {paddle.Momentum{LearningRate: 0.05}, nil},

	"bag/sgd":     {paddle.SGD{LearningRate: 0.5}, nil},
	"bag/clipped": {paddle.SGD{LearningRate: 0.5}, []op.Pass{paddle.ClipGlobalNorm(0.25)}},
	"bag/adagrad": {paddle.AdaGrad{LearningRate: 0.1}, nil},
	"bag/adam":    {paddle.Adam{LearningRate: 0.05, Epsilon: new(1e-20)}, nil},

	"padded/clipped adagrad": {paddle.AdaGrad{LearningRate: 0.1}, []op.Pass{paddle.ClipGlobalNorm(0.25)}},

	"small/adamw":                      {paddle.AdamW{LearningRate: 0.02, Decay: 0.1}, nil},
	"small/adamw without biases":       {paddle.AdamW{LearningRate: 0.02, Decay: 0.1, Exclude: isBias}, nil},
	"small/adam and l2":                {paddle.Adam{LearningRate: 0.02}, []op.Pass{paddle.L2(0.1, nil)}},
	"small/adam and l2 without biases": {paddle.Adam{LearningRate: 0.02}, []op.Pass{paddle.L2(0.1, isBias)}},
	"small/adam's constants": {
		paddle.Adam{LearningRate: 0.02, Beta1: new(0.8), Beta2: new(0.95), Epsilon: new(1e-3)}, nil,
	},
	"small/nesterov":         {paddle.Momentum{LearningRate: 0.1, Momentum: new(0.8), Nesterov: true}, nil},
	"small/adagrad":          {paddle.AdaGrad{LearningRate: 0.1, Epsilon: new(1e-2)}, nil},
	"small/clipped momentum": {paddle.Momentum{LearningRate: 0.5}, []op.Pass{paddle.ClipGlobalNorm(0.5)}},
	"small/clipped, then l2": {paddle.SGD{LearningRate: 0.5}, []op.Pass{paddle.L2(0.1, nil), paddle.ClipGlobalNorm(0.5)}},
}

func isBias(name string) bool { return strings.HasSuffix(name, "bias") }

func TestModels(t *testing.T) {
	cases := read[modelCase](t, "models.json")
	if len(cases) != len(methods) {
		t.Errorf("%d cases and %d methods", len(cases), len(methods))
	}
	for _, c := range cases {
		if tol := tolerances[op.Float32]; c.Deviation32.Loss > tol.loss/5 || c.Deviation32.Change > tol.change/5 {
			t.Errorf("%s: float32 is off by %+v in PyTorch: its inputs lie too near a kink", c.Name, c.Deviation32)
		}
		for _, d := range []op.DType{op.Float64, op.Float32} {
			t.Run(fmt.Sprintf("%s/%v", c.Name, d), func(t *testing.T) { c.check(t, d) })
		}
	}
}

// check trains the model in one type and compares each step.
func (c *modelCase) check(t *testing.T, d op.DType) {
	tr, err := c.newTraining(d)
	if err != nil {
		t.Fatal(err)
	}
	tol := tolerances[d]
	for i, want := range c.Losses {
		s, err := tr.step(i)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(s.Loss-want) <= tol.loss*want) {
			t.Errorf("step %d: loss %v, want %v", i+1, s.Loss, want)
		}
		c.checkNorm(t, i, &s, tol)
		changes := tr.changes()
		for name, want := range c.Changes[fmt.Sprint(i+1)] {
			if err := changes[name].compare(want, tol.change); err != nil {
				t.Errorf("step %d: %s has changed by %v", i+1, name, err)
			}
		}
	}
	if c.Logits != nil {
		c.checkStatistics(t, tr, tol)
		c.checkPrediction(t, tr, tol)
	}
}

// checkNorm compares the norm of the gradients, where they are clipped.
func (c *modelCase) checkNorm(t *testing.T, i int, s *paddle.Step, tol tolerance) {
	t.Helper()
	if c.Norms == nil {
		return
	}
	at := slices.IndexFunc(s.Metrics, func(m paddle.MetricValue) bool { return m.Name == "gradient_norm" })
	if at < 0 {
		t.Fatalf("step %d reports no gradient_norm", i+1)
	}
	if got, want := s.Metrics[at].Value, c.Norms[i]; !(math.Abs(got-want) <= tol.loss*want) {
		t.Errorf("step %d: norm of the gradients %v, want %v", i+1, got, want)
	}
}

// checkStatistics compares the running statistics. PyTorch divides the variance by n−1 and this library by n, and both start at 1 and keep 0.9
// of it in each step: what the batches added to ours is (n−1)/n of what they added to PyTorch's.
func (c *modelCase) checkStatistics(t *testing.T, tr *training, tol tolerance) {
	t.Helper()
	kept := math.Pow(0.9, float64(len(c.Losses)))
	for _, layer := range slices.Sorted(maps.Keys(c.Mean)) {
		mean, variance := tr.values(layer+".mean"), tr.values(layer+".variance")
		if len(mean) != len(c.Mean[layer]) || len(variance) != len(mean) {
			t.Fatalf("%s has %d means and %d variances, want %d", layer, len(mean), len(variance), len(c.Mean[layer]))
		}
		for i, want := range c.Mean[layer] {
			if !near(mean[i], want, tol.loss) {
				t.Errorf("%s: running mean %d is %v, want %v", layer, i, mean[i], want)
			}
			n := c.Counts[layer]
			if want := kept + (c.UnbiasedVariance[layer][i]-kept)*(n-1)/n; !near(variance[i], want, tol.loss) {
				t.Errorf("%s: running variance %d is %v, want %v", layer, i, variance[i], want)
			}
		}
	}
}

// checkPrediction compares what the model predicts by its running statistics.
func (c *modelCase) checkPrediction(t *testing.T, tr *training, tol tolerance) {
	t.Helper()
	p, err := paddle.NewPredictor(tr.logits)
	if err != nil {
		t.Fatal(err)
	}
	feeds := tr.feeds(0)
	delete(feeds, c.In[1].Name)
	err = p.View(context.Background(), feeds, func(out []op.Buffer) error {
		for i, got := range numbersOf(out[0]) {
			if want := c.Logits[i]; !near(got, want, tol.change) {
				t.Errorf("prediction: logit %d is %v, want %v", i, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

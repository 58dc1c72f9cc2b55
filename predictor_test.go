package paddle_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
)

// Eight goroutines predict at different batch sizes with one model and get what one alone gets.
func TestG02PredictFromManyGoroutines(t *testing.T) {
	net, trainer := newTrainer(t, 1)
	set := blobs(t, 64)
	losses(t, trainer, batches(t, set.InOrder(32)), 10)
	logits, _, _ := graph(net, 1)
	p := must(paddle.NewPredictor(op.Softmax(logits), logits))(t)
	ctx := context.Background()
	var data []op.Feeds
	var want [][]float32
	for n := 1; n <= 8; n++ {
		data = append(data, batches(t, must(set.Slice(n, 3*n))(t).InOrder(99))[0])
		want = append(want, must(p.Predict(ctx, data[n-1]))(t)[0].Float32s())
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 100 {
				k := (worker*7 + i) % 8
				out, err := p.Predict(ctx, data[k])
				if err != nil || !slices.Equal(out[0].Float32s(), want[k]) || out[1].Shape()[1] != 3 {
					t.Errorf("worker %d: got %v, error %v, want %v", worker, out, err, want[k])
					return
				}
			}
		})
	}
	wg.Wait()
}

// A trainer runs beside predictors: each answer is that of one moment, in which the two parameters are equal.
func TestPredictWhileTraining(t *testing.T) {
	type model struct{ A, B *op.Parameter }
	m := &model{}
	g := op.NewGraph(m)
	for _, p := range []*op.Parameter{m.A, m.B} {
		must(0, p.Define(op.Float32, op.InitConstant(1), 500))(t)
	}
	a, b := g.ReadParameter(m.A), g.ReadParameter(m.B)
	x := g.Input("x", op.Float32, op.Batch)
	trainer := must(paddle.NewTrainer(op.Mul(op.Sum(op.Add(a, b)), op.Mean(x)), paddle.SGD{LearningRate: 0.01}))(t)
	p := must(paddle.NewPredictor(op.Sub(a, b), a))(t)
	ctx := context.Background()
	feeds := op.Feeds{"x": floats([]int{1}, 1)}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 200 {
				err := p.View(ctx, nil, func(out []op.Buffer) error {
					if d := out[0].Float32s(); slices.Max(d) != 0 || slices.Min(d) != 0 {
						return errors.New("the parameters are of two moments")
					}
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 200 {
		must(trainer.Step(ctx, feeds))(t)
	}
	wg.Wait()
}

func TestViewAllocatesNothing(t *testing.T) {
	net, _ := newTrainer(t, 1)
	logits, _, _ := graph(net, 1)
	p := must(paddle.NewPredictor(logits))(t)
	set := blobs(t, 100)
	var data []op.Feeds
	for n := 100; n > 0; n-- {
		data = append(data, batches(t, must(set.Slice(0, n))(t).InOrder(n))[0])
	}
	sum := 0.0
	use := func(out []op.Buffer) error { sum += float64(out[0].Float32s()[0]); return nil }
	ctx := context.Background()
	for _, threads := range []int{1, 2} {
		restore := runtime.GOMAXPROCS(threads)
		must(0, p.View(ctx, data[0], use))(t)
		n := allocations(func() {
			for _, feeds := range data {
				if err := p.View(ctx, feeds, use); err != nil {
					t.Fatal(err)
				}
			}
		})
		if n != 0 {
			t.Errorf("%d threads: predictions at 100 sizes allocate %d times, want 0", threads, n)
		}
		runtime.GOMAXPROCS(restore)
	}
	if math.IsNaN(sum) {
		t.Error("the predictions are no numbers")
	}
}

func TestPredictorMistakes(t *testing.T) {
	net := newMLP()
	logits, _, _ := graph(net, 1)
	other := op.NewGraph(nil).Input("x", op.Float32, op.Batch)
	broken := op.NewGraph(nil)
	sound := broken.Input("x", op.Float32, op.Batch)
	broken.Input("x", op.Float32, op.Batch)
	for _, c := range []struct {
		outputs []*op.Node
		want    string
	}{
		{nil, "paddle.NewPredictor: nothing to compute"},
		{[]*op.Node{nil}, "the node is nil"},
		{[]*op.Node{logits, other}, "belongs to another graph"},
		{[]*op.Node{sound}, `input "x" is there already`},
	} {
		if _, err := paddle.NewPredictor(c.outputs...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	half := must(paddle.NewPredictor(op.Cast(logits, op.BFloat16).WithName("half")))(t)
	data := batches(t, blobs(t, 4).InOrder(4))[0]
	if _, err := half.Predict(context.Background(), data); err == nil || !strings.Contains(err.Error(), "half has type bfloat16, which a tensor.Dense cannot hold") {
		t.Errorf("got %v, want an error about bfloat16", err)
	}
	p := must(paddle.NewPredictor(logits))(t)
	if _, err := p.Predict(context.Background(), op.Feeds{}); err == nil || !strings.Contains(err.Error(), `input "point" is not fed; fed are none`) {
		t.Errorf("got %v, want an error about the input", err)
	}
	if _, err := p.Predict(context.Background(), op.Feeds{"point": floats([]int{1, 3}, 1, 2, 3)}); err == nil || !strings.Contains(err.Error(), `paddle.Predictor.Predict: input "point" has shape (1, 3), want (batch, 2)`) {
		t.Errorf("got %v, want an error about the shape", err)
	}
	mine := errors.New("mine")
	if err := p.View(context.Background(), data, func([]op.Buffer) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("got %v, want the error of use", err)
	}
}

// What was never made, because an error was not looked at, is an error too.
func TestTrainersAndPredictorsThatWereNotMade(t *testing.T) {
	ctx, data := context.Background(), blobs(t, 4)
	for _, trainer := range []*paddle.Trainer{nil, new(paddle.Trainer)} {
		_, step := trainer.Step(ctx, nil)
		_, test := trainer.Test(ctx, data.InOrder(4))
		_, fit := trainer.Fit(ctx, shuffled(t, 4, 4), paddle.FitOptions{Epochs: 1})
		path := filepath.Join(t.TempDir(), "trainer")
		for name, err := range map[string]error{"Step": step, "Test": test, "Fit": fit, "Save": trainer.Save(path), "Load": trainer.Load(path)} {
			if want := "paddle.Trainer." + name + ": the trainer is nil or empty, want one that NewTrainer returned"; err == nil || err.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		}
		if epoch, batch := trainer.Position(); epoch != 0 || batch != 0 || trainer.Updates() != 0 || trainer.Memory() != 0 {
			t.Error("a trainer that was not made has taken steps")
		}
	}
	for _, p := range []*paddle.Predictor{nil, new(paddle.Predictor)} {
		_, predict := p.Predict(ctx, nil)
		view := p.View(ctx, nil, func([]op.Buffer) error { return nil })
		if p.Memory() != 0 {
			t.Error("a predictor that was not made takes memory")
		}
		for name, err := range map[string]error{"Predict": predict, "View": view} {
			if want := "paddle.Predictor." + name + ": the predictor is nil or empty, want one that NewPredictor returned"; err == nil || err.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		}
	}
	_, trainer := newTrainer(t, 1)
	var none context.Context
	if _, err := trainer.Step(ctx, op.Feeds{"point": new(tensor.Dense), "label": new(tensor.Dense)}); err == nil || !strings.HasPrefix(err.Error(), `paddle.Trainer.Step: input "`) || !strings.Contains(err.Error(), "is fed a tensor without a type") {
		t.Errorf("got %v, want an error about the tensor's type", err)
	}
	if _, err := trainer.Step(none, nil); err == nil || err.Error() != "paddle.Trainer.Step: the context is nil" {
		t.Errorf("got %v, want an error about the context", err)
	}
}

// A mistake in the model comes before those that follow from it.
func TestCompilingReportsTheFirstMistake(t *testing.T) {
	type model struct{ Out layer.FC }
	net, g := &model{layer.FC{Size: 2}}, op.NewGraph(model{})
	y := net.Out.Forward(g.Input("x", op.Float32, op.Batch, 3))
	_, predictor := paddle.NewPredictor(y)
	_, trainer := paddle.NewTrainer(op.Mean(y), paddle.SGD{LearningRate: 1})
	want := "op.NewGraph: the model is a paddle_test.model, want a pointer to a struct of layers"
	for _, err := range []error{predictor, trainer} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// TestViewHoldsNoLock trains and predicts inside of a View, one after another and with a trainer that waits, and shows a parameter itself.
func TestViewHoldsNoLock(t *testing.T) {
	net := NewClassifier()
	g := op.NewGraph(net)
	point, label := g.Input("point", op.Float32, op.Batch, 2), g.Input("label", op.Int32, op.Batch)
	logits := net.Forward(point)
	trainer, err := paddle.NewTrainer(op.CrossEntropy(logits, label), paddle.SGD{LearningRate: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	predictor, err := paddle.NewPredictor(logits, g.ReadParameter(net.Out.Bias))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	feeds := op.Feeds{
		"point": tensor.New(tensor.WithShape(1, 2), tensor.WithBacking([]float32{1, 2})),
		"label": tensor.New(tensor.WithShape(1), tensor.WithBacking([]int32{2})),
	}
	err = predictor.View(ctx, feeds, func(outputs []op.Buffer) error {
		before := outputs[1].Clone()
		if _, err := trainer.Step(ctx, feeds); err != nil {
			return err
		}
		if _, err := predictor.Predict(ctx, feeds); err != nil {
			return err
		}
		if !slices.Equal(outputs[1].Float32s(), before.Float32s()) {
			t.Errorf("the bias in view has become %v, it was %v", outputs[1].Float32s(), before.Float32s())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if bias := net.Out.Bias.Memory().Float32s(); bias[2] <= 0 {
		t.Errorf("the bias is %v, want the third above 0 after a step", bias)
	}
}

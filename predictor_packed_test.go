package paddle_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// twins is a model of two weights that are always equal, and what they make of one input, (batch, 40) each.
type twins struct{ A, B *op.Parameter }

func newTwins(t *testing.T) (m *twins, a, b *op.Node) {
	t.Helper()
	m = &twins{}
	g := op.NewGraph(m)
	for _, p := range []*op.Parameter{m.A, m.B} {
		must(0, p.Define(op.Float32, op.InitConstant(1), 64, 70))(t)
	}
	x := g.Input("x", op.Float32, op.Batch, 64)
	return m, op.MatMul(x, g.ReadParameter(m.A)), op.MatMul(x, g.ReadParameter(m.B))
}

// Eight goroutines predict at different batch sizes while the weights, which they share packed, are trained and loaded: each answer is of
// one moment.
func TestPredictByPackedWeightsWhileTheyChange(t *testing.T) {
	m, a, b := newTwins(t)
	trainer := must(paddle.NewTrainer(op.Mean(op.Add(a, b)), paddle.SGD{LearningRate: 0.1}))(t)
	p := must(paddle.NewPredictor(a, b))(t)
	path := filepath.Join(t.TempDir(), "twins.safetensors")
	must(0, paddle.Save(path, m))(t)
	ctx := context.Background()
	feeds := func(rows int) op.Feeds {
		return op.Feeds{"x": floats([]int{rows, 64}, slices.Repeat([]float32{1}, rows*64)...)}
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			x := feeds(1 + worker%4*5)
			for range 200 {
				err := p.View(ctx, x, func(out []op.Buffer) error {
					first := out[0].Float32s()
					if !slices.Equal(first, out[1].Float32s()) || slices.Min(first) != slices.Max(first) {
						return errors.New("the weights are of two moments")
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
	x := feeds(3)
	for i := range 200 {
		must(trainer.Step(ctx, x))(t)
		if i%10 == 0 {
			must(0, paddle.Load(path, m))(t)
		}
	}
	wg.Wait()
}

// A predictor that has packed the weights gives the bits of one that has not, whatever has changed them since.
func TestPackedWeightsFollowTheirParameters(t *testing.T) {
	m, a, b := newTwins(t)
	trainer := must(paddle.NewTrainer(op.Mean(op.Square(op.Add(a, b))), paddle.SGD{LearningRate: 0.1}))(t)
	old := must(paddle.NewPredictor(a))(t)
	path := filepath.Join(t.TempDir(), "twins.safetensors")
	must(0, paddle.Save(path, m))(t)
	ctx, set := context.Background(), op.Feeds{"x": floats([]int{2, 64}, ramp(128)...)}
	compare := func(after string) {
		t.Helper()
		want := must(must(paddle.NewPredictor(a))(t).Predict(ctx, set))(t)[0].Float32s()
		for call := range 4 {
			if got := must(old.Predict(ctx, set))(t)[0].Float32s(); !slices.Equal(got, want) {
				t.Errorf("after %s: call %d does not see the weights as they are", after, call)
			}
		}
	}
	compare("nothing")
	must(trainer.Step(ctx, set))(t)
	compare("a step")
	must(0, paddle.Load(path, m))(t)
	compare("loading")
	must(0, m.A.Assign(op.NewBuffer(op.Float32, 64, 70)))(t)
	compare("Assign")
	w := m.A.Dense().Float32s()
	w[3] = 5
	compare("writing to Dense")
	w[3] = 6
	compare("writing to Dense again")
}

func ramp(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i%13) - 6
	}
	return x
}

// Predictions allocate nothing at one size and at changing ones, nor where the weights change between them.
func TestPackingAllocatesNothing(t *testing.T) {
	_, a, b := newTwins(t)
	trainer := must(paddle.NewTrainer(op.Mean(op.Add(a, b)), paddle.SGD{LearningRate: 0.1}))(t)
	p := must(paddle.NewPredictor(a, b))(t)
	ctx := context.Background()
	var data []op.Feeds
	for _, rows := range []int{1, 7, 2, 40} {
		data = append(data, op.Feeds{"x": floats([]int{rows, 64}, ramp(rows*64)...)})
	}
	use := func([]op.Buffer) error { return nil }
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	n := allocations(func() {
		for i := range 12 {
			if err := p.View(ctx, data[i%4], use); err != nil {
				t.Fatal(err)
			}
			if err := p.View(ctx, data[0], use); err != nil {
				t.Fatal(err)
			}
			if i%3 == 0 {
				must(trainer.Step(ctx, data[1]))(t)
			}
		}
	})
	if n != 0 {
		t.Errorf("predictions between steps allocate %d times", n)
	}
}

// SetThreads leaves the numbers alone, may be called while others predict, and by anybody.
func TestSetThreads(t *testing.T) {
	net, trainer := newTrainer(t, 1)
	logits, _, _ := graph(net, 1)
	p := must(paddle.NewPredictor(logits))(t)
	ctx, set := context.Background(), blobs(t, 64)
	feeds := batches(t, set.InOrder(64))[0]
	want := must(p.Predict(ctx, feeds))(t)[0].Float32s()
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 50 {
				p.SetThreads(worker + i%3)
				if got, err := p.Predict(ctx, feeds); err != nil || !slices.Equal(got[0].Float32s(), want) {
					t.Errorf("%d threads: other numbers, or error %v", worker+i%3, err)
				}
			}
		})
	}
	wg.Wait()
	trainer.SetThreads(1)
	first := must(trainer.Test(ctx, set.InOrder(32)))(t)
	trainer.SetThreads(3)
	if second := must(trainer.Test(ctx, set.InOrder(32)))(t); second.Loss != first.Loss {
		t.Errorf("the loss is %v at 3 threads, %v at one", second.Loss, first.Loss)
	}
	(*paddle.Predictor)(nil).SetThreads(1)
	new(paddle.Trainer).SetThreads(1)
}

// A predictor that has packed the weights of recurrent layers gives the bits of one that has not, whatever has changed them since, for one
// sequence and for many, and allocates nothing.
func TestPackedRecurrentWeightsFollowTheirParameters(t *testing.T) {
	for name, walk := range map[string]layer.SequenceLayer{
		"LSTM": &layer.LSTM{Size: 20}, "GRU": &layer.GRU{Size: 20}, "GRU, reset after": &layer.GRU{Size: 20, ResetAfter: true}, "RNN": &layer.RNN{Size: 20},
	} {
		t.Run(name, func(t *testing.T) {
			net := &struct{ Walk layer.SequenceLayer }{walk}
			g := op.NewGraph(net)
			g.Seed = 3
			y := sequence.Last(net.Walk.Forward(sequence.Input(g, "x", op.Float32, 6)))
			trainer := must(paddle.NewTrainer(op.Mean(op.Square(y)), paddle.SGD{LearningRate: 0.5}))(t)
			old := must(paddle.NewPredictor(y))(t)
			ctx, texts := context.Background(), []op.Feeds{waves(t, 7), waves(t, 12, 9, 9, 9, 9, 8, 8, 5, 5, 5, 5, 2, 1, 0)}
			for round := range 3 {
				for _, feeds := range texts {
					want := must(must(paddle.NewPredictor(y))(t).Predict(ctx, feeds))(t)[0].Float32s()
					for call := range 4 {
						if got := must(old.Predict(ctx, feeds))(t)[0].Float32s(); !slices.Equal(got, want) {
							t.Fatalf("round %d: call %d does not see the weights as they are", round, call)
						}
					}
				}
				must(trainer.Step(ctx, texts[1]))(t)
			}
			use := func([]op.Buffer) error { return nil }
			if n := allocations(func() {
				for _, feeds := range texts {
					if err := old.View(ctx, feeds, use); err != nil {
						t.Fatal(err)
					}
				}
			}); n != 0 {
				t.Errorf("a prediction allocates %d times", n)
			}
		})
	}
}

// waves are sequences of the given lengths, of 6 numbers a step.
func waves(t *testing.T, lengths ...int) op.Feeds {
	t.Helper()
	rows := make([][]float32, len(lengths))
	for i, n := range lengths {
		rows[i] = ramp(6 * n)
	}
	return must(sequence.NewBatch(rows, 6))(t).Feeds("x")
}

package paddle_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
)

// stop returns a handler that ends the training after n steps.
func stop(n int) func(paddle.Event) error {
	return func(e paddle.Event) error {
		if _, ok := e.(*paddle.EndStep); ok {
			if n--; n == 0 {
				return paddle.Stop
			}
		}
		return nil
	}
}

// A run that is broken off after any number of steps and goes on in another process, which is a new model and a new trainer here, gives the
// same bits as one that is not: losses, epoch means, parameters, statistics, moments, shuffles and dropout.
func TestResumeIsBitForBit(t *testing.T) {
	ctx := context.Background()
	const epochs, perEpoch = 3, 7
	train, validate := shuffled(t, 100, 16), blobs(t, 30).InOrder(20)
	schedule := paddle.Warmup{Updates: 5, Then: paddle.ExponentialDecay{Every: 4, Factor: 0.7}}
	start := func() (*mlp, *paddle.Trainer) {
		net := newMLP()
		_, loss, accuracy := graph(net, 4)
		adam := paddle.Adam{LearningRate: 0.02, Schedule: schedule}
		return net, must(paddle.NewTrainer(loss, adam, paddle.Track("accuracy", accuracy), paddle.ClipGlobalNorm(0.4), paddle.L2(1e-3, nil)))(t)
	}
	options := paddle.FitOptions{Epochs: epochs, Validate: validate, RecordSteps: true}
	net, trainer := start()
	whole := must(trainer.Fit(ctx, train, options))(t)
	want := values(t, net)

	for _, k := range []int{1, 3, perEpoch, perEpoch + 4, 2 * perEpoch, epochs*perEpoch - 1} {
		path := filepath.Join(t.TempDir(), "state")
		broken := options
		broken.Checkpoint, broken.Handler = path, stop(k)
		_, first := start()
		before := must(first.Fit(ctx, train, broken))(t)

		resumed, second := start()
		must(0, second.Load(path))(t)
		if epoch, batch := second.Position(); epoch != k/perEpoch && (epoch != k/perEpoch-1 || batch != perEpoch) || second.Updates() != int64(k) {
			t.Errorf("restored at epoch %d, batch %d after %d updates, want %d updates", epoch, batch, second.Updates(), k)
		}
		after := must(second.Fit(ctx, train, options))(t)
		sameValues(t, values(t, resumed), want)
		sameSteps(t, append(before.Steps, after.Steps...), whole.Steps)
		sameEpochs(t, append(before.Epochs, after.Epochs...), whole.Epochs)
	}
}

func sameSteps(t *testing.T, got, want []paddle.EndStep) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d steps, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := got[i].Step, want[i].Step
		if got[i].Batch != want[i].Batch || g.Loss != w.Loss || g.LearningRate != w.LearningRate || !slices.Equal(g.Metrics, w.Metrics) {
			t.Errorf("step %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func sameEpochs(t *testing.T, got, want []paddle.EndEpoch) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d epochs, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if g.Train.Loss != w.Train.Loss || g.Samples != w.Samples || g.Validation.Loss != w.Validation.Loss || !slices.Equal(g.Train.Metrics, w.Train.Metrics) {
			t.Errorf("epoch %d: got %+v, want %+v", i, g, w)
		}
	}
}

// reordered is an mlp whose fields come in another order.
type reordered struct {
	Out    layer.FC
	Norm   layer.BatchNorm
	Drop   layer.Dropout
	Hidden layer.FC
}

func (m *reordered) Forward(x *op.Node) *op.Node {
	return m.Out.Forward(m.Drop.Forward(m.Norm.Forward(m.Hidden.Forward(x))))
}

func TestK03StateIsMatchedByName(t *testing.T) {
	data := batches(t, blobs(t, 96).InOrder(32))
	net, trainer := newTrainer(t, 1)
	losses(t, trainer, data, 4)
	path := filepath.Join(t.TempDir(), "state")
	must(0, trainer.Save(path))(t)
	want := losses(t, trainer, data, 6)

	other := &reordered{
		Hidden: layer.FC{Size: 16}, Norm: layer.BatchNorm{Act: op.ReLU}, Drop: layer.Dropout{P: 0.2}, Out: layer.FC{Size: 3},
	}
	_, loss, _ := graph(other, 99) // the seed too is restored
	resumed := must(paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.01}))(t)
	must(0, resumed.Load(path))(t)
	if got := losses(t, resumed, data, 6); !slices.Equal(got, want) {
		t.Errorf("losses %v, want %v", got, want)
	}
	sameValues(t, values(t, other), values(t, net))
}

func TestFitSavesEveryFewStepsAndAtTheEnd(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "state")
	_, trainer := newTrainer(t, 1)
	saved := map[int64]int64{} // by updates: those that the file had then
	train := shuffled(t, 70, 10)
	o := paddle.FitOptions{Epochs: 2, Checkpoint: path, CheckpointEvery: 3, Handler: func(e paddle.Event) error {
		if _, ok := e.(*paddle.BeginStep); ok {
			if _, err := os.Stat(path); err == nil {
				_, other := newTrainer(t, 1)
				must(0, other.Load(path))(t)
				saved[trainer.Updates()] = other.Updates()
			}
		}
		return nil
	}}
	must(trainer.Fit(ctx, train, o))(t)
	want := map[int64]int64{3: 3, 4: 3, 5: 3, 6: 6, 7: 7, 8: 7, 9: 7, 10: 10, 11: 10, 12: 10, 13: 13}
	for k, w := range want {
		if saved[k] != w {
			t.Errorf("after %d updates the file has %d, want %d", k, saved[k], w)
		}
	}
	_, other := newTrainer(t, 1)
	must(0, other.Load(path))(t)
	if epoch, batch := other.Position(); epoch != 2 || batch != 0 || other.Updates() != 14 {
		t.Errorf("the last file is of epoch %d, batch %d, %d updates, want the end, 2, 0 and 14", epoch, batch, other.Updates())
	}
	if h := must(other.Fit(ctx, train, paddle.FitOptions{Epochs: 2}))(t); len(h.Epochs) != 0 || other.Updates() != 14 {
		t.Errorf("a training that was finished took %d epochs more", len(h.Epochs))
	}
	cancelled, cancel := context.WithCancel(ctx)
	_, err := other.Fit(cancelled, train, paddle.FitOptions{Epochs: 3, Checkpoint: path, Handler: func(e paddle.Event) error {
		if e, ok := e.(*paddle.EndStep); ok && e.Batch == 4 {
			cancel()
		}
		return nil
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	_, third := newTrainer(t, 1)
	must(0, third.Load(path))(t)
	if epoch, batch := third.Position(); epoch != 2 || batch != 5 {
		t.Errorf("cancelled at epoch %d, batch %d, want it saved at 2, 5", epoch, batch)
	}
	if _, err := third.Fit(ctx, shuffled(t, 30, 10), paddle.FitOptions{Epochs: 3}); err == nil || !strings.Contains(err.Error(), "epoch 2: the reader gives 3 batches, and 5 were taken before") {
		t.Errorf("got %v, want an error: the data are others", err)
	}
}

// adversaries are a generator and a discriminator with a trainer each.
type adversaries struct{ G, D layer.FC }

func newAdversaries(t testing.TB, nameG, nameD string) (net *adversaries, g, d *paddle.Trainer) {
	t.Helper()
	net = &adversaries{G: layer.FC{Size: 2}, D: layer.FC{Size: 1}}
	graph := op.NewGraph(net)
	noise, real := graph.Input("noise", op.Float32, op.Batch, 3), graph.Input("real", op.Float32, op.Batch, 2)
	onFake, onReal := net.D.Forward(op.Dropout(net.G.Forward(noise), 0.3)), net.D.Forward(real)
	deceive := op.BinaryCrossEntropy(onFake, op.Ones(onFake))
	tell := op.Add(op.BinaryCrossEntropy(onFake, op.Zeros(onFake)), op.BinaryCrossEntropy(onReal, op.Ones(onReal)))
	momentum := paddle.Momentum{LearningRate: 0.1}
	return net, must(paddle.NewTrainer(deceive, momentum, paddle.Only(&net.G), paddle.Named(nameG)))(t),
		must(paddle.NewTrainer(tell, momentum, paddle.Only(&net.D), paddle.Named(nameD)))(t)
}

func TestTwoTrainersInOneFile(t *testing.T) {
	data := []op.Feeds{{"noise": floats([]int{2, 3}, 1, -2, 3, 0, 5, -1), "real": floats([]int{2, 2}, 1, 2, 3, 4)}}
	both := func(g, d *paddle.Trainer, n int) (out []uint64) {
		for range n {
			out = append(append(out, losses(t, d, data, 1)...), losses(t, g, data, 1)...)
		}
		return out
	}
	net, g, d := newAdversaries(t, "g", "d")
	both(g, d, 5)
	path := filepath.Join(t.TempDir(), "state")
	must(0, g.Save(path, d))(t)
	want := both(g, d, 5)
	net2, g2, d2 := newAdversaries(t, "g", "d")
	must(0, d2.Load(path, g2))(t)
	if got := both(g2, d2, 5); !slices.Equal(got, want) {
		t.Errorf("losses %v, want %v", got, want)
	}
	sameValues(t, values(t, net2), values(t, net))
	must(0, paddle.Load(path, &adversaries{G: layer.FC{Size: 2}, D: layer.FC{Size: 1}}))(t) // a model for serving

	before := values(t, net2)
	for want, load := range map[string]func() error{
		"does not fit the training: not in the model: d/": func() error { return g2.Load(path) },
		`two trainers have the name "g"`:                  func() error { return g2.Save(path, g2) },
		"the trainer is nil or empty":                     func() error { return g2.Save(path, nil) },
		`has no state of a trainer named "x"`: func() error {
			_, x, _ := newAdversaries(t, "x", "d")
			return x.Load(path)
		},
	} {
		if err := load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	sameValues(t, values(t, net2), before)
}

func TestLoadStateMistakes(t *testing.T) {
	data := batches(t, blobs(t, 64).InOrder(32))
	_, trainer := newTrainer(t, 1)
	losses(t, trainer, data, 3)
	path := filepath.Join(t.TempDir(), "state")
	must(0, trainer.Save(path))(t)
	whole := must(os.ReadFile(path))(t)

	_, other := newTrainer(t, 2)
	net, same := newTrainer(t, 2)
	bad := filepath.Join(t.TempDir(), "bad")
	for cut := 0; cut < len(whole); cut += 1 + len(whole)/101 {
		must(0, os.WriteFile(bad, whole[:cut], 0o644))(t)
		if same.Load(bad) == nil {
			t.Fatalf("the first %d of %d bytes are loaded", cut, len(whole))
		}
	}
	for at := 8; at < len(whole); at += 1 + len(whole)/101 {
		flipped := slices.Clone(whole)
		flipped[at] ^= 32
		must(0, os.WriteFile(bad, flipped, 0o644))(t)
		if same.Load(bad) == nil {
			t.Fatalf("a file with a bit of byte %d changed is loaded", at)
		}
	}
	if epoch, batch := same.Position(); epoch != 0 || batch != 0 || same.Updates() != 0 {
		t.Error("the position changed")
	}
	if got, want := losses(t, same, data, 4), losses(t, other, data, 4); !slices.Equal(got, want) {
		t.Errorf("after files that could not be loaded the losses are %v, want %v", got, want)
	}
	model := filepath.Join(t.TempDir(), "model")
	must(0, paddle.Save(model, net))(t)
	if err := same.Load(model); err == nil || !strings.Contains(err.Error(), `has no state of a trainer named "trainer"`) {
		t.Errorf("got %v, want an error: the file is a model", err)
	}
	_, loss, _ := graph(newMLP(), 1)
	sgd := must(paddle.NewTrainer(loss, paddle.Momentum{LearningRate: 1}))(t)
	err := sgd.Load(path)
	for _, want := range []string{"missing in the file: trainer/velocity.hidden.", "not in the model: trainer/m.hidden.bias, "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err = same.Fit(context.Background(), shuffled(t, 64, 32), paddle.FitOptions{Epochs: 1, Handler: func(paddle.Event) error { return same.Load(path) }})
	if err == nil || !strings.Contains(err.Error(), `trainer "trainer" is in Fit`) {
		t.Errorf("got %v, want an error: Load in Fit", err)
	}
}

// A mean that is no number yet is restored as it is.
func TestPositionKeepsWhatIsNotFinite(t *testing.T) {
	trainer := meansTrainer(t)
	inf := float32(math.Inf(1))
	feeds := []op.Feeds{{"x": floats([]int{2}, inf, 1)}, {"x": floats([]int{2}, 1, 1)}}
	path := filepath.Join(t.TempDir(), "state")
	train := datasets.Replay(datasets.FromSlice(feeds))
	fit := func(trainer *paddle.Trainer, o paddle.FitOptions) *paddle.History {
		t.Helper()
		o.Epochs = 1
		return must(trainer.Fit(context.Background(), train, o))(t)
	}
	fit(trainer, paddle.FitOptions{Checkpoint: path, Handler: stop(1)})
	resumed := meansTrainer(t)
	must(0, resumed.Load(path))(t)
	if h := fit(resumed, paddle.FitOptions{}); !math.IsInf(h.Epochs[0].Train.Loss, 1) || h.Epochs[0].Samples != 4 {
		t.Errorf("%+v, want an infinite loss of 4 samples", h.Epochs[0])
	}
}

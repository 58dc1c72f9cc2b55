package paddle_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
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

func TestFitLearnsBlobs(t *testing.T) {
	_, trainer := newTrainer(t, 1)
	h := must(trainer.Fit(context.Background(), shuffled(t, 300, 32), paddle.FitOptions{Epochs: 8, Validate: blobs(t, 90).InOrder(40)}))(t)
	if len(h.Epochs) != 8 || len(h.Steps) != 0 {
		t.Fatalf("%d epochs and %d steps, want 8 and none", len(h.Epochs), len(h.Steps))
	}
	for i, e := range h.Epochs {
		if e.Epoch != i || e.Samples != 300 || e.Train.Count != 300 || e.Validation.Count != 90 || e.LearningRate != 0.01 || e.Duration <= 0 {
			t.Errorf("epoch %d: %+v", i, e)
		}
	}
	first, last := h.Epochs[0], h.Epochs[7]
	accuracy, _ := last.Validation.Metric("accuracy")
	if last.Train.Loss > first.Train.Loss/2 || last.Validation.Loss > 0.2 || accuracy < 0.98 {
		t.Errorf("training loss from %v to %v, validation loss %v, accuracy %v", first.Train.Loss, last.Train.Loss, last.Validation.Loss, accuracy)
	}
	if trainer.Updates() != 80 {
		t.Errorf("%d updates, want 8 times ⌈300/32⌉", trainer.Updates())
	}
}

type cnn struct {
	Conv layer.Conv2D
	Out  layer.FC
}

func (m *cnn) Forward(image *op.Node) *op.Node {
	return m.Out.Forward(op.Flatten(op.MaxPool2D(m.Conv.Forward(image), op.Pool{Size: 4, Stride: 4})))
}

func TestFitLearnsDigits(t *testing.T) {
	net := &cnn{Conv: layer.Conv2D{Filters: 8, Kernel: 5, Act: op.ReLU}, Out: layer.FC{Size: 10}}
	g := op.NewGraph(net)
	image, label := g.Input("image", op.Float32, op.Batch, 1, 28, 28), g.Input("label", op.Int32, op.Batch)
	logits := net.Forward(image)
	trainer := must(paddle.NewTrainer(op.CrossEntropy(logits, label), paddle.Adam{LearningRate: 0.01}, paddle.Track("accuracy", op.Accuracy(logits, label))))(t)
	set := must(datasets.Digits{Records: 300, Seed: 3}.Set())(t)
	h := must(trainer.Fit(context.Background(), set.Shuffled(1, datasets.BatchOptions{Size: 32}), paddle.FitOptions{Epochs: 4}))(t)
	result := must(trainer.Test(context.Background(), set.InOrder(128)))(t)
	accuracy, ok := result.Metric("accuracy")
	if !ok || accuracy < 0.9 || h.Epochs[3].Train.Loss > h.Epochs[0].Train.Loss/3 {
		t.Errorf("loss from %v to %v, accuracy %v, want it to learn", h.Epochs[0].Train.Loss, h.Epochs[3].Train.Loss, accuracy)
	}
}

// meansTrainer has the mean of its input as the loss and as a metric.
func meansTrainer(t testing.TB) *paddle.Trainer {
	t.Helper()
	_, g, w := scalar(t, 1)
	loss := op.Add(op.Mean(g.Input("x", op.Float32, op.Batch)), op.MulConst(w, 0))
	return must(paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.1}, paddle.Track("twice", op.MulConst(loss, 2))))(t)
}

// Batch means of 1, 1 and 4 with 4, 4 and 2 samples.
func uneven() []op.Feeds {
	return []op.Feeds{{"x": floats([]int{4}, 1, 1, 1, 1)}, {"x": floats([]int{4}, 0, 2, 0, 2)}, {"x": floats([]int{2}, 4, 4)}}
}

func TestT04MeansAreWeightedWithCounts(t *testing.T) {
	trainer := meansTrainer(t)
	data := datasets.FromSlice(uneven())
	h := must(trainer.Fit(context.Background(), datasets.Replay(data), paddle.FitOptions{Epochs: 1, Validate: data}))(t)
	tested := must(trainer.Test(context.Background(), data))(t)
	for name, r := range map[string]paddle.Result{"training": h.Epochs[0].Train, "validation": *h.Epochs[0].Validation, "Test": tested} {
		if twice, _ := r.Metric("twice"); !near(r.Loss, 1.6, 1e-6) || r.Count != 10 || !near(twice, 3.2, 1e-6) {
			t.Errorf("%s: loss %v, count %v, metric %v, want (4·1+4·1+2·4)/10 = 1.6, 10, 3.2", name, r.Loss, r.Count, twice)
		}
	}
	if h.Epochs[0].Samples != 10 {
		t.Errorf("%d samples, want 10", h.Epochs[0].Samples)
	}
	empty := must(trainer.Test(context.Background(), datasets.FromSlice([]op.Feeds{})))(t)
	if empty.Loss != 0 || empty.Count != 0 {
		t.Errorf("of no batches: %+v, want zeros", empty)
	}
}

func TestFitEventsInOrder(t *testing.T) {
	trainer := meansTrainer(t)
	var log []string
	o := paddle.FitOptions{Epochs: 2, Validate: datasets.FromSlice(uneven()), Handler: func(e paddle.Event) error {
		switch e := e.(type) {
		case *paddle.BeginEpoch:
			log = append(log, fmt.Sprint("begin epoch ", e.Epoch))
		case *paddle.BeginStep:
			log = append(log, fmt.Sprint("begin step ", e.Epoch, e.Batch))
		case *paddle.EndStep:
			log = append(log, fmt.Sprint("end step ", e.Epoch, e.Batch, e.Step.Loss, e.Samples, e.Step.Update))
		case *paddle.EndEpoch:
			log = append(log, fmt.Sprint("end epoch ", e.Epoch, e.Train.Count, e.Validation.Count))
		}
		return nil
	}}
	must(trainer.Fit(context.Background(), datasets.Replay(datasets.FromSlice(uneven()[1:])), o))(t)
	want := []string{
		"begin epoch 0", "begin step 0 0", "end step 0 0 1 4 1", "begin step 0 1", "end step 0 1 4 2 2", "end epoch 0 6 10",
		"begin epoch 1", "begin step 1 0", "end step 1 0 1 4 3", "begin step 1 1", "end step 1 1 4 2 4", "end epoch 1 6 10",
	}
	if !slices.Equal(log, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(log, "\n"), strings.Join(want, "\n"))
	}
}

func TestHandlerStopsFit(t *testing.T) {
	trainer := meansTrainer(t)
	data := datasets.Replay(datasets.FromSlice(uneven()))
	h, err := trainer.Fit(context.Background(), data, paddle.FitOptions{Epochs: 9, RecordSteps: true, Handler: func(e paddle.Event) error {
		if e, ok := e.(*paddle.EndStep); ok && e.Epoch == 1 && e.Batch == 1 {
			return fmt.Errorf("enough: %w", paddle.Stop)
		}
		return nil
	}})
	if err != nil || len(h.Epochs) != 1 || len(h.Steps) != 5 {
		t.Errorf("%d epochs, %d steps, error %v, want 1, 5 and none", len(h.Epochs), len(h.Steps), err)
	}
	if h.Steps[4].Step.Metrics[0].Value != 2 || h.Steps[2].Step.Metrics[0].Value != 8 {
		t.Errorf("recorded metrics %v and %v, want those of their own steps, 2 and 8", h.Steps[4].Step.Metrics, h.Steps[2].Step.Metrics)
	}
	if epoch, batch := trainer.Position(); epoch != 1 || batch != 2 {
		t.Errorf("stopped at epoch %d, batch %d, want 1 and 2", epoch, batch)
	}
	h = must(trainer.Fit(context.Background(), data, paddle.FitOptions{Epochs: 2}))(t)
	if len(h.Epochs) != 1 || trainer.Updates() != 6 || !near(h.Epochs[0].Train.Loss, 1.6, 1e-6) {
		t.Errorf("went on with %d epochs to %d updates, loss %v, want the rest of one, 6, and the mean over all of it", len(h.Epochs), trainer.Updates(), h.Epochs[0].Train.Loss)
	}
	_, err = trainer.Fit(context.Background(), data, paddle.FitOptions{Epochs: 3, Handler: func(paddle.Event) error { return errors.New("mine") }})
	if err == nil || err.Error() != "paddle.Trainer.Fit: epoch 2: mine" {
		t.Errorf("got %v, want the handler's error", err)
	}
}

func TestFitEndsWithTheReadersError(t *testing.T) {
	trainer := meansTrainer(t)
	broken := errors.New("broken file")
	train := func(epoch int) iter.Seq2[op.Feeds, error] {
		if epoch == 1 {
			return sequenceOf(broken, uneven()[:2]...)
		}
		return sequenceOf(nil, uneven()...)
	}
	h, err := trainer.Fit(context.Background(), train, paddle.FitOptions{Epochs: 3})
	if !errors.Is(err, broken) || err.Error() != "paddle.Trainer.Fit: epoch 1, batch 2: reading: broken file" {
		t.Errorf("got %v, want the reader's error with epoch 1, batch 2", err)
	}
	if len(h.Epochs) != 1 || trainer.Updates() != 5 {
		t.Errorf("%d epochs and %d updates, want 1 and 5: what was trained stays", len(h.Epochs), trainer.Updates())
	}
	_, err = trainer.Test(context.Background(), sequenceOf(broken, uneven()[0]))
	if !errors.Is(err, broken) || err.Error() != "paddle.Trainer.Test: batch 1: reading: broken file" {
		t.Errorf("got %v, want the reader's error with batch 1", err)
	}
	data := datasets.Replay(datasets.FromSlice(uneven()))
	_, err = trainer.Fit(context.Background(), data, paddle.FitOptions{Epochs: 2, Validate: sequenceOf(broken, uneven()[0])})
	if !errors.Is(err, broken) || err.Error() != "paddle.Trainer.Fit: epoch 1, validation batch 1: reading: broken file" {
		t.Errorf("got %v, want the reader's error with epoch 1, validation batch 1", err)
	}
	if epoch, batch := trainer.Position(); epoch != 1 || batch != 3 {
		t.Errorf("at epoch %d, batch %d, want all of epoch 1 taken", epoch, batch)
	}
}

func TestFitEndsWhenCancelled(t *testing.T) {
	trainer := meansTrainer(t)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := trainer.Fit(ctx, datasets.Replay(datasets.FromSlice(uneven())), paddle.FitOptions{Epochs: 3, Handler: func(e paddle.Event) error {
		if e, ok := e.(*paddle.EndStep); ok && e.Epoch == 1 && e.Batch == 0 {
			cancel()
		}
		return nil
	}})
	if !errors.Is(err, context.Canceled) || err.Error() != "paddle.Trainer.Fit: epoch 1, batch 1: context canceled" {
		t.Errorf("got %v, want the context's error with epoch 1, batch 1", err)
	}
	if trainer.Updates() != 4 {
		t.Errorf("%d updates, want 4", trainer.Updates())
	}
}

func TestFitMistakes(t *testing.T) {
	data := datasets.Replay(datasets.FromSlice(uneven()))
	one := paddle.FitOptions{Epochs: 1}
	for _, c := range []struct {
		train func(int) iter.Seq2[op.Feeds, error]
		o     paddle.FitOptions
		want  string
	}{
		{nil, one, "the training data is nil"},
		{data, paddle.FitOptions{}, "0 epochs, want 1 or more"},
		{data, paddle.FitOptions{Epochs: 1, CheckpointEvery: -1}, "a checkpoint every -1 steps, want 0 or more"},
		{data, paddle.FitOptions{Epochs: 1, CheckpointEvery: 5}, "CheckpointEvery is set, and no file to save to"},
		{datasets.Replay(sequenceOf(nil)), one, "epoch 0: the reader gives no batches"},
		{func(int) iter.Seq2[op.Feeds, error] { return nil }, one, "epoch 0: the reader is nil"},
		{datasets.Replay(sequenceOf(nil, op.Feeds{"y": floats([]int{1}, 1)})), one, `epoch 0, batch 0: input "x" is not fed; fed are "y"`},
		{data, paddle.FitOptions{Epochs: 1, Checkpoint: filepath.Join(os.DevNull, "x")}, "checkpoint: saving"},
	} {
		if _, err := meansTrainer(t).Fit(context.Background(), c.train, c.o); err == nil || !strings.Contains(err.Error(), "paddle.Trainer.Fit: "+c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	trainer := meansTrainer(t)
	if _, err := trainer.Test(context.Background(), nil); err == nil || err.Error() != "paddle.Trainer.Test: the data is nil" {
		t.Errorf("got %v, want an error about nil data", err)
	}
	_, err := trainer.Fit(context.Background(), data, paddle.FitOptions{Epochs: 1, Handler: func(paddle.Event) error {
		_, err := trainer.Fit(context.Background(), data, one)
		return err
	}})
	if err == nil || !strings.Contains(err.Error(), "the trainer is in another Fit") {
		t.Errorf("got %v, want an error about two Fits", err)
	}
}

func TestTrackMistakes(t *testing.T) {
	_, g, w := scalar(t, 1)
	x := g.Input("x", op.Float32, op.Batch)
	loss := op.Mul(w, op.Mean(x))
	for _, c := range []struct {
		passes []op.Pass
		want   string
	}{
		{[]op.Pass{paddle.Track("a", loss), paddle.Track("a", loss)}, `metric "a", want a name that is neither empty nor taken`},
		{[]op.Pass{paddle.Track("loss", loss)}, `metric "loss"`},
		{[]op.Pass{paddle.Track("", loss)}, `metric ""`},
		{[]op.Pass{paddle.Track("x", x)}, `metric "x" has shape (batch,), want a scalar ()`},
		{[]op.Pass{nil}, "pass 0 is nil"},
		{[]op.Pass{paddle.Named("a/b")}, `"a/b", want a name without a slash`},
	} {
		if _, err := paddle.NewTrainer(loss, paddle.SGD{LearningRate: 1}, c.passes...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// A batch of which half the rows are to be ignored counts for the other half.
func TestMeansCountRowsThatCount(t *testing.T) {
	net := newMLP()
	_, loss, accuracy := graph(net, 1)
	trainer := must(paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.1}, paddle.Track("accuracy", accuracy)))(t)
	feeds := batches(t, blobs(t, 9).InOrder(6))
	ints := feeds[0]["label"].Int32s()
	copy(ints, []int32{op.IgnoreLabel, op.IgnoreLabel, op.IgnoreLabel, op.IgnoreLabel})
	a, b := must(trainer.Test(context.Background(), sequenceOf(nil, feeds[0])))(t), must(trainer.Test(context.Background(), sequenceOf(nil, feeds[1])))(t)
	both := must(trainer.Test(context.Background(), sequenceOf(nil, feeds...)))(t)
	if a.Count != 2 || b.Count != 3 || both.Count != 5 || !near(both.Loss, (2*a.Loss+3*b.Loss)/5, 1e-12) || both.Metrics[0].Count != 5 {
		t.Errorf("got %+v of %+v and %+v", both, a, b)
	}
}

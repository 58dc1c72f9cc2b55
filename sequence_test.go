package paddle_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// TestFitCountsTokens: rows of sequences are counted beside the samples, and survive a checkpoint.
func TestFitCountsTokens(t *testing.T) {
	net := &struct{ Out layer.FC }{layer.FC{Size: 2}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 3)
	loss := op.CrossEntropy(net.Out.Forward(sequence.Sum(x)), g.Input("y", op.Int32, op.Batch))
	trainer, err := paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	var batches []op.Feeds
	for _, lengths := range [][]int{{2, 0, 1}, {4}} {
		var rows [][]float32
		for _, n := range lengths {
			rows = append(rows, make([]float32, 3*n))
		}
		b, err := sequence.NewBatch(rows, 3)
		if err != nil {
			t.Fatal(err)
		}
		f := b.Feeds("x")
		f["y"] = tensor.New(tensor.WithShape(len(lengths)), tensor.WithBacking(make([]int32, len(lengths))))
		batches = append(batches, f)
	}
	var tokens []int
	var progress bytes.Buffer
	h, err := trainer.Fit(context.Background(), datasets.Replay(datasets.FromSlice(batches)), paddle.FitOptions{
		Epochs: 1, Progress: &progress, Handler: func(e paddle.Event) error {
			if e, ok := e.(*paddle.EndStep); ok {
				tokens = append(tokens, e.Tokens)
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if e := h.Epochs[0]; e.Tokens != 7 || e.Samples != 4 || e.TokensPerSecond() <= e.SamplesPerSecond() || len(tokens) != 2 || tokens[0] != 3 || tokens[1] != 4 {
		t.Errorf("%d tokens, %d samples, in steps %v tokens, want 7, 4, [3 4]", e.Tokens, e.Samples, tokens)
	}
	if !strings.Contains(progress.String(), " tokens/s") {
		t.Errorf("progress without tokens: %s", &progress)
	}
	var csv bytes.Buffer
	if err := h.WriteCSV(&csv); err != nil || !strings.HasPrefix(csv.String(), "epoch,samples,seconds,samples_per_second,tokens,tokens_per_second,learning_rate,loss\n0,4,") {
		t.Errorf("%s, %v", &csv, err)
	}
}

package main

import (
	"context"
	"errors"
	"fmt"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// serve times predictions of one sample, the latency of a service: of the perceptron, of convolutional networks, and of an LSTM over a short
// text, all given as logits.
func serve(b *bench) error {
	return errors.Join(
		predict(b, "mlp", perceptron(), 784), predict(b, "lenet", lenet(), 1, 28, 28),
		predict(b, "resnet20", resnet(), 3, 32, 32), predict(b, "mobilenet", mobilenet(), 3, 64, 64),
		predictText(b, 20),
	)
}

// predictText times an LSTM of 128 units over one text of so many words.
func predictText(b *bench, length int) error {
	net := &recurrent{Words: layer.Embedding{Vocabulary: 20_000, Width: 128}, Walk: layer.Stack{&layer.LSTM{Size: 128}}, Out: layer.FC{Size: 2}}
	g := op.NewGraph(net)
	logits := net.logits(sequence.Input(g, "words", op.Int32))
	feeds := reviews([]int{length})
	delete(feeds, "label")
	return timePredictor(b, fmt.Sprintf("lstm 1x128 length %d", length), logits, feeds)
}

func predict(b *bench, name string, net layer.Sequential, shape ...op.Dim) error {
	g := op.NewGraph(net)
	logits := net.Forward(g.Input("x", op.Float32, append([]op.Dim{op.Batch}, shape...)...))
	dims := []int{1}
	for _, d := range shape {
		dims = append(dims, int(d))
	}
	return timePredictor(b, name, logits, op.Feeds{"x": uniform(dims...)})
}

// timePredictor times predictions of logits from feeds.
func timePredictor(b *bench, name string, logits *op.Node, feeds op.Feeds) error {
	predictor, err := paddle.NewPredictor(logits)
	if err != nil {
		return err
	}
	sum := float32(0)
	read := func(out []op.Buffer) error {
		sum += out[0].Float32s()[0]
		return nil
	}
	t, err := b.measure(func() error { return predictor.View(context.Background(), feeds, read) })
	if err != nil {
		return err
	}
	if sum != sum {
		return fmt.Errorf("%s: the logits are no numbers", name)
	}
	b.report(fmt.Sprintf("serve %s b1", name), t, forward(logits, feeds))
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"

	"paddle"
	"paddle/layer"
	"paddle/op"
)

// serve times predictions of one sample, the latency of a service: of the perceptron and of convolutional networks, all given as logits.
func serve(b *bench) error {
	return errors.Join(
		predict(b, "mlp", perceptron(), 784), predict(b, "lenet", lenet(), 1, 28, 28),
		predict(b, "resnet20", resnet(), 3, 32, 32), predict(b, "mobilenet", mobilenet(), 3, 64, 64),
	)
}

func predict(b *bench, name string, net layer.Sequential, shape ...op.Dim) error {
	g := op.NewGraph(net)
	logits := net.Forward(g.Input("x", op.Float32, append([]op.Dim{op.Batch}, shape...)...))
	predictor, err := paddle.NewPredictor(logits)
	if err != nil {
		return err
	}
	dims := []int{1}
	for _, d := range shape {
		dims = append(dims, int(d))
	}
	feeds, sum := op.Feeds{"x": uniform(dims...)}, float32(0)
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

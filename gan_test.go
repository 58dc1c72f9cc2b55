package paddle_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
)

// GAN is a generator and a discriminator: fields of one model, trained by two trainers.
type GAN struct {
	Generator, Discriminator layer.Sequential
}

// Example_gan trains two losses that share a subgraph (Goodfellow et al., 2014): the generator learns to draw from a normal distribution with
// mean 3, the discriminator to tell its numbers from real ones. Only keeps each trainer to its own part of the model.
func Example_gan() {
	net := &GAN{
		Generator:     layer.Sequential{&layer.FC{Size: 16, Act: op.Tanh}, &layer.FC{Size: 1}},
		Discriminator: layer.Sequential{&layer.FC{Size: 16, Act: op.Tanh}, &layer.FC{Size: 1}},
	}
	g := op.NewGraph(net)
	noise := g.Input("noise", op.Float32, op.Batch, 4)
	real := g.Input("real", op.Float32, op.Batch, 1)
	fake := net.Generator.Forward(noise)
	onReal, onFake := net.Discriminator.Forward(real), net.Discriminator.Forward(fake)
	tellApart := op.Add(op.BinaryCrossEntropy(onReal, op.Ones(onReal)), op.BinaryCrossEntropy(onFake, op.Zeros(onFake)))
	deceive := op.BinaryCrossEntropy(onFake, op.Ones(onFake))

	adam := paddle.Adam{LearningRate: 5e-3, Beta1: new(0.5)}
	discriminator, err := paddle.NewTrainer(tellApart, adam, paddle.Only(net.Discriminator), paddle.Named("discriminator"))
	if err != nil {
		fmt.Println(err)
		return
	}
	generator, err := paddle.NewTrainer(deceive, adam, paddle.Only(net.Generator), paddle.Named("generator"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 1))
	for range 600 {
		if _, err := discriminator.Step(ctx, draw(rng, 64)); err != nil {
			fmt.Println(err)
			return
		}
		if _, err := generator.Step(ctx, draw(rng, 64)); err != nil {
			fmt.Println(err)
			return
		}
	}
	mean, err := meanOf(ctx, fake, draw(rng, 2000))
	fmt.Printf("mean of generated numbers within 1 of 3: %v, error: %v\n", mean > 2 && mean < 4, err)
	// Output: mean of generated numbers within 1 of 3: true, error: <nil>
}

// draw makes a batch of noise and of real numbers.
func draw(rng *rand.Rand, n int) op.Feeds {
	noise, real := make([]float32, 4*n), make([]float32, n)
	for i := range noise {
		noise[i] = float32(rng.NormFloat64())
	}
	for i := range real {
		real[i] = float32(3 + rng.NormFloat64()/2)
	}
	return op.Feeds{
		"noise": tensor.New(tensor.WithShape(n, 4), tensor.WithBacking(noise)),
		"real":  tensor.New(tensor.WithShape(n, 1), tensor.WithBacking(real)),
	}
}

// meanOf computes the mean of a node's values.
func meanOf(ctx context.Context, n *op.Node, feeds op.Feeds) (float64, error) {
	p, err := paddle.NewPredictor(op.Mean(n))
	if err != nil {
		return 0, err
	}
	out, err := p.Predict(ctx, feeds)
	if err != nil {
		return 0, err
	}
	return float64(out[0].Float32s()[0]), nil
}

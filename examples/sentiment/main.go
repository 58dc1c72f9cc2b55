// Command sentiment trains a recurrent network to tell positive film reviews from negative ones, on the 25,000 training reviews of IMDb at
// their full lengths, without padding. It tests the network on the other 25,000, saves it with its vocabulary, and classifies texts
// with what it saved:
//
//	go run ./examples/sentiment -data DIR            trains; DIR has the archive or its folder, default: the cache, filled from a mirror
//	go run ./examples/sentiment "I loved it." "Dull." classifies, in a process of its own
//	go run ./examples/sentiment -tiny                trains on short reviews of its own making and needs no data
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"paddle"
	"paddle/datasets"
	"paddle/op"
)

type options struct {
	model, data, out   string
	epochs, batch, cap int
	seed               uint64
	tiny               bool
}

func main() {
	var o options
	flag.StringVar(&o.model, "model", "lstm", "network: lstm or cnn")
	flag.StringVar(&o.data, "data", "", "directory with the reviews of IMDb (default: the user's cache, filled from a mirror)")
	flag.StringVar(&o.out, "out", ".", "directory for the model and the vocabulary")
	flag.IntVar(&o.epochs, "epochs", 0, "passes over the training reviews; 0 is 2, or 12 with -tiny")
	flag.IntVar(&o.batch, "batch", 32, "reviews in a batch")
	flag.IntVar(&o.cap, "cap", 0, "most tokens of a review that are used; 0 for all")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the initial weights, the dropout and the order of the reviews")
	flag.BoolVar(&o.tiny, "tiny", false, "train on short reviews made here instead of IMDb")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := error(nil)
	if flag.NArg() > 0 {
		err = classify(ctx, o, flag.Args(), os.Stdout)
	} else {
		_, err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sentiment:", err)
		os.Exit(1)
	}
}

// Names of the inputs.
const (
	wordsInput = "words"
	labelInput = "label"
)

// check reports options with which a training would fail, before it has taken its time, and makes the directory that it saves to.
func (o options) check() error {
	switch {
	case o.epochs < 0:
		return fmt.Errorf("-epochs %d, want 0 or more", o.epochs)
	case o.batch < 1:
		return fmt.Errorf("-batch %d, want 1 or more", o.batch)
	case o.cap < 0:
		return fmt.Errorf("-cap %d, want 0 or more", o.cap)
	}
	if _, err := newModel(o.model, 1); err != nil {
		return err
	}
	return os.MkdirAll(filepath.Clean(o.out), 0o777)
}

// run trains, saves and returns the accuracy on the test reviews.
func run(ctx context.Context, o options) (accuracy float64, err error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	c, err := load(ctx, o)
	if err != nil {
		return 0, err
	}
	if o.epochs == 0 {
		o.epochs = 2
		if o.tiny {
			o.epochs = 12
		}
	}
	fmt.Printf("%d reviews of %d tokens for training, %d for testing, %d words\n", c.train.Len(), c.train.Size(), c.test.Len(), c.words.Len())
	net, err := newModel(o.model, c.words.Len())
	if err != nil {
		return 0, err
	}
	g := op.NewGraph(net)
	g.Seed = o.seed
	logits, label := build(g, net)
	updates := int64(o.epochs) * int64((c.train.Len()+o.batch-1)/o.batch)
	adam := paddle.Adam{LearningRate: 2e-3, Schedule: paddle.Cosine{Updates: updates}}
	trainer, err := paddle.NewTrainer(op.CrossEntropy(logits, label), adam, paddle.ClipGlobalNorm(5), paddle.Track("accuracy", op.Accuracy(logits, label)))
	if err != nil {
		return 0, err
	}
	summary, err := paddle.Summary(g)
	if err != nil {
		return 0, err
	}
	fmt.Print(summary)
	feeds := datasets.CorpusFeeds{Tokens: wordsInput, Labels: labelInput}
	history, err := trainer.Fit(ctx, c.train.Shuffled(feeds, o.seed, datasets.LengthOptions{Size: o.batch, Pool: 50 * o.batch}), paddle.FitOptions{
		Epochs:   o.epochs,
		Validate: c.test.InOrder(feeds, datasets.LengthOptions{Size: 256, Pool: c.test.Len()}),
		Progress: os.Stderr,
	})
	if err != nil {
		return 0, err
	}
	return report(o, net, c, history)
}

// report saves the model and the vocabulary, and prints what was reached.
func report(o options, net model, c *corpora, history *paddle.History) (accuracy float64, err error) {
	if err := paddle.Save(o.modelFile(), net); err != nil {
		return 0, err
	}
	if err := c.words.Save(o.vocabularyFile()); err != nil {
		return 0, err
	}
	var training time.Duration
	for i := range history.Epochs {
		e := &history.Epochs[i]
		training += e.Duration
		accuracy, _ = e.Validation.Metric("accuracy")
		fmt.Printf("test accuracy %.2f %% after epoch %d, %.0f tokens/s\n", 100*accuracy, e.Epoch+1, e.TokensPerSecond())
	}
	fmt.Printf("%.0f s of training\n", training.Seconds())
	fmt.Printf("model in %s, words in %s\n", o.modelFile(), o.vocabularyFile())
	return accuracy, nil
}

func (o options) modelFile() string      { return filepath.Join(o.out, "sentiment-"+o.model+".safetensors") }
func (o options) vocabularyFile() string { return filepath.Join(o.out, "sentiment.words") }

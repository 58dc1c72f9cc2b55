// Command bench times this library on the shapes that it is compared on with others: training steps (forward, backward, optimizer),
// predictions, and matrix products. It prints a line a case: name, threads, minimum and median milliseconds a step, how many were timed, and
// after that what a step is made of, as key=value (see report). With one thread the process's CPU time is taken, with more the wall time.
//
//	go run ./internal/bench -threads 1 mlp lenet cnn3 resnet mobilenet ctr softmax100k transformer serve gemm lstm gru lstm-group lstm-primitive
//
// compare.sh runs it and a peer of it in turn; peers holds the peers that are programs of ours.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"paddle"
	"paddle/internal/bench/timing"
	"paddle/op"
)

// benchmark is a model and the batches that it is trained on in turn.
type benchmark struct {
	name      string
	loss      *op.Node
	optimizer paddle.Optimizer
	batches   []op.Feeds
	tokens    int // of all batches together, where they are sequences
}

var models = map[string]func() []benchmark{
	"mlp": perceptrons, "lenet": lenets, "cnn3": cnn3s, "ctr": ctrs, "softmax100k": softmaxes, "transformer": transformers,
	"resnet": resnets, "mobilenet": mobilenets, "lstm": lstms, "gru": grus, "lstm-group": groups,
}

// others are the cases that train nothing.
var others = map[string]func(*bench) error{"serve": serve, "gemm": products, "lstm-primitive": lstmPrimitive}

// bench is how cases are run.
type bench struct {
	threads int
	seconds float64
	peak    float64 // floating-point operations a second that threads cores can do at most, in float32
}

func main() {
	threads := flag.Int("threads", 1, "threads")
	seconds := flag.Float64("seconds", 3, "seconds a case, at least 5 steps")
	flag.Parse()
	runtime.GOMAXPROCS(*threads)
	b := &bench{*threads, *seconds, float64(*threads) * peak()}
	for _, name := range flag.Args() {
		if err := b.run(name); err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// run runs the cases of one name.
func (b *bench) run(name string) error {
	if other, ok := others[name]; ok {
		return other(b)
	}
	cases, ok := models[name]
	if !ok {
		return fmt.Errorf("no such model")
	}
	list := cases()
	for i := range list {
		if err := list[i].run(b); err != nil {
			return fmt.Errorf("%s: %w", list[i].name, err)
		}
		list[i] = benchmark{}
		debug.FreeOSMemory() // so that peak_mb is that of the largest case alone
	}
	return nil
}

// run times the training steps of a case.
func (c benchmark) run(b *bench) error {
	var arithmetic flops
	trainer, err := paddle.NewTrainer(c.loss, c.optimizer, &arithmetic)
	if err != nil {
		return err
	}
	if c.tokens > 0 {
		return c.runSequences(b, trainer, &arithmetic)
	}
	n := 0
	times, err := b.measure(func() error {
		_, err := trainer.Step(context.Background(), c.batches[n%len(c.batches)])
		n++
		return err
	})
	if err != nil {
		return err
	}
	b.report(c.name, times, arithmetic.of(c.batches[0]))
	return nil
}

// runSequences times the training steps of a case whose batches are not alike: the mean over the batches of the best time of each.
func (c benchmark) runSequences(b *bench, trainer *paddle.Trainer, arithmetic *flops) error {
	times, err := timing.MeasureInTurn(b.threads, b.seconds, len(c.batches), func(i int) error {
		_, err := trainer.Step(context.Background(), c.batches[i])
		return err
	})
	if err != nil {
		return err
	}
	flop := int64(0)
	for _, feeds := range c.batches {
		flop += arithmetic.of(feeds)
	}
	n := len(c.batches)
	b.reportTokens(c.name, times, flop/int64(n), c.tokens/n)
	return nil
}

// Command bench times training steps of this library on the shapes that it is compared on with others. It prints a line a case: name,
// threads, minimum and median milliseconds a step (forward, backward, optimizer), and how many steps were timed. With one thread the process's
// CPU time is taken, with more the wall time.
//
//	go run ./internal/bench -threads 1 mlp lenet cnn3 ctr softmax100k transformer
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"paddle"
	"paddle/op"
)

// benchmark is a model and the batches that it is trained on in turn.
type benchmark struct {
	name      string
	loss      *op.Node
	optimizer paddle.Optimizer
	batches   []op.Feeds
}

var models = map[string]func() []benchmark{
	"mlp": perceptrons, "lenet": lenets, "cnn3": cnn3s, "ctr": ctrs, "softmax100k": softmaxes, "transformer": transformers,
}

func main() {
	threads := flag.Int("threads", 1, "threads")
	seconds := flag.Float64("seconds", 3, "seconds a case, at least 5 steps")
	flag.Parse()
	runtime.GOMAXPROCS(*threads)
	for _, name := range flag.Args() {
		cases, ok := models[name]
		if !ok {
			fmt.Fprintf(os.Stderr, "bench: no model %q\n", name)
			os.Exit(2)
		}
		for _, b := range cases() {
			if err := b.run(*threads, *seconds); err != nil {
				fmt.Fprintf(os.Stderr, "bench: %s: %v\n", b.name, err)
				os.Exit(1)
			}
		}
	}
}

const warmUp = 3

func (b benchmark) run(threads int, seconds float64) error {
	trainer, err := paddle.NewTrainer(b.loss, b.optimizer)
	if err != nil {
		return err
	}
	clock := cpuTime
	if threads > 1 {
		clock = wallTime
	}
	var times []float64
	start := time.Now()
	for n := 0; len(times) < 5 || time.Since(start).Seconds() < seconds && len(times) < 2000; n++ {
		at := clock()
		if _, err := trainer.Step(context.Background(), b.batches[n%len(b.batches)]); err != nil {
			return err
		}
		if n >= warmUp {
			times = append(times, (clock()-at)*1e3)
		}
	}
	slices.Sort(times)
	fmt.Printf("paddle %s T=%d min %.3f ms med %.3f ms n=%d\n", b.name, threads, times[0], times[len(times)/2], len(times))
	return nil
}

var begin = time.Now()

func wallTime() float64 { return time.Since(begin).Seconds() }

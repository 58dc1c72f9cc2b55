// Command ownstep writes a recurrent unit by hand, as a step with a memory, and trains it without padding: the minimal gated unit (Zhou et
// al., 2016), which package layer does not have. Its task is the adding problem (Hochreiter and Schmidhuber, 1997): each sequence is a
// row of numbers of which two are marked, and the answer is their sum, however far apart they stand.
//
//	go run ./examples/ownstep
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/signal"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// epochs is how many parts of the training have their loss printed.
const epochs = 5

func main() {
	updates := flag.Int("updates", 1500, "batches of 64 sequences to train on")
	seed := flag.Uint64("seed", 1, "seed of the weights and the sequences")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "ownstep: argument %q, want flags only: see -help\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, *updates, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "ownstep:", err)
		os.Exit(1)
	}
}

// network is a minimal gated unit and what reads its memory.
type network struct {
	Size                        int
	ForgetIn, Forget, In, State layer.FC
	Out                         layer.FC
}

func newNetwork(size int) *network {
	fc := func() layer.FC { return layer.FC{Size: size} }
	return &network{Size: size, ForgetIn: fc(), Forget: fc(), In: fc(), State: fc(), Out: layer.FC{Size: 1}}
}

// Forward maps sequences (tokens, 2) to answers (batch).
func (n *network) Forward(x *sequence.Node) *op.Node {
	group := sequence.Group{
		Inputs:   []*sequence.Node{x},
		Memories: []sequence.Memory{{Size: n.Size}},
		Step: func(s *sequence.Step) sequence.StepResult {
			h := n.step(s.Inputs[0], s.Memories[0])
			return sequence.StepResult{Memories: []*op.Node{h}}
		},
	}.Run()
	return op.Squeeze(n.Out.Forward(group.Memory(0)), 1)
}

// step computes the next memory of the sequences that have not ended: x (live, 2), h (live, Size).
//
//	f = σ(x·Wxf + h·Whf + b)
//	c = tanh(x·Wxc + (f⊙h)·Whc + b)
//	h = (1−f)⊙h + f⊙c
func (n *network) step(x, h *op.Node) *op.Node {
	f := op.Sigmoid(op.Add(n.ForgetIn.Forward(x), n.Forget.Forward(h)))
	c := op.Tanh(op.Add(n.In.Forward(x), n.State.Forward(op.Mul(f, h))))
	return op.Add(h, op.Mul(f, op.Sub(c, h)))
}

// run trains and returns the mean square error on new sequences.
func run(ctx context.Context, updates int, seed uint64) (loss float64, err error) {
	if updates < epochs {
		return 0, fmt.Errorf("-updates %d, want %d or more", updates, epochs)
	}
	net := newNetwork(32)
	g := op.NewGraph(net)
	g.Seed = seed
	answer := net.Forward(sequence.Input(g, "x", op.Float32, 2))
	adam := paddle.Adam{LearningRate: 1e-2, Schedule: paddle.Cosine{Updates: int64(updates)}}
	trainer, err := paddle.NewTrainer(op.MeanSquareError(answer, g.Input("sum", op.Float32, op.Batch)), adam, paddle.ClipGlobalNorm(1))
	if err != nil {
		return 0, err
	}
	train := func(epoch int) iter.Seq2[op.Feeds, error] {
		return additions(rand.NewPCG(seed, uint64(epoch)), updates/epochs)
	}
	if _, err := trainer.Fit(ctx, train, paddle.FitOptions{Epochs: epochs, Progress: os.Stderr}); err != nil {
		return 0, err
	}
	result, err := trainer.Test(ctx, additions(rand.NewPCG(seed, 1<<32), 20))
	if err != nil {
		return 0, err
	}
	fmt.Printf("mean square error %.5f; of always answering 1 it is %.5f\n", result.Loss, 1.0/6)
	return result.Loss, nil
}

// additions makes batches of 64 sequences of 2 to 40 rows: a number from 0 to 1, and whether it is marked.
func additions(source *rand.PCG, batches int) iter.Seq2[op.Feeds, error] {
	return func(yield func(op.Feeds, error) bool) {
		r := rand.New(source)
		for range batches {
			sequences, sums := make([][]float32, 64), make([]float32, 64)
			for i := range sequences {
				sequences[i], sums[i] = addition(r, 2+r.IntN(39))
			}
			b, err := sequence.NewBatch(sequences, 2)
			feeds := b.Feeds("x")
			feeds["sum"] = tensor.New(tensor.WithShape(len(sums)), tensor.WithBacking(sums))
			if !yield(feeds, err) || err != nil {
				return
			}
		}
	}
}

func addition(r *rand.Rand, length int) (rows []float32, sum float32) {
	for range length {
		rows = append(rows, r.Float32(), 0)
	}
	first, second := r.IntN(length), r.IntN(length-1)
	if second >= first {
		second++
	}
	for _, i := range []int{first, second} {
		rows[2*i+1] = 1
		sum += rows[2*i]
	}
	return rows, sum
}

package sequence_test

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// operations is a model that uses every operation, forward and backward.
type operations struct{ Table layer.Embedding }

// loss builds it on words (tokens) of x, with packed rows at the beginning or not.
func (m *operations) loss(g *op.Graph, packed bool) *op.Node {
	words := sequence.Input(g, "x", op.Int32)
	x := words.Map(m.Table.Forward)
	if packed {
		p := x.Pack()
		x = p.Of(p.Rows)
	}
	_, filters := matrix32(g, 3*8, 8)
	_, valid := matrix32(g, 2*8, 8)
	_, ahead := matrix32(g, 2, 8)
	_, padding := matrix32(g, 2, 8)
	_, v := matrix32(g, 1, 8)
	x = sequence.Conv(x, filters, sequence.Context{Length: 3, Start: -1, Padding: padding})
	x = sequence.RowConv(sequence.Reverse(x), ahead)
	look, weights := sequence.AdditiveAttention(x, x, sequence.First(x), op.Reshape(v, 8))
	spread := sequence.Expand(look, x)
	half := sequence.Slice(spread, nil, part(x, 1, 2))
	best := sequence.KMax(weights, 2)
	picked := sequence.Slices(x, best, best.Map(func(r *op.Node) *op.Node { return op.AddConst(r, 1) }), x.Dim(0))
	kept := sequence.Select(picked, sequence.KMax(picked.Outer(op.Sum(sequence.Mean(picked.Inner()), 1)), 1))
	joined := sequence.Concat(x, half, kept.Flat(), sequence.ConvValid(x, valid, 2), sequence.Reshape(sequence.Repeat(x, 2), 8))
	parts := sequence.Split(sequence.Append(joined, x), joined, x)
	pooled := make([]*op.Node, 0, 7)
	for p := sequence.PoolMax; p <= sequence.PoolFirst; p++ {
		pooled = append(pooled, sequence.Pool(p, parts[0], 0))
	}
	pooled = append(pooled, sequence.Max(sequence.PoolWindows(sequence.PoolMean, sequence.Softmax(parts[1]), 3)))
	features := op.Concat(1, pooled...)
	grams := sequence.Enumerate(words, 2, 0).Map(func(r *op.Node) *op.Node { return op.Sum(op.Cast(r, op.Float32), 1) })
	return op.Add(op.Mean(op.Square(features)), op.MulConst(op.Mean(sequence.Sum(grams)), 1e-3))
}

func matrix32(g *op.Graph, rows, columns int) ([]float32, *op.Node) {
	values := make([]float32, rows*columns)
	for i := range values {
		values[i] = float32(math.Sin(float64(3*i+1))) / 2
	}
	return values, g.Constant(tensorOf(values, rows, columns))
}

// someWords returns batches of sequences of random words, the longest in sum first.
func someWords(t *testing.T, count int) []op.Feeds {
	r := rand.New(rand.NewPCG(1, 9))
	feeds := make([]op.Feeds, count)
	for i := range feeds {
		sequences := make([][]int32, 40-min(i, 39))
		for j := range sequences {
			n := r.IntN(20)
			switch {
			case i == 0:
				n = 20
			case j == 3:
				n = 200
			}
			sequences[j] = make([]int32, n)
			for k := range sequences[j] {
				sequences[j][k] = r.Int32N(50)
			}
		}
		feeds[i] = batch(t, sequences).Feeds("x")
	}
	return feeds
}

func newOperations(t *testing.T, packed bool) *paddle.Trainer {
	m := &operations{Table: layer.Embedding{Vocabulary: 50, Width: 8}}
	g := op.NewGraph(m)
	trainer, err := paddle.NewTrainer(m.loss(g, packed), paddle.SGD{LearningRate: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

// TestOperationsAllocateNothing: steps on batches of ever other sizes allocate nothing once the largest has been seen.
func TestOperationsAllocateNothing(t *testing.T) {
	feeds := someWords(t, 30)
	feeds[0] = batch(t, longest()).Feeds("x")
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, packed := range []bool{false, true} {
		trainer := newOperations(t, packed)
		least := uint64(math.MaxUint64)
		for try := 0; try < 10 && least > 0; try++ {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, f := range feeds {
				if _, err := trainer.Step(context.Background(), f); err != nil {
					t.Fatal(err)
				}
			}
			runtime.ReadMemStats(&after)
			least = min(least, after.Mallocs-before.Mallocs)
		}
		if least > 0 {
			t.Errorf("packed %v: %d allocations in %d steps, want 0", packed, least, len(feeds))
		}
	}
}

// longest returns more and longer sequences than someWords has.
func longest() [][]int32 {
	sequences := make([][]int32, 45)
	for i := range sequences {
		sequences[i] = make([]int32, 30)
	}
	sequences[0] = make([]int32, 250)
	return sequences
}

// TestOperationsSameBits: losses of training are the same bits at any number of threads.
func TestOperationsSameBits(t *testing.T) {
	feeds := someWords(t, 4)
	for _, packed := range []bool{false, true} {
		var want []float64
		for _, threads := range []int{1, 2, 3, 8} {
			restore := runtime.GOMAXPROCS(threads)
			trainer := newOperations(t, packed)
			for i := range 8 {
				step, err := trainer.Step(context.Background(), feeds[i%len(feeds)])
				if err != nil {
					t.Fatal(err)
				}
				if threads == 1 {
					want = append(want, step.Loss)
				} else if step.Loss != want[i] {
					t.Errorf("packed %v, %d threads: loss %d is %v, want %v", packed, threads, i, step.Loss, want[i])
				}
			}
			runtime.GOMAXPROCS(restore)
		}
		if want[0] == want[4] {
			t.Error("training changes nothing")
		}
	}
}

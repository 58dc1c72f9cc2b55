package paddle_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// textNet classifies sequences of words by an LSTM.
type textNet struct {
	Words layer.Embedding
	Net   layer.SequenceLayer
	Out   layer.FC
}

// newTextNet returns a net with what has state or random numbers: both directions, dropout between tokens and on states.
func newTextNet() *textNet {
	return &textNet{
		Words: layer.Embedding{Vocabulary: 40, Width: 8, Padding: new(0)},
		Net: layer.Stack{
			&layer.SequenceDropout{P: 0.2, Variational: true},
			layer.Bidirectional{
				FromStart: &layer.LSTM{Size: 9, Peephole: true, RecurrentDropout: 0.25},
				FromEnd:   &layer.GRU{Size: 7, Reverse: true, ResetAfter: true},
			},
			&layer.LSTM{Size: 6, Projection: 5, LayerNorm: true},
		},
		Out: layer.FC{Size: 3},
	}
}

// build returns the logits and the loss of a net on words and labels, with the greatest state of each column over time.
func (m *textNet) build(seed uint64) (logits, loss *op.Node) {
	g := op.NewGraph(m)
	g.Seed = seed
	x := sequence.Input(g, "words", op.Int32).Map(m.Words.Forward)
	logits = m.Out.Forward(sequence.Max(m.Net.Forward(x)))
	return logits, op.CrossEntropy(logits, g.Input("label", op.Int32, op.Batch))
}

// texts returns batches of that many sequences of random words, of lengths from 0 up to longest, and labels.
func texts(t testing.TB, seed uint64, batches, size, longest int) []op.Feeds {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]op.Feeds, batches)
	for i := range out {
		words, labels := make([][]int32, size), make([]int32, size)
		for j := range words {
			words[j] = make([]int32, r.IntN(longest+1))
			for k := range words[j] {
				words[j][k] = r.Int32N(40)
			}
			labels[j] = r.Int32N(3)
		}
		out[i] = must(sequence.NewBatch(words))(t).Feeds("words")
		out[i]["label"] = ints(labels...)
	}
	return out
}

// The same seed gives the same bits at any number of threads.
func TestG04RecurrentTraining(t *testing.T) {
	run := func(threads int) ([]uint64, map[string]op.Buffer) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		net := newTextNet()
		_, loss := net.build(7)
		trainer := must(paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.01}, paddle.ClipGlobalNorm(0.5)))(t)
		return losses(t, trainer, texts(t, 3, 10, 13, 21), 20), values(t, net)
	}
	want, values1 := run(1)
	for _, threads := range []int{2, 3, 8} {
		got, values := run(threads)
		if !slices.Equal(got, want) {
			t.Errorf("losses on %d threads are %v, on one %v", threads, got, want)
		}
		sameValues(t, values, values1)
	}
}

// A model with recurrent layers predicts the same after it was saved and loaded.
func TestRecurrentModelIsSaved(t *testing.T) {
	net := newTextNet()
	logits, loss := net.build(7)
	data := texts(t, 4, 4, 5, 9)
	losses(t, must(paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.01}))(t), data, 8)
	path := filepath.Join(t.TempDir(), "text.safetensors")
	if err := paddle.Save(path, net); err != nil {
		t.Fatal(err)
	}
	other := newTextNet()
	if err := paddle.Load(path, other); err != nil {
		t.Fatal(err)
	}
	loaded, _ := other.build(99)
	sameValues(t, values(t, other), values(t, net))
	feeds := op.Feeds{"words": data[0]["words"], "words.lengths": data[0]["words.lengths"]}
	predict := func(n *op.Node) []float32 {
		return must(must(paddle.NewPredictor(n))(t).Predict(context.Background(), feeds))(t)[0].Float32s()
	}
	if got, want := predict(loaded), predict(logits); !slices.Equal(got, want) {
		t.Errorf("the loaded model gives %v, want %v", got, want)
	}
}

// E01: the row of a padding id gets no gradient through sequences either, and stays 0.
func TestE01PaddingInSequences(t *testing.T) {
	net := newTextNet()
	_, loss := net.build(7)
	trainer := must(paddle.NewTrainer(loss, paddle.AdamW{LearningRate: 0.1, Decay: 0.1}))(t)
	losses(t, trainer, texts(t, 5, 4, 8, 30), 12)
	for i, v := range net.Words.Weight.Memory().Float32s()[:8] {
		if v != 0 {
			t.Errorf("element %d of the padding row is %v after training, want 0", i, v)
		}
	}
}

// simpleTextNet is what the tests of memory, allocations and work look at.
func simpleTextNet(vocabulary, width, size int) *textNet {
	return &textNet{
		Words: layer.Embedding{Vocabulary: vocabulary, Width: width}, Net: &layer.LSTM{Size: size}, Out: layer.FC{Size: 3},
	}
}

// Steps on batches whose lengths change every time allocate nothing once the largest has been seen.
func TestRecurrentStepsAllocateNothing(t *testing.T) {
	for name, net := range map[string]*textNet{"LSTM": simpleTextNet(40, 8, 16), "everything": newTextNet()} {
		for _, threads := range []int{1, 2} {
			restore := runtime.GOMAXPROCS(threads)
			_, loss := net.build(7)
			trainer := must(paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.01}))(t)
			data := texts(t, 6, 50, 8, 25)
			steps := func(data []op.Feeds) func() {
				return func() {
					for _, d := range data {
						if _, err := trainer.Step(context.Background(), d); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			steps(longest(t))()
			if n := allocations(steps(data)); n != 0 {
				t.Errorf("%s, %d threads: %d steps allocate %d times, want 0", name, threads, len(data), n)
			}
			runtime.GOMAXPROCS(restore)
		}
	}
}

// longest returns a batch that is larger than those of texts for 8 sequences of up to 25 words.
func longest(t testing.TB) []op.Feeds {
	words := make([][]int32, 8)
	for i := range words {
		words[i] = make([]int32, 25)
		for j := range words[i] {
			words[i][j] = int32((25*i + j) % 40)
		}
	}
	feeds := must(sequence.NewBatch(words))(t).Feeds("words")
	feeds["label"] = ints(make([]int32, 8)...)
	return []op.Feeds{feeds}
}

// The memory of a step is what has to be there at once, and at most a tenth more. With T words in B sequences, embeddings of width E and
// states of size H that is, at the moment when the LSTM's gradient runs:
//
//   - for each word: its embedding, packed, for the gradient of InWeight (E); the gates, which become their gradients in their place (4·H); c,
//     and h for the gradient of Weight (2·H); the gradient of h (H); and three numbers of the order: where its row comes from, where it goes, and
//     the bounds of the steps, of which there may be as many as words;
//   - for each sequence: the running gradients of h and c (2·H), and four numbers: its beginning, its rank, which has this rank, and its
//     length, which is fed;
//   - the gradients of the last layer (3·H+3), which wait for the update.
//
// All other moments need less: forwards there is no gradient yet; behind it, the rows before each token (H) take the place of c and of the gradient
// of h, and the gradients of the words (2·E: in both orders) that of the embeddings and more.
func TestRecurrentMemory(t *testing.T) {
	const E, H, B = 96, 128, 64
	net := simpleTextNet(1000, E, H)
	_, loss := net.build(7)
	trainer := must(paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.01}))(t)
	data := texts(t, 8, 1, B, 100)
	T := data[0]["words"].Shape()[0]
	must(trainer.Step(context.Background(), data[0]))(t)
	formula := 4 * (T*(E+7*H+3) + B*(2*H+4) + 3*H + 3)
	got := trainer.Memory()
	ratio := float64(got) / float64(formula)
	t.Logf("%d words: %d bytes are planned, %.3f of the formula", T, got, ratio)
	if ratio > 1.10 {
		t.Errorf("%d words: %d bytes are planned, want at most 1.10 of %d", T, got, formula)
	}
}

// The work of a layer is that of its tokens, however they are divided among sequences: a product with the weights for each.
func TestRecurrentWork(t *testing.T) {
	const width, size = 5, 7
	for _, c := range []struct {
		net layer.SequenceLayer
		per int64 // multiplications and additions for each token
	}{
		{&layer.LSTM{Size: size}, 2 * 4 * size * (width + size)},
		{&layer.GRU{Size: size}, 2 * 3 * size * (width + size)},
		{&layer.RNN{Size: size}, 2 * size * (width + size)},
	} {
		net := &struct{ Net layer.SequenceLayer }{c.net}
		g := op.NewGraph(net)
		h := c.net.Forward(sequence.Input(g, "x", op.Float32, width))
		s := must(paddle.Summary(g, h.Rows()))(t)
		flops := func(tokens, sequences int) int64 {
			return must(s.At(map[string]int{"x.tokens": tokens, "batch": sequences}))(t).FLOPs
		}
		one := flops(1, 1)
		if one < c.per || one > c.per+c.per/10 { // adding the bias is counted too
			t.Errorf("%T: %d operations for a token, want %d", c.net, one, c.per)
		}
		for _, tokens := range []int{0, 1, 1000} {
			for _, sequences := range []int{1, 100} {
				if got := flops(tokens, sequences); got != int64(tokens)*one {
					t.Errorf("%T: %d operations for %d tokens in %d sequences, want %d", c.net, got, tokens, sequences, int64(tokens)*one)
				}
			}
		}
	}
}

func ints(x ...int32) *tensor.Dense {
	return tensor.New(tensor.WithShape(len(x)), tensor.WithBacking(x))
}

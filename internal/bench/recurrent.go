package main

import (
	"context"
	"fmt"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// lengths are those of 128 film reviews in words: skewed, as texts are. They are dealt out to the batches in order.
var lengths = []int{
	248, 74, 400, 140, 104, 336, 329, 111, 178, 34, 400, 363, 353, 40, 138, 176,
	237, 217, 400, 57, 152, 109, 203, 263, 400, 125, 288, 47, 154, 381, 132, 225,
	378, 377, 330, 161, 193, 139, 325, 400, 186, 116, 181, 39, 211, 91, 159, 178,
	305, 206, 325, 61, 63, 163, 118, 158, 228, 171, 266, 400, 86, 167, 220, 151,
	374, 30, 400, 76, 205, 294, 99, 246, 294, 258, 89, 400, 208, 76, 279, 181,
	247, 13, 400, 197, 198, 129, 308, 361, 214, 400, 186, 131, 83, 115, 319, 166,
	137, 259, 81, 121, 218, 266, 254, 217, 251, 400, 99, 125, 400, 69, 333, 50,
	127, 304, 152, 154, 289, 47, 182, 235, 147, 112, 107, 242, 51, 234, 124, 141,
}

// recurrent is a classifier of sequences of ids by their last states.
type recurrent struct {
	Words layer.Embedding
	Walk  layer.Stack
	Out   layer.FC
}

// recurrents are the cases of a kind of layer: one of 128 units and two of 256, on batches of 32 and 64.
func recurrents(kind string, of func(size int) layer.SequenceLayer) []benchmark {
	var out []benchmark
	for _, shape := range []struct{ layers, size int }{{1, 128}, {2, 256}} {
		for _, batch := range []int{32, 64} {
			net := &recurrent{Words: layer.Embedding{Vocabulary: 20_000, Width: 128}, Out: layer.FC{Size: 2}}
			for range shape.layers {
				net.Walk = append(net.Walk, of(shape.size))
			}
			out = append(out, net.benchmark(fmt.Sprintf("%s %dx%d b%d", kind, shape.layers, shape.size, batch), batch))
		}
	}
	return out
}

func (n *recurrent) benchmark(name string, batch int) benchmark {
	g := op.NewGraph(n)
	words := sequence.Input(g, "words", op.Int32)
	loss := op.CrossEntropy(n.logits(words), g.Input("label", op.Int32, op.Batch))
	b := benchmark{name: name, loss: loss, optimizer: paddle.Adam{LearningRate: 1e-3}}
	for i := range 2 {
		b.batches = append(b.batches, reviews(lengths[i*batch:(i+1)*batch]))
		for _, l := range lengths[i*batch : (i+1)*batch] {
			b.tokens += l
		}
	}
	return b
}

// reviews are random ids under random labels, as many as the lengths say.
func reviews(lengths []int) op.Feeds {
	rows := make([][]int32, len(lengths))
	for i, l := range lengths {
		rows[i] = classes(20_000, l).Int32s()
	}
	b, err := sequence.NewBatch(rows)
	if err != nil {
		panic(err) // the lengths are constants
	}
	feeds := b.Feeds("words")
	feeds["label"] = classes(2, len(lengths))
	return feeds
}

// logits maps words to logits (batch, 2).
func (n *recurrent) logits(words *sequence.Node) *op.Node {
	return n.Out.Forward(sequence.Last(n.Walk.Forward(words.TimeMajor().Map(n.Words.Forward))))
}

func lstms() []benchmark {
	return recurrents("lstm", func(size int) layer.SequenceLayer { return &layer.LSTM{Size: size} })
}

func grus() []benchmark {
	return recurrents("gru", func(size int) layer.SequenceLayer { return &layer.GRU{Size: size, ResetAfter: true} })
}

// writtenLSTM is an LSTM of 128 units whose step is written by hand.
type writtenLSTM struct{ In, Hidden layer.FC }

// Forward runs the step over x (tokens, in).
func (l *writtenLSTM) Forward(x *sequence.Node) *sequence.Node {
	const size = 128
	return sequence.Group{
		Inputs:   []*sequence.Node{x},
		Memories: []sequence.Memory{{Size: size}, {Size: size}},
		Step: func(s *sequence.Step) sequence.StepResult {
			gates := op.Split(op.Add(l.In.Forward(s.Inputs[0]), l.Hidden.Forward(s.Memories[0])), 1, size, size, size, size)
			c := op.Add(op.Mul(op.Sigmoid(gates[1]), s.Memories[1]), op.Mul(op.Sigmoid(gates[0]), op.Tanh(gates[2])))
			h := op.Mul(op.Sigmoid(gates[3]), op.Tanh(c))
			return sequence.StepResult{Outputs: []*op.Node{h}, Memories: []*op.Node{h, c}}
		},
	}.Run().Output(0)
}

// groups is the first case of 64 sequences of lstms, with the layer written as a step. The arithmetic inside of a step is not in its flop.
func groups() []benchmark {
	walk := &writtenLSTM{In: layer.FC{Size: 4 * 128}, Hidden: layer.FC{Size: 4 * 128, NoBias: true}}
	net := &recurrent{Words: layer.Embedding{Vocabulary: 20_000, Width: 128}, Walk: layer.Stack{walk}, Out: layer.FC{Size: 2}}
	return []benchmark{net.benchmark("lstm-group 1x128 b64", 64)}
}

// lstmPrimitive times an LSTM layer alone, forward and backward with the gradients of its input and its parameters, on sequences of equal
// lengths: the one case that a layer with padding is made for.
func lstmPrimitive(b *bench) error {
	const steps, batch, size = 400, 64, 128
	net := &layer.LSTM{Size: size}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, size)
	loss := op.Sum(net.Forward(x).Node())
	wrt := []*op.Node{x.Rows()}
	for _, p := range g.Parameters() {
		wrt = append(wrt, g.ReadParameter(p))
	}
	predictor, err := paddle.NewPredictor(op.Gradient(loss, wrt...)...)
	if err != nil {
		return err
	}
	rows := make([][]float32, batch)
	for i := range rows {
		rows[i] = uniform(steps * size).Float32s()
	}
	sequences, err := sequence.NewBatch(rows, size)
	if err != nil {
		return err
	}
	feeds := sequences.Feeds("x")
	t, err := b.measure(func() error {
		return predictor.View(context.Background(), feeds, func([]op.Buffer) error { return nil })
	})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("lstm-primitive 1x%d b%d length %d", size, batch, steps)
	const forward = 2 * steps * batch * 2 * size * 4 * size
	b.reportTokens(name, t, 3*forward, steps*batch)
	return nil
}

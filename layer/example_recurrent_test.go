package layer_test

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// A classifier of texts: rows of words, a state for each word, the greatest of each column, logits. Nothing is padded.
func ExampleLSTM() {
	net := &struct {
		Words layer.Embedding
		LSTM  layer.LSTM
		Out   layer.FC
	}{
		Words: layer.Embedding{Vocabulary: 10_000, Width: 64},
		LSTM:  layer.LSTM{Size: 128, RecurrentDropout: 0.2},
		Out:   layer.FC{Size: 2},
	}
	g := op.NewGraph(net)
	words := sequence.Input(g, "words", op.Int32)
	h := net.LSTM.Forward(words.Map(net.Words.Forward))
	logits := net.Out.Forward(sequence.Max(h))
	fmt.Println(h.ShapeString(), logits.ShapeString())
	for _, p := range g.Parameters() {
		fmt.Println(g.NameOf(&p.Variable), p.Shape())
	}
	// Output:
	// (words.tokens, 128) (batch, 2)
	// words.weight [10000 64]
	// lstm.bias [512]
	// lstm.weight [128 512]
	// lstm.in_weight [64 512]
	// out.weight [128 2]
	// out.bias [2]
}

// A decoder begins where the encoder has ended.
func ExampleLSTM_Run() {
	net := &struct{ Encoder, Decoder layer.LSTM }{layer.LSTM{Size: 16}, layer.LSTM{Size: 16, Peephole: true}}
	g := op.NewGraph(net)
	_, state := net.Encoder.Run(sequence.Input(g, "source", op.Float32, 8), sequence.State{})
	h, last := net.Decoder.Run(sequence.Input(g, "target", op.Float32, 8), state)
	fmt.Println(h.ShapeString(), last.H.ShapeString(), last.C.ShapeString())
	// Output: (target.tokens, 16) (batch, 16) (batch, 16)
}

// The state after the last token of each sequence is in the order of the sequences; one without tokens keeps the state that it began with.
func ExampleGRU() {
	ones := new(op.Parameter) // instead of random values
	ones.Init = op.InitConstant(1)
	net := &layer.GRU{Size: 1, InWeight: ones, Weight: ones}
	g := op.NewGraph(net)
	_, last := net.Final(sequence.Input(g, "x", op.Float32, 1))
	p, err := paddle.NewPredictor(last)
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, _ := sequence.NewBatch([][]float32{{1}, {}, {1, 1, 1}}, 1)
	out, err := p.Predict(context.Background(), batch.Feeds("x"))
	fmt.Printf("%.3f %v\n", out[0].Data(), err)
	// Output: [0.205 0.000 0.452] <nil>
}

// An activation that kernels do not know runs step by step, with the same result for each token.
func ExampleRNN() {
	net := &struct{ Elman, Smooth layer.RNN }{layer.RNN{Size: 4}, layer.RNN{Size: 4, Act: op.Softsign}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 3)
	fmt.Println(net.Elman.Forward(x).ShapeString(), net.Smooth.Forward(x).ShapeString())
	// Output: (x.tokens, 4) (x.tokens, 4)
}

// What stands before and behind a token, for each; and the two last states of each sequence side by side.
func ExampleBidirectional() {
	net := &struct{ Both layer.Bidirectional }{layer.Bidirectional{
		FromStart: &layer.GRU{Size: 32}, FromEnd: &layer.GRU{Size: 32, Reverse: true},
	}}
	g := op.NewGraph(net)
	h, last := net.Both.Final(sequence.Input(g, "x", op.Float32, 8))
	fmt.Println(h.ShapeString(), last.ShapeString())
	// Output: (x.tokens, 64) (batch, 64)
}

// A tagger: a class for each word.
func ExampleStack() {
	net := &struct{ Tagger layer.Stack }{layer.Stack{
		layer.EachToken{&layer.Embedding{Vocabulary: 10_000, Width: 64}},
		&layer.SequenceDropout{P: 0.3, Variational: true},
		layer.Bidirectional{FromStart: &layer.LSTM{Size: 64}, FromEnd: &layer.LSTM{Size: 64, Reverse: true}},
		layer.EachToken{&layer.FC{Size: 9}},
	}}
	g := op.NewGraph(net)
	logits := net.Tagger.Forward(sequence.Input(g, "words", op.Int32))
	fmt.Println(logits.ShapeString())
	// Output: (words.tokens, 9)
}

// Dropout of whole columns of a sequence: a recurrent layer that follows sees the same ones at every token.
func ExampleSequenceDropout() {
	net := &layer.SequenceDropout{P: 0.5, Variational: true}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 4)
	p, err := paddle.NewPredictor(net.Forward(x).Rows())
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, _ := sequence.NewBatch([][]float32{{1, 2, 3, 4}}, 4)
	out, err := p.Predict(context.Background(), batch.Feeds("x"))
	fmt.Println(out[0].Data(), err) // a prediction drops nothing
	// Output: [1 2 3 4] <nil>
}

// Each token with the one before and the one behind it.
func ExampleSequenceConv() {
	net := &layer.SequenceConv{Filters: 16, Length: 3, Act: op.ReLU}
	g := op.NewGraph(net)
	y := net.Forward(sequence.Input(g, "x", op.Float32, 8))
	fmt.Println(y.ShapeString(), net.Weight.Shape())
	// Output: (x.tokens, 16) [24 16]
}

// A classifier of sentences by windows of three lengths (Kim, 2014).
func ExampleSequenceConvPool() {
	net := &struct {
		Words layer.Embedding
		Text  layer.SequenceConvPool
		Drop  layer.Dropout
		Out   layer.FC
	}{
		Words: layer.Embedding{Vocabulary: 10_000, Width: 128},
		Text: layer.SequenceConvPool{Convs: []*layer.SequenceConv{
			{Filters: 100, Length: 3, Valid: true, Act: op.ReLU},
			{Filters: 100, Length: 4, Valid: true, Act: op.ReLU},
			{Filters: 100, Length: 5, Valid: true, Act: op.ReLU},
		}},
		Drop: layer.Dropout{P: 0.5},
		Out:  layer.FC{Size: 2},
	}
	g := op.NewGraph(net)
	words := sequence.Input(g, "words", op.Int32)
	features := net.Text.Forward(words.Map(net.Words.Forward))
	fmt.Println(features.ShapeString(), net.Out.Forward(net.Drop.Forward(features)).ShapeString())
	// Output: (batch, 300) (batch, 2)
}

// A summary of each sequence by what its last state looks for.
func ExampleAdditiveAttention() {
	net := &struct {
		Encoder layer.GRU
		Look    layer.AdditiveAttention
	}{layer.GRU{Size: 16}, layer.AdditiveAttention{Size: 8}}
	g := op.NewGraph(net)
	h, last := net.Encoder.Final(sequence.Input(g, "x", op.Float32, 4))
	context, weights := net.Look.Attend(h, net.Look.Keys(h), last)
	fmt.Println(context.ShapeString(), weights.ShapeString())
	// Output: (batch, 16) (x.tokens, 1)
}

// The parameters of an LSTM that PyTorch has trained, with their names in its state_dict.
func ExampleTorchRecurrent() {
	array := func(shape ...int) *tensor.Dense { // stands for one that was read from a file
		return tensor.New(tensor.WithShape(shape...), tensor.Of(tensor.Float32))
	}
	values, err := layer.TorchRecurrent{
		WeightIH: array(4*16, 8), WeightHH: array(4*16, 16), BiasIH: array(4 * 16), BiasHH: array(4 * 16),
	}.LSTM()
	if err != nil {
		fmt.Println(err)
		return
	}
	net := &layer.LSTM{Size: 16}
	fmt.Println(net.Assign(values))
	g := op.NewGraph(net)
	fmt.Println(net.Forward(sequence.Input(g, "x", op.Float32, 8)).ShapeString())
	// Output:
	// <nil>
	// (x.tokens, 16)
}

// Paddle's lstmemory has its gates in another order, and the peepholes in its bias.
func ExamplePaddleRecurrent() {
	values, err := layer.PaddleRecurrent{
		InWeight: tensor.New(tensor.WithShape(1, 4), tensor.WithBacking([]float32{1, 2, 3, 4})), // candidate, input, forget, output
		Weight:   tensor.New(tensor.WithShape(1, 4), tensor.WithBacking([]float32{5, 6, 7, 8})),
		Bias:     tensor.New(tensor.WithShape(7), tensor.WithBacking([]float32{.1, .2, .3, .4, .5, .6, .7})),
	}.LSTM()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(values.InWeight.Data(), values.Weight.Data(), values.Bias.Data(), values.PeepholeWeight.Data())
	// Output: [2 3 1 4] [6 7 5 8] [0.2 0.3 0.1 0.4] [0.5 0.6 0.7]
}

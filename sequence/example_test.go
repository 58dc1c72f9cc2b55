package sequence_test

import (
	"context"
	"fmt"

	"paddle"
	"paddle/op"
	"paddle/sequence"
)

// show runs nodes on what is fed and prints their values.
func show(feeds op.Feeds, nodes ...*op.Node) {
	p, err := paddle.NewPredictor(nodes...)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := p.Predict(context.Background(), feeds)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, y := range out {
		fmt.Println(y.Data())
	}
}

// signals feeds three sequences of rows of one number, one of them empty, under the name "x".
func signals(g *op.Graph) (*sequence.Node, op.Feeds) {
	b, err := sequence.NewBatch([][]float32{{1, 2, 3, 4}, {}, {5, 7}}, 1)
	if err != nil {
		fmt.Println(err)
	}
	return sequence.Input(g, "x", op.Float32, 1), b.Feeds("x")
}

func ExamplePool() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	show(feeds, sequence.Mean(x), sequence.Last(x), sequence.Pool(sequence.PoolMax, x, -1))
	// Output:
	// [2.5 0 6]
	// [4 0 7]
	// [4 -1 7]
}

// Documents are sequences of sentences: one row a sentence, and then one a document; or one a document at once.
func ExamplePool_nested() {
	g := op.NewGraph(nil)
	b, err := sequence.NewNestedBatch([][][]float32{{{1, 2}, {6}}, {{3}}})
	if err != nil {
		fmt.Println(err)
	}
	words := sequence.NestedInput(g, "words", op.Float32)
	sentences := words.Outer(sequence.Mean(words.Inner()))
	show(b.Feeds("words"), sentences.Rows(), sequence.Mean(sentences), sequence.Mean(words.Flat()))
	// Output:
	// [1.5 6 3]
	// [3.75 3]
	// [3 3]
}

func ExamplePoolWindows() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	y := sequence.PoolWindows(sequence.PoolSum, x, 3)
	show(feeds, y.Rows(), y.Lengths())
	// Output:
	// [6 4 12]
	// [2 0 1]
}

// Each number less the mean of its sequence.
func ExampleExpand() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	mean := sequence.Expand(sequence.Mean(x), x)
	centred := sequence.Combine(func(rows ...*op.Node) *op.Node { return op.Sub(rows[0], rows[1]) }, x, mean)
	show(feeds, centred.Rows())
	// Output: [-1.5 -0.5 0.5 1.5 -1 1]
}

func ExampleConcat() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	y := sequence.Concat(x, sequence.Reverse(x))
	show(feeds, y.Rows(), y.Lengths())
	// Output:
	// [1 2 3 4 4 3 2 1 5 7 7 5]
	// [8 0 4]
}

// Questions and answers go through one layer at once.
func ExampleAppend() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	both := sequence.Append(x, x).Map(func(rows *op.Node) *op.Node { return op.MulConst(rows, 10) })
	parts := sequence.Split(both, x, x)
	show(feeds, both.Lengths(), parts[1].Rows())
	// Output:
	// [4 0 2 4 0 2]
	// [10 20 30 40 50 70]
}

func ExampleReshape() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	y := sequence.Reshape(x, 2)
	show(feeds, sequence.Sum(y), y.Lengths())
	// Output:
	// [4 6 0 0 5 7]
	// [2 0 1]
}

// What was computed for the words of all sentences, as one slice a sentence.
func ExampleCut() {
	g := op.NewGraph(nil)
	b, err := sequence.NewBatch([][]float32{{1, 9, 8, 2}, {}, {3, 4}}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	tags := sequence.Input(g, "scores", op.Float32, 2).Map(func(rows *op.Node) *op.Node { return op.ArgMax(rows, -1) })
	p, err := paddle.NewPredictor(tags.Rows())
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := p.Predict(context.Background(), b.Feeds("scores"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sequence.Cut[int32](out[0], b.Lengths))
	// Output: [[1 0] [] [1]] <nil>
}

// The second half of each sequence.
func ExampleSlice() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	half := op.Div(x.Lengths(), g.Full(op.Int32, 2))
	y := sequence.Slice(x, half, nil)
	show(feeds, y.Rows(), y.Lengths())
	// Output:
	// [3 4 7]
	// [2 0 1]
}

// The best sentence of each document, by the sum of its words.
func ExampleSelect() {
	g := op.NewGraph(nil)
	b, err := sequence.NewNestedBatch([][][]float32{{{1, 2}, {6}, {2, 2}}, {{3}}})
	if err != nil {
		fmt.Println(err)
	}
	words := sequence.NestedInput(g, "words", op.Float32)
	scores := words.Outer(sequence.Sum(words.Inner()))
	best := sequence.KMax(scores, 2)
	kept := sequence.Select(words, best)
	show(b.Feeds("words"), best.Rows(), best.Lengths(), kept.Flat().Rows())
	// Output:
	// [1 2 0]
	// [2 1]
	// [6 2 2 3]
}

func ExampleEnumerate() {
	g := op.NewGraph(nil)
	b, err := sequence.NewBatch([][]int32{{4, 5, 6}, {7}})
	if err != nil {
		fmt.Println(err)
	}
	ids := sequence.Input(g, "ids", op.Int32)
	show(b.Feeds("ids"), sequence.Enumerate(ids, 2, 0).Rows())
	// Output: [4 5 5 6 6 0 7 0]
}

func ExampleContextProjection() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	show(feeds, sequence.ContextProjection(x, sequence.Centred(3)).Rows())
	// Output: [0 1 2 1 2 3 2 3 4 3 4 0 0 5 7 5 7 0]
}

// Convolution and maximum of a text classifier: two filters over windows of two rows.
func ExampleConvValid() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	filters := g.Constant(tensorOf([]float32{1, -1, 1, 1}, 2, 2)) // sums and differences
	y := sequence.ConvValid(x, filters, 2)
	show(feeds, y.Rows(), y.Lengths(), sequence.Max(y))
	// Output:
	// [3 1 5 1 7 1 12 2]
	// [3 0 1]
	// [7 1 0 0 12 2]
}

func ExampleRowConv() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	ahead := g.Constant(tensorOf([]float32{1, 10}, 2, 1))
	show(feeds, sequence.RowConv(x, ahead).Rows())
	// Output: [21 32 43 4 75 7]
}

func ExampleSoftmax() {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32, 1)
	fetch([][]float32{{1, 2}, {}, {3}}, sequence.Softmax(x).Rows())
	// Output: [0.269 0.731 1.000]
}

// Tags of words: the loss is the mean over all words of all sentences.
func ExampleCrossEntropy() {
	g := op.NewGraph(nil)
	scores, err := sequence.NewBatch([][]float32{{0, 0, 0, 0}, {9, 9}}, 2)
	if err != nil {
		fmt.Println(err)
	}
	tags, err := sequence.NewBatch([][]int32{{0, 1}, {op.IgnoreLabel}})
	if err != nil {
		fmt.Println(err)
	}
	x, y := sequence.Input(g, "scores", op.Float32, 2), sequence.Input(g, "tags", op.Int32)
	loss := sequence.CrossEntropy(x, y)
	feeds := scores.Feeds("scores")
	tags.Feed(feeds, "tags")
	show(feeds, loss, op.Count(loss), sequence.Accuracy(x, y))
	// Output:
	// 0.6931472
	// 2
	// 0.5
}

func ExampleAdditiveAttention() {
	g := op.NewGraph(nil)
	x, feeds := signals(g)
	state := g.Full(op.Float32, 0, op.Batch, 1)
	context, weights := sequence.AdditiveAttention(x, x, state, g.Full(op.Float32, 0, 1)) // v = 0: all rows alike
	show(feeds, context, weights.Rows())
	// Output:
	// [2.5 0 6]
	// [0.25 0.25 0.25 0.25 0.5 0.5]
}

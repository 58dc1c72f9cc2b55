package sequence_test

import (
	"regexp"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// where matches what stands ahead of the text of a mistake: the line of the test, and the program that was run.
var where = regexp.MustCompile(`^.*_test\.go:\d+: `)

// TestOperationMistakes holds mistakes to the texts of their errors.
func TestOperationMistakes(t *testing.T) {
	type build func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node
	feeds := func(n ...int32) op.Feeds {
		f := op.Feeds{"n": tensorOf(n, len(n))}
		batch(t, [][]float32{{1, 2, 3, 4}, {5, 6}}, 2).Feed(f, "x")
		batch(t, [][]int32{{0, 1}, {2}}).Feed(f, "y")
		return f
	}
	otherLengths := feeds(1)
	batch(t, [][]int32{{0}, {1, 1}}).Feed(otherLengths, "y")
	nested := func(g *op.Graph) *sequence.Nested { return sequence.NestedInput(g, "z", op.Float32) }
	z, err := sequence.NewNestedBatch([][][]float32{{{1}, {2, 3}}, {{4}}})
	if err != nil {
		t.Fatal(err)
	}
	withNested := func(indices ...[]int32) op.Feeds {
		f := z.Feeds("z")
		batch(t, indices).Feed(f, "y")
		return f
	}
	floats := func(g *op.Graph, shape ...op.Dim) *op.Node { return g.Full(op.Float32, 1, shape...) }
	for _, c := range []struct {
		name  string
		build build
		feeds op.Feeds
		want  string
	}{
		{"unknown pooling", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Pool(9, x, 0) }, nil,
			"sequence.Pool: pooling 9, want PoolMax to PoolFirst"},
		{"pooling of ids", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Mean(y) }, nil,
			`sequence.Mean: input "y" has type int32, want a floating-point type`},
		{"stride", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.PoolWindows(0, x, 0).Rows()
		}, nil,
			"sequence.PoolWindows: windows of 0 rows, want 1 or more"},
		{"expand", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Expand(x.Rows(), y).Rows()
		}, nil,
			"sequence.Expand: rows have shape (x.tokens, 2), want (batch, …): one a sequence of y"},
		{"no concat", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Concat().Rows() }, nil,
			"sequence.Concat: no sequences, want one or more"},
		{"concat of other types", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Concat(x, y).Rows() }, nil,
			"sequence.Concat: rows of y are int32 (y.tokens,), want float32 (x.tokens, 2) but for their number, as those of x"},
		{"concat of other numbers", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Concat(y, sequence.Append(y, y)).Rows()
		}, nil, "sequence.Concat: concat has 2·batch sequences, want batch, as many as y"},
		{"repeat", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Repeat(x, 0).Rows() }, nil,
			"sequence.Repeat: a sequence 0 times, want 1 or more"},
		{"split", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Split(x, y)[0].Rows() }, otherLengths,
			"sequence.Split: sequence 0 has length 2 by x.lengths, want 1, as by y.lengths"},
		{"reshape", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Reshape(x, 0).Rows() }, nil,
			"sequence.Reshape: rows of width 0, want 1 or more"},
		{"reshape in the run", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Reshape(x, 4).Rows() }, feeds(1),
			"sequence.Reshape: x.lengths: sequence 1 has 1 rows of 2 elements, want a multiple of 4 elements"},
		{"slice bounds", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Slice(x, y.Rows(), nil).Rows()
		}, nil,
			"sequence.Slice: bound y is int32 (y.tokens,), want int32 (batch), one for each sequence of x"},
		{"slice beyond", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Slice(x, nil, n).Rows() }, feeds(2, 2),
			"sequence.Slice: rows 0 to 2 of sequence 1 by x.lengths, which has 1"},
		{"slice before", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Slice(x, n, nil).Rows() }, feeds(-1, 0),
			"sequence.Slice: rows -1 to 2 of sequence 0 by x.lengths, which has 2"},
		{"slice not in order", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Slice(x, n, op.Zeros(n)).Rows()
		}, feeds(1, 0), "sequence.Slice: rows 1 to 0 of sequence 0 by x.lengths, which has 2"},
		{"sub-sequence", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.SubSequence(x, nil, n).Rows()
		}, nil,
			"sequence.SubSequence: the node is nil"},
		{"slices without bounds", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Slices(x, nil, nil, 1).Inner().Rows()
		}, nil, "sequence.Slices: the sequence is nil"},
		{"slices of floats", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Slices(x, x, nil, 1).Inner().Rows()
		}, nil, "sequence.Slices: bounds x are float32 (x.tokens, 2), want int32 (slices), sequences for the batch of x"},
		{"slices beyond the bound", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Slices(x, y.Map(func(r *op.Node) *op.Node { return op.Zeros(r) }), nil, x.Dim(0)).Inner().Rows()
		}, feeds(1), "sequence.Slices: the slices have more than 3 rows, the bound that was given for all together"},
		{"select", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Select(nested(g), x).Inner().Rows()
		}, nil, "sequence.Select: indices x are float32 (x.tokens, 2), want int32 (indices), sequences for the batch samples of z"},
		{"select beyond", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Select(nested(g), y).Inner().Rows()
		}, withNested([]int32{0}, []int32{1}), "sequence.Select: sub-sequence 1 of sample 1, which has 1"},
		{"select twice", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Select(nested(g), y).Inner().Rows()
		}, withNested([]int32{1, 1}, nil), "sequence.Select: sub-sequence 1 of sample 0 is named twice"},
		{"kmax of rows", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.KMax(x, 1).Rows() }, nil,
			"sequence.KMax: scores have shape (x.tokens, 2), want (tokens) or (tokens, 1)"},
		{"kmax of ids", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.KMax(y, 1).Rows() }, nil,
			`sequence.KMax: input "y" has type int32, want a floating-point type`},
		{"kmax of none", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.KMax(y, 0).Rows() }, nil,
			"sequence.KMax: the 0 greatest scores, want 1 or more"},
		{"enumerate floats", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Enumerate(x, 2, 0).Rows() }, nil,
			"sequence.Enumerate: ids are float32 (x.tokens, 2), want int32 or int64 (tokens)"},
		{"enumerate nothing", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Enumerate(y, 0, 0).Rows() }, nil,
			"sequence.Enumerate: windows of 0 ids, want 1 or more"},
		{"enumerate padding", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Enumerate(y, 2, 1<<40).Rows()
		}, nil,
			"sequence.Enumerate: padding id 1099511627776, want one that int32 holds"},
		{"context of ids", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.ContextProjection(y, sequence.Centred(3)).Rows()
		}, nil, "sequence.ContextProjection: y has rows (y.tokens,), want (tokens, width)"},
		{"context of nothing", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Windows(x, 0).Rows() }, nil,
			"sequence.Windows: a context of 0 rows, want 1 or more"},
		{"context padding", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.ContextProjection(x, sequence.Context{Length: 3, Start: -1, Padding: floats(g, 1, 2)}).Rows()
		}, nil, "sequence.ContextProjection: padding has shape (1, 2), want (2, 2)"},
		{"filters", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.Conv(x, floats(g, 4, 5), sequence.Centred(3)).Rows()
		}, nil, "sequence.Conv: filters are float32 (4, 5), want float32 (6, filters) for 3 rows of x"},
		{"nil filters", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.ConvValid(x, nil, 3).Rows()
		}, nil,
			"sequence.ConvValid: the node is nil"},
		{"row convolution", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			return sequence.RowConv(x, floats(g, 2, 3)).Rows()
		}, nil, "sequence.RowConv: weights are float32 (2, 3), want float32 (future, 2)"},
		{"softmax of ids", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.Softmax(y).Rows() }, nil,
			`sequence.Softmax: input "y" has type int32, want a floating-point type`},
		{"attention", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node {
			context, _ := sequence.AdditiveAttention(x, x, sequence.Last(x), floats(g, 2, 1))
			return context
		}, nil, "sequence.AdditiveAttention: v has shape (2, 1), want (size)"},
		{"labels of other lengths", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.CrossEntropy(x, y) }, otherLengths,
			"sequence.CrossEntropy: sequence 0 has length 1 by y.lengths, want 2, as by x.lengths"},
		{"nil sequences", func(g *op.Graph, x, y *sequence.Node, n *op.Node) *op.Node { return sequence.CrossEntropy(nil, y) }, nil,
			"sequence.CrossEntropy: the sequence is nil"},
	} {
		g := op.NewGraph(nil)
		x, y := sequence.Input(g, "x", op.Float32, 2), sequence.Input(g, "y", op.Int32)
		_, err := tryPredict(c.feeds, c.build(g, x, y, g.Input("n", op.Int32, op.Batch)))
		if err == nil {
			t.Errorf("%s: no error", c.name)
		} else if got := where.ReplaceAllString(err.Error(), ""); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, err, c.want)
		}
	}
}

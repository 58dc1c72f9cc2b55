package sequence_test

import (
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle/op"
	"paddle/sequence"
)

// R03: the reverse pass begins at a sequence's own last token, however long its neighbours are.
func TestR03ReverseInsideEachLength(t *testing.T) {
	run := func(rows [][]float32) [][]float32 {
		g := op.NewGraph(nil)
		x := sequence.Input(g, "x", op.Float32, 1).Map(func(rows *op.Node) *op.Node { return op.AddConst(rows, 1) }) // Wx=1, b=1
		h, _ := sequence.RNN{Weight: g.Full(op.Float32, 0.5, 1, 1), Act: op.ActReLU, Reverse: true}.Run(x)
		y := predict(t, batch(t, rows, 1).Feeds("x"), h.Rows(), h.Lengths())
		cut, err := sequence.Cut[float32](y[0], y[1])
		if err != nil {
			t.Fatal(err)
		}
		return cut
	}
	together := run([][]float32{{1, 2}, {9, 9, 9, 9, 9}})
	if want := []float32{3.5, 3}; !slices.Equal(together[0], want) {
		t.Errorf("beside a longer one: %v, want %v", together[0], want)
	}
	if alone := run([][]float32{{1, 2}})[0]; !slices.Equal(together[0], alone) {
		t.Errorf("beside a longer one %v, alone %v", together[0], alone)
	}
}

// A mask is dropout: a program that only predicts leaves it out, gradients and all.
func TestMasksAreForTraining(t *testing.T) {
	for _, c := range cells {
		if c.name == "RNN" {
			continue
		}
		fetch := func(mask bool) []*op.Node {
			g := op.NewGraph(nil)
			gates := sequence.Input(g, "gates", op.Float64, op.Dim(c.gates*hidden))
			var o cellNodes
			for i, shape := range c.weights {
				w := g.Full(op.Float64, 0.25*float64(i+1), dimsOf(shape)...)
				o.weights = append(o.weights, w)
			}
			if mask {
				o.mask = g.Full(op.Float64, 0, op.Batch, hidden)
			}
			init := g.Full(op.Float64, 0.5, op.Batch, hidden)
			o.init = slices.Repeat([]*op.Node{init}, c.states)
			tokens, last := c.build(gates, o)
			loss := op.Add(op.Sum(op.Square(tokens[0].Rows())), op.Sum(last[0]))
			return append(op.Gradient(loss, gates.Rows(), o.weights[0]), loss)
		}
		feeds := batch(t, [][]float64{make([]float64, 2*c.gates*hidden), {}, make([]float64, c.gates*hidden)}, c.gates*hidden).Feeds("gates")
		run := func(mode op.Mode, mask bool) []float64 {
			return slices.Concat(runOnce(t, program(t, mode, fetch(mask)), feeds)...)
		}
		if with, without := run(op.Inference, true), run(op.Inference, false); !slices.Equal(with, without) {
			t.Errorf("%s: predicts %v with a mask, %v without", c.name, with, without)
		}
		if with, without := run(op.Training, true), run(op.Training, false); slices.Equal(with, without) {
			t.Errorf("%s: trains to %v with a mask of zeros and without", c.name, with)
		}
	}
}

// Only one of an LSTM's two states may be given; the other is 0.
func TestLSTMHalfState(t *testing.T) {
	g := op.NewGraph(nil)
	gates := sequence.Input(g, "gates", op.Float64, 4)
	w, half := g.Full(op.Float64, 1, 1, 4), g.Full(op.Float64, 0.5, op.Batch, 1)
	_, h := sequence.LSTM{Weight: w, H: half}.Run(gates)
	_, c := sequence.LSTM{Weight: w, C: half}.Run(gates)
	out := predict(t, batch(t, [][]float64{{}, {}}, 4).Feeds("gates"), h.H, h.C, c.H, c.C)
	for i, want := range []float64{0.5, 0, 0, 0.5} {
		if got := data[float64](t, out[i]); !slices.Equal(got, []float64{want, want}) {
			t.Errorf("state %d is %v, want %v", i, got, want)
		}
	}
}

func TestRecurrentMistakes(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(g *op.Graph, gates *sequence.Node, f func(shape ...op.Dim) *op.Node) *op.Node
		want  string
	}{
		{"no weight", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			_, last := sequence.LSTM{}.Run(x)
			return last.C
		}, "the LSTM's Weight is nil, want (hidden, 4·hidden)"},
		{"no weight", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			_, last := sequence.GRU{}.Run(x)
			return last
		}, "the GRU's Weight is nil, want (hidden, 3·hidden)"},
		{"no weight", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			_, last := sequence.RNN{}.Run(x)
			return last
		}, "the RNN's Weight is nil, want (hidden, hidden)"},
		{"bias", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			_, last := sequence.GRU{Weight: f(4, 12), Bias: f(4)}.Run(x)
			return last
		}, "the GRU has a Bias, want none unless ResetAfter: it is part of the gates"},
		{"weight", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			h, _ := sequence.LSTM{Weight: f(3, 16)}.Run(x)
			return h.Rows()
		}, "has shape (3, 16), want (hidden, 4·hidden)"},
		{"gates", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			h, _ := sequence.LSTM{Weight: f(3, 12)}.Run(x)
			return h.Rows()
		}, `has shape (gates.tokens, 16), want (tokens, 12)`},
		{"state", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			h, _, _ := sequence.LSTM{Weight: f(4, 16), H: f(op.Batch, 3)}.Cells(x)
			return h.Rows()
		}, "has shape (batch, 3), want (batch, 4)"},
		{"rows of a state", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			h, _ := sequence.RNN{Weight: f(16, 16), H: f(1, 16)}.Run(x)
			return h.Rows()
		}, "rows have shape (1, 16), want (batch, …): one a sequence"},
		{"peephole", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			h, _ := sequence.LSTM{Weight: f(4, 16), Peephole: f(4, 3)}.Run(x)
			return h.Rows()
		}, "has shape (4, 3), want (3, 4)"},
		{"type", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			h, _ := sequence.LSTM{Weight: g.Full(op.Float64, 1, 4, 16)}.Run(x)
			return h.Rows()
		}, "has type float64, want float32, as the gates"},
		{"gradient of the mask", func(g *op.Graph, x *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			mask := f(op.Batch, 4)
			h, _ := sequence.LSTM{Weight: f(4, 16), Mask: mask}.Run(x)
			return op.Gradient(op.Sum(h.Rows()), mask)[0]
		}, "the mask of an LSTM has no gradient"},
		{"nil", func(g *op.Graph, _ *sequence.Node, f func(...op.Dim) *op.Node) *op.Node {
			h, _ := sequence.GRU{Weight: f(4, 12)}.Run(nil)
			return h.Rows()
		}, "the sequence is nil"},
	} {
		g := op.NewGraph(nil)
		gates := sequence.Input(g, "gates", op.Float32, 16)
		n := c.build(g, gates, func(shape ...op.Dim) *op.Node { return g.Full(op.Float32, 1, shape...) })
		if n.Err() == nil || !strings.Contains(n.Err().Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, n.Err(), c.want)
		}
	}
}

// The steps are in the rows' own order: states come back by sequence, whatever the order of the lengths.
func TestFinalStatesFollowTheirSequences(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32, 1)
	_, last := sequence.RNN{Weight: g.Full(op.Float32, 1, 1, 1)}.Run(x) // the sum
	rows := [][]float32{{1}, {}, {1, 2, 4}, {8, 16}}
	want := []float32{1, 0, 7, 24}
	for _, p := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}} {
		var moved [][]float32
		var wanted []float32
		for _, i := range p {
			moved, wanted = append(moved, rows[i]), append(wanted, want[i])
		}
		out := predict(t, batch(t, moved, 1).Feeds("x"), last)
		if got := out[0].Data(); !slices.Equal(got.([]float32), wanted) {
			t.Errorf("order %v: states %v, want %v", p, got, wanted)
		}
	}
	empty := predict(t, op.Feeds{"x": tensor.New(tensor.WithShape(0, 1), tensor.Of(tensor.Float32)), "x.lengths": batch(t, [][]float32{}, 1).Lengths}, last)
	if n := empty[0].Shape().TotalSize(); n != 0 {
		t.Errorf("no sequences have %d states", n)
	}
}

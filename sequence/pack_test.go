package sequence_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
	"paddle/sequence"
)

// predict runs nodes of one graph once.
func predict(t *testing.T, feeds op.Feeds, outputs ...*op.Node) []*tensor.Dense {
	t.Helper()
	out, err := tryPredict(feeds, outputs...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func tryPredict(feeds op.Feeds, outputs ...*op.Node) ([]*tensor.Dense, error) {
	p, err := paddle.NewPredictor(outputs...)
	if err != nil {
		return nil, err
	}
	return p.Predict(context.Background(), feeds)
}

// batch copies sequences to a batch.
func batch[T sequence.Element](t *testing.T, sequences [][]T, width ...int) sequence.Batch {
	t.Helper()
	b, err := sequence.NewBatch(sequences, width...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// data returns the elements of a dense tensor.
func data[T sequence.Element](t *testing.T, x *tensor.Dense) []T {
	t.Helper()
	if n := x.Shape(); len(n) > 0 && n.TotalSize() == 0 {
		return nil
	}
	all, err := sequence.Cut[T](x, tensor.New(tensor.WithShape(1), tensor.WithBacking([]int32{int32(x.Shape()[0])})))
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// TestR02Order: the library sorts, and gives back the caller's order.
func TestR02Order(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32)
	p := x.Pack()
	back := p.Of(op.MulConst(p.Rows, 2)).Rows()
	out := predict(t, batch(t, [][]float32{{10}, {20, 21, 22}, {30, 31}}).Feeds("x"), p.Rows, p.Steps, p.Order, p.Rank, back)
	want := []any{[]float32{20, 30, 10, 21, 31, 22}, []int32{0, 3, 5, 6}, []int32{1, 2, 0}, []int32{2, 0, 1}, []float32{20, 40, 42, 44, 60, 62}}
	for i, w := range want {
		if got := out[i].Data(); !reflect.DeepEqual(got, w) {
			t.Errorf("output %d: got %v, want %v", i, got, w)
		}
	}
}

// TestPackAnyLengths compares the order with one that is computed the slow way, and checks that it is a permutation and back.
func TestPackAnyLengths(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Int32)
	p := x.Pack()
	program, err := paddle.NewPredictor(p.Rows, p.Steps, p.Of(p.Rows).Rows(), p.Sort(x.Lengths()), p.Restore(p.Sort(x.Lengths())))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	lengths := [][]int32{{}, {0}, {0, 0, 0}, {1}, {5, 5, 5}, {4, 5, 3}, {0, 3, 0, 3, 1}, {300, 1, 1, 2}}
	for range 20 {
		n := make([]int32, r.IntN(9))
		for i := range n {
			n[i] = r.Int32N(6)
		}
		lengths = append(lengths, n)
	}
	for _, ls := range lengths {
		var sequences [][]int32
		next := int32(0)
		for _, n := range ls {
			s := make([]int32, n)
			for i := range s {
				s[i], next = next, next+1
			}
			sequences = append(sequences, s)
		}
		out, err := program.Predict(context.Background(), batch(t, sequences).Feeds("x"))
		if err != nil {
			t.Fatalf("%v: %v", ls, err)
		}
		rows, steps, sorted := slowPack(sequences)
		for i, want := range [][]int32{rows, steps, identity(int(next)), sorted, ls} {
			if got := data[int32](t, out[i]); !slices.Equal(got, want) {
				t.Errorf("lengths %v: output %d is %v, want %v", ls, i, got, want)
			}
		}
	}
}

func identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// slowPack sorts with a stable sort and walks step by step over all sequences.
func slowPack(sequences [][]int32) (rows, steps, lengths []int32) {
	sorted := slices.Clone(sequences)
	slices.SortStableFunc(sorted, func(a, b []int32) int { return len(b) - len(a) })
	steps = []int32{0}
	for n := 0; ; n++ {
		before := len(rows)
		for _, s := range sorted {
			if n < len(s) {
				rows = append(rows, s[n])
			}
		}
		if len(rows) == before {
			break
		}
		steps = append(steps, int32(len(rows)))
	}
	for _, s := range sorted {
		lengths = append(lengths, int32(len(s)))
	}
	return rows, steps, lengths
}

func TestMistakes(t *testing.T) {
	ints := func(v ...int32) *tensor.Dense { return tensor.New(tensor.WithShape(len(v)), tensor.WithBacking(v)) }
	floats := func(v ...float32) *tensor.Dense { return tensor.New(tensor.WithShape(len(v)), tensor.WithBacking(v)) }
	build := func(f func(g *op.Graph, x, y *sequence.Node) *op.Node) *op.Node {
		g := op.NewGraph(nil)
		return f(g, sequence.Input(g, "x", op.Float32), sequence.Input(g, "y", op.Float32))
	}
	feeds := func(x, xl, y, yl *tensor.Dense) op.Feeds {
		return op.Feeds{"x": x, "x.lengths": xl, "y": y, "y.lengths": yl}
	}
	sum := func(rows ...*op.Node) *op.Node { return op.Add(rows[0], rows[1]) }
	both := func(g *op.Graph, x, y *sequence.Node) *op.Node { return sequence.Combine(sum, x, y.As(x)).Rows() }
	packed := func(g *op.Graph, x, y *sequence.Node) *op.Node { return op.Add(x.Pack().Rows, op.Sum(y.Pack().Rows)) }
	for _, c := range []struct {
		name  string
		build func(g *op.Graph, x, y *sequence.Node) *op.Node
		feeds op.Feeds
		want  string
	}{
		{"combine without As", func(g *op.Graph, x, y *sequence.Node) *op.Node { return sequence.Combine(sum, x, y).Rows() }, nil,
			"sequences x (lengths x.lengths) and y (lengths y.lengths) are not known to have the same lengths: see sequence.Node.As"},
		{"lengths differ", both, feeds(floats(1, 2, 3), ints(1, 2), floats(1, 2, 3), ints(2, 1)),
			"sequence 0 has length 2 by y.lengths, want 1, as by x.lengths"},
		{"negative", packed, feeds(floats(1, 2, 3), ints(-1, 4), floats(), ints(0, 0)), "x.lengths: sequence 0 has length -1, want 0 or more"},
		{"too short", packed, feeds(floats(1, 2, 3), ints(1, 1), floats(), ints(0, 0)), "x.lengths add up to 2, want 3, the number of rows"},
		{"too long", packed, feeds(floats(1, 2, 3), ints(1, 3), floats(), ints(0, 0)), "x.lengths add up to 4, want 3, the number of rows"},
		{"negative behind one too long", packed, feeds(floats(1, 2), ints(3, -1), floats(), ints(0, 0)), "x.lengths: sequence 1 has length -1, want 0 or more"},
		{"overflow", packed, feeds(floats(1, 2, 3), ints(1<<31-1, 1<<31-1), floats(), ints(0, 0)), "x.lengths add up to 4294967294, want 3, the number of rows"},
		{"rows lost", func(g *op.Graph, x, y *sequence.Node) *op.Node {
			return x.Map(func(r *op.Node) *op.Node { return op.Sum(r) }).Rows()
		}, nil, "rows have shape (), want (x.tokens, …): as many as the sequences have"},
		{"nil function", func(g *op.Graph, x, y *sequence.Node) *op.Node { return x.Map(nil).Rows() }, nil, "the function of Map is nil"},
		{"scalar", func(g *op.Graph, x, y *sequence.Node) *op.Node {
			return sequence.New(op.Sum(x.Rows()), x.Lengths()).Rows()
		}, nil, "want (tokens, …)"},
		{"float lengths", func(g *op.Graph, x, y *sequence.Node) *op.Node { return sequence.New(x.Rows(), x.Rows()).Rows() }, nil,
			"lengths x of sequences are float32 (x.tokens,), want int32 (sequences,)"},
		{"nil sequence", func(g *op.Graph, x, y *sequence.Node) *op.Node { return (*sequence.Node)(nil).Map(nil).Rows() }, nil, "the sequence is nil"},
	} {
		_, err := tryPredict(c.feeds, build(c.build))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestNested(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.NestedInput(g, "x", op.Int32)
	y := x.Map(func(r *op.Node) *op.Node { return op.Mul(r, r) })
	units := x.Outer(op.Mul(x.Inner().Lengths(), x.Inner().Lengths()))
	b, err := sequence.NewNestedBatch([][][]int32{{{1, 2}, {3}}, {}, {{}, {4, 5, 6}}})
	if err != nil {
		t.Fatal(err)
	}
	out := predict(t, b.Feeds("x"), x.Inner().Lengths(), x.Counts(), y.Flat().Lengths(), y.Flat().Rows(), y.Flat().Pack().Rows, units.Pack().Rows)
	for i, want := range [][]int32{{2, 1, 0, 3}, {2, 0, 2}, {3, 0, 3}, {1, 4, 9, 16, 25, 36}, {1, 16, 4, 25, 9, 36}, {4, 0, 1, 9}} {
		if got := data[int32](t, out[i]); !slices.Equal(got, want) {
			t.Errorf("output %d is %v, want %v", i, got, want)
		}
	}
}

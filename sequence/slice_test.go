package sequence_test

import (
	"slices"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// part returns lengths·numerator/denominator, rounded down.
func part(x *sequence.Node, numerator, denominator float64) *op.Node {
	g := x.Graph()
	return op.Div(op.Mul(x.Lengths(), g.Full(op.Int32, numerator)), g.Full(op.Int32, denominator))
}

func TestSlice(t *testing.T) {
	join := func(rows [][]float64) (out []float64) {
		for _, r := range rows {
			out = append(out, r...)
		}
		return out
	}
	for name, c := range map[string]struct {
		build func(x *sequence.Node) *sequence.Node
		alone func(rows [][]float64) [][]float64
	}{
		"middle": {func(x *sequence.Node) *sequence.Node { return sequence.Slice(x, part(x, 1, 3), part(x, 3, 4)) },
			func(r [][]float64) [][]float64 { return r[len(r)/3 : 3*len(r)/4] }},
		"to": {func(x *sequence.Node) *sequence.Node { return sequence.Slice(x, nil, part(x, 1, 2)) },
			func(r [][]float64) [][]float64 { return r[:len(r)/2] }},
		"from": {func(x *sequence.Node) *sequence.Node { return sequence.Slice(x, part(x, 1, 2), nil) },
			func(r [][]float64) [][]float64 { return r[len(r)/2:] }},
		"all": {func(x *sequence.Node) *sequence.Node { return sequence.Slice(x, nil, nil) }, func(r [][]float64) [][]float64 { return r }},
		"sub-sequence": {func(x *sequence.Node) *sequence.Node { return sequence.SubSequence(x, part(x, 1, 3), part(x, 1, 3)) },
			func(r [][]float64) [][]float64 { return r[len(r)/3 : len(r)/3+len(r)/3] }},
	} {
		unary(name, 2, func(x *sequence.Node) *op.Node { return c.build(x).Rows() },
			func(rows [][]float64) []float64 { return join(c.alone(rows)) }).check(t)
	}
}

// TestSlices takes the first half and two thirds of the middle of each sequence, which overlap, and joins them.
func TestSlices(t *testing.T) {
	bounds := func(x *sequence.Node, a, b *op.Node) *sequence.Node {
		rows := op.Reshape(op.Stack(1, a, b), op.Auto) // two a sequence
		return sequence.New(rows, op.Add(op.Zeros(x.Lengths()), x.Graph().Full(op.Int32, 2)))
	}
	slice := func(x *sequence.Node) *sequence.Nested {
		from, to := bounds(x, op.Zeros(x.Lengths()), part(x, 1, 6)), bounds(x, part(x, 1, 2), part(x, 5, 6))
		return sequence.Slices(x, from, to, x.Graph().MulDims(2, x.Dim(0)))
	}
	parts := func(r [][]float64) [][][]float64 { return [][][]float64{r[:len(r)/2], r[len(r)/6 : 5*len(r)/6]} }
	unary("slices", 2, func(x *sequence.Node) *op.Node { return slice(x).Flat().Rows() }, func(rows [][]float64) (out []float64) {
		for _, p := range parts(rows) {
			for _, r := range p {
				out = append(out, r...)
			}
		}
		return out
	}).check(t)
	unary("means of slices", 1, func(x *sequence.Node) *op.Node {
		y := slice(x)
		return y.Outer(sequence.Mean(y.Inner())).Rows()
	}, func(rows [][]float64) (out []float64) {
		for _, p := range parts(rows) {
			out = append(out, poolAlone(sequence.PoolMean, 1, slices.Concat(p...), 0)...)
		}
		return out
	}).check(t)
}

func TestSelect(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.NestedInput(g, "x", op.Float64)
	indices := sequence.Input(g, "keep", op.Int32)
	p := x.Inner().Pack()
	var outputs []*op.Node
	for _, n := range []*sequence.Nested{x, x.Of(p.Of(p.Rows))} {
		y := sequence.Select(n, indices)
		slope := op.VJP([]*op.Node{op.Square(y.Inner().Rows())}, nil, []*op.Node{x.Inner().Rows()})[0]
		outputs = append(outputs, y.Inner().Rows(), slope, y.Inner().Lengths(), y.Counts(), y.Flat().Lengths())
	}
	b, err := sequence.NewNestedBatch([][][]float64{{{1, 2}, {3}, {4, 5, 6}}, {}, {{}, {7}}, {{8}}})
	if err != nil {
		t.Fatal(err)
	}
	feeds := b.Feeds("x")
	batch(t, [][]int32{{2, 0}, {}, {0, 1}, {}}).Feed(feeds, "keep")
	out := predict(t, feeds, outputs...)
	for i := 0; i < len(out); i += 5 {
		for j, want := range [][]float64{{4, 5, 6, 1, 2, 7}, {2, 4, 0, 8, 10, 12, 14, 0}} {
			if got := data[float64](t, out[i+j]); !slices.Equal(got, want) {
				t.Errorf("output %d is %v, want %v", i+j, got, want)
			}
		}
		for j, want := range [][]int32{{3, 2, 0, 1}, {2, 0, 2, 0}, {5, 0, 1, 0}} {
			if got := data[int32](t, out[i+2+j]); !slices.Equal(got, want) {
				t.Errorf("output %d is %v, want %v", i+2+j, got, want)
			}
		}
	}
}

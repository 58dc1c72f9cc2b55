package sequence_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paddle"
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

// TestKMax compares with a sort of all scores, for few and many, equal ones, infinities and NaN, in both orders and types.
func TestKMax(t *testing.T) {
	testKMax[float32](t, op.Float32)
	testKMax[float64](t, op.Float64)
}

func testKMax[T float32 | float64](t *testing.T, d op.DType) {
	values := []T{0, 1, 1, -1, 2, T(math.Inf(-1)), T(math.Inf(1)), T(math.NaN())}
	r := rand.New(rand.NewPCG(7, 8))
	for _, k := range []int{1, 2, 5} {
		g := op.NewGraph(nil)
		x := sequence.Input(g, "x", d)
		p := x.Pack()
		a, b := sequence.KMax(x, k), sequence.KMax(p.Of(op.Reshape(p.Rows, op.Auto, 1)), k)
		program, err := paddle.NewPredictor(a.Rows(), a.Lengths(), b.Rows(), b.Lengths())
		if err != nil {
			t.Fatal(err)
		}
		for _, lengths := range someLengths() {
			var scores [][]T
			var best, counts []int32
			for _, n := range lengths {
				s, order := make([]T, n), make([]int32, n)
				for i := range s {
					s[i], order[i] = values[r.IntN(len(values))], int32(i)
				}
				slices.SortStableFunc(order, func(i, j int32) int { return -cmp.Compare(rank(s[i]), rank(s[j])) })
				best = append(best, order[:min(k, n)]...)
				counts = append(counts, int32(min(k, n)))
				scores = append(scores, s)
			}
			out, err := program.Predict(context.Background(), batch(t, scores).Feeds("x"))
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range [][]int32{best, counts, best, counts} {
				if got := data[int32](t, out[i]); !slices.Equal(got, want) {
					t.Fatalf("the %d greatest of %v: output %d is %v, want %v", k, scores, i, got, want)
				}
			}
		}
	}
}

// rank orders scores, NaN above all.
func rank[T float32 | float64](x T) float64 {
	switch {
	case x != x:
		return 3
	case math.IsInf(float64(x), 0):
		return 2 * float64(cmp.Compare(x, 0))
	}
	return float64(x) / 4
}

func TestEnumerate(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := sequence.Input(g, "x", op.Int32), sequence.Input(g, "y", op.Int64)
	p := y.Pack()
	feeds := batch(t, [][]int32{{1, 2, 3, 4}, {}, {5}}).Feeds("x")
	batch(t, [][]int64{{1, 2, 3, 4}, {}, {5}}).Feed(feeds, "y")
	out := predict(t, feeds, sequence.Enumerate(x, 3, 0).Rows(), sequence.Enumerate(p.Of(p.Rows), 2, -1).Rows())
	if got, want := data[int32](t, out[0]), []int32{1, 2, 3, 2, 3, 4, 3, 4, 0, 4, 0, 0, 5, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := data[int64](t, out[1]), []int64{1, 2, 2, 3, 3, 4, 4, -1, 5, -1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAppendAndSplit(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := sequence.Input(g, "x", op.Float64), sequence.Input(g, "y", op.Float64)
	both := sequence.Append(x, y)
	parts := sequence.Split(sequence.Reverse(both), x, y)
	first := op.Mul(sequence.Last(parts[0]), sequence.First(parts[1]))
	slopes := op.Gradient(op.Sum(first), x.Rows(), y.Rows())
	feeds := batch(t, [][]float64{{1, 2, 3}, {4}}).Feeds("x")
	batch(t, [][]float64{{5, 6}, {7, 8}}).Feed(feeds, "y")
	out := predict(t, feeds, both.Rows(), parts[0].Rows(), parts[1].Rows(), first, slopes[0], slopes[1])
	for i, want := range [][]float64{{1, 2, 3, 4, 5, 6, 7, 8}, {3, 2, 1, 4}, {6, 5, 8, 7}, {6, 32}, {6, 0, 0, 8}, {0, 1, 0, 4}} {
		if got := data[float64](t, out[i]); !slices.Equal(got, want) {
			t.Errorf("output %d is %v, want %v", i, got, want)
		}
	}
	if !parts[0].SameLengths(x) {
		t.Error("the part of x is not known to have x's lengths")
	}
}

// TestCrossEntropy: the mean over all tokens that count, the same bits in either order, with labels that were fed by themselves.
func TestCrossEntropy(t *testing.T) {
	g := op.NewGraph(nil)
	logits := sequence.Input(g, "x", op.Float64, 3)
	labels := sequence.Input(g, "y", op.Int32)
	p := logits.Pack()
	packed := p.Of(p.Rows)
	loss, other := sequence.CrossEntropy(logits, labels), sequence.CrossEntropy(packed, labels)
	right, same := sequence.Accuracy(logits, labels), sequence.Accuracy(packed, labels)
	slopes := []*op.Node{op.Gradient(loss, logits.Rows())[0], op.Gradient(other, logits.Rows())[0]}
	x := [][]float64{{1, 2, 3, 0.5, 0, -1}, {}, {0.25, 0.5, 1, 3, 1, 2, -1, 0, 1}}
	y := [][]int32{{2, 1}, {}, {op.IgnoreLabel, 0, 0}}
	feeds := batch(t, x, 3).Feeds("x")
	batch(t, y).Feed(feeds, "y")
	out := predict(t, feeds, loss, other, op.Count(loss), right, same, op.Count(right), slopes[0], slopes[1])
	want, slope, hits := 0.0, []float64(nil), float32(0)
	for i, s := range x {
		for j, row := range rowsOf(s, 3) {
			label, sum := int(y[i][j]), 0.0
			for _, v := range row {
				sum += math.Exp(v)
			}
			for k, v := range row {
				switch {
				case label == op.IgnoreLabel:
					slope = append(slope, 0)
				case k == label:
					slope = append(slope, (math.Exp(v)/sum-1)/4)
					want += (math.Log(sum) - v) / 4
				default:
					slope = append(slope, math.Exp(v)/sum/4)
				}
			}
			if label >= 0 && row[label] == max(row[0], row[1], row[2]) {
				hits++
			}
		}
	}
	if got, again := out[0].Data().(float64), out[1].Data().(float64); math.Abs(got-want) > 1e-14 || got != again {
		t.Errorf("loss %v and %v, want %v", got, again, want)
	}
	for i, want := range map[int]float32{2: 4, 3: hits / 4, 4: hits / 4, 5: 4} {
		if got := out[i].Data().(float32); got != want {
			t.Errorf("output %d is %v, want %v", i, got, want)
		}
	}
	for i := range slopes {
		if d := differ(data[float64](t, out[6+i]), slope, 1e-14); d != "" {
			t.Errorf("gradient %d: %s", i, d)
		}
	}
}

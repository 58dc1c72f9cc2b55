package sequence_test

import (
	"slices"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

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

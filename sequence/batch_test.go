package sequence_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
	"paddle/sequence"
)

// TestCut: rows of any width, without rows, and of no sequences; and what does not fit.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		rows  [][]float32
		width []int
	}{
		{[][]float32{{1, 2}, {}, {3}}, nil},
		{[][]float32{{1, 2, 3, 4}, {5, 6}}, []int{1, 2}},
		{[][]float32{{}, {}}, []int{3}},
		{nil, nil},
	} {
		b, err := sequence.NewBatch(c.rows, c.width...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sequence.Cut[float32](b.Rows, b.Lengths)
		if err != nil || !slices.EqualFunc(got, c.rows, slices.Equal) {
			t.Errorf("%v of width %v: got %v, error %v", c.rows, c.width, got, err)
		}
	}
	ints := func(shape ...int) func(data ...int32) *tensor.Dense {
		return func(data ...int32) *tensor.Dense {
			return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
		}
	}
	rows, one := ints(3, 1)(1, 2, 3), ints(1)
	for _, c := range []struct {
		rows, lengths *tensor.Dense
		want          string
	}{
		{nil, one(1), "the rows or the lengths are nil"},
		{rows, nil, "the rows or the lengths are nil"},
		{tensor.New(tensor.WithShape(1), tensor.WithBacking([]int64{1})), one(1), "rows of int64, want int32"},
		{rows, tensor.New(tensor.WithShape(1), tensor.WithBacking([]int64{3})), "lengths are int64 of shape [1], want int32 (sequences,)"},
		{rows, rows, "lengths are int32 of shape [3 1], want int32 (sequences,)"},
		{rows, one(2), "rows have shape [3 1], want 2 rows, the sum of the lengths"},
		{rows, ints(2)(4, -1), "sequence 1 has length -1, want 0 or more"},
	} {
		_, err := sequence.Cut[int32](c.rows, c.lengths)
		if err == nil || err.Error() != "sequence.Cut: "+c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestLabelsKeepTheirName: a label that is no class is an error with the name under which the labels were fed.
func TestLabelsKeepTheirName(t *testing.T) {
	for _, c := range []struct {
		packed bool
		want   string
	}{{false, `input "tags": element 2 is 5, want 0 to 1`}, {true, `input "tags, time-major": element 1 is 5, want 0 to 1`}} {
		t.Run(fmt.Sprintf("packed %v", c.packed), func(t *testing.T) {
			g := op.NewGraph(nil)
			scores, tags := sequence.Input(g, "scores", op.Float32, 2), sequence.Input(g, "tags", op.Int32)
			if c.packed {
				scores = scores.TimeMajor()
			}
			p, err := paddle.NewPredictor(sequence.CrossEntropy(scores, tags))
			if err != nil {
				t.Fatal(err)
			}
			feeds := batch(t, [][]float32{{0, 0, 1, 1}, {0, 0}}, 2).Feeds("scores")
			batch(t, [][]int32{{1, 0}, {5}}).Feed(feeds, "tags")
			_, err = p.Predict(context.Background(), feeds)
			if err == nil || !strings.HasSuffix(err.Error(), "sequence.CrossEntropy: "+c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

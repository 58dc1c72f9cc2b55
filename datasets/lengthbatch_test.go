package datasets_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paddle/datasets"
)

func TestLengthBatches(t *testing.T) {
	lengths := []int{3, 0, 5, 2, 9, 1}
	for _, c := range []struct {
		o    datasets.LengthOptions
		want [][]int
	}{
		{datasets.LengthOptions{Size: 2}, [][]int{{0, 1}, {2, 3}, {4, 5}}},
		{datasets.LengthOptions{Size: 4}, [][]int{{0, 1, 2, 3}, {4, 5}}},
		{datasets.LengthOptions{Tokens: 8}, [][]int{{0, 1, 2}, {3}, {4}, {5}}},
		{datasets.LengthOptions{Tokens: 8, Size: 2}, [][]int{{0, 1}, {2, 3}, {4}, {5}}},
		{datasets.LengthOptions{Size: 2, Pool: 4}, [][]int{{2, 0}, {3, 1}, {4, 5}}},
		{datasets.LengthOptions{Tokens: 10, Pool: 100}, [][]int{{4}, {2, 0, 3}, {5, 1}}},
		{datasets.LengthOptions{Tokens: 1}, [][]int{{0}, {1}, {2}, {3}, {4}, {5}}},
	} {
		got, err := datasets.Collect(datasets.LengthBatches(lengths, c.o))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v, %v, want %v", c.o, got, err, c.want)
		}
	}
	if got, err := datasets.Collect(datasets.LengthBatches(nil, datasets.LengthOptions{Size: 3})); len(got) != 0 || err != nil {
		t.Errorf("no sequences: got %v, %v", got, err)
	}
}

func TestLengthBatchesMistakes(t *testing.T) {
	for _, c := range []struct {
		o    datasets.LengthOptions
		want string
	}{
		{datasets.LengthOptions{}, "datasets.LengthBatches: Size and Tokens are 0, want a limit"},
		{datasets.LengthOptions{Size: -1}, "datasets.LengthBatches: Size is -1, Tokens 0, Pool 0, want 0 or more"},
	} {
		if _, err := datasets.Collect(datasets.LengthBatches([]int{1}, c.o)); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestShuffledLengthBatches: every epoch has each sequence once, within the limits, repeatably, and in another order than the last.
func TestShuffledLengthBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := make([]int, 500)
	for i := range lengths {
		lengths[i] = r.IntN(60)
	}
	o := datasets.LengthOptions{Size: 16, Tokens: 300, Pool: 100}
	var seen []string
	for epoch := range 3 {
		got, err := datasets.Collect(datasets.ShuffledLengthBatches(lengths, 7, o)(epoch))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := datasets.Collect(datasets.ShuffledLengthBatches(lengths, 7, o)(epoch))
		if !reflect.DeepEqual(got, again) {
			t.Errorf("epoch %d differs from itself", epoch)
		}
		all := slices.Concat(got...)
		for _, b := range got {
			tokens := 0
			for _, i := range b {
				tokens += lengths[i]
			}
			if len(b) == 0 || len(b) > o.Size || tokens > o.Tokens {
				t.Errorf("a batch of %d sequences, %d tokens", len(b), tokens)
			}
		}
		seen = append(seen, fmt.Sprint(all))
		slices.Sort(all)
		for i, v := range all {
			if i != v || len(all) != len(lengths) {
				t.Fatalf("epoch %d: sequence %d is %d", epoch, i, v)
			}
		}
	}
	if seen[0] == seen[1] || seen[1] == seen[2] {
		t.Error("two epochs have one order")
	}
}

// Lengths that no sequence can have are mistakes that name the sequence.
func TestLengthBatchesImpossibleLengths(t *testing.T) {
	for _, n := range []int{-1, 1 << 40} {
		want := fmt.Sprintf("sequence 1 has length %d, want 0 to 2147483647", n)
		for _, batches := range []iter.Seq2[[]int, error]{
			datasets.LengthBatches([]int{2, n}, datasets.LengthOptions{Tokens: 4}),
			datasets.ShuffledLengthBatches([]int{2, n}, 1, datasets.LengthOptions{Size: 4})(0),
		} {
			for _, err := range batches {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want an error with %q", err, want)
				}
			}
		}
	}
}

package datasets

import (
	"errors"
	"testing"
	"testing/synctest"
)

func TestChain(t *testing.T) {
	same(t, "three", collect(t, Chain(numbers(2), numbers(0), numbers(3))), []int{0, 1, 0, 1, 2})
	same(t, "none", collect(t, Chain[int]()), nil)
	same(t, "left within the second", collect(t, First(Chain(numbers(2), numbers(3), failing(0)), 4)), []int{0, 1, 0, 1})
}

func TestZip(t *testing.T) {
	r := Zip(numbers(3), FromSlice([]string{"a", "b", "c"}))
	for range 2 {
		same(t, "pairs", collect(t, r), []Pair[int, string]{{0, "a"}, {1, "b"}, {2, "c"}})
	}
	same(t, "none", collect(t, Zip(numbers(0), numbers(0))), nil)
}

func TestZipLengths(t *testing.T) {
	for _, test := range []struct {
		a, b int
		want string
	}{
		{3, 2, "datasets.Zip: the second reader ended after 2 records, the first has more"},
		{2, 5, "datasets.Zip: the first reader ended after 2 records, the second has more"},
		{0, 1, "datasets.Zip: the first reader ended after 0 records, the second has more"},
	} {
		got, err := Collect(Zip(numbers(test.a), numbers(test.b)))
		if len(got) != min(test.a, test.b) {
			t.Errorf("%d and %d records give %d pairs", test.a, test.b, len(got))
		}
		contains(t, err, test.want)
	}
}

func TestZipErrors(t *testing.T) {
	for name, r := range map[string]func() ([]Pair[int, int], error){
		"first":            func() ([]Pair[int, int], error) { return Collect(Zip(failing(2), numbers(5))) },
		"second":           func() ([]Pair[int, int], error) { return Collect(Zip(numbers(5), failing(2))) },
		"second, at end":   func() ([]Pair[int, int], error) { return Collect(Zip(numbers(2), failing(2))) },
		"both, first wins": func() ([]Pair[int, int], error) { return Collect(Zip(failing(2), failing(2))) },
	} {
		if got, err := r(); len(got) != 2 || !errors.Is(err, errSource) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestZipLeavesNothing: the second reader is ended too, with its goroutines, when the loop is left.
func TestZipLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range Zip(Prefetch(numbers(100), 2), Prefetch(numbers(100), 2)) {
			break
		}
	})
}

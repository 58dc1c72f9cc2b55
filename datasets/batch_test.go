package datasets

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestT04BatchSizes(t *testing.T) {
	for _, test := range []struct {
		n, size int
		drop    bool
		want    []int
	}{
		{10, 4, false, []int{4, 4, 2}},
		{10, 4, true, []int{4, 4}},
		{8, 4, false, []int{4, 4}},
		{8, 4, true, []int{4, 4}},
		{0, 4, false, nil},
		{0, 4, true, nil},
		{3, 4, false, []int{3}},
		{3, 4, true, nil},
		{3, 1, true, []int{1, 1, 1}},
		{3, 1 << 30, false, []int{3}},
	} {
		for live := range 4 {
			var sizes, records []int
			for b := range Batch(numbers(test.n), BatchOptions{Size: test.size, DropLast: test.drop, Live: live}) {
				sizes, records = append(sizes, len(b)), append(records, b...)
			}
			same(t, fmt.Sprintf("sizes of %+v, Live %d", test, live), sizes, test.want)
			same(t, fmt.Sprintf("records of %+v, Live %d", test, live), records, ascending(0, len(records)))
		}
	}
}

// TestBatchLive: the last Live batches stay as they were yielded; without Live all do.
func TestBatchLive(t *testing.T) {
	for live := range 5 {
		var batches [][]int
		for b := range Batch(numbers(41), BatchOptions{Size: 4, Live: live}) {
			batches = append(batches, b)
			for at := range batches {
				kept := live == 0 || len(batches)-at <= live
				if intact := batches[at][0] == 4*at; kept && !intact {
					t.Fatalf("Live %d: batch %d was overwritten when %d had been taken", live, at, len(batches))
				}
			}
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		for range Batch(numbers(4000), BatchOptions{Size: 4, Live: 1}) {
		}
	}); n > 20 {
		t.Errorf("1000 batches with Live 1 allocate %v times, want only at the start", n)
	}
}

func TestBatchError(t *testing.T) {
	got, err := Collect(Batch(failing(6), BatchOptions{Size: 4}))
	if !errors.Is(err, errSource) || len(got) != 1 || !slices.Equal(got[0], ascending(0, 4)) {
		t.Errorf("got %v, %v; want the whole batch, then the error", got, err)
	}
}

package datasets

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestShuffle(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 100} {
		records := ascending(0, n)
		got := collect(t, Shuffle(records, Random{Seed: 3}))
		same(t, "again", collect(t, Shuffle(records, Random{Seed: 3})), got)
		same(t, "the slice", records, ascending(0, n))
		if n > 10 {
			for _, other := range []Random{{Seed: 4}, {Seed: 3, Epoch: 1}} {
				if slices.Equal(got, collect(t, Shuffle(records, other))) {
					t.Errorf("%+v gives the order of seed 3, epoch 0", other)
				}
			}
		}
		slices.Sort(got)
		same(t, "sorted", got, records)
	}
}

// TestShuffleIsUniform counts the 6 orders of 3 records over 6000 epochs: chi-squared with 5 degrees of freedom is over 25 with a
// probability of about 1e-4.
func TestShuffleIsUniform(t *testing.T) {
	for name, shuffle := range map[string]func(Random) []int{
		"Shuffle":       func(r Random) []int { return collect(t, Shuffle([]int{0, 1, 2}, r)) },
		"ShuffleWindow": func(r Random) []int { return collect(t, ShuffleWindow(numbers(3), 3, r)) },
	} {
		count := map[string]float64{}
		for epoch := range 6000 {
			count[fmt.Sprint(shuffle(Random{Seed: 1, Epoch: epoch}))]++
		}
		chi := 0.0
		for _, n := range count {
			chi += (n - 1000) * (n - 1000) / 1000
		}
		if len(count) != 6 || chi > 25 {
			t.Errorf("%s: chi-squared is %.1f over %v", name, chi, count)
		}
	}
}

func TestShuffleWindow(t *testing.T) {
	for _, n := range []int{0, 1, 5, 50} {
		for _, window := range []int{1, 2, 7, 50, 1000} {
			r := ShuffleWindow(numbers(n), window, Random{Seed: 5, Epoch: 1})
			got := collect(t, r)
			same(t, "second pass", collect(t, r), got)
			for at, i := range got {
				if i > at+window-1 {
					t.Fatalf("n %d, window %d: record %d came at %d, before it can have been in the window", n, window, i, at)
				}
			}
			if window == 1 {
				same(t, "window 1", got, ascending(0, n))
			}
			slices.Sort(got)
			same(t, fmt.Sprintf("n %d, window %d, sorted", n, window), got, ascending(0, n))
		}
	}
}

func TestShuffleWindowHoldsItsWindow(t *testing.T) {
	asked := 0
	for range ShuffleWindow(counted(numbers(100), &asked), 10, Random{}) {
		if asked != 11 {
			t.Errorf("%d records were asked for before the first was yielded, want 11", asked)
		}
		break
	}
	if got, err := Collect(ShuffleWindow(failing(20), 10, Random{})); len(got) != 10 || !errors.Is(err, errSource) {
		t.Errorf("a source that fails after 20 gives %d records and %v", len(got), err)
	}
}

package datasets

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/quick"
)

// TestParts compares First, Skip, Shard and Chain with slices of a slice.
func TestParts(t *testing.T) {
	for n := range 12 {
		all := ascending(0, n)
		for k := range 14 {
			at := min(k, n)
			same(t, fmt.Sprintf("First(%d, %d)", n, k), collect(t, First(numbers(n), k)), all[:at])
			same(t, fmt.Sprintf("Skip(%d, %d)", n, k), collect(t, Skip(numbers(n), k)), all[at:])
			same(t, "First and Skip", collect(t, Chain(First(numbers(n), k), Skip(numbers(n), k))), all)
		}
		for shards := 1; shards < 6; shards++ {
			var union []int
			for rank := range shards {
				part := collect(t, Shard(numbers(n), rank, shards))
				for i, x := range part {
					if x != rank+i*shards {
						t.Errorf("record %d of shard %d of %d is %d", i, rank, shards, x)
					}
				}
				union = append(union, part...)
			}
			slices.Sort(union)
			same(t, "the shards together", union, all)
		}
	}
}

func TestFirstAsksForNoMore(t *testing.T) {
	for k := range 4 {
		asked := 0
		collect(t, First(counted(numbers(10), &asked), k))
		if asked != k {
			t.Errorf("First %d asked for %d records", k, asked)
		}
	}
}

func TestPartErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		r     iter.Seq2[int, error]
		want  []int
		fails bool
	}{
		{"First before it", First(failing(5), 5), ascending(0, 5), false},
		{"First", First(failing(5), 6), ascending(0, 5), true},
		{"Skip", Skip(failing(5), 2), ascending(2, 5), true},
		{"Skip over it", Skip(failing(5), 9), nil, true},
		{"Shard", Shard(failing(5), 1, 2), []int{1, 3}, true},
		{"Chain", Chain(numbers(2), failing(1), numbers(9)), []int{0, 1, 0}, true},
	} {
		got, err := Collect(test.r)
		same(t, test.name, got, test.want)
		if errors.Is(err, errSource) != test.fails {
			t.Errorf("%s: the error is %v", test.name, err)
		}
	}
}

// TestPipeline: for arbitrary sizes, a shuffled, sharded, mapped, batched and prefetched pass has every record of its shard once, and
// resuming after any number of batches gives the rest of it.
func TestPipeline(t *testing.T) {
	check := func(seed uint64, n, size, shards, window, taken uint8) bool {
		o := BatchOptions{Size: int(size%7) + 1}
		ranks, total := int(shards%3)+1, int(n%60)
		var union []int
		for rank := range ranks {
			random := Random{Seed: seed, Epoch: 4}
			stream := ShuffleWindow(Shuffle(ascending(0, total), random), int(window%20)+1, random)
			samples := Map(Shard(stream, rank, ranks), augment, MapOptions{Workers: int(seed % 3), Random: random})
			batches := Prefetch(Batch(samples, o), int(seed%4))
			whole := slices.Concat(collect(t, batches)...)
			rest := slices.Concat(collect(t, Skip(batches, int(taken%9)))...)
			if done := min(int(taken%9)*o.Size, len(whole)); !slices.Equal(rest, whole[done:]) {
				return false
			}
			for _, y := range whole {
				union = append(union, y.x)
			}
		}
		slices.Sort(union)
		return slices.Equal(union, ascending(0, total))
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 150}); err != nil {
		t.Error(err)
	}
}

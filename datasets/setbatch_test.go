package datasets

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"paddle/op"
)

// values drops the errors of a reader.
func values[T any](r iter.Seq2[T, error]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for x := range r {
			if !yield(x) {
				return
			}
		}
	}
}

func TestInOrder(t *testing.T) {
	for size, want := range map[int][]int{4: {4, 4, 2}, 10: {10}, 11: {10}, 1: {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1 << 62: {10}} {
		r := testSet(t, 10).InOrder(size)
		for range 2 {
			var sizes, records []int
			for batch, err := range r {
				if err != nil {
					t.Fatal(err)
				}
				records = append(records, recordsOf(t, batch)...)
				sizes = append(sizes, batch["y"].Shape()[0])
			}
			same(t, "sizes", sizes, want)
			same(t, "records", records, ascending(0, 10))
		}
	}
}

// TestShuffledIsShuffle: the fast path gives the batches that Shuffle, Gather and Batch give.
func TestShuffledIsShuffle(t *testing.T) {
	for _, n := range []int{1, 3, 10, 41} {
		s := testSet(t, n)
		for _, o := range []BatchOptions{{Size: 4}, {Size: 4, Live: 1}, {Size: 4, Live: 3}, {Size: 4, DropLast: true}, {Size: 100, Live: 2}, {Size: 1, Live: 1}} {
			for epoch := range 3 {
				var got [][]int
				for batch, err := range s.Shuffled(9, o)(epoch) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, recordsOf(t, batch))
				}
				want := collect(t, Batch(Shuffle(ascending(0, n), Random{Seed: 9, Epoch: epoch}), BatchOptions{Size: o.Size, DropLast: o.DropLast}))
				if !slices.EqualFunc(got, want, slices.Equal[[]int]) {
					t.Errorf("%d records, %+v, epoch %d: got %v, want %v", n, o, epoch, got, want)
				}
			}
		}
	}
}

// TestShuffledUnderPrefetch: with Live n+1, a batch is intact at the end of the loop's body, however far the reading goroutine has got.
func TestShuffledUnderPrefetch(t *testing.T) {
	for n := 1; n < 4; n++ {
		synctest.Test(t, func(t *testing.T) {
			s := testSet(t, 50)
			want := collect(t, Batch(Shuffle(ascending(0, 50), Random{Seed: 2}), BatchOptions{Size: 4}))
			i := 0
			for batch := range Prefetch(s.Shuffled(2, BatchOptions{Size: 4, Live: n + 1})(0), n) {
				synctest.Wait()
				same(t, fmt.Sprintf("Prefetch %d, batch %d", n, i), recordsOf(t, batch), want[i])
				i++
			}
		})
	}
}

func TestShuffledPassesAreIndependent(t *testing.T) {
	train := testSet(t, 64).Shuffled(3, BatchOptions{Size: 4, Live: 1})
	var all sync.WaitGroup
	for epoch := range 6 {
		want := slices.Collect(values(Batch(Shuffle(ascending(0, 64), Random{Seed: 3, Epoch: epoch / 2}), BatchOptions{Size: 4})))
		all.Go(func() {
			i := 0
			for batch := range train(epoch / 2) {
				runtime.Gosched()
				same(t, "batch", recordsOf(t, batch), want[i])
				i++
			}
		})
	}
	all.Wait()
}

// TestNothingIsAllocatedInAStep: once each memory of the rotation exists, a pass allocates nothing, with the set in order nothing at all.
func TestNothingIsAllocatedInAStep(t *testing.T) {
	s := testSet(t, 4000)
	var m runtime.MemStats
	mallocs := func() uint64 { runtime.ReadMemStats(&m); return m.Mallocs }
	for name, r := range map[string]iter.Seq2[op.Feeds, error]{
		"Shuffled": s.Shuffled(1, BatchOptions{Size: 4, Live: 2})(0),
		"InOrder":  s.InOrder(4),
	} {
		step := 0
		var before uint64
		for range r {
			if step++; step == 3 {
				before = mallocs()
			} else if step == 1000 {
				if n := mallocs() - before; n > 10 { // the runtime's own
					t.Errorf("%s: 997 steps made %d allocations", name, n)
				}
			}
		}
	}
}

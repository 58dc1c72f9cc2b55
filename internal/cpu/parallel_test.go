package cpu

import (
	"sync/atomic"
	"testing"
)

func TestParallelCoversEachElementOnce(t *testing.T) {
	b := New()
	for _, threads := range []int{1, 2, 3, 8} {
		b.SetThreads(threads)
		for _, c := range []struct{ n, grain int }{{0, 4}, {1, 4}, {7, 0}, {1000, 3}, {4096, 64}, {100003, 1}} {
			seen := make([]int32, c.n)
			b.Parallel(c.n, c.grain, func(lo, hi int) {
				if hi-lo < min(c.grain, c.n) && hi != c.n {
					t.Errorf("Parallel(%d, %d): part [%d, %d) is shorter than the grain", c.n, c.grain, lo, hi)
				}
				for i := lo; i < hi; i++ {
					atomic.AddInt32(&seen[i], 1)
				}
			})
			for i, k := range seen {
				if k != 1 {
					t.Fatalf("Parallel(%d, %d) on %d threads: element %d was visited %d times", c.n, c.grain, threads, i, k)
				}
			}
		}
	}
}

func TestParallelAllocatesNothing(t *testing.T) {
	b := New()
	b.SetThreads(2)
	x := make([]float32, 10000)
	body := func(lo, hi int) {
		for i := range x[lo:hi] {
			x[lo+i]++
		}
	}
	if n := testing.AllocsPerRun(20, func() { b.Parallel(len(x), 100, body) }); n != 0 {
		t.Errorf("Parallel allocates %v times a call", n)
	}
}

package datasets

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
)

func TestPrefetchKeepsRecordsAndOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 1000} {
		r := Prefetch(numbers(100), n)
		for range 2 {
			same(t, "records", collect(t, r), ascending(0, 100))
		}
		got, err := Collect(Prefetch(failing(7), n))
		same(t, "before the error", got, ascending(0, 7))
		if err != errSource {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestPrefetchIsAheadByN(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			asked, taken := 0, 0
			for range Prefetch(counted(numbers(30), &asked), n) {
				taken++
				synctest.Wait()
				if want := min(taken+n, 30); asked != want {
					t.Errorf("Prefetch %d: %d records were read when %d had been taken, want %d", n, asked, taken, want)
				}
			}
		})
	}
}

func TestPrefetchPanicAndGoexit(t *testing.T) {
	noGoroutinesLeft(t, func() {
		_, err := Collect(Prefetch(func(yield func(int, error) bool) { panic(errSource) }, 2))
		contains(t, err, "datasets.Prefetch: the reader: panic: the disk is gone")
		if p := new(PanicError); !errors.As(err, &p) || !errors.Is(err, errSource) || len(p.Stack) == 0 {
			t.Errorf("%T: want a PanicError that wraps its value, with a stack", err)
		}
		_, err = Collect(Prefetch(func(yield func(int, error) bool) { runtime.Goexit() }, 2))
		contains(t, err, "datasets.Prefetch: the reader: runtime.Goexit was called")
	})
}

func TestPrefetchReadsNoMoreAfterBreak(t *testing.T) {
	asked := 0
	for range Prefetch(counted(numbers(1000), &asked), 3) {
		break
	}
	if asked > 1+3 {
		t.Errorf("%d records were read, want at most 4", asked)
	}
}

// TestPrefetchEndsWithTheContextOfItsSource: a source that heeds a context wakes a consumer that waits for it.
func TestPrefetchEndsWithTheContextOfItsSource(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hanging := func(yield func(int, error) bool) {
		if yield(1, nil) {
			<-ctx.Done()
			yield(0, ctx.Err())
		}
	}
	noGoroutinesLeft(t, func() {
		var end error
		for _, err := range Prefetch(hanging, 4) {
			if end = err; err == nil {
				cancel()
			}
		}
		if !errors.Is(end, context.Canceled) {
			t.Errorf("the pass ended with %v", end)
		}
	})
}

// TestT05BreakFiftyTimes is the whole way from a set to ready batches, left after one batch of 100, fifty times: no goroutine and hardly
// any memory may stay.
func TestT05BreakFiftyTimes(t *testing.T) {
	train := testSet(t, 400).Shuffled(1, BatchOptions{Size: 4})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	noGoroutinesLeft(t, func() {
		for epoch := range 50 {
			for batch, err := range Prefetch(train(epoch), 4) {
				if err != nil || batch["x"] == nil {
					t.Fatal(batch, err)
				}
				break
			}
		}
	})
	if after := heap(); after > before+2<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

package datasets

import (
	"errors"
	"sync"
	"testing"
)

func TestCacheReadsOnce(t *testing.T) {
	asked := 0
	r := Cache(counted(numbers(10), &asked))
	for range 3 {
		same(t, "records", collect(t, r), ascending(0, 10))
	}
	if asked != 10 {
		t.Errorf("%d records were read, want 10", asked)
	}
}

func TestCacheOfABrokenPass(t *testing.T) {
	asked := 0
	r := Cache(counted(numbers(10), &asked))
	for x := range r {
		if x == 3 {
			break
		}
	}
	same(t, "records", collect(t, r), ascending(0, 10))
	same(t, "records", collect(t, First(r, 4)), ascending(0, 4))
	if asked != 4+10 {
		t.Errorf("%d records were read, want 4 and then 10", asked)
	}
}

func TestCacheDoesNotKeepAnError(t *testing.T) {
	down := true
	r := Cache(func(yield func(int, error) bool) {
		if yield(1, nil) && down {
			yield(0, errSource)
		}
	})
	if _, err := Collect(r); !errors.Is(err, errSource) {
		t.Errorf("the error is %v", err)
	}
	down = false
	same(t, "records", collect(t, r), []int{1})
}

func TestCacheManyPasses(t *testing.T) {
	r := Cache(numbers(100))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { same(t, "records", collect(t, r), ascending(0, 100)) })
	}
	all.Wait()
}

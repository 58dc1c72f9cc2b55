package datasets

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"paddle/op"
)

var errSource = errors.New("the disk is gone")

// numbers reads 0 to n−1.
func numbers(n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
	}
}

// failing reads 0 to n−1, then yields errSource.
func failing(n int) iter.Seq2[int, error] { return Chain(numbers(n), failure[int](errSource)) }

// counted counts the records that are asked of r.
func counted[T any](r iter.Seq2[T, error], asked *int) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for x, err := range r {
			*asked++
			if !yield(x, err) {
				return
			}
		}
	}
}

// ascending returns lo to hi−1.
func ascending(lo, hi int) []int {
	var s []int
	for i := lo; i < hi; i++ {
		s = append(s, i)
	}
	return s
}

func collect[T any](t *testing.T, r iter.Seq2[T, error]) []T {
	t.Helper()
	s, err := Collect(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same fails unless got equals want.
func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// contains fails unless err says want.
func contains(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %q", err, want)
	}
}

// noGoroutinesLeft fails if there are more goroutines than at the start some time after the end of body.
func noGoroutinesLeft(t *testing.T, body func()) {
	t.Helper()
	base := runtime.NumGoroutine()
	body()
	for range 200 {
		if runtime.NumGoroutine() <= base {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d at the start", runtime.NumGoroutine(), base)
}

func TestFromSliceAndReplay(t *testing.T) {
	r := FromSlice([]int{3, 1, 2})
	for epoch := range 3 {
		same(t, "pass", collect(t, Replay(r)(epoch)), []int{3, 1, 2})
	}
	same(t, "empty", collect(t, FromSlice[int](nil)), nil)
}

func TestCollectKeepsWhatCameBeforeAnError(t *testing.T) {
	got, err := Collect(failing(2))
	if !errors.Is(err, errSource) {
		t.Errorf("the error is %v", err)
	}
	same(t, "records", got, []int{0, 1})
}

func TestWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []int
	var end error
	asked := 0
	for x, err := range WithContext(ctx, counted(numbers(10), &asked)) {
		if err != nil {
			end = err
			break
		}
		if got = append(got, x); x == 3 {
			cancel()
		}
	}
	same(t, "records", got, []int{0, 1, 2, 3})
	if !errors.Is(end, context.Canceled) || asked != 4 {
		t.Errorf("ended with %v after asking for %d records, want context.Canceled after 4", end, asked)
	}
	if got, err := Collect(WithContext(ctx, numbers(10))); len(got) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("a pass after the end gives %v, %v", got, err)
	}
	if got := collect(t, WithContext(t.Context(), numbers(3))); len(got) != 3 {
		t.Errorf("a pass with a live context gives %v", got)
	}
}

func TestWithContextWhileReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	slow := func(yield func(int, error) bool) {
		cancel()
		yield(1, nil)
	}
	if got, err := Collect(WithContext(ctx, slow)); len(got) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v: a record that was read while the context ended was yielded", got, err)
	}
}

// TestWrongArguments: every function gives a wrong argument as the reader's only error.
func TestWrongArguments(t *testing.T) {
	ok, random := numbers(3), Random{}
	f := func(_ *rand.Rand, x int) (int, error) { return x, nil }
	set := testSet(t, 3)
	var none context.Context
	for _, test := range []struct {
		want string
		err  error
	}{
		{"datasets.WithContext: the context is nil", only(WithContext(none, numbers(1)))},
		{"datasets.Prefetch: 1048577 records ahead, want at most 1048576", only(Prefetch(numbers(1), maxAhead+1))},
		{"datasets.Collect: the reader is nil", first(Collect[int](nil))},
		{"datasets.WithContext: the reader is nil", only(WithContext[int](t.Context(), nil))},
		{"datasets.ShuffleWindow: the reader is nil", only(ShuffleWindow[int](nil, 1, random))},
		{"datasets.ShuffleWindow: the window is 0, want at least 1", only(ShuffleWindow(ok, 0, random))},
		{"datasets.Batch: the reader is nil", only(Batch[int](nil, BatchOptions{Size: 1}))},
		{"datasets.Batch: the batch size is 0, want at least 1", only(Batch(ok, BatchOptions{}))},
		{"datasets.Batch: Live is -1, want at least 0", only(Batch(ok, BatchOptions{Size: 1, Live: -1}))},
		{"datasets.Map: the reader is nil", only(Map(nil, f, MapOptions{}))},
		{"datasets.Map: the function is nil", only(Map[int, int](ok, nil, MapOptions{}))},
		{"datasets.Map: Workers is -1, want at least 0", only(Map(ok, f, MapOptions{Workers: -1}))},
		{"datasets.Prefetch: the reader is nil", only(Prefetch[int](nil, 1))},
		{"datasets.Prefetch: -1 records ahead, want at least 0", only(Prefetch(ok, -1))},
		{"datasets.Cache: the reader is nil", only(Cache[int](nil))},
		{"datasets.First: the reader is nil", only(First[int](nil, 1))},
		{"datasets.First: -1 records, want at least 0", only(First(ok, -1))},
		{"datasets.Skip: the reader is nil", only(Skip[int](nil, 1))},
		{"datasets.Skip: -1 records, want at least 0", only(Skip(ok, -1))},
		{"datasets.Shard: the reader is nil", only(Shard[int](nil, 0, 1))},
		{"datasets.Shard: rank 2 of 2, want 0 ≤ rank < n", only(Shard(ok, 2, 2))},
		{"datasets.Shard: rank 0 of 0, want 0 ≤ rank < n", only(Shard(ok, 0, 0))},
		{"datasets.Chain: reader 1 is nil", only(Chain(ok, nil))},
		{"datasets.Zip: a reader is nil", only(Zip[int, int](ok, nil))},
		{"datasets.Set.InOrder: the batch size is 0, want at least 1", only(set.InOrder(0))},
		{"datasets.Set.Shuffled: the batch size is -2, want at least 1", only(set.Shuffled(1, BatchOptions{Size: -2})(0))},
		{"datasets.Stack: there are no records", first(Stack(nil))},
		{"datasets.NewSet: there are no columns", first(NewSet(op.Feeds{}))},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("the error is %v, want %q", test.err, test.want)
		}
	}
}

// only returns the error of a reader that yields nothing else.
func only[T any](r iter.Seq2[T, error]) error {
	n := 0
	var end error
	for _, err := range r {
		n++
		end = err
	}
	if n != 1 {
		return errors.New("not one record")
	}
	return end
}

func first[T any](_ T, err error) error { return err }

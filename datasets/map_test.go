package datasets

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// augmented is what an augmentation makes of a record: the record and the numbers it drew.
type augmented struct {
	x    int
	a, b float64
}

func augment(rng *rand.Rand, x int) (augmented, error) {
	if rng.IntN(2) == 0 { // records draw unequally many numbers
		rng.Float64()
	}
	return augmented{x, rng.Float64(), rng.NormFloat64()}, nil
}

var workerCounts = []int{0, 1, 2, 4, 9}

func TestMapIsTheSameForAnyWorkers(t *testing.T) {
	for _, n := range []int{0, 1, 3, 100} {
		want := collect(t, Map(numbers(n), augment, MapOptions{Random: Random{Seed: 5}}))
		for _, workers := range workerCounts {
			o := MapOptions{Workers: workers, Random: Random{Seed: 5}}
			same(t, fmt.Sprintf("n %d, %d workers", n, workers), collect(t, Map(numbers(n), augment, o)), want)
			o.Unordered = true
			got := collect(t, Map(numbers(n), augment, o))
			slices.SortFunc(got, func(a, b augmented) int { return a.x - b.x })
			same(t, fmt.Sprintf("n %d, %d workers, unordered", n, workers), got, want)
		}
	}
}

func TestT03MapRandomNumbers(t *testing.T) {
	pass := func(r Random) []augmented {
		return collect(t, Map(numbers(50), augment, MapOptions{Workers: 4, Random: r}))
	}
	seen := map[float64]bool{}
	for _, r := range []Random{{Seed: 1}, {Seed: 2}, {Seed: 1, Epoch: 1}} {
		for i, y := range pass(r) {
			if seen[y.a] {
				t.Fatalf("record %d of %+v drew what another record or epoch drew", i, r)
			}
			seen[y.a] = true
		}
	}
	rng := Random{Seed: 1, Epoch: 1}.Sample(17)
	if want, _ := augment(rng, 17); pass(Random{Seed: 1, Epoch: 1})[17] != want {
		t.Errorf("record 17 did not draw from Random.Sample(17)")
	}
}

// TestMapResumed: with Start, the rest of an epoch is what it was in the whole epoch.
func TestMapResumed(t *testing.T) {
	for _, workers := range workerCounts {
		o := MapOptions{Workers: workers, Random: Random{Seed: 9, Epoch: 3}}
		whole := collect(t, Map(numbers(30), augment, o))
		same(t, "skipped behind", collect(t, Skip(Map(numbers(30), augment, o), 12)), whole[12:])
		o.Start = 12
		same(t, "skipped in front", collect(t, Map(Skip(numbers(30), 12), augment, o)), whole[12:])
	}
}

func TestMapErrors(t *testing.T) {
	bad := func(_ *rand.Rand, x int) (int, error) {
		if x == 23 || x == 31 {
			return -1, errSource
		}
		return x, nil
	}
	for _, workers := range workerCounts {
		for _, unordered := range []bool{false, true} {
			o := MapOptions{Workers: workers, Unordered: unordered}
			noGoroutinesLeft(t, func() {
				got, err := Collect(Map(numbers(100), bad, o))
				if !errors.Is(err, errSource) {
					t.Errorf("%+v: the error is %v", o, err)
				}
				if !unordered {
					same(t, "before the error", got, ascending(0, 23))
					contains(t, err, "datasets.Map: record 23: the disk is gone")
				}
				got, err = Collect(Map(failing(20), bad, o))
				slices.Sort(got)
				same(t, "before the reader's error", got, ascending(0, 20))
				if err != errSource {
					t.Errorf("%+v: the reader's error came as %v", o, err)
				}
			})
		}
	}
}

func TestMapPanics(t *testing.T) {
	index := func(_ *rand.Rand, x int) (int, error) { return []int{0, 1, 2}[x], nil }
	broken := func(yield func(int, error) bool) {
		yield(0, nil)
		panic("no more")
	}
	for _, workers := range workerCounts {
		for _, unordered := range []bool{false, true} {
			noGoroutinesLeft(t, func() {
				o := MapOptions{Workers: workers, Unordered: unordered}
				_, err := Collect(Map(First(numbers(10), 4), index, o))
				contains(t, err, "datasets.Map: record 3: panic: runtime error: index out of range [3] with length 3")
				var p *PanicError
				var r runtime.Error
				if !errors.As(err, &p) || !strings.Contains(string(p.Stack), "map_test.go") || !errors.As(err, &r) {
					t.Errorf("%T: want a PanicError with the stack of the panic, which is a runtime.Error", err)
				}
				if workers > 0 {
					got, err := Collect(Map(broken, index, o))
					same(t, "before the panic", got, []int{0})
					contains(t, err, "datasets.Map: the reader: panic: no more")
				}
			})
		}
	}
}

// TestMapGoexit: a function that ends its goroutine, as t.FailNow does, must not leave the consumer waiting.
func TestMapGoexit(t *testing.T) {
	exit := func(_ *rand.Rand, x int) (int, error) {
		if x == 5 {
			runtime.Goexit()
		}
		return x, nil
	}
	for _, unordered := range []bool{false, true} {
		noGoroutinesLeft(t, func() {
			_, err := Collect(Map(numbers(20), exit, MapOptions{Workers: 2, Unordered: unordered}))
			contains(t, err, "datasets.Map: record 5: runtime.Goexit was called")
		})
	}
}

// TestMapHoldsFewRecords: with a consumer that rests in its first record, no more than 2·Workers+1 further ones are read, and none
// when it leaves.
func TestMapHoldsFewRecords(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, unordered := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				for range Map(counted(numbers(100), &asked), augment, MapOptions{Workers: workers, Unordered: unordered}) {
					synctest.Wait()
					break
				}
				if most := 1 + 2*workers + 1; asked > most {
					t.Errorf("%d workers read %d records, want at most %d", workers, asked, most)
				}
			})
		}
	}
}

// TestMapWorksAtTheSameTime: four records that take a second each take one second with four workers. The clock is synctest's.
func TestMapWorksAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		slow := func(_ *rand.Rand, x int) (int, error) {
			time.Sleep(time.Second)
			return x, nil
		}
		collect(t, Map(numbers(8), slow, MapOptions{Workers: 4}))
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("8 records took %v, want 2s", took)
		}
	})
}

func TestMapUnorderedDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slowFirst := func(_ *rand.Rand, x int) (int, error) {
			if x == 0 {
				time.Sleep(time.Hour)
			}
			time.Sleep(time.Second)
			return x, nil
		}
		same(t, "records", collect(t, Map(numbers(5), slowFirst, MapOptions{Workers: 2, Unordered: true})), []int{1, 2, 3, 4, 0})
	})
}

// TestLeavingALoop: a loop that is left by break or by a panic leaves nothing behind, and returns only when the work has ended.
// A bubble of synctest fails on any goroutine that never ends.
func TestLeavingALoop(t *testing.T) {
	var running atomic.Int32
	work := func(_ *rand.Rand, x int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		runtime.Gosched()
		return x, nil
	}
	for name, r := range map[string]iter.Seq2[int, error]{
		"Map":       Map(numbers(100), work, MapOptions{Workers: 4}),
		"unordered": Map(numbers(100), work, MapOptions{Workers: 4, Unordered: true}),
		"Prefetch":  Prefetch(numbers(100), 3),
		"all": Prefetch(Map(Prefetch(ShuffleWindow(numbers(1000), 10, Random{}), 2), work,
			MapOptions{Workers: 3}), 1),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for range 50 {
					for range r {
						break
					}
					if n := running.Load(); n != 0 {
						t.Fatalf("%d calls still run after break", n)
					}
					func() {
						defer func() {
							if v := recover(); v != "in the loop" {
								t.Errorf("the loop's panic came as %v", v)
							}
						}()
						for range r {
							panic("in the loop")
						}
					}()
				}
			})
		})
	}
}

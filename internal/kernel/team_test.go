package kernel

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// withProcs runs the test with GOMAXPROCS = n.
func withProcs(t testing.TB, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// countTask counts the visits of each part.
type countTask struct {
	visits  []atomic.Int32
	running atomic.Int32
	most    atomic.Int32
	pause   time.Duration
}

func (t *countTask) Do(part int) {
	n := t.running.Add(1)
	for m := t.most.Load(); n > m && !t.most.CompareAndSwap(m, n); m = t.most.Load() {
	}
	if t.pause > 0 {
		time.Sleep(t.pause)
	}
	t.visits[part].Add(1)
	t.running.Add(-1)
}

func (t *countTask) check(tb testing.TB) {
	tb.Helper()
	for i := range t.visits {
		if n := t.visits[i].Load(); n != 1 {
			tb.Fatalf("part %d of %d was done %d times, want once", i, len(t.visits), n)
		}
	}
}

func TestRunDoesEachPartOnce(t *testing.T) {
	withProcs(t, 4)
	var team Team
	for _, threads := range []int{0, 1, 2, 3, 8} {
		for _, parts := range []int{0, 1, 2, 3, 7, 100} {
			for range 50 {
				task := &countTask{visits: make([]atomic.Int32, parts)}
				team.Run(threads, parts, task)
				task.check(t)
				if most := int(task.most.Load()); most > max(threads, 1) {
					t.Fatalf("%d parts ran at a time, want at most %d", most, threads)
				}
			}
		}
	}
}

// After a sleep the helpers are parked and must be woken.
func TestRunWakesParkedHelpers(t *testing.T) {
	withProcs(t, 3)
	var team Team
	for range 5 {
		task := &countTask{visits: make([]atomic.Int32, 3), pause: 20 * time.Millisecond}
		team.Run(3, 3, task)
		task.check(t)
		if most := task.most.Load(); most != 3 {
			t.Errorf("%d parts ran at a time, want 3", most)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestRunFromManyCallers(t *testing.T) {
	withProcs(t, 4)
	var team Team
	before := runtime.NumGoroutine()
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for i := range 300 {
				task := &countTask{visits: make([]atomic.Int32, 1+i%17)}
				team.Run(4, len(task.visits), task)
				task.check(t)
			}
		})
	}
	callers.Wait()
	if n := runtime.NumGoroutine() - before; n > 3 {
		t.Errorf("%d goroutines were left, want at most GOMAXPROCS−1 = 3", n)
	}
}

// A smaller GOMAXPROCS holds for helpers that were started before.
func TestRunFollowsGOMAXPROCS(t *testing.T) {
	withProcs(t, 4)
	var team Team
	for _, procs := range []int{4, 2, 1, 3} {
		runtime.GOMAXPROCS(procs)
		task := &countTask{visits: make([]atomic.Int32, 12), pause: time.Millisecond}
		team.Run(8, 12, task)
		task.check(t)
		if most := int(task.most.Load()); most > procs {
			t.Errorf("GOMAXPROCS %d: %d parts ran at a time", procs, most)
		}
	}
}

type funcTask func(part int)

func (f funcTask) Do(part int) { f(part) }

func TestRunInsideRun(t *testing.T) {
	withProcs(t, 4)
	var team Team
	var n atomic.Int32
	inner := funcTask(func(int) { n.Add(1) })
	team.Run(4, 10, funcTask(func(int) { team.Run(4, 10, inner) }))
	if n.Load() != 100 {
		t.Errorf("%d inner parts were done, want 100", n.Load())
	}
}

func TestRunRaisesThePanicOfAPart(t *testing.T) {
	withProcs(t, 3)
	var team Team
	want := errors.New("broken")
	for bad := range 6 {
		var running atomic.Int32
		got := recovered(func() {
			team.Run(3, 6, funcTask(func(part int) {
				running.Add(1)
				defer running.Add(-1)
				time.Sleep(100 * time.Microsecond)
				if part == bad {
					panic(want)
				}
			}))
		})
		if got != want {
			t.Errorf("part %d panicked with %v, Run with %v", bad, want, got)
		}
		if n := running.Load(); n != 0 {
			t.Errorf("%d parts were running when Run panicked", n)
		}
	}
	task := &countTask{visits: make([]atomic.Int32, 20)}
	team.Run(3, 20, task)
	task.check(t)
}

func recovered(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// A part that ends its goroutine, as t.FailNow does, must not take a helper with it.
func TestRunSurvivesGoexit(t *testing.T) {
	withProcs(t, 3)
	var team Team
	for range 20 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			team.Run(3, 3, funcTask(func(int) {
				time.Sleep(100 * time.Microsecond)
				runtime.Goexit()
			}))
		}()
		<-done
	}
	task := &countTask{visits: make([]atomic.Int32, 3), pause: 20 * time.Millisecond}
	team.Run(3, 3, task)
	task.check(t)
	if most := task.most.Load(); most != 3 {
		t.Errorf("%d parts ran at a time after helpers had been ended, want 3", most)
	}
}

// sumTask adds up blocks of 64 numbers.
type sumTask struct{ x, sums []float64 }

func (t *sumTask) Do(part int) {
	s := 0.0
	for _, v := range t.x[part*64 : part*64+64] {
		s += v
	}
	t.sums[part] = s
}

func TestRunAllocatesNothing(t *testing.T) {
	withProcs(t, 2)
	var team Team
	task := &sumTask{x: make([]float64, 640), sums: make([]float64, 10)}
	if n := allocations(100, func() { team.Run(2, 10, task) }); n != 0 {
		t.Errorf("100 calls of Run allocate %d times", n)
	}
}

// allocations counts what n calls of f allocate after a first one. Unlike testing.AllocsPerRun it leaves GOMAXPROCS as it is.
func allocations(n int, f func()) int {
	var before, after runtime.MemStats
	for range 100 { // the runtime allocates too, now and then
		f()
		runtime.ReadMemStats(&before)
		for range n {
			f()
		}
		runtime.ReadMemStats(&after)
		if after.Mallocs == before.Mallocs {
			return 0
		}
	}
	return int(after.Mallocs - before.Mallocs)
}

func TestScratchLendsAreasApart(t *testing.T) {
	var s Scratch[[]float32]
	s.Prepare(3, func(mem *[]float32) { Grow(mem, 100) })
	i, a := s.Take()
	j, b := s.Take()
	if i == j || a == b {
		t.Fatal("two parts got the same area")
	}
	s.Release(i)
	if k, c := s.Take(); k != i || c != a {
		t.Error("a released area was not lent again")
	}
	if n := allocations(10, func() { s.Prepare(3, func(mem *[]float32) { Grow(mem, 50) }) }); n != 0 {
		t.Errorf("Prepare for a smaller size allocates %d times", n)
	}
}

func BenchmarkRun(b *testing.B) {
	task := &sumTask{x: make([]float64, 640), sums: make([]float64, 10)}
	for range b.N {
		Workers().Run(runtime.GOMAXPROCS(0), 10, task)
	}
}

// meeting is a task whose parts wait for one another, so that each of them is on a goroutine of its own.
type meeting struct {
	parts int32
	come  atomic.Int32
}

func (m *meeting) Do(int) {
	m.come.Add(1)
	for m.come.Load() < m.parts {
		relax()
	}
}

// BenchmarkForkJoin is what it costs to share work that is none: to hand a part to each helper, all of which are looking for work, to see
// it begun, and to wait for its end. The helpers are a team of the benchmark's own, so that none is taken.
func BenchmarkForkJoin(b *testing.B) {
	for threads := 1; threads <= runtime.GOMAXPROCS(0); threads *= 2 {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			var team Team
			task := &meeting{parts: int32(threads)}
			for b.Loop() {
				task.come.Store(0)
				team.Run(threads, threads, task)
			}
		})
	}
}

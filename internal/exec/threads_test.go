package exec_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paddle/internal/exec"
	"paddle/op"
)

// busy is an op whose parts take long enough to be seen to run at once.
type busy struct{ gauge *gauge }

// gauge counts what runs at a time.
type gauge struct{ running, most atomic.Int32 }

func (g *gauge) part(int, int) {
	n := g.running.Add(1)
	for m := g.most.Load(); n > m && !g.most.CompareAndSwap(m, n); m = g.most.Load() {
	}
	time.Sleep(500 * time.Microsecond)
	g.running.Add(-1)
}

func (busy) Name() string                            { return "busy" }
func (busy) Infer(s *op.Shapes) ([]op.Spec, error)   { return []op.Spec{s.In[0]}, s.Arity(1) }
func (b busy) Run(e *op.Env, _, _ []op.Buffer) error { e.Parallel(16, 1, b.gauge.part); return nil }

func busyProgram(t *testing.T, g *gauge) *exec.Program {
	t.Helper()
	x := op.NewGraph(nil).Full(op.Float32, 1)
	return compile(t, exec.Options{}, op.Apply(busy{g}, x)[0])
}

func nothing([]op.Buffer) error { return nil }

// A run computes on no more goroutines than GOMAXPROCS at its time and than SetThreads says.
func TestRunKeepsToItsThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var g gauge
	p := busyProgram(t, &g)
	for _, c := range []struct{ procs, threads, want int }{{4, 0, 4}, {4, 2, 2}, {4, 1, 1}, {2, 0, 2}, {2, 3, 2}, {1, 0, 1}, {3, 100, 3}, {3, -1, 3}} {
		runtime.GOMAXPROCS(c.procs)
		p.SetThreads(c.threads)
		g.most.Store(0)
		if err := p.Run(context.Background(), nil, 0, nothing); err != nil {
			t.Fatal(err)
		}
		if got := int(g.most.Load()); got != c.want {
			t.Errorf("GOMAXPROCS %d, SetThreads(%d): %d parts ran at a time, want %d", c.procs, c.threads, got, c.want)
		}
	}
}

// Programs that run at once share the helpers: together they compute on as many goroutines as there are callers and GOMAXPROCS−1 more,
// however many threads each may use.
func TestProgramsShareTheHelpers(t *testing.T) {
	const procs, programs = 4, 5
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	before := runtime.NumGoroutine()
	var g gauge
	var callers sync.WaitGroup
	for range programs {
		p := busyProgram(t, &g)
		callers.Go(func() {
			for range 10 {
				if err := p.Run(context.Background(), nil, 0, nothing); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	if most := int(g.most.Load()); most > programs+procs-1 {
		t.Errorf("%d programs computed on %d goroutines at a time, want at most %d", programs, most, programs+procs-1)
	}
	if left := runtime.NumGoroutine() - before; left > procs-1 {
		t.Errorf("%d goroutines are left, want at most %d helpers", left, procs-1)
	}
}

package exec_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"paddle/internal/exec"
	"paddle/op"
)

// training builds a step of a small perceptron with a running mean and a sparse table in it: it takes what a layer and an optimizer take.
func training(t testing.TB) (net *counter, g *op.Graph, fetch []*op.Node) {
	t.Helper()
	net, g = newCounter(t)
	x, ids := g.Input("x", op.Float64, op.Batch, 2), g.Input("ids", op.Int32, op.Batch)
	table := g.ReadParameter(net.P) // two rows of one number each
	h := op.Tanh(op.Add(op.MatMul(x, op.Transpose(op.Concat(0, op.Reshape(g.Read(net.V), 1, 2), op.Reshape(g.Read(net.W), 1, 2)))), op.Reshape(op.GatherRows(table, ids, -1), op.Batch, 1)))
	loss := op.Mean(op.Square(op.AddConst(h, -0.5)))
	grads := op.Gradient(loss, g.Read(net.V), table)
	rows := op.MergeRows(grads[1]).Sparse()
	assign(g.Read(net.V), op.Sub(g.Read(net.V), op.MulConst(grads[0], 0.1)))
	assign(g.Read(net.W), op.Add(op.MulConst(g.Read(net.W), 0.9), op.MulConst(op.Mean(h, 0), 0.1)))
	assign(table, op.Sub(table, op.MulConst(op.Densify(op.SparseRows([]op.Dim{2}, rows.IDs, rows.Values, -1)), 0.1)))
	return net, g, []*op.Node{loss, h}
}

func batchOf(n int) op.Feeds {
	x, ids := op.NewBuffer(op.Float64, n, 2), op.NewBuffer(op.Int32, n)
	for i := range n {
		x.Float64s()[2*i], x.Float64s()[2*i+1] = float64(i%5)/5, float64(i%3)/3
		ids.Int32s()[i] = int32(i % 2)
	}
	return op.Feeds{"x": x.Dense(), "ids": ids.Dense()}
}

// In steady state a run allocates nothing: not for sizes that it has never met, if they are no larger than the largest so far.
func TestRunAllocatesNothing(t *testing.T) {
	_, g, fetch := training(t)
	p, err := exec.Compile(g, fetch, exec.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	const bindings = 200
	feeds := make([]op.Feeds, bindings)
	for i := range feeds {
		feeds[i] = batchOf(1 + i*7)
	}
	total := 0.0
	use := func(out []op.Buffer) error {
		total += out[0].Scalar()
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	once := func(f op.Feeds) {
		if err := p.Run(ctx, f, 1, use); err != nil {
			t.Fatal(err)
		}
	}
	once(feeds[bindings-1])
	once(feeds[bindings-1])
	n := mallocs(func() {
		for i := range feeds {
			once(feeds[(i*61)%bindings]) // 61 and 200 have no common factor: all sizes, large and small in turn
		}
	})
	if n > 0 {
		t.Errorf("%d runs of as many sizes allocate %d times", bindings, n)
	}
}

// mallocs returns how often f allocates: the least of ten tries, with the garbage collector off, because that and other goroutines of the
// process may allocate meanwhile.
func mallocs(f func()) uint64 {
	least := ^uint64(0)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for try := 0; try < 10 && least > 0; try++ {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}

func TestG01RepeatedStepsDoNotLeak(t *testing.T) {
	_, g, fetch := training(t)
	p, err := exec.Compile(g, fetch, exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	feeds := []op.Feeds{batchOf(40), batchOf(9), batchOf(64), batchOf(1)}
	var at100 uint64
	for i := range 1000 {
		run(t, p, feeds[i%len(feeds)], uint64(i))
		if i == 99 {
			at100 = heap()
		}
	}
	if at1000 := heap(); float64(at1000) > 1.05*float64(at100) {
		t.Errorf("the heap has %d bytes after 1000 steps, and had %d after 100", at1000, at100)
	}
	runtime.KeepAlive(p)
}

// Programs that are made and dropped leave neither memory nor goroutines.
func TestG01DroppedProgramsDoNotLeak(t *testing.T) {
	make1 := func() {
		_, g, fetch := training(t)
		p, err := exec.Compile(g, fetch, exec.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		run(t, p, batchOf(64), 0)
	}
	for range 20 {
		make1()
	}
	memory, goroutines := heap(), runtime.NumGoroutine()
	for range 200 {
		make1()
	}
	if now := heap(); float64(now) > 1.05*float64(memory)+1<<16 {
		t.Errorf("the heap has %d bytes after 200 programs, and had %d", now, memory)
	}
	if now := runtime.NumGoroutine(); now > goroutines {
		t.Errorf("there are %d goroutines after 200 programs, and were %d", now, goroutines)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Many goroutines run one program, each with sizes of its own, and get what they would get alone.
func TestG02ConcurrentRuns(t *testing.T) {
	_, g, fetch := training(t)
	// Without updates: compiled from a copy for inference.
	c, find := op.Copy(g, op.Inference, fetch...)
	p, err := exec.Compile(c, []*op.Node{find(fetch[0]), find(fetch[1])}, exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const callers = 8
	want := make([][]op.Buffer, callers)
	for i := range want {
		want[i] = run(t, p, batchOf(1+3*i), 0)
	}
	rounds := 100
	if testing.Short() {
		rounds = 20
	}
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for range rounds {
				got, err := attempt(context.Background(), p, batchOf(1+3*i), 0)
				if err != nil {
					t.Error(err)
					return
				}
				for k := range got {
					if !equal(got[k], want[i][k]) {
						t.Errorf("caller %d got %v, want %v", i, got[k].Float64s(), want[i][k].Float64s())
						return
					}
				}
			}
		})
	}
	all.Wait()
}

// Runs that write a variable exclude each other and those that read it: no step is lost, and nobody sees half of one.
func TestConcurrentSteps(t *testing.T) {
	net, g := newCounter(t)
	one := g.Input("one", op.Float64, 2)
	sum := op.Add(g.Read(net.V), one)
	assign(g.Read(net.V), sum)
	assign(g.Read(net.W), op.Add(g.Read(net.W), one))
	step := whole(t, g, sum)
	h := op.NewGraph(net)
	read := compile(t, exec.Options{}, op.Sub(h.Read(net.V), h.Read(net.W)))
	const callers, rounds = 4, 200
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range rounds {
				if _, err := attempt(context.Background(), step, op.Feeds{"one": vector(1, 1)}, 0); err != nil {
					t.Error(err)
				}
				out, err := attempt(context.Background(), read, nil, 0)
				if err != nil || !slices.Equal(out[0].Float64s(), []float64{0, 0}) {
					t.Errorf("a reader saw the difference %v of two variables that change together (%v)", out, err)
					return
				}
			}
		})
	}
	all.Wait()
	if got := valueOf(t, net.V); !slices.Equal(got, []float64{callers * rounds, callers * rounds}) {
		t.Errorf("after %d steps the counters are %v", callers*rounds, got)
	}
}

// Two programs that write the same variables in another order do not wait for each other for ever.
func TestProgramsDoNotDeadlock(t *testing.T) {
	net, g := newCounter(t)
	h := op.NewGraph(net)
	x, y := g.Input("x", op.Float64, 2), h.Input("x", op.Float64, 2)
	assign(g.Read(net.V), op.Add(g.Read(net.W), x))
	assign(g.Read(net.W), x)
	assign(h.Read(net.W), op.Add(h.Read(net.V), y))
	assign(h.Read(net.V), y)
	programs := []*exec.Program{whole(t, g, x), whole(t, h, y)}
	done := make(chan bool)
	go func() {
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for range 200 {
					if _, err := attempt(context.Background(), programs[i%2], op.Feeds{"x": vector(1, 2)}, 0); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the programs wait for each other")
	}
}

// One seed, one training: the same bits at any number of threads, and other numbers for another seed.
func TestG04SameSeedSameNumbers(t *testing.T) {
	losses := func(seed uint64, threads int) string {
		net := &struct{ W1, W2 *op.Parameter }{}
		g := op.NewGraph(net)
		g.Seed = seed
		if err := net.W1.Define(op.Float32, op.InitXavier{}, 20, 300); err != nil {
			t.Fatal(err)
		}
		if err := net.W2.Define(op.Float32, op.InitNormal{Deviation: 0.1}, 300, 1); err != nil {
			t.Fatal(err)
		}
		x := g.Input("x", op.Float32, op.Batch, 20)
		w1, w2 := g.ReadParameter(net.W1), g.ReadParameter(net.W2)
		loss := op.Mean(op.Square(op.AddConst(op.MatMul(op.Dropout(op.ReLU(op.MatMul(x, w1)), 0.3), w2), -1)))
		for i, d := range op.Gradient(loss, w1, w2) {
			w := []*op.Node{w1, w2}[i]
			assign(w, op.Sub(w, op.MulConst(d, 0.05)))
		}
		p, err := exec.Compile(g, []*op.Node{loss}, exec.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		in := op.NewBuffer(op.Float32, 100, 20)
		for i := range in.Float32s() {
			in.Float32s()[i] = float32(i%17)/8 - 1
		}
		var out []float32
		for i := range 20 {
			out = append(out, run(t, p, op.Feeds{"x": in.Dense()}, uint64(i))[0].Float32s()...)
		}
		return fmt.Sprint(out)
	}
	want := losses(7, 1)
	for _, threads := range []int{1, 2, 3, 8} {
		if got := losses(7, threads); got != want {
			t.Errorf("%d threads: %s\nwant %s", threads, got, want)
		}
	}
	if losses(8, 1) == want {
		t.Error("another seed gives the same numbers")
	}
}

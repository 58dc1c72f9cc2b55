package paddle_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
)

func TestStepThatIsCancelledChangesNothing(t *testing.T) {
	net, trainer := newTrainer(t, 1)
	data := batches(t, blobs(t, 64).InOrder(32))
	must(trainer.Step(context.Background(), data[0]))(t)
	before := values(t, net)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := trainer.Step(ctx, data[1]); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the context's error", err)
	}
	for k := range 20 { // cancelled in the middle
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(k)*5*time.Microsecond)
		_, err := trainer.Step(ctx, data[1])
		cancel()
		if err == nil {
			before = values(t, net)
		}
		sameValues(t, values(t, net), before)
	}
	if _, err := trainer.Step(context.Background(), op.Feeds{"point": data[0]["point"], "label": data[0]["point"]}); err == nil {
		t.Error("a label of another type is no error")
	}
	bad := batches(t, blobs(t, 8).InOrder(8))[0]
	bad["label"].Int32s()[3] = 7
	if _, err := trainer.Step(context.Background(), bad); err == nil || !strings.Contains(err.Error(), "input \"label\": element 3 is 7, want 0 to 2") {
		t.Errorf("got %v, want an error about label 7", err)
	}
	sameValues(t, values(t, net), before)
}

// The whole training, shuffling, dropout and initial values included, gives the same bits on 1 and on 8 threads.
func TestG04SameSeedSameBits(t *testing.T) {
	run := func(threads int, seed uint64) ([]uint64, map[string]op.Buffer) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		net, trainer := newTrainer(t, seed, paddle.ClipGlobalNorm(0.5))
		h := must(trainer.Fit(context.Background(), shuffled(t, 310, 31), paddle.FitOptions{Epochs: 2, RecordSteps: true}))(t)
		var bits []uint64
		for _, s := range h.Steps {
			bits = append(bits, math.Float64bits(s.Step.Loss))
		}
		return bits, values(t, net)
	}
	one, values1 := run(1, 7)
	eight, values8 := run(8, 7)
	if len(one) != 20 || !slices.Equal(one, eight) {
		t.Errorf("losses differ: %v on 1 thread, %v on 8", one, eight)
	}
	sameValues(t, values8, values1)
	if other, _ := run(1, 8); slices.Equal(one, other) {
		t.Error("another seed gives the same losses")
	}
}

func TestG01StepsDoNotLeak(t *testing.T) {
	_, trainer := newTrainer(t, 1)
	data := batches(t, blobs(t, 96).InOrder(40))
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	losses(t, trainer, data, 100)
	at100, goroutines := heap(), runtime.NumGoroutine()
	losses(t, trainer, data, 900)
	if at1000 := heap(); float64(at1000) > 1.05*float64(at100)+64<<10 {
		t.Errorf("the heap grew from %d to %d bytes between steps 100 and 1000", at100, at1000)
	}
	for range 200 {
		_, other := newTrainer(t, 1)
		losses(t, other, data, 1)
	}
	if after := heap(); float64(after) > 1.05*float64(at100)+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes with 200 trainers that are gone", at100, after)
	}
	for range 100 {
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
}

// allocations returns how many times work allocated, the least of ten tries, with the garbage collector off: that and other goroutines of the
// process allocate now and then, and on a busy machine the runtime does for goroutines that wait. On a quiet one three tries are enough.
func allocations(work func()) uint64 {
	least := uint64(math.MaxUint64)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for try := 0; try < 10 && least > 0; try++ {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}

func TestStepsAllocateNothing(t *testing.T) {
	ctx := context.Background()
	for _, threads := range []int{1, 2} {
		restore := runtime.GOMAXPROCS(threads)
		_, trainer := newTrainer(t, 1, paddle.ClipGlobalNorm(1), paddle.L2(1e-4, nil))
		set := blobs(t, 300)
		var data []op.Feeds
		for n := 200; n >= 1; n-- {
			part := must(set.Slice(0, n+1))(t)
			data = append(data, batches(t, part.InOrder(n+1))[0])
		}
		must(trainer.Step(ctx, data[0]))(t) // the largest
		steps := func(n, sizes int) func() {
			return func() {
				for i := range n {
					if _, err := trainer.Step(ctx, data[i%sizes]); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if n := allocations(steps(200, 1)); n != 0 {
			t.Errorf("%d threads: 200 steps on batches of one size allocate %d times, want 0", threads, n)
		}
		if n := allocations(steps(200, 200)); n != 0 {
			t.Errorf("%d threads: steps on 200 sizes allocate %d times, want 0", threads, n)
		}
		runtime.GOMAXPROCS(restore)
	}
}

func TestFitAndTestAllocateNothingPerBatch(t *testing.T) {
	ctx := context.Background()
	_, trainer := newTrainer(t, 1)
	set := blobs(t, 400)
	few, many := must(set.Slice(0, 100))(t).InOrder(10), set.InOrder(10)
	epochs := 0
	fitOn := func(data datasets.Epochs[op.Feeds]) uint64 {
		return allocations(func() {
			epochs++
			o := paddle.FitOptions{Epochs: epochs, Handler: func(paddle.Event) error { return nil }, Progress: discard{}}
			if _, err := trainer.Fit(ctx, data, o); err != nil {
				t.Fatal(err)
			}
		})
	}
	if a, b := fitOn(datasets.Replay(few)), fitOn(datasets.Replay(many)); b > a+5 {
		t.Errorf("Fit allocates %d times in 10 steps and %d in 40, want about as many", a, b)
	}
	testOn := func(data datasets.Epochs[op.Feeds]) uint64 {
		return allocations(func() {
			if _, err := trainer.Test(ctx, data(0)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if a, b := testOn(datasets.Replay(few)), testOn(datasets.Replay(many)); b > a+5 {
		t.Errorf("Test allocates %d times in 10 batches and %d in 40, want about as many", a, b)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// w is trained on the loss w·x: its gradient is x.
func TestO04A01StepWithAGradientThatIsNotFinite(t *testing.T) {
	type model struct{ A, B *op.Parameter }
	m := &model{}
	g := op.NewGraph(m)
	for _, p := range []*op.Parameter{m.A, m.B} {
		if err := p.Define(op.Float32, op.InitConstant(1)); err != nil {
			t.Fatal(err)
		}
	}
	x := g.Input("x", op.Float32, op.Batch)
	loss := op.Add(op.Mul(g.ReadParameter(m.A), g.Full(op.Float32, 3)), op.Mul(g.ReadParameter(m.B), op.Mean(x)))
	schedule := paddle.StepDecay{Every: 1, Factor: 0.5}
	trainer := must(paddle.NewTrainer(loss, paddle.Adam{LearningRate: 0.1, Schedule: schedule}, paddle.ClipGlobalNorm(1)))(t)
	step := func(v float32) paddle.Step {
		return must(trainer.Step(context.Background(), op.Feeds{"x": floats([]int{2}, v, v)}))(t)
	}
	before := values(t, m)
	for _, v := range []float32{float32(math.Inf(1)), float32(math.NaN())} {
		if s := step(v); s.Applied || s.NonFinite != "b" || s.Update != 0 || s.LearningRate != 0.1 {
			t.Errorf("a gradient %v: %+v, want it not applied and b named", v, s)
		}
		sameValues(t, values(t, m), before)
	}
	s := step(4)
	if !s.Applied || s.NonFinite != "" || s.Update != 1 || s.LearningRate != 0.1 || !near(s.Metrics[0].Value, 5, 1e-6) {
		t.Errorf("a good step: %+v, want the first update, rate 0.1 and norm √(3²+4²)", s)
	}
	for name, b := range values(t, m) {
		if got := float64(b.Float32s()[0]); !near(got, 0.9, 1e-6) { // Adam's first step is ±lr
			t.Errorf("%s is %v, want 0.9", name, got)
		}
	}
	if s = step(4); s.LearningRate != 0.05 || s.Update != 2 {
		t.Errorf("the next step: %+v, want rate 0.05", s)
	}
}

func TestFrozenAndOthersParametersStay(t *testing.T) {
	type gan struct{ G, D layer.FC }
	m := &gan{G: layer.FC{Size: 2}, D: layer.FC{Size: 1}}
	g := op.NewGraph(m)
	noise, label := g.Input("noise", op.Float32, op.Batch, 3), g.Input("label", op.Float32, op.Batch, 1)
	loss := op.BinaryCrossEntropy(m.D.Forward(m.G.Forward(noise)), label)
	m.G.Bias.Frozen = true
	d := must(paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.5}, paddle.Only(&m.D), paddle.Named("d")))(t)
	both := must(paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.5}, paddle.Named("both")))(t)
	feeds := op.Feeds{"noise": floats([]int{2, 3}, 1, 2, 3, 4, 5, 6), "label": floats([]int{2, 1}, 1, 0)}
	moved := func(trainer *paddle.Trainer) []string {
		before := values(t, m)
		must(trainer.Step(context.Background(), feeds))(t)
		var names []string
		for name, b := range values(t, m) {
			if !slices.Equal(b.Float32s(), before[name].Float32s()) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	if got := moved(d); !slices.Equal(got, []string{"d.bias", "d.weight"}) {
		t.Errorf("the trainer of d moved %v", got)
	}
	if got := moved(both); !slices.Equal(got, []string{"d.bias", "d.weight", "g.weight"}) {
		t.Errorf("with g.bias frozen %v moved", got)
	}
	m.D.Weight.Frozen, m.D.Bias.Frozen = true, true
	if _, err := paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.5}, paddle.Only(&m.D)); err == nil || !strings.Contains(err.Error(), "no parameter that is to be trained") {
		t.Errorf("got %v, want an error: all is frozen", err)
	}
}

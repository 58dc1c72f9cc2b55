package exec_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// A run of a Scan and its gradient allocates nothing, whatever the number of steps, sequences and rows, once it has met the largest.
func TestScanAllocatesNothing(t *testing.T) {
	const hidden = 8
	g, fetch := lstmStep(hidden)
	p := optimized(t, g, fetch, exec.Options{Threads: 2})
	var feeds []op.Feeds
	for i := range 12 {
		feeds = append(feeds, lstmFeeds(skewed(1+(i*5)%13, uint64(i)), hidden))
	}
	use := func([]op.Buffer) error { return nil }
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all := func() {
		for _, f := range feeds {
			if err := p.Run(ctx, f, 1, use); err != nil {
				t.Fatal(err)
			}
		}
	}
	all()
	all()
	if n := mallocs(all); n > 0 {
		t.Errorf("%d runs of as many sizes allocate %d times", len(feeds), n)
	}
}

// The bits of a Scan and its gradient do not depend on the number of threads.
func TestScanBitsAtThreads(t *testing.T) {
	const hidden = 33
	lengths := []int{97, 41, 40, 40, 13, 5, 5, 1, 0}
	var want []op.Buffer
	for _, threads := range []int{1, 2, 3, 8} {
		g, fetch := lstmStep(hidden)
		p := optimized(t, g, fetch, exec.Options{Threads: threads})
		got := run(t, p, lstmFeeds(lengths, hidden), 1)
		for i := range want {
			if !equal(got[i], want[i]) {
				t.Errorf("value %d has other bits at %d threads", i, threads)
			}
		}
		if want == nil {
			want = got
		}
	}
}

// A step whose rows make a size negative is an error that names the step.
func TestScanImpossibleStep(t *testing.T) {
	g := op.NewGraph(nil)
	starts, x := g.Input("starts", op.Int32, g.Dim("steps")), g.Input("x", op.Float64, g.Dim("rows"), 2)
	outs, _ := op.Scan(op.ScanInputs{Starts: starts, Rows: []*op.Node{x}}, func(s *op.ScanStep) (out, next []*op.Node) {
		rest := op.Slice(op.Tanh(s.Rows[0]), 0, 1, s.Rows[0].Dim(0))
		return []*op.Node{op.Add(s.Rows[0], op.Sum(rest, 0))}, nil
	})
	p := optimized(t, g, outs[:1], exec.Options{})
	for _, table := range [][]int32{{0, 2, 3}, {0, 3, 3}} {
		starts := op.NewBuffer(op.Int32, len(table))
		copy(starts.Int32s(), table)
		_, err := attempt(context.Background(), p, op.Feeds{"starts": starts.Dense(), "x": op.NewBuffer(op.Float64, 3, 2).Dense()}, 1)
		if empty := table[1] == table[2]; (err != nil) != empty || empty && !strings.Contains(err.Error(), "step 1: ") {
			t.Errorf("starts %v: the error is %v", table, err)
		}
	}
}

// Counts in a body start at their upper bound in every step.
func TestScanWithCountInBody(t *testing.T) {
	g := op.NewGraph(nil)
	starts, bounds := g.Input("starts", op.Int32, g.Dim("steps")), g.Input("bounds", op.Int32, g.Dim("steps"))
	x := g.Input("x", op.Float64, g.Dim("rows"), 2)
	ids, rows := g.Input("ids", op.Int32, g.Dim("words")), g.Input("words", op.Float64, g.Dim("words"), 2)
	outs, _ := op.Scan(op.ScanInputs{
		Starts: starts, Rows: []*op.Node{x}, Streams: []op.Stream{{Bounds: bounds, Rows: []*op.Node{ids, rows}}},
	}, func(s *op.ScanStep) (out, next []*op.Node) {
		merged := op.MergeRows(op.SparseRows([]op.Dim{9, 2}, s.Streams[0][0], s.Streams[0][1], -1))
		sum := op.Sum(op.Square(op.Densify(merged)), 0)
		return []*op.Node{op.Add(s.Rows[0], sum)}, nil
	})
	p := optimized(t, g, outs[:1], exec.Options{})
	id := op.NewBuffer(op.Int32, 9)
	copy(id.Int32s(), []int32{3, 3, 3, 1, 2, 4, 5, 1, 1})
	ones := op.NewBuffer(op.Float64, 9, 2)
	for i := range ones.Float64s() {
		ones.Float64s()[i] = 1
	}
	table := func(v ...int32) op.Buffer {
		b := op.NewBuffer(op.Int32, len(v))
		copy(b.Int32s(), v)
		return b
	}
	feeds := op.Feeds{
		"starts": table(0, 1, 2, 3).Dense(), "bounds": table(0, 3, 7, 9).Dense(), "x": op.NewBuffer(op.Float64, 3, 2).Dense(),
		"ids": id.Dense(), "words": ones.Dense(),
	}
	for range 2 {
		got := run(t, p, feeds, 1)[0].Float64s()
		if want := []float64{9, 9, 4, 4, 4, 4}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

package op_test

import (
	"context"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// scansOf returns the scans among the applications that nodes depend on, each with how often every op occurs in its body.
func scansOf(nodes ...*op.Node) []map[string]int {
	var roots []*op.Call
	for _, n := range nodes {
		c, _ := op.Densify(n).Call()
		roots = append(roots, c)
	}
	var out []map[string]int
	for _, c := range op.Schedule(roots) {
		if b, ok := c.Op.(op.Bodied); ok {
			g, _ := b.Body()
			ops := map[string]int{}
			for _, inner := range g.Calls() {
				ops[inner.Op.Name()]++
			}
			out = append(out, ops)
		}
	}
	return out
}

func cellNamed(name string) cell {
	for _, c := range cells {
		if c.name == name {
			return c
		}
	}
	panic("no cell " + name)
}

// The steps of an LSTM hold the product with the memory only, in both directions: the product with the rows and the gradients of weights are
// computed at once. The backward run computes no function again.
func TestScanHoistsProducts(t *testing.T) {
	w := newWorld(cellNamed("lstm"), []int{4, 2}, false)
	loss := w.loss(t)
	scans := scansOf(append(op.Gradient(loss, w.weights.a, w.weights.b, w.weights.bias), loss)...)
	if len(scans) != 2 || scans[0]["matmul"] != 1 || scans[1]["matmul"] != 1 {
		t.Errorf("the bodies have the ops %v, want one matmul each", scans)
	}
	for _, name := range []string{"concat", "transpose", "sum"} {
		if scans[0][name]+scans[1][name] > 0 {
			t.Errorf("the bodies have %s: %v", name, scans)
		}
	}
	if scans[1]["tanh"]+scans[1]["sigmoid"]+scans[1]["slice"] > 0 {
		t.Errorf("the backward body computes again: %v", scans[1])
	}
}

// The gradient of a table that steps look up rows of is sparse.
func TestScanKeepsSparseGradients(t *testing.T) {
	g := op.NewGraph(nil)
	starts, table := g.Input("starts", op.Int32, g.Dim("steps")), g.Input("table", op.Float64, 100, 2)
	ids, first := g.Input("ids", op.Int32, g.Dim("rows"), 3), g.Input("first", op.Int32, op.Batch, 3)
	outs, _ := op.Scan(op.ScanInputs{Starts: starts, Rows: nodes(ids), Init: nodes(first)}, func(s *op.ScanStep) (out, next []*op.Node) {
		pair := op.Add(op.GatherRows(table, s.Rows[0], -1), op.GatherRows(table, s.Memory[0], -1))
		return nodes(op.Square(op.Sum(pair, 1))), s.Rows
	})
	loss := op.Sum(outs[0])
	d := op.Gradient(loss, table)[0]
	if d.Sparse() == nil {
		t.Fatalf("the gradient is dense, made by %s", d.Name())
	}
	feeds := op.Feeds{
		"starts": dense([]int32{0, 1, 2}, 3), "ids": dense([]int32{7, 8, 7, 9, 9, 1}, 2, 3), "first": dense([]int32{0, 0, 2}, 1, 3),
		"table": dense(weights(200, func(float64) float64 { return 1 }), 100, 2),
	}
	got := compute(t, g, feeds, d)[0]
	for id, count := range map[int]float64{7: 4, 8: 2, 9: 2, 1: 1, 0: 2, 2: 1} { // every sum is 6, its derivative 12
		if got[2*id] != 12*count {
			t.Errorf("the gradient of row %d is %v, want %v", id, got[2*id], 12*count)
		}
	}
}

// A step draws other numbers than the step before; a prediction none.
func TestScanDropout(t *testing.T) {
	g := op.NewGraph(nil)
	x, h := g.Input("x", op.Float64, g.Dim("rows"), 32), g.Input("h", op.Float64, op.Batch, 32)
	starts := g.Input("starts", op.Int32, g.Dim("steps"))
	outs, last := op.Scan(op.ScanInputs{Starts: starts, Rows: nodes(x), Init: nodes(h, op.MulConst(h, 3))}, func(s *op.ScanStep) (out, next []*op.Node) {
		return nodes(op.Dropout(s.Rows[0], 0.5)), nodes(op.Dropout(s.Memory[1], 0.5), s.Memory[0])
	})
	one, two := make([]float64, 64), make([]float64, 32)
	for i := range one {
		one[i], two[i/2] = 1, 2
	}
	feeds := op.Feeds{"starts": dense([]int32{0, 1, 2}, 3), "x": dense(one, 2, 32), "h": dense(two, 1, 32)}
	got := compute(t, g, feeds, outs[0])[0]
	same := 0
	for i := range 32 {
		if got[i] == got[32+i] {
			same++
		}
	}
	if same < 6 || same > 26 {
		t.Errorf("two steps drop the same of %d of 32 elements", same)
	}
	copied, find := op.Copy(g, op.Inference, outs[0], last[0], last[1])
	p, err := exec.Compile(copied, op.Optimize(copied, nodes(find(outs[0]), find(last[0]), find(last[1]))), exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run(context.Background(), feeds, 0, func(out []op.Buffer) error {
		near(t, "prediction", out[0].Float64s(), one, 0)
		near(t, "memory 0", out[1].Float64s(), two, 0) // changed places twice
		near(t, "memory 1", out[2].Float64s(), weights(32, func(float64) float64 { return 6 }), 0)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A program without gradients keeps nothing for them, though the graph has been differentiated.
func TestScanDropsWhatNobodyReads(t *testing.T) {
	memory := func(differentiated bool) int {
		w := newWorld(cellNamed("lstm"), []int{40, 20, 9}, false)
		loss := w.loss(t)
		if differentiated {
			op.Gradient(loss, w.wrt...)
		}
		g, find := op.Copy(w.graph, op.Training, loss)
		n, err := exec.Memory(g, op.Optimize(g, nodes(find(loss))), func(op.Dim) int { return 1 })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if with, without := memory(true), memory(false); with != without {
		t.Errorf("%d bytes, want %d as without a gradient in the graph", with, without)
	}
}

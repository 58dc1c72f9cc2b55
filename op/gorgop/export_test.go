package gorgop_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
	"paddle/op/gorgop"
)

// points returns a tensor of the given shape with different numbers.
func points(shape ...int) *tensor.Dense {
	t := tensor.New(tensor.Of(tensor.Float32), tensor.WithShape(shape...))
	for i := range t.Float32s() {
		t.Float32s()[i] = float32(math.Sin(float64(i)))
	}
	return t
}

// onMachine exports outs, binds the inputs by name and runs a TapeMachine.
func onMachine(t *testing.T, sizes map[op.Dim]int, feeds op.Feeds, outs ...*op.Node) (*gorgonia.ExprGraph, gorgonia.Nodes) {
	t.Helper()
	g, nodes, err := gorgop.Export(sizes, outs...)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range feeds {
		for _, n := range g.ByName(name) {
			if err := gorgonia.Let(n, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	run(t, g)
	return g, nodes
}

func run(t *testing.T, g *gorgonia.ExprGraph) {
	t.Helper()
	m := gorgonia.NewTapeMachine(g)
	defer m.Close()
	if err := m.RunAll(); err != nil {
		t.Fatal(err)
	}
}

// agrees compares what a machine computed with what a Predictor computes, bit for bit.
func agrees(t *testing.T, nodes gorgonia.Nodes, feeds op.Feeds, outs ...*op.Node) {
	t.Helper()
	p, err := paddle.NewPredictor(outs...)
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.Predict(context.Background(), feeds)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		got := nodes[i].Value()
		if !got.Shape().Eq(w.Shape()) {
			t.Fatalf("output %d has shape %v, want %v", i, got.Shape(), w.Shape())
		}
		if g, w := elements(got), elements(w); !equal(g, w) {
			t.Errorf("output %d is %v, want %v", i, g, w)
		}
	}
}

func elements(v gorgonia.Value) []float64 {
	var out []float64
	switch x := v.Data().(type) {
	case float32:
		return []float64{float64(x)}
	case []float32:
		for _, y := range x {
			out = append(out, float64(y))
		}
	case []int32:
		for _, y := range x {
			out = append(out, float64(y))
		}
	}
	return out
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b) && len(a) > 0
}

func TestExportedMLP(t *testing.T) {
	m := newMLP()
	g := op.NewGraph(m)
	probabilities := op.Softmax(m.Out.Forward(m.Hidden.Forward(g.Input("point", op.Float32, op.Batch, 2))))
	feeds := op.Feeds{"point": points(5, 2)}
	graph, nodes := onMachine(t, map[op.Dim]int{op.Batch: 5}, feeds, probabilities)
	agrees(t, nodes, feeds, probabilities)

	weight := graph.ByName("hidden.weight")
	if len(weight) != 1 || weight[0].Value().Uintptr() != m.Hidden.Weight.Dense().Uintptr() {
		t.Fatalf("hidden.weight is %v, want one node over the parameter's memory", weight)
	}
	before := elements(nodes[0].Value())
	m.Hidden.Weight.Dense().Float32s()[0] += 1
	run(t, graph)
	if equal(before, elements(nodes[0].Value())) {
		t.Error("a machine does not see a change of hidden.weight")
	}
	agrees(t, nodes, feeds, probabilities)

	dot := graph.ToDot()
	for _, want := range []string{"digraph", "hidden.weight", "point", "matmul"} {
		if !strings.Contains(dot, want) {
			t.Errorf("the drawing does not contain %q", want)
		}
	}
}

// odds is a model with what a multilayer perceptron lacks.
type odds struct{ Table, Scale *op.Parameter }

func TestExportOfManyKinds(t *testing.T) {
	m := &odds{}
	g := op.NewGraph(m)
	if err := m.Table.Define(op.Float32, op.InitUniform{Low: -1, High: 1}, 4, 3); err != nil {
		t.Fatal(err)
	}
	if err := m.Scale.Define(op.Float32, op.InitConstant(2)); err != nil {
		t.Fatal(err)
	}
	ids, x := g.Input("ids", op.Int32, op.Batch), g.Input("x", op.Float32, op.Batch, 3)
	rows := op.GatherRows(g.ReadParameter(m.Table), ids, -1)
	scaled := op.Mul(op.Add(rows, x), g.ReadParameter(m.Scale))
	long := op.Reshape(scaled, op.Auto, 1) // of a size that is the size of no input
	shifted := op.Add(op.Exp(long), g.Constant(tensor.New(tensor.WithShape(1), tensor.WithBacking([]float32{0.5}))))
	cubed := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Cube(in[0]) }, shifted)
	dropped := op.Dropout(scaled, 0.5)
	outs := []*op.Node{cubed, op.Sum(cubed), dropped, op.ArgMax(scaled, 1), x, op.Mean(op.Concat(0, rows, rows))}
	feeds := op.Feeds{"ids": tensor.New(tensor.WithBacking([]int32{3, 0, 3, 1})), "x": points(4, 3)}
	_, nodes := onMachine(t, map[op.Dim]int{op.Batch: 4}, feeds, outs...)
	agrees(t, nodes, feeds, outs...)
}

func TestExportedGradient(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 3)
	loss := op.Sum(op.Square(op.Tanh(x)))
	outs := append(op.Gradient(loss, x), loss)
	feeds := op.Feeds{"x": points(2, 3)}
	_, nodes := onMachine(t, map[op.Dim]int{op.Batch: 2}, feeds, outs...)
	agrees(t, nodes, feeds, outs...)
}

func TestExportErrors(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, g.Dim("width"))
	ids := g.Input("ids", op.Int32, op.Batch)
	merged := op.MergeRows(op.SparseRows([]op.Dim{10, g.Dim("width")}, ids, x, -1))
	y := op.Tanh(x)
	sizes := map[op.Dim]int{op.Batch: 2, g.Dim("width"): 3}
	for _, c := range []struct {
		name  string
		sizes map[op.Dim]int
		out   *op.Node
		want  string
	}{
		{"no size", map[op.Dim]int{op.Batch: 2}, y, `gorgop.Export: tanh: x has shape (batch, width), and sizes has no number for width`},
		{"no batch", map[op.Dim]int{op.Batch: 0, g.Dim("width"): 3}, y, "size batch is 0"},
		{"not a symbol", map[op.Dim]int{3: 3}, y, "size 3 is 3, want symbols"},
		{"a count", sizes, merged.Sparse().Values, "which only a run can tell"},
		{"a type", sizes, op.Cast(y, op.BFloat16), "type bfloat16, which Gorgonia does not have"},
		{"nil", sizes, nil, "nil"},
	} {
		if _, _, err := gorgop.Export(c.sizes, c.out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, _, err := gorgop.Export(nil); err == nil {
		t.Error("Export of nothing gives no error")
	}
}

// recurrent is a model with an op that has a body and two outputs.
type recurrent struct{ Weight *op.Parameter }

// states builds h ← tanh(x + h·W) over sequences; the tanh is Gorgonia's.
func (r *recurrent) states(t *testing.T, g *op.Graph) (outs, last *op.Node) {
	t.Helper()
	if err := r.Weight.Define(op.Float32, op.InitUniform{Low: -1, High: 1}, 3, 3); err != nil {
		t.Fatal(err)
	}
	starts := g.Input("starts", op.Int32, g.Dim("steps and one"))
	x := g.Input("x", op.Float32, g.Dim("rows"), 3)
	w := g.ReadParameter(r.Weight)
	all, end := op.Scan(op.ScanInputs{Starts: starts, Rows: []*op.Node{x}, Init: []*op.Node{g.Input("first", op.Float32, op.Batch, 3)}}, func(s *op.ScanStep) (out, next []*op.Node) {
		h := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			sum, err := gorgonia.Add(in[0], in[1])
			if err != nil {
				return nil, err
			}
			return gorgonia.Tanh(sum)
		}, s.Rows[0], op.MatMul(s.Memory[0], w))
		return []*op.Node{h}, []*op.Node{h}
	})
	return all[0], end[0]
}

func TestExportOfAnOpWithABody(t *testing.T) {
	m := &recurrent{}
	g := op.NewGraph(m)
	outs, last := m.states(t, g)
	feeds := op.Feeds{"starts": tensor.New(tensor.WithBacking([]int32{0, 3, 5})), "x": points(5, 3), "first": points(3, 3)}
	sizes := map[op.Dim]int{op.Batch: 3, g.Dim("rows"): 5, g.Dim("steps and one"): 3}
	_, nodes := onMachine(t, sizes, feeds, outs, last)
	agrees(t, nodes, feeds, outs, last)
}

package op_test

import (
	"slices"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

func TestGradientIsNilWhereNothingDepends(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := g.Input("x", op.Float32, op.Batch), g.Input("y", op.Float32, op.Batch)
	ids := g.Input("ids", op.Int32, op.Batch)
	for name, c := range map[string]struct {
		loss, wrt *op.Node
	}{
		"unused":                      {op.Sum(x), y},
		"behind a stop":               {op.Sum(op.Mul(y, op.StopGradient(op.Exp(x)))), x},
		"behind integers":             {op.Sum(op.Mul(y, op.Cast(op.Cast(x, op.Int32), op.Float32))), x},
		"behind a comparison":         {op.Sum(op.Where(op.Less(x, y), op.Ones(y), op.Zeros(y))), x},
		"behind a position":           {op.Sum(op.Cast(op.ArgMax(x, 0), op.Float32)), x},
		"behind a rounding":           {op.Sum(op.Round(x)), x},
		"integers themselves":         {op.Sum(op.Cast(ids, op.Float32)), ids},
		"a node that the loss is not": {op.Sum(x), op.Exp(x)},
	} {
		d := op.Gradient(c.loss, c.wrt)
		if len(d) != 1 || d[0] != nil {
			t.Errorf("%s: got %v, want nil", name, d)
		}
	}
	if err := g.Err(); err != nil {
		t.Error(err)
	}
}

func TestGradientBuildsOnlyWhatIsWanted(t *testing.T) {
	build := func() (g *op.Graph, loss, x, w *op.Node) {
		g = op.NewGraph(nil)
		x, w = g.Input("x", op.Float32, op.Batch, 3), g.Input("w", op.Float32, 3, 4)
		return g, op.Sum(op.Tanh(op.MatMul(op.Exp(x), w))), x, w
	}
	added := func(wrt func(x, w *op.Node) []*op.Node) string {
		g, loss, x, w := build()
		before := len(g.Calls())
		op.Gradient(loss, wrt(x, w)...)
		return callNames(g.Calls()[before:])
	}
	if got := added(func(_, _ *op.Node) []*op.Node { return nil }); got != "" && got != "full" {
		t.Errorf("for nothing it builds %q", got)
	}
	w := added(func(_, w *op.Node) []*op.Node { return []*op.Node{w} })
	x := added(func(x, _ *op.Node) []*op.Node { return []*op.Node{x} })
	if got := w; got != "full reshape broadcast_to tanh_grad matmul" {
		t.Errorf("for the second factor it builds %q", got)
	}
	if got := x; got != "full reshape broadcast_to tanh_grad matmul exp_grad" {
		t.Errorf("for the first factor it builds %q", got)
	}
}

// Nothing is built behind a StopGradient, so that what follows it needs no gradient of its own.
func TestGradientStops(t *testing.T) {
	g := op.NewGraph(nil)
	x, y, ids := g.Input("x", op.Float32, op.Batch, 2), g.Input("y", op.Float32, 2), g.Input("ids", op.Int32, op.Batch)
	merged := op.MergeRows(op.SparseRows([]op.Dim{5, 2}, ids, op.StopGradient(op.Exp(x)), -1)) // has no gradient
	loss := op.Sum(op.Mul(op.Sum(merged, 0), y))
	before := len(g.Calls())
	d := op.Gradient(loss, x, y)
	if d[0] != nil || d[1].Err() != nil {
		t.Errorf("got %v and %v, want nil and a sound node", d[0], d[1].Err())
	}
	if got := callNames(g.Calls()[before:]); got != "full reshape broadcast_to mul" {
		t.Errorf("it builds %q", got)
	}
}

// A value that is read many times has one gradient, the sum; the number of nodes grows with the graph, not with its paths.
func TestGradientOfSharedValues(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64)
	y := x
	for range 40 {
		y = op.Add(y, y)
	}
	before := len(g.Calls())
	d := op.Gradient(y, x)[0]
	if n := len(g.Calls()) - before; n > 100 {
		t.Errorf("40 doublings have a gradient of %d nodes", n)
	}
	if got := evaluate(t, op.Feeds{"x": scalar(1.0)}, d)[0][0]; got != 1<<40 {
		t.Errorf("got %v, want 2⁴⁰", got)
	}
	optest.Check(t, optest.Case{Name: "diamond", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: optest.Unary(func(x *op.Node) *op.Node {
		a := op.Exp(x)
		b := op.Mul(a, x)
		return op.Add(op.Mul(a, b), op.Add(op.Tanh(b), a))
	})})
	optest.Check(t, optest.Case{Name: "through views", In: []optest.Input{optest.Float(op.Batch, 4)}, Build: optest.Unary(func(x *op.Node) *op.Node {
		v := op.Reshape(x, op.Batch, 2, 2)
		w := op.Reshape(op.Reshape(v, op.Auto), op.Batch, 4)
		return op.Add(op.Mul(w, x), op.Flatten(op.Exp(v)))
	})})
}

// The gradient of a gradient, for ops that have one.
func TestGradientTwice(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch)
	cube := op.Sum(op.Mul(x, op.Mul(x, x)))
	first := op.Gradient(cube, x)[0]
	second := op.Gradient(op.Sum(first), x)[0]
	got := evaluate(t, op.Feeds{"x": tensorOf([]float64{1, -2, 3})}, first, second)
	if want := []float64{3, 12, 27}; !slices.Equal(got[0], want) {
		t.Errorf("first: got %v, want %v", got[0], want)
	}
	if want := []float64{6, -12, 18}; !slices.Equal(got[1], want) {
		t.Errorf("second: got %v, want %v", got[1], want)
	}
}

func TestGradientForInnerNodes(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch)
	h := op.Square(x)
	loss := op.Sum(op.Mul(h, h))
	d := op.Gradient(loss, h, x, loss)
	got := evaluate(t, op.Feeds{"x": tensorOf([]float64{1, 2})}, d...)
	for i, want := range [][]float64{{2, 8}, {4, 32}, {1}} {
		if !slices.Equal(got[i], want) {
			t.Errorf("%d: got %v, want %v", i, got[i], want)
		}
	}
}

func TestVJP(t *testing.T) {
	g := op.NewGraph(nil)
	x, dy := g.Input("x", op.Float64, 2), g.Input("dy", op.Float64, 2)
	a, b := op.Square(x), op.MulConst(x, 10)
	feeds := op.Feeds{"x": tensorOf([]float64{1, 2}), "dy": tensorOf([]float64{3, 5})}
	for name, c := range map[string]struct {
		ys, dys []*op.Node
		want    []float64
	}{
		"one":              {[]*op.Node{a}, []*op.Node{dy}, []float64{6, 20}},
		"ones":             {[]*op.Node{a}, nil, []float64{2, 4}},
		"two":              {[]*op.Node{a, b}, []*op.Node{dy, dy}, []float64{36, 70}},
		"one given":        {[]*op.Node{a, b}, []*op.Node{nil, dy}, []float64{32, 54}},
		"one twice":        {[]*op.Node{a, a}, []*op.Node{dy, nil}, []float64{8, 24}},
		"y is x":           {[]*op.Node{x}, []*op.Node{dy}, []float64{3, 5}},
		"one inside other": {[]*op.Node{a, op.Exp(op.MulConst(a, 0))}, []*op.Node{dy, dy}, []float64{6, 20}},
	} {
		d := op.VJP(c.ys, c.dys, []*op.Node{x})[0]
		if d.Err() != nil {
			t.Fatal(name, d.Err())
		}
		if got := evaluate(t, feeds, d)[0]; !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if d := op.VJP(nil, nil, []*op.Node{x}); len(d) != 1 || d[0] != nil {
		t.Errorf("of nothing: got %v", d)
	}
}

// Gradient nodes belong to the backward phase and to the layer of what they are the gradient of.
func TestGradientNodesKnowWhereTheyComeFrom(t *testing.T) {
	net := &block{A: &denseLayer{Size: 4}}
	g := op.NewGraph(net)
	loss := op.Sum(net.A.Forward(g.Input("x", op.Float32, op.Batch, 3)))
	for _, c := range g.Calls() {
		c.Segment = 7
	}
	before := len(g.Calls())
	op.Gradient(loss, g.ReadParameter(net.A.Weight))
	for _, c := range g.Calls()[before:] {
		if c.Phase != op.Backward {
			t.Errorf("%s is of the phase %v", c.Name(), c.Phase)
		}
	}
	last := g.Calls()[len(g.Calls())-1]
	if last.Name() != "a.matmul" || last.Segment != 7 {
		t.Errorf("the weight's gradient is %s of segment %d, want a.matmul of segment 7", last.Name(), last.Segment)
	}
	if n := op.Neg(loss); n.Phase() != op.Forward {
		t.Error("what is built after a gradient belongs to it")
	}
}

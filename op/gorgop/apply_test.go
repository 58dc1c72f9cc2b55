package gorgop_test

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
	"paddle/op/gorgop"
	"paddle/op/optest"
)

// double is a user's op, x ↦ 2x, that can be told to misbehave.
type double struct {
	mischief string
}

func (double) Arity() int { return 1 }

func (double) Type() hm.Type { return hm.NewFnType(hm.TypeVariable('a'), hm.TypeVariable('a')) }

func (d double) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	if d.mischief == "panic in InferShape" {
		panic("no shape")
	}
	return in[0].(tensor.Shape).Clone(), nil
}

func (d double) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	switch d.mischief {
	case "panic in Do":
		panic("no value")
	case "error in Do":
		return nil, errors.New("no luck")
	case "nothing":
		return nil, nil
	case "wrong shape":
		return tensor.New(tensor.Of(in[0].Dtype()), tensor.WithShape(in[0].Size()+1)), nil
	case "wrong type":
		return tensor.New(tensor.Of(tensor.Int32), tensor.WithShape(in[0].Shape()...)), nil
	}
	return tensor.Add(in[0], in[0])
}

func (double) ReturnsPtr() bool        { return false }
func (double) CallsExtern() bool       { return false }
func (double) OverwritesInput() int    { return -1 }
func (d double) WriteHash(h hash.Hash) { fmt.Fprintf(h, "double %s", d.mischief) }
func (d double) Hashcode() uint32      { return uint32(len(d.mischief)) }
func (double) String() string          { return "double" }

// doubleWithGradient is double with a SymDiff.
type doubleWithGradient struct{ double }

func (doubleWithGradient) DiffWRT(int) []bool { return []bool{true} }

func (doubleWithGradient) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	n, err := gorgonia.ApplyOp(double{}, grad)
	return gorgonia.Nodes{n}, err
}

// broken is an op that panics where others do not.
type broken struct{ doubleWithGradient }

func (b *broken) String() string { panic(b.mischief) }

func (*broken) DiffWRT(int) []bool { panic("which") }

func TestApplyUsersOp(t *testing.T) {
	reference := func(in []optest.Array) []optest.Array {
		return []optest.Array{in[0].Map(func(x float64) float64 { return 2 * x })}
	}
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 3)}, Batches: []int{3, 1}, Reference: reference,
		Build: optest.Unary(func(x *op.Node) *op.Node { return gorgop.Apply(doubleWithGradient{}, x) }),
	}, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 3)}, Reference: reference, NoGradient: true,
		Build: optest.Unary(func(x *op.Node) *op.Node { return gorgop.Apply(double{}, x) }),
	})
}

// predict runs out on feeds.
func predict(out *op.Node, feeds op.Feeds) (*tensor.Dense, error) {
	p, err := paddle.NewPredictor(out)
	if err != nil {
		return nil, err
	}
	values, err := p.Predict(context.Background(), feeds)
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

func TestMisbehavingOps(t *testing.T) {
	for mischief, want := range map[string]string{
		"panic in InferShape": "double at batch=7: panic: no shape",
		"panic in Do":         "gorgonia.double: panic: no value",
		"error in Do":         "gorgonia.double: no luck",
		"nothing":             "gorgonia.double: no result",
		"wrong shape":         "gorgonia.double: a result of shape (7), want [2 3]",
		"wrong type":          "gorgonia.double: a result of type int32, want float32",
	} {
		g := op.NewGraph(nil)
		y := gorgop.Apply(double{mischief}, g.Input("x", op.Float32, op.Batch, 3))
		if _, err := predict(y, op.Feeds{"x": points(2, 3)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", mischief, err, want)
		}
	}
}

func TestMistakes(t *testing.T) {
	g, other := op.NewGraph(nil), op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 4)
	y := other.Input("y", op.Float32, op.Batch, 4)
	tanh := func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Tanh(in[0]) }
	failed := op.MatMul(x, x)
	for _, c := range []struct {
		name string
		node *op.Node
		want string
	}{
		{"nil op", gorgop.Apply(nil, x), "the op is nil"},
		{"nil function", gorgop.Import(nil, x), "the function is nil"},
		{"op that is a nil pointer", gorgop.Apply((*broken)(nil), x), "gorgop_test.broken at batch=7: panic"},
		{"panic in DiffWRT", op.Gradient(op.Sum(gorgop.Apply(&broken{}, x)), x)[0], "panic in DiffWRT: which"},
		{"nil input", gorgop.Apply(double{}, x, nil), "input 1 is nil"},
		{"no inputs", gorgop.Apply(double{}), "no inputs"},
		{"failed input", gorgop.Apply(double{}, failed), "MatMul"},
		{"foreign input", gorgop.Import(tanh, x, y), "belongs to another graph"},
		{"too many inputs", gorgop.Apply(double{}, x, x), "double at batch=7"},
		{"16 bits", gorgop.Import(tanh, op.Cast(x, op.BFloat16)), "input 0 has type bfloat16, which Gorgonia does not have: cast it"},
		{"nil function result", gorgop.Import(func(gorgonia.Nodes) (*gorgonia.Node, error) { return nil, nil }, x), "no node and no error"},
		{"function's error", gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Mul(in[0], in[0]) }, x), "Inner dimensions do not match up"},
		{"function's own input", gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			return gorgonia.HadamardProd(in[0], gorgonia.NewMatrix(in[0].Graph(), tensor.Float32, gorgonia.WithShape(in[0].Shape()...), gorgonia.WithName("mask")))
		}, x), `it reads the node "mask", which is no argument`},
		{"other ops at other sizes", gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
			if in[0].Shape()[0] == 8 {
				return gorgonia.Sum(in[0], 1)
			}
			return gorgonia.Tanh(in[0])
		}, x), "the ops are not those at batch=7"},
	} {
		if err := c.node.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestWithoutElements(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 4)
	feeds := op.Feeds{"x": tensor.New(tensor.Of(tensor.Float32), tensor.WithShape(0, 4))}
	y, err := predict(gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Tanh(in[0]) }, x), feeds)
	if err != nil || y.Shape().TotalSize() != 0 {
		t.Errorf("tanh of nothing is %v, %v; want nothing", y, err)
	}
	_, err = predict(gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Sum(in[0]) }, x), feeds)
	if err == nil || !strings.Contains(err.Error(), "has no elements, with which Gorgonia cannot compute") {
		t.Errorf("the sum of nothing has the error %v", err)
	}
}

// columns is im2col with a stride of 2: its sizes are quotients, which probing does not find.
func columns(in gorgonia.Nodes) (*gorgonia.Node, error) {
	return gorgonia.Im2Col(in[0], tensor.Shape{3, 3}, tensor.Shape{1, 1}, tensor.Shape{2, 2}, tensor.Shape{1, 1})
}

// columnsOp returns the op of columns.
func columnsOp(t *testing.T) gorgonia.Op {
	t.Helper()
	n, err := columns(gorgonia.Nodes{gorgonia.NewTensor(gorgonia.NewGraph(), tensor.Float32, 4, gorgonia.WithShape(1, 2, 8, 8))})
	if err != nil {
		t.Fatal(err)
	}
	return n.Op()
}

func TestApplyShape(t *testing.T) {
	half := func(g *op.Graph, d op.Dim) op.Dim {
		if g == nil {
			return d
		}
		return g.DivDims(g.AddDims(d, 1), 2)
	}
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 2, optest.Length, 6)}, Batches: []int{3, 4, 1},
		Build: optest.Unary(func(x *op.Node) *op.Node {
			return gorgop.ApplyShape([]op.Dim{op.Batch, half(x.Graph(), optest.Length), 3, 18}, columnsOp(t), x)
		}),
	})
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 2, g.Dim("height"), 6)
	for _, c := range []struct {
		name string
		node *op.Node
		want string
	}{
		{"probed", gorgop.Import(columns, x), "expression: axis 1 of im2col<(3,3), (1, 1), (2,2) (1, 1)> has size 6 at batch=7, height=11; 6 at batch=8, height=11;"},
		{"wrong", gorgop.ApplyShape([]op.Dim{op.Batch, g.Dim("height"), 3, 18}, columnsOp(t), x), "axis 1 has size 6, and the stated height is 11"},
		{"short", gorgop.ApplyShape([]op.Dim{op.Batch}, columnsOp(t), x), "the stated shape has 1 axes, want 4"},
		{"long", gorgop.ApplyShape([]op.Dim{op.Batch, half(g, g.Dim("height")), 3, 18, 1}, columnsOp(t), x), "the stated shape has 5 axes, want 4"},
	} {
		if err := c.node.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestShapesOfExpressions(t *testing.T) {
	g := op.NewGraph(nil)
	width := g.Dim("width")
	x := g.Input("x", op.Float32, op.Batch, width, 2)
	twice := g.MulDims(2, op.Batch)
	doubled := op.Concat(0, x, x) // (2·batch, width, 2)
	for _, c := range []struct {
		want []op.Dim
		f    func(n *gorgonia.Node) (*gorgonia.Node, error)
	}{
		{[]op.Dim{twice, width, 2}, gorgonia.Tanh},
		{[]op.Dim{g.MulDims(twice, width), 2}, func(n *gorgonia.Node) (*gorgonia.Node, error) {
			return gorgonia.Reshape(n, tensor.Shape{n.Shape()[0] * n.Shape()[1], 2})
		}},
		{[]op.Dim{g.MulDims(2, g.MulDims(twice, width))}, gorgonia.Ravel},
		{[]op.Dim{width, 2}, func(n *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Sum(n, 0) }},
		{[]op.Dim{g.AddDims(twice, 3), width, 2}, func(n *gorgonia.Node) (*gorgonia.Node, error) {
			head, err := gorgonia.Slice(n, gorgonia.S(0, 3))
			if err != nil {
				return nil, err
			}
			return gorgonia.Concat(0, n, head)
		}},
	} {
		y := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return c.f(in[0]) }, doubled)
		if !op.SameShape(y.Shape(), c.want) {
			t.Errorf("the shape is %s, want %v (%v)", y.ShapeString(), c.want, y.Err())
		}
	}
}

func TestSizesFoundAtRunTime(t *testing.T) {
	g := op.NewGraph(nil)
	ids, x := g.Input("ids", op.Int32, op.Batch), g.Input("x", op.Float32, op.Batch, 2)
	merged := op.MergeRows(op.SparseRows([]op.Dim{9, 2}, ids, x, -1)).Sparse()
	y := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		n, err := gorgonia.Ravel(in[0])
		if err != nil {
			return nil, err
		}
		return gorgonia.Square(n)
	}, merged.Values)
	feeds := op.Feeds{"ids": tensor.New(tensor.WithBacking([]int32{7, 2, 7})), "x": tensor.New(tensor.WithShape(3, 2), tensor.WithBacking([]float32{1, 2, 3, 4, 5, 6}))}
	got, err := predict(y, feeds)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[9 16 36 64]"; fmt.Sprint(got.Float32s()) != want {
		t.Errorf("the squares are %v, want %s", got.Float32s(), want)
	}
}

func TestTrainingThroughGorgonia(t *testing.T) {
	tanh := func(x *op.Node) *op.Node {
		return gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Tanh(in[0]) }, x)
	}
	ours, theirs := newMLP(), newMLP()
	theirs.Hidden.Act = tanh
	_, want := train(t, ours, paddle.Momentum{LearningRate: 0.1}, 20)
	_, got := train(t, theirs, paddle.Momentum{LearningRate: 0.1}, 20)
	if math.Abs(got-want) > 1e-5 {
		t.Errorf("the loss after 20 steps is %v with Gorgonia's tanh, and %v with ours", got, want)
	}
}

func TestSecondGradient(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch)
	y := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Tanh(in[0]) }, x)
	first := op.Gradient(op.Sum(y), x)[0]
	second := op.Gradient(op.Sum(first), x)[0]
	values := []float64{-1, 0.25, 2}
	got, err := predict(second, op.Feeds{"x": tensor.New(tensor.WithBacking(values))})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		tanh := math.Tanh(v)
		if want := -2 * tanh * (1 - tanh*tanh); math.Abs(got.Float64s()[i]-want) > 1e-12 {
			t.Errorf("the second derivative of tanh at %v is %v, want %v", v, got.Float64s()[i], want)
		}
	}
}

func TestInsideABody(t *testing.T) {
	m := &recurrent{}
	g := op.NewGraph(m)
	outs, last := m.states(t, g)
	loss := op.Add(op.Sum(op.Square(outs)), op.Sum(last))
	grad := op.Gradient(loss, g.ReadParameter(m.Weight))[0]
	feeds := op.Feeds{"starts": tensor.New(tensor.WithBacking([]int32{0, 3, 5})), "x": points(5, 3), "first": points(3, 3)}
	got, err := predict(grad, feeds)
	if err != nil {
		t.Fatal(err)
	}
	value := func() float64 {
		v, err := predict(loss, feeds)
		if err != nil {
			t.Fatal(err)
		}
		return float64(v.Float32s()[0])
	}
	w := m.Weight.Dense().Float32s()
	for i := range w {
		const h = 1.0 / 64
		old := w[i]
		w[i] = old + h
		up := value()
		w[i] = old - h
		down := value()
		w[i] = old
		if want := (up - down) / (2 * h); math.Abs(float64(got.Float32s()[i])-want) > 1e-2 {
			t.Errorf("the gradient of weight %d is %v, by differences %v", i, got.Float32s()[i], want)
		}
	}
}

// TestManyGoroutinesAndSizes runs an op that keeps state, and whose gradient reads it, in many goroutines at more sizes than are kept.
func TestManyGoroutinesAndSizes(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 1, 4, 4)
	y := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		return gorgonia.MaxPool2D(in[0], tensor.Shape{2, 2}, []int{0, 0}, []int{2, 2})
	}, x)
	ours := op.MaxPool2D(x, op.Pool{Size: 2, Stride: 2})
	p, err := paddle.NewPredictor(op.Gradient(op.Sum(op.Square(y)), x)[0], op.Gradient(op.Sum(op.Square(ours)), x)[0])
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			for n := 1; n <= 70; n++ {
				values := points(n, 1, 4, 4)
				for i := range values.Float32s() {
					values.Float32s()[i] *= float32(math.Cos(float64(i * k)))
				}
				out, err := p.Predict(context.Background(), op.Feeds{"x": values})
				if err != nil {
					t.Error(err)
					return
				}
				if a, b := elements(out[0]), elements(out[1]); !equal(a, b) {
					t.Errorf("at batch %d the gradient is %v, want %v", n, a, b)
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestIntegers(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Int64, op.Batch, 3)
	y := gorgop.Import(func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Transpose(in[0]) }, x)
	if y.DType() != op.Int64 {
		t.Fatalf("the type is %v, want int64 (%v)", y.DType(), y.Err())
	}
	got, err := predict(y, op.Feeds{"x": tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]int64{1, 2, 3, 4, 5, -6}))})
	if err != nil {
		t.Fatal(err)
	}
	if want := "[1 4 2 5 3 -6]"; fmt.Sprint(got.Int64s()) != want {
		t.Errorf("the transpose is %v, want %s", got.Int64s(), want)
	}
}

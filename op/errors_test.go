package op_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle/op"
)

// message returns the text of an error of this package after its position, which has to be in a test file.
func message(t *testing.T, err error) string {
	t.Helper()
	var e *op.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *op.Error", err)
	}
	if !regexp.MustCompile(`^\w+_test\.go:\d+$`).MatchString(e.Pos) {
		t.Errorf("the position of %q is no line of a test file", err)
	}
	return strings.TrimPrefix(err.Error(), e.Pos+": ")
}

// The first mistake is kept, and everything that is built from it fails with it.
func TestMistakesPoison(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, 2, 3)
	bad := op.Add(x, g.Input("y", op.Float32, 4))
	late := op.MatMul(x, x)
	for name, n := range map[string]*op.Node{
		"unary": op.Exp(bad), "binary": op.Mul(x, bad), "reshape": op.Reshape(bad, 6), "flatten": op.Flatten(bad), "concat": op.Concat(0, x, bad),
		"stack": op.Stack(0, x, bad), "split": op.Split(bad, 0, 1)[0], "slice": op.Slice(bad, 0, 0, 1), "sum": op.Sum(bad, 0), "sum to": op.SumTo(bad),
		"transpose": op.Transpose(bad), "pad": op.Pad(bad, 0, 1, 1), "ones": op.Ones(bad), "cast": op.Cast(bad, op.Float64), "argmax": op.ArgMax(bad, 0),
		"gradient": op.Gradient(bad, x)[0], "gradient for it": op.Gradient(op.Sum(x), bad)[0], "where": op.Where(bad, x, x), "gather": op.GatherRows(bad, x, 0),
		"sparse": op.SparseRows([]op.Dim{2}, bad, x, 0), "merge": op.MergeRows(bad), "densify": op.Densify(bad), "broadcast": op.BroadcastTo(bad, 4),
		"unsqueeze": op.Unsqueeze(bad, 0), "squeeze": op.Squeeze(bad, 0), "stop": op.StopGradient(bad), "apply": op.Apply(double{}, bad)[0],
		"its twelfth output": op.Apply(double{}, bad)[11],
	} {
		if n.Err() != bad.Err() {
			t.Errorf("%s fails with %v, want %v", name, n.Err(), bad.Err())
		}
	}
	if late.Err() == nil || late.Err() == bad.Err() {
		t.Errorf("a mistake of its own has the error %v", late.Err())
	}
	if g.Err() != bad.Err() {
		t.Errorf("the graph has the error %v, want the first, %v", g.Err(), bad.Err())
	}
}

// A nil node is a mistake and answers every question.
func TestNilNode(t *testing.T) {
	var n *op.Node
	if n.Err() == nil || n.Graph() != nil || n.Rank() != 0 || n.Dim(0) != 0 || n.Shape() != nil || n.DType() != op.InvalidDType || n.Sparse() != nil ||
		n.Variable() != nil || n.Parameter() != nil || n.IsInput() || n.IsApply() || n.Captured() != nil || n.Phase() != op.Forward || n.WithName("n") != nil {
		t.Error("a nil node is something")
	}
	if c, _ := n.Call(); c != nil {
		t.Error("a nil node has an application")
	}
	if _, ok := n.Constant(); ok {
		t.Error("a nil node is a constant")
	}
	if n.Name() != "nil" || n.ShapeString() != "(failed)" {
		t.Errorf("a nil node is called %s %s", n.Name(), n.ShapeString())
	}
	for name, m := range map[string]*op.Node{
		"unary": op.Exp(n), "binary": op.Mul(n, n), "reshape": op.Reshape(n, 6), "flatten": op.Flatten(n), "concat": op.Concat(0, n, n), "clip": op.Clip(n, 2, 1),
		"stack": op.Stack(0, n), "split": op.Split(n, 0, 1)[0], "slice": op.Slice(n, 0, 0, 1), "sum": op.Sum(n, 0), "sum to": op.SumTo(n), "pad": op.Pad(n, 0, 1, 1),
		"gradient": op.Gradient(n, n)[0], "ones": op.Ones(n), "transpose": op.Transpose(n), "gather": op.GatherRows(n, n, 0), "sparse": op.SparseRows(nil, n, n, 0),
		"merge": op.MergeRows(n), "densify": op.Densify(n), "where": op.Where(n, n, n), "cast": op.Cast(n, op.Bool), "broadcast": op.BroadcastTo(n, 1), "count": op.Count(n),
	} {
		if m.Err() == nil || !strings.Contains(m.Err().Error(), "nil") {
			t.Errorf("%s of nil fails with %v", name, m.Err())
		}
	}
}

func TestForeignGraph(t *testing.T) {
	g, h := op.NewGraph(nil), op.NewGraph(nil)
	x, y := g.Input("x", op.Float32, 3), h.Input("y", op.Float32, 3)
	for name, c := range map[string]struct {
		got  *op.Node
		want string
	}{
		"add":      {op.Add(x, y), `op.Add: input "y" belongs to another graph`},
		"concat":   {op.Concat(0, x, y), `op.Concat: input "y" belongs to another graph`},
		"gradient": {op.Gradient(op.Sum(x), y)[0], `op.Gradient: input "y" belongs to another graph`},
		"vjp":      {op.VJP([]*op.Node{x}, []*op.Node{y}, []*op.Node{x})[0], `op.VJP: input "y" belongs to another graph`},
	} {
		if got := message(t, c.got.Err()); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestGradientMisuse(t *testing.T) {
	g := op.NewGraph(nil)
	x, ids := g.Input("x", op.Float32, op.Batch), g.Input("ids", op.Int32, op.Batch)
	for name, c := range map[string]struct {
		got  *op.Node
		want string
	}{
		"not a scalar": {op.Gradient(x, x)[0], `op.Gradient: loss "x" has shape (batch,), want a scalar ()`},
		"not a float":  {op.Gradient(op.Sum(ids), x)[0], `op.Gradient: loss sum has type int32, want a floating-point type`},
		"wrong dy":     {op.VJP([]*op.Node{op.Exp(x)}, []*op.Node{op.Sum(x)}, []*op.Node{x})[0], `op.VJP: the gradient of exp is float32 (), want float32 (batch,)`},
	} {
		if got := message(t, c.got.Err()); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	merged := op.MergeRows(op.SparseRows([]op.Dim{5}, ids, op.Exp(x), -1))
	if got, want := message(t, op.Gradient(op.Sum(merged), x)[0].Err()), "op.Gradient: merge_rows has no gradient"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConstant(t *testing.T) {
	g := op.NewGraph(nil)
	data := []float32{1, 2, 3, 4, 5, 6}
	whole := tensor.New(tensor.WithShape(2, 3), tensor.WithBacking(data))
	column, err := whole.Slice(nil, tensor.S(1))
	if err != nil {
		t.Fatal(err)
	}
	n, m := g.Constant(whole), g.Constant(column.(*tensor.Dense))
	data[1] = 77 // constants are copies
	for _, c := range []struct {
		n    *op.Node
		want string
	}{{n, "[2 3] [1 2 3 4 5 6]"}, {m, "[2] [2 5]"}} {
		b, ok := c.n.Constant()
		if got := fmt.Sprint(b.Shape, b.Float32s()); !ok || got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	for want, bad := range map[string]*tensor.Dense{
		"op.Graph.Constant: constant: the tensor is nil":                                                               nil,
		"op.Graph.Constant: constant: tensor has type uint16, want one of float32, float64, int32, int64, uint8, bool": tensor.New(tensor.WithBacking([]uint16{1})),
		"op.Graph.Constant: constant: the tensor is masked, want one without a mask":                                   tensor.New(tensor.WithBacking([]float32{1, 2}, []bool{true, false})),
		"op.Graph.Constant: constant: 9 axes, want at most 8":                                                          tensor.New(tensor.WithShape(1, 1, 1, 1, 1, 1, 1, 1, 2), tensor.WithBacking([]float32{1, 2})),
	} {
		if got := message(t, op.NewGraph(nil).Constant(bad).Err()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// An input is fed by its name, whatever a building function that handed it back is renamed to.
func TestWithName(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 3)
	if op.Reshape(x, op.Batch, 3).WithName("flat"); x.Name() != "x" {
		t.Errorf("the input is called %q now", x.Name())
	}
	if n := op.Exp(x).WithName("scores"); n.Name() != "scores" {
		t.Errorf("got %q, want scores", n.Name())
	}
	if got, want := message(t, op.Add(op.Exp(x).WithName("scores"), g.Input("y", op.Float64)).Err()), `op.Add: input "y" has type float64, want float32, as input "scores"`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Helper functions of the user's own packages are where a mistake lies; those of this module are passed over.
func TestErrorPosition(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, 3)
	fails := func(x *op.Node) *op.Node { return op.Split(x, 0, 7)[0] } // line of the mistake
	err := fails(x).Err()
	var e *op.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Pos, "errors_test.go:") || e.Op != "op.Split" {
		t.Errorf("got %v", err)
	}
	if e.Unwrap() == nil || e.Unwrap().Error() != `the parts add up to 7, and axis 0 of input "x" has size 3` {
		t.Errorf("unwrapped it is %v", e.Unwrap())
	}
	failed := g.Fail("%w here", errors.ErrUnsupported)
	if !errors.Is(failed.Err(), errors.ErrUnsupported) {
		t.Errorf("%v has lost its cause", failed.Err())
	}
}

package op_test

import (
	"fmt"
	"strings"
	"testing"

	"paddle/op"
)

// optimized returns the ops, with their attributes, of the program that fetches nodes after op.Optimize.
func optimized(t *testing.T, nodes ...*op.Node) string {
	t.Helper()
	for _, n := range nodes {
		if n.Err() != nil {
			t.Fatal(n.Err())
		}
	}
	g, find := op.Copy(nodes[0].Graph(), op.Training, nodes...)
	fetch := make([]*op.Node, len(nodes))
	for i, n := range nodes {
		fetch[i] = find(n)
	}
	var roots []*op.Call
	for _, n := range op.Optimize(g, fetch) {
		if c, _ := n.Call(); c != nil {
			roots = append(roots, c)
		}
	}
	var out []string
	for _, c := range op.Schedule(roots) {
		text := c.Op.Name()
		for _, a := range op.Attributes(c.Op) {
			if a.Name == "Act" && fmt.Sprint(a.Value) != "0" {
				text += "+act"
			}
		}
		if c.Op.Name() == "matmul" && len(c.In) == 3 {
			text += "+bias"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestOptimizeFuses(t *testing.T) {
	g := op.NewGraph(nil)
	x, w, b := g.Input("x", op.Float32, op.Batch, 3), g.Input("w", op.Float32, 3, 4), g.Input("b", op.Float32, 4)
	column := g.Input("column", op.Float32, op.Batch, 1)
	ids := g.Input("ids", op.Int32, op.Batch)
	product := func() *op.Node { return op.MatMul(x, w) }
	kept := op.Add(product(), b)
	both := op.MatMul(x, w)
	segment := op.ReLU(product())
	c, _ := segment.Call()
	c.Segment = 3
	for name, c := range map[string]struct {
		nodes []*op.Node
		want  string
	}{
		"bias":                   {[]*op.Node{op.Add(product(), b)}, "matmul+bias"},
		"bias first":             {[]*op.Node{op.Add(b, product())}, "matmul+bias"},
		"activation":             {[]*op.Node{op.Tanh(product())}, "matmul+act"},
		"both":                   {[]*op.Node{op.ReLU(op.Add(product(), b))}, "matmul+act+bias"},
		"two activations":        {[]*op.Node{op.ReLU(op.Sigmoid(op.Add(product(), b)))}, "matmul+act+bias relu"},
		"bias after activation":  {[]*op.Node{op.Add(op.ReLU(product()), b)}, "matmul+act add"},
		"two biases":             {[]*op.Node{op.Add(op.Add(product(), b), b)}, "matmul+bias add"},
		"no bias but a column":   {[]*op.Node{op.Add(product(), column)}, "matmul add"},
		"no activation it knows": {[]*op.Node{op.GELU(product())}, "matmul gelu"},
		"read twice":             {[]*op.Node{op.Mul(op.ReLU(both), both)}, "matmul relu mul"},
		"fetched":                {[]*op.Node{kept, op.ReLU(kept)}, "matmul+bias relu"},
		"another segment":        {[]*op.Node{segment}, "matmul relu"},
		"a multiple":             {[]*op.Node{op.Add(x, op.MulConst(op.Exp(x), 3))}, "exp add_scaled"},
		"a multiple first":       {[]*op.Node{op.Add(op.MulConst(op.Exp(x), 3), x)}, "exp add_scaled"},
		"a multiple of itself":   {[]*op.Node{op.Add(x, op.MulConst(x, 3))}, "mul_const add"},
		"a multiple of a column": {[]*op.Node{op.Add(x, op.MulConst(column, 3))}, "mul_const add"},
		"a multiple of integers": {[]*op.Node{op.Add(ids, op.MulConst(op.Neg(ids), 3))}, "neg mul_const add"},
		"subtraction":            {[]*op.Node{op.Sub(product(), b)}, "matmul sub"},
	} {
		if got := optimized(t, c.nodes...); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestOptimizeMerges(t *testing.T) {
	g := op.NewGraph(nil)
	x, ids := g.Input("x", op.Float32, op.Batch, 3), g.Input("ids", op.Int32, op.Batch)
	segment := op.Tanh(x)
	c, _ := segment.Call()
	c.Segment = 1
	merged := func() *op.Node {
		return op.MergeRows(op.SparseRows([]op.Dim{5, 3}, ids, x, -1)).Sparse().Values
	}
	for name, c := range map[string]struct {
		nodes []*op.Node
		want  string
	}{
		"equal":               {[]*op.Node{op.Mul(op.Exp(x), op.Exp(x))}, "exp mul"},
		"chains":              {[]*op.Node{op.Mul(op.Tanh(op.Exp(x)), op.Tanh(op.Exp(x)))}, "exp tanh mul"},
		"other ops":           {[]*op.Node{op.Mul(op.Exp(x), op.Tanh(x))}, "exp tanh mul"},
		"other attributes":    {[]*op.Node{op.Mul(op.AddConst(x, 1), op.AddConst(x, 2))}, "add_const add_const mul"},
		"other order":         {[]*op.Node{op.Mul(op.Sub(x, op.Exp(x)), op.Sub(op.Exp(x), x))}, "exp sub sub mul"},
		"slices":              {[]*op.Node{op.Mul(op.Slice(x, 1, 0, 2), op.Slice(x, 1, 1, 3))}, "slice slice mul"},
		"equal slices":        {[]*op.Node{op.Mul(op.Slice(x, 1, 0, 2), op.Slice(x, 1, 0, 2))}, "slice mul"},
		"fetched twice":       {[]*op.Node{op.Exp(x), op.Exp(x)}, "exp"},
		"random":              {[]*op.Node{op.Mul(op.Dropout(x, 0.5), op.Dropout(x, 0.5))}, "dropout dropout mul"},
		"segments":            {[]*op.Node{op.Mul(op.Tanh(x), segment)}, "tanh tanh mul"},
		"run-time counts":     {[]*op.Node{op.Sum(merged()), op.Sum(merged())}, "merge_rows sum merge_rows sum"},
		"softmax and its log": {[]*op.Node{op.Add(op.Softmax(x), op.LogSoftmax(x))}, "softmax log_softmax add"},
		"casts":               {[]*op.Node{op.Cast(x, op.Float64), op.Cast(x, op.Int32)}, "cast cast"},
	} {
		if got := optimized(t, c.nodes...); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// What has to run after something runs after what has taken its place.
func TestOptimizeKeepsDependencies(t *testing.T) {
	g := op.NewGraph(nil)
	x, w := g.Input("x", op.Float32, op.Batch, 3), g.Input("w", op.Float32, 3, 4)
	hidden := op.ReLU(op.MatMul(x, w))
	again, other := op.Exp(x), op.Tanh(op.MatMulT(x, op.Neg(x)))
	first, _ := hidden.Call()
	for _, n := range []*op.Node{again, other} {
		c, _ := n.Call()
		c.Deps = append(c.Deps, first)
	}
	fetch := op.Optimize(g, []*op.Node{again, other, hidden})
	fused, _ := fetch[2].Call()
	for _, n := range fetch[:2] {
		c, _ := n.Call()
		if len(c.Deps) != 1 || c.Deps[0] != fused {
			t.Errorf("%s waits for %v, want the product with its activation", c.Name(), callNames(c.Deps))
		}
	}
	if got := callNames(op.Schedule(append([]*op.Call{fused}, callsOf(fetch)...))); got != "matmul exp neg matmul" {
		t.Errorf("got %q", got)
	}
}

func callsOf(nodes []*op.Node) (out []*op.Call) {
	for _, n := range nodes {
		c, _ := n.Call()
		out = append(out, c)
	}
	return out
}

func TestOptimizeOfAMistake(t *testing.T) {
	g := op.NewGraph(nil)
	bad := op.Reshape(g.Input("x", op.Float32, 3), 4)
	if got := op.Optimize(g, []*op.Node{bad}); len(got) != 1 || got[0] != bad {
		t.Errorf("got %v, want the failed node", got)
	}
}

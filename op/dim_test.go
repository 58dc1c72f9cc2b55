package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"paddle/op"
)

func TestDimNormalForm(t *testing.T) {
	g := op.NewGraph(nil)
	b, n := op.Batch, g.Dim("time")
	add, mul, div := g.AddDims, g.MulDims, g.DivDims
	for _, c := range []struct {
		got, want op.Dim
		text      string
	}{
		{g.Dim("batch"), b, "batch"},
		{g.Dim("time"), n, "time"},
		{add(2, 3), 5, "5"},
		{mul(2, 3), 6, "6"},
		{div(7, 2), 3, "3"},
		{add(b, 0), b, "batch"},
		{mul(b, 1), b, "batch"},
		{mul(b, 0), 0, "0"},
		{mul(0, b), 0, "0"},
		{div(b, 1), b, "batch"},
		{div(0, b), 0, "0"},
		{add(b, n), add(n, b), "batch+time"},
		{mul(b, n), mul(n, b), "batch·time"},
		{add(mul(b, 2), b), mul(3, b), "3·batch"},
		{add(add(b, 1), 1), add(2, b), "batch+2"},
		{mul(add(b, 1), add(b, 1)), add(add(mul(b, b), mul(2, b)), 1), "batch·batch+2·batch+1"},
		{mul(add(b, n), 2), add(mul(b, 2), mul(n, 2)), "2·batch+2·time"},
		{div(mul(b, 6), 3), mul(2, b), "2·batch"},
		{div(mul(b, n), b), n, "time"},
		{div(mul(mul(b, 6), n), mul(2, n)), mul(3, b), "3·batch"},
		{div(add(mul(b, 4), 2), 2), add(mul(2, b), 1), "2·batch+1"},
		{div(add(b, 1), add(b, 1)), 1, "1"},
		{div(b, b), 1, "1"},
		{div(b, 2), div(b, 2), "batch/2"},
		{div(add(b, 1), 2), div(add(1, b), 2), "(batch+1)/2"},
		{mul(2, div(add(b, 1), 2)), mul(div(add(b, 1), 2), 2), "2·((batch+1)/2)"},
		{div(6, b), div(6, b), "6/batch"},
		{div(n, add(b, 1)), div(n, add(1, b)), "time/(batch+1)"},
	} {
		if c.got != c.want {
			t.Errorf("%s and %s differ", g.DimString(c.got), g.DimString(c.want))
		}
		if text := g.DimString(c.got); text != c.text {
			t.Errorf("got %q, want %q", text, c.text)
		}
	}
	if err := g.Err(); err != nil {
		t.Error(err)
	}
}

// expression is a random expression of symbols in two forms: as a Dim, and as a function of the numbers behind the symbols.
type expression struct {
	dim   op.Dim
	value func(numbers []int) int
}

func randomExpression(g *op.Graph, symbols []op.Dim, r *rand.Rand, depth int) expression {
	if depth == 0 || r.IntN(4) == 0 {
		if r.IntN(3) == 0 {
			n := r.IntN(5)
			return expression{op.Dim(n), func([]int) int { return n }}
		}
		i := r.IntN(len(symbols))
		return expression{symbols[i], func(numbers []int) int { return numbers[i] }}
	}
	a, b := randomExpression(g, symbols, r, depth-1), randomExpression(g, symbols, r, depth-1)
	switch r.IntN(3) {
	case 0:
		return expression{g.AddDims(a.dim, b.dim), func(n []int) int { return a.value(n) + b.value(n) }}
	case 1:
		return expression{g.MulDims(a.dim, b.dim), func(n []int) int { return a.value(n) * b.value(n) }}
	}
	if b.dim == 0 {
		return a
	}
	return expression{g.DivDims(a.dim, b.dim), func(n []int) int {
		if d := b.value(n); d != 0 {
			return a.value(n) / d
		}
		return 0
	}}
}

// Whatever is done to an expression, its number is the number of what was written, for every binding of the symbols.
func TestDimArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		g := op.NewGraph(nil)
		symbols := []op.Dim{op.Batch, g.Dim("time"), g.Dim("words.rows")}
		var all []expression
		for range 5 {
			all = append(all, randomExpression(g, symbols, r, 4))
		}
		sizes := g.NewSizes()
		for range 5 {
			sizes.Reset()
			numbers := make([]int, len(symbols))
			for i, d := range symbols {
				numbers[i] = 1 + r.IntN(6) // a quotient by a symbol is exact only where that is not 0
				sizes.Bind(d, numbers[i])
			}
			sizes.Update()
			for _, e := range all {
				if got, want := sizes.Of(e.dim), e.value(numbers); got != want {
					t.Fatalf("%s is %d with batch, time, rows = %v, want %d", g.DimString(e.dim), got, numbers, want)
				}
			}
		}
	}
}

func TestDimErrors(t *testing.T) {
	for name, c := range map[string]struct {
		build func(g *op.Graph) op.Dim
		want  string
	}{
		"negative":            {func(g *op.Graph) op.Dim { return g.AddDims(op.Batch, -3) }, "op.Graph.AddDims: size -3, want a number from 0 up or a symbol of this graph such as op.Batch"},
		"no symbol":           {func(g *op.Graph) op.Dim { return g.MulDims(op.Batch-77, 2) }, "op.Graph.MulDims: size -1048653, want a number from 0 up or a symbol of this graph such as op.Batch"},
		"auto":                {func(g *op.Graph) op.Dim { return g.AddDims(op.Auto, 2) }, "op.Graph.AddDims: size -2147483648, want a number from 0 up or a symbol of this graph such as op.Batch"},
		"division by zero":    {func(g *op.Graph) op.Dim { return g.DivDims(op.Batch, 0) }, "op.Graph.DivDims: size batch divided by 0"},
		"shape with a wrong":  {func(g *op.Graph) op.Dim { g.Input("x", op.Float32, op.Batch, -5); return 0 }, `op.Graph.Input: input "x": axis 1 has size -5, want a number from 0 up or a symbol of this graph such as op.Batch`},
		"too many axes":       {func(g *op.Graph) op.Dim { g.Input("x", op.Float32, 1, 2, 3, 4, 5, 6, 7, 8, 9); return 0 }, `op.Graph.Input: input "x": 9 axes, want at most 8`},
		"no type":             {func(g *op.Graph) op.Dim { g.Input("x", op.InvalidDType); return 0 }, `op.Graph.Input: input "x": invalid is no element type`},
		"no name":             {func(g *op.Graph) op.Dim { g.Input("", op.Float32); return 0 }, `op.Graph.Input: an input needs a name`},
		"one name twice":      {func(g *op.Graph) op.Dim { g.Input("x", op.Float32, op.Batch); g.Input("x", op.Float32); return 0 }, `op.Graph.Input: input "x" is there already, with shape (batch,)`},
		"full of a bad shape": {func(g *op.Graph) op.Dim { g.Full(op.Float32, 1, -2); return 0 }, `op.Graph.Full: output 0 of full: axis 0 has size -2, want a number from 0 up or a symbol of this graph such as op.Batch`},
	} {
		g := op.NewGraph(nil)
		c.build(g)
		if got := message(t, g.Err()); got != c.want {
			t.Errorf("%s: got %q\nwant %q", name, got, c.want)
		}
	}
}

// Sizes bind once, and a second number for a symbol is refused.
func TestSizes(t *testing.T) {
	g := op.NewGraph(nil)
	n := g.Dim("time")
	twice := g.MulDims(op.Batch, 2)
	s := g.NewSizes()
	if s.IsBound(op.Batch) || !s.IsBound(7) {
		t.Error("a fresh symbol is bound, or a number is not")
	}
	first, again, other := s.Bind(op.Batch, 3), s.Bind(op.Batch, 3), s.Bind(op.Batch, 4)
	if !first || !again || other {
		t.Error("Bind does not say whether a number agrees")
	}
	s.Bind(n, 5)
	s.Update()
	shape := make([]int, 4)
	s.Shape(shape, []op.Dim{op.Batch, twice, n, 7})
	if want := []int{3, 6, 5, 7}; !slices.Equal(shape, want) {
		t.Errorf("got %v, want %v", shape, want)
	}
	if got := s.Len([]op.Dim{op.Batch, n}); got != 15 {
		t.Errorf("Len is %d, want 15", got)
	}
	s.Rebind(op.Batch, 10)
	s.Update()
	if got := s.Of(twice); got != 20 {
		t.Errorf("after Rebind 2·batch is %d, want 20", got)
	}
	s.Reset()
	if s.IsBound(op.Batch) || !s.Bind(op.Batch, 1) {
		t.Error("Reset leaves the batch bound")
	}
}

func TestSymbols(t *testing.T) {
	g := op.NewGraph(nil)
	n := g.Dim("time")
	half := g.DivDims(g.AddDims(n, 1), 2)
	symbols, counted := g.Symbols([]op.Dim{4, g.MulDims(op.Batch, 2), half})
	if want := []op.Dim{op.Batch, n}; !slices.Equal(symbols, want) || counted {
		t.Errorf("got %v, %v, want %v", symbols, counted, want)
	}
	ids, values := g.Input("ids", op.Int32, op.Batch), g.Input("values", op.Float32, op.Batch, 2)
	rows := op.MergeRows(op.SparseRows([]op.Dim{9, 2}, ids, values, -1)).Sparse()
	if text := rows.Values.ShapeString(); text != "(rows≤batch, 2)" {
		t.Errorf("merged rows have shape %s", text)
	}
	if _, counted = g.Symbols(rows.Values.Shape()); !counted {
		t.Error("merged rows do not depend on a run-time count")
	}
	if g.IsSymbol(half) || g.IsSymbol(3) || !g.IsSymbol(n) || g.IsSymbol(rows.IDs.Dim(0)) {
		t.Error("IsSymbol is true of an expression, a number or a count, or not of a symbol")
	}
}

// A copy of a graph knows the same sizes and goes on by itself.
func TestDimsOfACopy(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, g.Dim("time"))
	c, find := op.Copy(g, op.Training, op.Neg(x))
	a, b := c.Dim("only in the copy"), g.Dim("only in the original")
	if got, want := c.DimString(a), "only in the copy"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := g.DimString(b), "only in the original"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := find(x).ShapeString(); got != "(batch, time)" {
		t.Errorf("the copied input has shape %s", got)
	}
	if fmt.Sprint(c.Dim("time")) != fmt.Sprint(g.Dim("time")) {
		t.Error("a symbol is another one in the copy")
	}
}

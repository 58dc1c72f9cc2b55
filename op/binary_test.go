package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// shapePairs are the ways in which two operands may fit.
var shapePairs = []struct {
	name string
	a, b []op.Dim
}{
	{"equal", []op.Dim{op.Batch, 3}, []op.Dim{op.Batch, 3}},
	{"row", []op.Dim{op.Batch, 4}, []op.Dim{4}},
	{"row of one axis more", []op.Dim{op.Batch, 4}, []op.Dim{1, 4}},
	{"column", []op.Dim{op.Batch, 4}, []op.Dim{op.Batch, 1}},
	{"row by column", []op.Dim{op.Batch, 1}, []op.Dim{1, 5}},
	{"scalar", []op.Dim{op.Batch, 3}, []op.Dim{}},
	{"scalar first", []op.Dim{}, []op.Dim{op.Batch, 3}},
	{"two scalars", []op.Dim{}, []op.Dim{}},
	{"channels", []op.Dim{op.Batch, 3, 2, 2}, []op.Dim{3, 1, 1}},
	{"five axes", []op.Dim{2, op.Batch, 1, 2, 3}, []op.Dim{op.Batch, 2, 1, 3}},
	{"both stretch", []op.Dim{2, 1, 3, 1}, []op.Dim{op.Batch, 1, 4}},
	{"two symbols", []op.Dim{op.Batch, 1, 2}, []op.Dim{optest.Length, 1}},
	{"size one", []op.Dim{1, 1}, []op.Dim{1}},
	{"no elements", []op.Dim{op.Batch, 0}, []op.Dim{1}},
	{"no elements against a column", []op.Dim{0, 3}, []op.Dim{1, 1}},
}

func TestBinary(t *testing.T) {
	for name, c := range map[string]struct {
		build     func(a, b *op.Node) *op.Node
		want      func(a, b float64) float64
		low, high float64
	}{
		"Add":     {build: op.Add, want: func(a, b float64) float64 { return a + b }},
		"Sub":     {build: op.Sub, want: func(a, b float64) float64 { return a - b }},
		"Mul":     {build: op.Mul, want: func(a, b float64) float64 { return a * b }},
		"Div":     {build: op.Div, want: func(a, b float64) float64 { return a / b }, low: 0.5, high: 3},
		"Pow":     {build: op.Pow, want: math.Pow, low: 0.3, high: 3},
		"Maximum": {build: op.Maximum, want: math.Max},
		"Minimum": {build: op.Minimum, want: math.Min},
	} {
		t.Run(name, func(t *testing.T) {
			for _, s := range shapePairs {
				optest.Check(t, optest.Case{
					Name:  s.name,
					In:    []optest.Input{{Shape: s.a, Low: c.low, High: c.high}, {Shape: s.b, Low: c.low, High: c.high}},
					Build: optest.Binary(c.build), Reference: pairwise(c.want),
				})
			}
			optest.Check(t, optest.Case{
				Name: "no rows", In: []optest.Input{{Shape: []op.Dim{op.Batch, 3}, Low: c.low, High: c.high}, {Shape: []op.Dim{3}, Low: c.low, High: c.high}},
				Build: optest.Binary(c.build), Reference: pairwise(c.want), Batches: []int{0, 4, 0, 1},
			})
			optest.Check(t, optest.Case{
				Name: "with itself", In: []optest.Input{{Shape: []op.Dim{op.Batch, 3}, Low: c.low, High: c.high}},
				Build: optest.Unary(func(x *op.Node) *op.Node { return c.build(x, x) }), OnKink: name[0] == 'M' && name != "Mul",
				Reference: func(in []optest.Array) []optest.Array { return pairwise(c.want)([]optest.Array{in[0], in[0]}) },
			})
		})
	}
}

// A size that is symbolic when the graph is built, and 1 when it runs, stretches no further than it was planned to.
func TestBinaryBatchOfOne(t *testing.T) {
	add := func(a, b float64) float64 { return a + b }
	optest.Check(t,
		optest.Case{In: []optest.Input{optest.Float(op.Batch, 4), optest.Float(4)}, Build: optest.Binary(op.Add), Reference: pairwise(add), Batches: []int{1, 3, 1}},
		optest.Case{In: []optest.Input{optest.Float(op.Batch, 4), optest.Float(op.Batch, 1)}, Build: optest.Binary(op.Add), Reference: pairwise(add), Batches: []int{1, 3, 1}},
		optest.Case{In: []optest.Input{optest.Float(op.Batch, 1), optest.Float(op.Batch)}, Build: optest.Binary(op.Mul),
			Reference: pairwise(func(a, b float64) float64 { return a * b }), Batches: []int{1, 3, 1}},
	)
}

// sumOf builds the sum of everything in f's result.
func sumOf(f func(a, b *op.Node) *op.Node) optest.Build {
	return optest.Binary(func(a, b *op.Node) *op.Node { return op.Sum(f(a, b)) })
}

func TestG05BroadcastGradientHasTheOperandsShape(t *testing.T) {
	ones := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	a := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	b4, b3 := []float64{1, 2, 3, 4}, []float64{1, 2, 3}
	optest.Check(t,
		optest.Case{Name: "row", In: []optest.Input{optest.Given(a, 3, 4), optest.Given(b4, 1, 4)}, Build: sumOf(op.Add),
			WantGrad: [][]float64{ones, {3, 3, 3, 3}}},
		optest.Case{Name: "column", In: []optest.Input{optest.Given(a, 3, 4), optest.Given(b3, 3, 1)}, Build: sumOf(op.Add),
			WantGrad: [][]float64{ones, {4, 4, 4}}},
		optest.Case{Name: "vector", In: []optest.Input{optest.Given(a, 3, 4), optest.Given(b4, 4)}, Build: sumOf(op.Add),
			WantGrad: [][]float64{ones, {3, 3, 3, 3}}},
		optest.Case{Name: "first operand", In: []optest.Input{optest.Given(b3, 3, 1), optest.Given(a, 3, 4)}, Build: sumOf(op.Sub),
			WantGrad: [][]float64{{4, 4, 4}, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}}},
		optest.Case{Name: "batch of one", In: []optest.Input{optest.Given(a[:4], op.Batch, 4), optest.Given(b4, 1, 4)}, Build: sumOf(op.Add),
			WantGrad: [][]float64{ones[:4], {1, 1, 1, 1}}},
		optest.Case{Name: "product with row", In: []optest.Input{optest.Given(a, 3, 4), optest.Given(b4, 1, 4)}, Build: sumOf(op.Mul),
			WantGrad: [][]float64{{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}, {15, 18, 21, 24}}},
		optest.Case{Name: "product with column", In: []optest.Input{optest.Given(a, 3, 4), optest.Given(b3, 3, 1)}, Build: sumOf(op.Mul),
			WantGrad: [][]float64{{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, {10, 26, 42}}},
		optest.Case{Name: "product with scalar", In: []optest.Input{optest.Given(a, 3, 4), optest.Given([]float64{2})}, Build: sumOf(op.Mul),
			WantGrad: [][]float64{{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {78}}},
	)
}

func TestBinaryKinks(t *testing.T) {
	nan := math.NaN()
	pair := func(a, b []float64) []optest.Input {
		return []optest.Input{optest.Given(a, op.Dim(len(a))), optest.Given(b, op.Dim(len(b)))}
	}
	optest.Check(t,
		optest.Case{Name: "Maximum of equals", In: pair([]float64{1, 2, 3}, []float64{1, 3, 2}), Build: optest.Binary(op.Maximum), OnKink: true,
			Want: [][]float64{{1, 3, 3}}, WantGrad: [][]float64{{1, 0, 1}, {0, 1, 0}}},
		optest.Case{Name: "Minimum of equals", In: pair([]float64{1, 2, 3}, []float64{1, 3, 2}), Build: optest.Binary(op.Minimum), OnKink: true,
			Want: [][]float64{{1, 2, 2}}, WantGrad: [][]float64{{1, 1, 0}, {0, 0, 1}}},
		optest.Case{Name: "Maximum of NaN", In: pair([]float64{nan, 1}, []float64{1, nan}), Build: optest.Binary(op.Maximum), OnKink: true,
			Want: [][]float64{{nan, nan}}},
		optest.Case{Name: "Minimum of NaN", In: pair([]float64{nan, 1}, []float64{1, nan}), Build: optest.Binary(op.Minimum), OnKink: true,
			Want: [][]float64{{nan, nan}}},
		optest.Case{Name: "Pow at 0", In: pair([]float64{0, 0, 0, 2}, []float64{0, 1, 2, 0}), Build: optest.Binary(op.Pow), OnKink: true,
			Want: [][]float64{{1, 0, 0, 1}}, WantGrad: [][]float64{{0, 1, 0, 0}, {0, 0, 0, math.Log(2)}}},
		optest.Case{Name: "Pow of negative numbers", In: pair([]float64{-2, -2}, []float64{2, 3}), Build: optest.Binary(op.Pow), OnKink: true,
			Want: [][]float64{{4, -8}}, WantGrad: [][]float64{{-4, 12}, {0, 0}}},
		optest.Case{Name: "Div by 0", In: pair([]float64{1, -1, 0}, []float64{0, 0, 0}), Build: optest.Binary(op.Div), OnKink: true,
			Want: [][]float64{{math.Inf(1), math.Inf(-1), nan}}},
	)
}

func TestBinaryIntegers(t *testing.T) {
	for _, d := range []op.DType{op.Int32, op.Int64} {
		in := func(a, b []float64) []optest.Input {
			return []optest.Input{{DType: d, Shape: []op.Dim{op.Dim(len(a))}, Values: a}, {DType: d, Shape: []op.Dim{op.Dim(len(b))}, Values: b}}
		}
		optest.Check(t,
			optest.Case{Name: "Add", In: in([]float64{1, -2, 3}, []float64{10, 20, -30}), Build: optest.Binary(op.Add), Want: [][]float64{{11, 18, -27}}},
			optest.Case{Name: "Sub", In: in([]float64{1, -2, 3}, []float64{10, 20, -30}), Build: optest.Binary(op.Sub), Want: [][]float64{{-9, -22, 33}}},
			optest.Case{Name: "Mul", In: in([]float64{1, -2, 3}, []float64{10, 20, -30}), Build: optest.Binary(op.Mul), Want: [][]float64{{10, -40, -90}}},
			optest.Case{Name: "Div", In: in([]float64{7, -7, 7, 5}, []float64{2, 2, -2, 0}), Build: optest.Binary(op.Div), Want: [][]float64{{3, -3, -3, 0}}},
			optest.Case{Name: "Maximum", In: in([]float64{1, 5}, []float64{3, 2}), Build: optest.Binary(op.Maximum), Want: [][]float64{{3, 5}}},
			optest.Case{Name: "Minimum", In: in([]float64{1, 5}, []float64{3, 2}), Build: optest.Binary(op.Minimum), Want: [][]float64{{1, 2}}},
			optest.Case{Name: "Less", In: in([]float64{1, 5, 2}, []float64{3, 2, 2}), Build: optest.Binary(op.Less), Want: [][]float64{{1, 0, 0}}},
		)
	}
}

func TestCompare(t *testing.T) {
	truth := func(f func(a, b float64) bool) func(a, b float64) float64 {
		return func(a, b float64) float64 {
			if f(a, b) {
				return 1
			}
			return 0
		}
	}
	values := []float64{0, 1, 2, math.NaN(), math.Inf(1), -1}
	for name, c := range map[string]struct {
		build func(a, b *op.Node) *op.Node
		want  func(a, b float64) bool
	}{
		"Equal":        {op.Equal, func(a, b float64) bool { return a == b }},
		"NotEqual":     {op.NotEqual, func(a, b float64) bool { return a != b }},
		"Less":         {op.Less, func(a, b float64) bool { return a < b }},
		"LessEqual":    {op.LessEqual, func(a, b float64) bool { return a <= b }},
		"Greater":      {op.Greater, func(a, b float64) bool { return a > b }},
		"GreaterEqual": {op.GreaterEqual, func(a, b float64) bool { return a >= b }},
	} {
		t.Run(name, func(t *testing.T) {
			optest.Check(t,
				optest.Case{Name: "floats", In: []optest.Input{optest.Given(values, 6, 1), optest.Given(values, 6)}, Build: optest.Binary(c.build), Reference: pairwise(truth(c.want))},
				optest.Case{Name: "integers", In: []optest.Input{optest.Int(3, op.Batch, 4), optest.Int(3, 4)}, Build: optest.Binary(c.build), Reference: pairwise(truth(c.want))},
			)
		})
	}
}

func TestLogical(t *testing.T) {
	for name, c := range map[string]struct {
		build func(a, b *op.Node) *op.Node
		want  []float64
	}{
		"And":      {op.And, []float64{0, 0, 0, 1}},
		"Or":       {op.Or, []float64{0, 1, 1, 1}},
		"Xor":      {op.Xor, []float64{0, 1, 1, 0}},
		"Equal":    {op.Equal, []float64{1, 0, 0, 1}},
		"NotEqual": {op.NotEqual, []float64{0, 1, 1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			column := optest.Input{DType: op.Bool, Shape: []op.Dim{2, 1}, Values: []float64{0, 1}}
			row := optest.Input{DType: op.Bool, Shape: []op.Dim{2}, Values: []float64{0, 1}}
			optest.Check(t, optest.Case{In: []optest.Input{column, row}, Build: optest.Binary(c.build), Want: [][]float64{c.want}})
		})
	}
}

func TestWhere(t *testing.T) {
	where := optest.One(func(in ...*op.Node) *op.Node { return op.Where(in[0], in[1], in[2]) })
	reference := func(in []optest.Array) []optest.Array {
		out := optest.NewArray(broadcast(in[0].Shape, in[1].Shape, in[2].Shape)...)
		each(out.Shape, func(at []int) {
			x := stretched(in[2], at)
			if stretched(in[0], at) != 0 {
				x = stretched(in[1], at)
			}
			out.Set(x, at...)
		})
		return []optest.Array{out}
	}
	for _, shapes := range [][3][]op.Dim{
		{{op.Batch, 3}, {op.Batch, 3}, {op.Batch, 3}},
		{{op.Batch, 1}, {op.Batch, 3}, {3}},
		{{op.Batch, 3}, {}, {}},
		{{}, {op.Batch, 3}, {1, 3}},
		{{3}, {2, 1, 1}, {op.Batch, 1}},
		{{}, {}, {}},
		{{2, 0}, {1}, {}},
	} {
		optest.Check(t, optest.Case{
			In:    []optest.Input{optest.Bool(shapes[0]...), optest.Float(shapes[1]...), optest.Float(shapes[2]...)},
			Build: where, Reference: reference,
		})
	}
	ints := optest.Input{DType: op.Int64, Shape: []op.Dim{op.Batch, 4}}
	optest.Check(t, optest.Case{Name: "integers", In: []optest.Input{optest.Bool(op.Batch, 4), ints, ints}, Build: where, Reference: reference})
	// What is not chosen does not matter: no NaN comes through, forward or backward.
	optest.Check(t, optest.Case{
		Name: "NaN", OnKink: true, Build: where, Want: [][]float64{{1, 4}}, WantGrad: [][]float64{nil, {1, 0}, {0, 1}},
		In: []optest.Input{{DType: op.Bool, Shape: []op.Dim{2}, Values: []float64{1, 0}}, optest.Given([]float64{1, math.NaN()}, 2), optest.Given([]float64{math.NaN(), 4}, 2)},
	})
}

func TestBinaryMisuse(t *testing.T) {
	named := func(name string, d op.DType, shape ...op.Dim) optest.Input {
		return optest.Input{Name: name, DType: d, Shape: shape}
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: []optest.Input{named("a", op.Float32, 3, 4), named("b", op.Float32, 3)}, Build: optest.Binary(op.Add),
			Want: `op.Add: input "b" has shape (3,), want one that broadcasts with (3, 4)`},
		{In: []optest.Input{named("a", op.Float32, op.Batch, 4), named("b", op.Float32, 7, 4)}, Build: optest.Binary(op.Mul),
			Want: `op.Mul: input "b" has shape (7, 4), want one that broadcasts with (batch, 4)`},
		{In: []optest.Input{named("a", op.Float32, 3), named("b", op.Float64, 3)}, Build: optest.Binary(op.Sub),
			Want: `op.Sub: input "b" has type float64, want float32, as input "a"`},
		{In: []optest.Input{named("a", op.Bool, 3), named("b", op.Bool, 3)}, Build: optest.Binary(op.Less),
			Want: `op.Less: input "a" has type bool, want a number type`},
		{In: []optest.Input{named("a", op.Float32, 3), named("b", op.Float32, 3)}, Build: optest.Binary(op.And),
			Want: `op.And: input "a" has type float32, want bool`},
		{In: []optest.Input{named("a", op.Float32, 3)}, Build: optest.Unary(func(a *op.Node) *op.Node { return op.Add(a, nil) }),
			Want: `op.Add: input 1 is nil`},
		{In: []optest.Input{named("c", op.Float32, 3), named("a", op.Float32, 3)}, Build: optest.Binary(func(c, a *op.Node) *op.Node { return op.Where(c, a, a) }),
			Want: `op.Where: input "c" has type float32, want bool`},
		{In: []optest.Input{named("c", op.Bool, 3), named("a", op.Float32, 3)}, Build: optest.Binary(func(c, a *op.Node) *op.Node { return op.Where(c, a, op.Cast(a, op.Float64)) }),
			Want: `op.Where: input 2 (cast) has type float64, want float32, as input "a"`},
		{In: []optest.Input{named("c", op.Bool, 2), named("a", op.Float32, 3)}, Build: optest.Binary(func(c, a *op.Node) *op.Node { return op.Where(c, a, op.Neg(a)) }),
			Want: `op.Where: input "a" has shape (3,), want one that broadcasts with (2,) and (3,)`},
	}})
}

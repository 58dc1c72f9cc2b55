package op_test

import (
	"fmt"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// product is the reference of a matrix product; leading axes are equal, or one operand lacks them.
func product(transA, transB bool) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		a, b := in[0], in[1]
		m, k := a.Shape[len(a.Shape)-2], a.Shape[len(a.Shape)-1]
		if transA {
			m, k = k, m
		}
		n := b.Shape[len(b.Shape)-1]
		if transB {
			n = b.Shape[len(b.Shape)-2]
		}
		lead := a.Shape[:len(a.Shape)-2]
		if len(lead) == 0 {
			lead = b.Shape[:len(b.Shape)-2]
		}
		out := optest.NewArray(append(append([]int{}, lead...), m, n)...)
		at := func(x optest.Array, trans bool, batch []int, i, j int) float64 {
			if trans {
				i, j = j, i
			}
			if len(x.Shape) == 2 {
				batch = nil
			}
			return x.At(append(append([]int{}, batch...), i, j)...)
		}
		each(out.Shape, func(index []int) {
			batch, i, j := index[:len(lead)], index[len(lead)], index[len(lead)+1]
			sum := 0.0
			for l := range k {
				sum += at(a, transA, batch, i, l) * at(b, transB, batch, l, j)
			}
			out.Set(sum, index...)
		})
		return []optest.Array{out}
	}
}

var products = []struct {
	name           string
	build          func(a, b *op.Node) *op.Node
	transA, transB bool
}{
	{"MatMul", op.MatMul, false, false},
	{"MatMulT", op.MatMulT, false, true},
	{"TMatMul", op.TMatMul, true, false},
}

func TestMatMul(t *testing.T) {
	for _, p := range products {
		t.Run(p.name, func(t *testing.T) {
			for _, c := range []struct {
				a, b    []op.Dim // leading axes
				m, k, n op.Dim
			}{
				{nil, nil, op.Batch, 4, 5},
				{nil, nil, op.Batch, 1, 1},
				{nil, nil, 1, 3, op.Batch},
				{nil, nil, 2, op.Batch, 3},
				{nil, nil, op.Batch, op.Batch, op.Batch},
				{nil, nil, op.Batch, 33, 17},
				{nil, nil, op.Batch, 0, 3},
				{nil, nil, op.Batch, 3, 0},
				{nil, nil, 0, 3, 2},
				{[]op.Dim{op.Batch}, []op.Dim{op.Batch}, 2, 3, 4},
				{[]op.Dim{op.Batch}, nil, 2, 3, 4},
				{nil, []op.Dim{op.Batch}, 2, 3, 4},
				{[]op.Dim{2, op.Batch}, []op.Dim{2, op.Batch}, optest.Length, 3, 2},
				{[]op.Dim{2, op.Batch, 1}, nil, 2, 2, 3},
				{nil, []op.Dim{3, op.Batch, 1}, 2, 2, 3},
				{[]op.Dim{op.Batch}, nil, 2, 0, 4},
				{[]op.Dim{op.Batch}, nil, 2, 3, 0},
			} {
				a, b := append(append([]op.Dim{}, c.a...), c.m, c.k), append(append([]op.Dim{}, c.b...), c.k, c.n)
				if p.transA {
					a[len(a)-2], a[len(a)-1] = c.k, c.m
				}
				if p.transB {
					b[len(b)-2], b[len(b)-1] = c.n, c.k
				}
				optest.Check(t, optest.Case{
					Name: fmt.Sprint(a, "×", b), In: []optest.Input{optest.Float(a...), optest.Float(b...)},
					Build: optest.Binary(p.build), Reference: product(p.transA, p.transB),
				})
			}
		})
	}
	optest.Check(t,
		optest.Case{Name: "no rows", In: []optest.Input{optest.Float(op.Batch, 3), optest.Float(3, 2)}, Build: optest.Binary(op.MatMul), Reference: product(false, false), Batches: []int{0, 3, 0}},
		optest.Case{Name: "a Gram matrix", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: optest.Unary(func(x *op.Node) *op.Node { return op.MatMulT(x, x) }),
			Reference: func(in []optest.Array) []optest.Array { return product(false, true)([]optest.Array{in[0], in[0]}) }},
		optest.Case{Name: "by hand", In: []optest.Input{optest.Given([]float64{1, 2, 3, 4}, 2, 2), optest.Given([]float64{5, 6, 7, 8}, 2, 2)}, Build: optest.Binary(op.MatMul),
			Want: [][]float64{{19, 22, 43, 50}}, WantGrad: [][]float64{{11, 15, 11, 15}, {4, 4, 6, 6}}},
	)
}

// A bias and an activation behind a product go into its kernel, with the same bits (rule 4 of optest).
func TestMatMulFuses(t *testing.T) {
	for name, act := range map[string]func(*op.Node) *op.Node{"none": func(x *op.Node) *op.Node { return x }, "relu": op.ReLU, "sigmoid": op.Sigmoid, "tanh": op.Tanh} {
		optest.Check(t, optest.Case{
			Name: name, In: []optest.Input{optest.Float(op.Batch, 37), optest.Float(37, 19), optest.Float(19)},
			Build: optest.One(func(in ...*op.Node) *op.Node { return act(op.Add(op.MatMul(in[0], in[1]), in[2])) }),
		})
	}
}

func TestMatMulMisuse(t *testing.T) {
	in := func(a, b []op.Dim) []optest.Input {
		return []optest.Input{{Name: "a", Shape: a}, {Name: "b", Shape: b}}
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: in([]op.Dim{op.Batch, 4}, []op.Dim{5, 2}), Build: optest.Binary(op.MatMul), Want: `op.MatMul: input "b" has shape (5, 2), want 4 where the matrices meet, as in (batch, 4)`},
		{In: in([]op.Dim{op.Batch, 4}, []op.Dim{4, 5}), Build: optest.Binary(op.MatMulT), Want: `op.MatMulT: input "b" has shape (4, 5), want 4 where the matrices meet, as in (batch, 4)`},
		{In: in([]op.Dim{op.Batch, 4}, []op.Dim{4, 5}), Build: optest.Binary(op.TMatMul), Want: `op.TMatMul: input "b" has shape (4, 5), want batch where the matrices meet, as in (batch, 4)`},
		{In: in([]op.Dim{4}, []op.Dim{4, 5}), Build: optest.Binary(op.MatMul), Want: `op.MatMul: input "a" has shape (4,), want at least two axes`},
		{In: in([]op.Dim{3, 4}, []op.Dim{4}), Build: optest.Binary(op.MatMul), Want: `op.MatMul: input "b" has shape (4,), want at least two axes`},
		{In: in([]op.Dim{2, 3, 4}, []op.Dim{5, 4, 6}), Build: optest.Binary(op.MatMul), Want: `op.MatMul: input "b" has shape (5, 4, 6), want leading axes (2,), or none`},
		{In: []optest.Input{optest.Float(3, 4), {Name: "w", DType: op.Float64, Shape: []op.Dim{4, 2}}}, Build: optest.Binary(op.MatMul), Want: `op.MatMul: input "w" has type float64, want float32, as input "x0"`},
		{In: []optest.Input{optest.Int(3, 3, 4), optest.Int(3, 4, 4)}, Build: optest.Binary(op.MatMul), Want: `op.MatMul: input "x0" has type int32, want a floating-point type`},
	}})
}

package op_test

import (
	"fmt"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

func TestTranspose(t *testing.T) {
	for _, c := range []struct {
		shape []op.Dim
		perm  []int
	}{
		{[]op.Dim{}, nil},
		{[]op.Dim{op.Batch}, nil},
		{[]op.Dim{op.Batch, 3}, nil},
		{[]op.Dim{op.Batch, 3}, []int{0, 1}},
		{[]op.Dim{op.Batch, 3, 2}, []int{1, 2, 0}},
		{[]op.Dim{op.Batch, 3, 2}, []int{2, 0, 1}},
		{[]op.Dim{2, op.Batch, 3, 4}, []int{0, 2, 1, 3}},
		{[]op.Dim{2, op.Batch, 1, 3, 2}, []int{4, 2, 0, 3, 1}},
		{[]op.Dim{op.Batch, optest.Length}, []int{1, 0}},
		{[]op.Dim{op.Batch, 0, 2}, []int{2, 0, 1}},
	} {
		perm := c.perm
		if perm == nil {
			for i := range c.shape {
				perm = append(perm, len(c.shape)-1-i)
			}
		}
		reference := func(in []optest.Array) []optest.Array {
			shape := make([]int, len(perm))
			for i, p := range perm {
				shape[i] = in[0].Shape[p]
			}
			out := optest.NewArray(shape...)
			each(shape, func(at []int) {
				from := make([]int, len(at))
				for i, p := range perm {
					from[p] = at[i]
				}
				out.Set(in[0].At(from...), at...)
			})
			return []optest.Array{out}
		}
		build := optest.Unary(func(x *op.Node) *op.Node { return op.Transpose(x, c.perm...) })
		optest.Check(t,
			optest.Case{Name: fmt.Sprint(c), In: []optest.Input{optest.Float(c.shape...)}, Build: build, Reference: reference},
			optest.Case{Name: fmt.Sprint("bools ", c), In: []optest.Input{optest.Bool(c.shape...)}, Build: build, Reference: reference},
		)
	}
}

// window is the reference of a slice.
func window(axis int, bounds func(size int) (from, to int)) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		k := (axis + len(in[0].Shape)) % len(in[0].Shape)
		from, to := bounds(in[0].Shape[k])
		shape := append([]int{}, in[0].Shape...)
		shape[k] = to - from
		out := optest.NewArray(shape...)
		each(shape, func(at []int) {
			source := append([]int{}, at...)
			source[k] += from
			out.Set(in[0].At(source...), at...)
		})
		return []optest.Array{out}
	}
}

func TestSlice(t *testing.T) {
	cut := func(axis int, from, to op.Dim) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.Slice(x, axis, from, to) })
	}
	to := func(from, to int) func(int) (int, int) { return func(int) (int, int) { return from, to } }
	optest.Check(t,
		optest.Case{Name: "vector", In: []optest.Input{optest.Float(5)}, Build: cut(0, 1, 4), Reference: window(0, to(1, 4))},
		optest.Case{Name: "all", In: []optest.Input{optest.Float(op.Batch, 4)}, Build: cut(1, 0, 4), Reference: window(1, to(0, 4))},
		optest.Case{Name: "columns", In: []optest.Input{optest.Float(op.Batch, 5)}, Build: cut(-1, 2, 5), Reference: window(-1, to(2, 5))},
		optest.Case{Name: "nothing", In: []optest.Input{optest.Float(op.Batch, 5)}, Build: cut(1, 2, 2), Reference: window(1, to(2, 2))},
		optest.Case{Name: "first rows", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: cut(0, 0, 2), Reference: window(0, to(0, 2)), Batches: []int{3, 2, 7}},
		optest.Case{Name: "last rows", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: cut(0, 2, op.Batch), Reference: window(0, func(n int) (int, int) { return 2, n }), Batches: []int{3, 2, 7}},
		optest.Case{Name: "the middle of five axes", In: []optest.Input{optest.Float(2, op.Batch, 4, 1, 2)}, Build: cut(2, 1, 3), Reference: window(2, to(1, 3))},
		optest.Case{Name: "integers", In: []optest.Input{optest.Int(9, op.Batch, 4)}, Build: cut(1, 1, 2), Reference: window(1, to(1, 2))},
		optest.Case{Name: "between symbols", In: []optest.Input{optest.Float(optest.Length, 2), {Shape: []op.Dim{op.Batch}, NoGradient: true}},
			Build: optest.Binary(func(x, rows *op.Node) *op.Node {
				return op.Add(op.Slice(x, 0, op.Batch, optest.Length), op.Sum(op.MulConst(rows, 0)))
			}), Reference: window(0, func(n int) (int, int) { return n - 1, n })},
		optest.Case{Name: "overlapping", In: []optest.Input{optest.Float(op.Batch, 5)}, Build: optest.Unary(func(x *op.Node) *op.Node {
			return op.Mul(op.Slice(x, 1, 0, 4), op.Slice(x, 1, 1, 5))
		}), Reference: func(in []optest.Array) []optest.Array {
			out := optest.NewArray(in[0].Shape[0], 4)
			each(out.Shape, func(at []int) { out.Set(in[0].At(at[0], at[1])*in[0].At(at[0], at[1]+1), at...) })
			return []optest.Array{out}
		}},
	)
}

func TestPad(t *testing.T) {
	pad := func(axis, before, after int) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.Pad(x, axis, before, after) })
	}
	reference := func(axis, before, after int) func([]optest.Array) []optest.Array {
		return func(in []optest.Array) []optest.Array {
			k := (axis + len(in[0].Shape)) % len(in[0].Shape)
			shape := append([]int{}, in[0].Shape...)
			shape[k] += before + after
			out := optest.NewArray(shape...)
			each(in[0].Shape, func(at []int) {
				to := append([]int{}, at...)
				to[k] += before
				out.Set(in[0].At(at...), to...)
			})
			return []optest.Array{out}
		}
	}
	for _, c := range [][3]int{{0, 1, 2}, {1, 0, 3}, {-1, 2, 0}, {-2, 1, 1}, {1, 0, 0}} {
		optest.Check(t, optest.Case{Name: fmt.Sprint(c), In: []optest.Input{optest.Float(op.Batch, 3, 2)}, Build: pad(c[0], c[1], c[2]), Reference: reference(c[0], c[1], c[2])})
	}
	optest.Check(t,
		optest.Case{Name: "no rows", In: []optest.Input{optest.Float(op.Batch, 2)}, Build: pad(0, 1, 1), Reference: reference(0, 1, 1), Batches: []int{0, 2}},
		optest.Case{Name: "no columns", In: []optest.Input{optest.Float(op.Batch, 0)}, Build: pad(1, 1, 1), Reference: reference(1, 1, 1)},
		optest.Case{Name: "integers", In: []optest.Input{optest.Int(5, op.Batch, 2)}, Build: pad(1, 1, 0), Reference: reference(1, 1, 0)},
	)
}

// joined is the reference of a concatenation.
func joined(axis int) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		k := (axis + len(in[0].Shape)) % len(in[0].Shape)
		shape := append([]int{}, in[0].Shape...)
		for _, a := range in[1:] {
			shape[k] += a.Shape[k]
		}
		out := optest.NewArray(shape...)
		off := 0
		for _, a := range in {
			each(a.Shape, func(at []int) {
				to := append([]int{}, at...)
				to[k] += off
				out.Set(a.At(at...), to...)
			})
			off += a.Shape[k]
		}
		return []optest.Array{out}
	}
}

func TestConcat(t *testing.T) {
	join := func(axis int) optest.Build {
		return optest.One(func(in ...*op.Node) *op.Node { return op.Concat(axis, in...) })
	}
	f := optest.Float
	optest.Check(t,
		optest.Case{Name: "vectors", In: []optest.Input{f(op.Batch), f(3), f(optest.Length)}, Build: join(0), Reference: joined(0)},
		optest.Case{Name: "one", In: []optest.Input{f(op.Batch, 2)}, Build: join(1), Reference: joined(1)},
		optest.Case{Name: "columns", In: []optest.Input{f(op.Batch, 2), f(op.Batch, 1), f(op.Batch, 3)}, Build: join(-1), Reference: joined(-1)},
		optest.Case{Name: "rows", In: []optest.Input{f(op.Batch, 2), f(3, 2)}, Build: join(0), Reference: joined(0), Batches: []int{2, 0, 4}},
		optest.Case{Name: "an empty part", In: []optest.Input{f(op.Batch, 2), f(op.Batch, 0), f(op.Batch, 1)}, Build: join(1), Reference: joined(1)},
		optest.Case{Name: "five axes", In: []optest.Input{f(2, op.Batch, 1, 2, 3), f(2, op.Batch, 2, 2, 3)}, Build: join(2), Reference: joined(2)},
		optest.Case{Name: "bools", In: []optest.Input{optest.Bool(op.Batch, 2), optest.Bool(op.Batch, 3)}, Build: join(1), Reference: joined(1)},
		optest.Case{Name: "the same twice", In: []optest.Input{f(op.Batch, 2)}, Build: optest.Unary(func(x *op.Node) *op.Node { return op.Concat(1, x, x) }),
			Reference: func(in []optest.Array) []optest.Array { return joined(1)([]optest.Array{in[0], in[0]}) }},
	)
}

func TestStack(t *testing.T) {
	stack := func(axis int) optest.Build {
		return optest.One(func(in ...*op.Node) *op.Node { return op.Stack(axis, in...) })
	}
	reference := func(axis int) func([]optest.Array) []optest.Array {
		return func(in []optest.Array) []optest.Array {
			k := axis
			if k < 0 {
				k += len(in[0].Shape) + 1
			}
			shape := append(append(append([]int{}, in[0].Shape[:k]...), len(in)), in[0].Shape[k:]...)
			out := optest.NewArray(shape...)
			for i, a := range in {
				each(a.Shape, func(at []int) {
					out.Set(a.At(at...), append(append(append([]int{}, at[:k]...), i), at[k:]...)...)
				})
			}
			return []optest.Array{out}
		}
	}
	f := optest.Float
	for _, axis := range []int{0, 1, 2, -1, -3} {
		optest.Check(t, optest.Case{Name: fmt.Sprint(axis), In: []optest.Input{f(op.Batch, 2), f(op.Batch, 2), f(op.Batch, 2)}, Build: stack(axis), Reference: reference(axis)})
	}
	optest.Check(t,
		optest.Case{Name: "scalars", In: []optest.Input{f(), f()}, Build: stack(0), Reference: reference(0)},
		optest.Case{Name: "one", In: []optest.Input{f(op.Batch)}, Build: stack(1), Reference: reference(1)},
	)
}

func TestSplit(t *testing.T) {
	split := func(axis int, sizes ...op.Dim) optest.Build {
		return func(in ...*op.Node) []*op.Node { return op.Split(in[0], axis, sizes...) }
	}
	parts := func(axis int, sizes func(size int) []int) func([]optest.Array) []optest.Array {
		return func(in []optest.Array) []optest.Array {
			k := (axis + len(in[0].Shape)) % len(in[0].Shape)
			var out []optest.Array
			from := 0
			for _, n := range sizes(in[0].Shape[k]) {
				out = append(out, window(axis, func(int) (int, int) { return from, from + n })(in)...)
				from += n
			}
			return out
		}
	}
	fixed := func(sizes ...int) func(int) []int { return func(int) []int { return sizes } }
	optest.Check(t,
		optest.Case{Name: "columns", In: []optest.Input{optest.Float(op.Batch, 6)}, Build: split(1, 1, 3, 2), Reference: parts(1, fixed(1, 3, 2))},
		optest.Case{Name: "whole", In: []optest.Input{optest.Float(op.Batch, 6)}, Build: split(1, 6), Reference: parts(1, fixed(6))},
		optest.Case{Name: "an empty part", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: split(-1, 1, 0, 2), Reference: parts(-1, fixed(1, 0, 2))},
		optest.Case{Name: "by symbols", In: []optest.Input{optest.Float(op.Batch, 2), optest.Float(optest.Length, 2)},
			Build:     func(in ...*op.Node) []*op.Node { return op.Split(op.Concat(0, in...), 0, op.Batch, optest.Length) },
			Reference: func(in []optest.Array) []optest.Array { return in }},
	)
}

func TestMoveMisuse(t *testing.T) {
	x := []optest.Input{{Name: "x", Shape: []op.Dim{op.Batch, 4}}}
	two := []optest.Input{{Name: "x", Shape: []op.Dim{op.Batch, 4}}, {Name: "y", Shape: []op.Dim{3, 4}}}
	f := func(f func(x *op.Node) *op.Node) optest.Build { return optest.Unary(f) }
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Transpose(x, 0, 0) }), Want: `op.Transpose: input "x" has shape (batch, 4), want one whose axes [0 0] is an order of`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Transpose(x, 0) }), Want: `op.Transpose: input "x" has shape (batch, 4), want one whose axes [0] is an order of`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Transpose(x, 1, 2) }), Want: `op.Transpose: input "x" has shape (batch, 4), want one whose axes [1 2] is an order of`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Slice(x, 1, 2, 5) }), Want: `op.Slice: input "x" has shape (batch, 4), want one with elements 2 to 5 along axis 1`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Slice(x, 1, 3, 2) }), Want: `op.Slice: input "x" has shape (batch, 4), want one with elements 3 to 2 along axis 1`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Slice(x, 2, 0, 1) }), Want: `op.Slice: axis 2 of input "x", which has shape (batch, 4)`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Slice(x, 1, -1, 2) }), Want: `op.Slice: bounds -1 to 2, want numbers from 0 up or symbols of this graph`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Slice(x, 0, 1, 5) }), Want: `op.Slice: elements 1 to 5 of 3 along axis 0`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Slice(x, 0, 4, op.Batch) }), Want: `op.Slice: the result would have shape [-1 4]`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Pad(x, 0, -1, 2) }), Want: `op.Pad: padding -1 and 2, want 0 or more`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Pad(x, 3, 1, 2) }), Want: `op.Pad: axis 3 of input "x", which has shape (batch, 4)`},
		{In: two, Build: optest.Binary(func(x, y *op.Node) *op.Node { return op.Concat(1, x, y) }), Want: `op.Concat: input "y" has shape (3, 4), want (batch, 4) but for axis 1`},
		{In: two, Build: optest.Binary(func(x, y *op.Node) *op.Node { return op.Concat(0, x, op.Sum(y, 0)) }), Want: `op.Concat: input 1 (sum) has shape (4,), want (batch, 4) but for axis 0`},
		{In: two, Build: optest.Binary(func(x, y *op.Node) *op.Node { return op.Concat(0, x, op.Cast(y, op.Float64)) }), Want: `op.Concat: input 1 (cast) has type float64, want float32, as input "x"`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Concat(2, x) }), Want: `op.Concat: axis 2 of input "x", which has shape (batch, 4)`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Concat(0, x, nil) }), Want: `op.Concat: input 1 is nil`},
		{Build: func(...*op.Node) []*op.Node { return []*op.Node{op.Concat(0)} }, Want: `op.Concat: nothing to join`},
		{Build: func(...*op.Node) []*op.Node { return []*op.Node{op.Stack(0)} }, Want: `op.Stack: nothing to join`},
		{In: two, Build: optest.Binary(func(x, y *op.Node) *op.Node { return op.Stack(0, x, y) }), Want: `op.Stack: input 1 (reshape) has shape (1, 3, 4), want (1, batch, 4) but for axis 0`},
		{In: x, Build: func(in ...*op.Node) []*op.Node { return op.Split(in[0], 1, 2, 3) }, Want: `op.Split: the parts add up to 5, and axis 1 of input "x" has size 4`},
		{In: x, Build: func(in ...*op.Node) []*op.Node { return op.Split(in[0], 0, op.Batch, 1) }, Want: `op.Split: the parts add up to batch+1, and axis 0 of input "x" has size batch`},
		{In: x, Build: func(in ...*op.Node) []*op.Node { return op.Split(in[0], 5, 1) }, Want: `op.Split: axis 5 of input "x", which has shape (batch, 4)`},
	}})
}

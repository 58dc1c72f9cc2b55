package op_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// same is the reference of an op that only changes the shape.
func same(shape func(in []int) []int) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		return []optest.Array{{Shape: shape(in[0].Shape), Data: in[0].Data}}
	}
}

func TestReshape(t *testing.T) {
	to := func(dims ...op.Dim) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.Reshape(x, dims...) })
	}
	optest.Check(t,
		optest.Case{Name: "numbers", In: []optest.Input{optest.Float(2, 6)}, Build: to(3, 4), Reference: same(func([]int) []int { return []int{3, 4} })},
		optest.Case{Name: "itself", In: []optest.Input{optest.Float(op.Batch, 6)}, Build: to(op.Batch, 6), Reference: same(func(s []int) []int { return s })},
		optest.Case{Name: "split the rows", In: []optest.Input{optest.Float(op.Batch, 6)}, Build: to(op.Batch, 2, 1, 3), Reference: same(func(s []int) []int { return []int{s[0], 2, 1, 3} })},
		optest.Case{Name: "auto", In: []optest.Input{optest.Float(op.Batch, 6)}, Build: to(op.Auto, 3), Reference: same(func(s []int) []int { return []int{s[0] * 2, 3} })},
		optest.Case{Name: "auto in the middle", In: []optest.Input{optest.Float(op.Batch, 6)}, Build: to(op.Batch, op.Auto, 3), Reference: same(func(s []int) []int { return []int{s[0], 2, 3} })},
		optest.Case{Name: "vector", In: []optest.Input{optest.Float(op.Batch, 2, 3)}, Build: to(op.Auto), Reference: same(func(s []int) []int { return []int{s[0] * 6} })},
		optest.Case{Name: "two symbols", In: []optest.Input{optest.Float(op.Batch, optest.Length, 3)}, Build: to(op.Auto, 3), Reference: same(func(s []int) []int { return []int{s[0] * s[1], 3} })},
		optest.Case{Name: "scalar to vector", In: []optest.Input{optest.Float()}, Build: to(1), Reference: same(func([]int) []int { return []int{1} })},
		optest.Case{Name: "vector to scalar", In: []optest.Input{optest.Float(1, 1)}, Build: to(), Reference: same(func([]int) []int { return []int{} })},
		optest.Case{Name: "no elements", In: []optest.Input{optest.Float(op.Batch, 0)}, Build: to(0, op.Batch, 5), Reference: same(func(s []int) []int { return []int{0, s[0], 5} })},
		optest.Case{Name: "no rows", In: []optest.Input{optest.Float(op.Batch, 4)}, Build: to(op.Batch, 2, 2), Batches: []int{0, 3, 0}, Reference: same(func(s []int) []int { return []int{s[0], 2, 2} })},
		optest.Case{Name: "integers", In: []optest.Input{optest.Int(9, op.Batch, 4)}, Build: to(op.Auto, 2), Reference: same(func(s []int) []int { return []int{s[0] * 2, 2} })},
		optest.Case{Name: "one input under two shapes", In: []optest.Input{optest.Float(op.Batch, 4)}, Build: optest.Unary(func(x *op.Node) *op.Node {
			return op.Add(op.Sum(op.Reshape(x, op.Batch, 2, 2), 1), op.Sum(op.Square(op.Reshape(x, op.Batch, 2, 2)), 2))
		}), Reference: func(in []optest.Array) []optest.Array {
			out := optest.NewArray(in[0].Shape[0], 2)
			each(out.Shape, func(at []int) {
				x := func(i int) float64 { return in[0].At(at[0], i) }
				out.Set(x(at[1])+x(2+at[1])+x(2*at[1])*x(2*at[1])+x(2*at[1]+1)*x(2*at[1]+1), at...)
			})
			return []optest.Array{out}
		}},
	)
}

func TestFlattenSqueezeUnsqueeze(t *testing.T) {
	unsqueeze := func(axis int) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.Unsqueeze(x, axis) })
	}
	squeeze := func(axis int) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.Squeeze(x, axis) })
	}
	optest.Check(t,
		optest.Case{Name: "Flatten", In: []optest.Input{optest.Float(op.Batch, 2, 3, 2)}, Build: optest.Unary(op.Flatten), Reference: same(func(s []int) []int { return []int{s[0], 12} })},
		optest.Case{Name: "Flatten a vector", In: []optest.Input{optest.Float(op.Batch)}, Build: optest.Unary(op.Flatten), Reference: same(func(s []int) []int { return []int{s[0], 1} })},
		optest.Case{Name: "Flatten symbols", In: []optest.Input{optest.Float(op.Batch, optest.Length, 2)}, Build: optest.Unary(op.Flatten), Reference: same(func(s []int) []int { return []int{s[0], s[1] * 2} })},
		optest.Case{Name: "Flatten no rows", In: []optest.Input{optest.Float(op.Batch, 2, 2)}, Batches: []int{0, 1}, Build: optest.Unary(op.Flatten), Reference: same(func(s []int) []int { return []int{s[0], 4} })},
		optest.Case{Name: "Unsqueeze 0", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: unsqueeze(0), Reference: same(func(s []int) []int { return []int{1, s[0], 3} })},
		optest.Case{Name: "Unsqueeze -1", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: unsqueeze(-1), Reference: same(func(s []int) []int { return []int{s[0], 3, 1} })},
		optest.Case{Name: "Unsqueeze a scalar", In: []optest.Input{optest.Float()}, Build: unsqueeze(0), Reference: same(func([]int) []int { return []int{1} })},
		optest.Case{Name: "Squeeze 1", In: []optest.Input{optest.Float(op.Batch, 1, 3)}, Build: squeeze(1), Reference: same(func(s []int) []int { return []int{s[0], 3} })},
		optest.Case{Name: "Squeeze -1", In: []optest.Input{optest.Float(op.Batch, 3, 1)}, Build: squeeze(-1), Reference: same(func(s []int) []int { return []int{s[0], 3} })},
	)
}

func TestBroadcastTo(t *testing.T) {
	to := func(dims ...op.Dim) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.BroadcastTo(x, dims...) })
	}
	reference := func(shape func(batch int) []int) func([]optest.Array) []optest.Array {
		return func(in []optest.Array) []optest.Array {
			batch := 0
			for _, d := range in[1].Shape {
				batch = d
			}
			out := optest.NewArray(shape(batch)...)
			each(out.Shape, func(at []int) { out.Set(stretched(in[0], at), at...) })
			return []optest.Array{out}
		}
	}
	// A second input brings the batch, which the first may lack.
	with := func(shape ...op.Dim) []optest.Input {
		return []optest.Input{optest.Float(shape...), {Name: "rows", Shape: []op.Dim{op.Batch}, NoGradient: true}}
	}
	both := func(b optest.Build) optest.Build {
		return func(in ...*op.Node) []*op.Node {
			return []*op.Node{op.Add(b(in[0])[0], op.Sum(op.MulConst(in[1], 0)))}
		}
	}
	optest.Check(t,
		optest.Case{Name: "itself", In: with(op.Batch, 3), Build: both(to(op.Batch, 3)), Reference: reference(func(n int) []int { return []int{n, 3} })},
		optest.Case{Name: "rows", In: with(3), Build: both(to(op.Batch, 3)), Reference: reference(func(n int) []int { return []int{n, 3} })},
		optest.Case{Name: "columns", In: with(op.Batch, 1), Build: both(to(op.Batch, 3)), Reference: reference(func(n int) []int { return []int{n, 3} })},
		optest.Case{Name: "scalar", In: with(), Build: both(to(2, op.Batch, 3)), Reference: reference(func(n int) []int { return []int{2, n, 3} })},
		optest.Case{Name: "inner axes", In: with(op.Batch, 1, 2, 1), Build: both(to(3, op.Batch, 2, 2, 4)), Reference: reference(func(n int) []int { return []int{3, n, 2, 2, 4} })},
		optest.Case{Name: "to nothing", In: with(1, 3), Build: both(to(0, 3)), Reference: reference(func(int) []int { return []int{0, 3} })},
	)
}

func TestSumTo(t *testing.T) {
	to := func(dims ...op.Dim) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.SumTo(x, dims...) })
	}
	sums := func(shape func(in []int) []int) func([]optest.Array) []optest.Array {
		return func(in []optest.Array) []optest.Array {
			out := optest.NewArray(shape(in[0].Shape)...)
			each(in[0].Shape, func(at []int) {
				own := append([]int{}, at[len(at)-len(out.Shape):]...)
				for i, d := range out.Shape {
					if d == 1 {
						own[i] = 0
					}
				}
				out.Set(out.At(own...)+in[0].At(at...), own...)
			})
			return []optest.Array{out}
		}
	}
	optest.Check(t,
		optest.Case{Name: "itself", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: to(op.Batch, 3), Reference: sums(func(s []int) []int { return s })},
		optest.Case{Name: "row", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: to(3), Reference: sums(func([]int) []int { return []int{3} })},
		optest.Case{Name: "row of two axes", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: to(1, 3), Reference: sums(func([]int) []int { return []int{1, 3} })},
		optest.Case{Name: "column", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: to(op.Batch, 1), Reference: sums(func(s []int) []int { return []int{s[0], 1} })},
		optest.Case{Name: "scalar", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: to(), Reference: sums(func([]int) []int { return []int{} })},
		optest.Case{Name: "both kinds of axes", In: []optest.Input{optest.Float(2, op.Batch, 3, 2)}, Build: to(1, 3, 1), Reference: sums(func([]int) []int { return []int{1, 3, 1} })},
		optest.Case{Name: "no rows", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: to(3), Batches: []int{0, 2}, Reference: sums(func([]int) []int { return []int{3} })},
	)
}

func TestReshapeMisuse(t *testing.T) {
	x := []optest.Input{{Name: "x", Shape: []op.Dim{op.Batch, 6}}}
	reshape := func(dims ...op.Dim) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.Reshape(x, dims...) })
	}
	f := func(f func(x *op.Node) *op.Node) optest.Build { return optest.Unary(f) }
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: x, Build: reshape(op.Batch, 4), Want: `op.Reshape: input "x" has shape (batch, 6): cannot become (batch, 4): 4·batch elements, want 6·batch`},
		{In: x, Build: reshape(op.Auto, 4), Want: `op.Reshape: input "x" has shape (batch, 6): cannot become (auto, 4): 6·batch elements are not a multiple of 4`},
		{In: x, Build: reshape(op.Auto, op.Auto), Want: `op.Reshape: input "x" has shape (batch, 6): cannot become (auto, auto): only one size may be Auto`},
		{In: x, Build: reshape(-7), Want: `op.Reshape: input "x" has shape (batch, 6): cannot become one whose axis 0 has size -7, want a number from 0 up, a symbol of this graph, or op.Auto`},
		{In: x, Build: reshape(1, 1, 1, 1, 1, 1, 1, op.Batch, 6), Want: `op.Reshape: output 0 of reshape: 9 axes, want at most 8`},
		{In: []optest.Input{optest.Float()}, Build: f(op.Flatten), Want: `op.Flatten: input "x0" has shape (), want at least one axis`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Unsqueeze(x, 3) }), Want: `op.Unsqueeze: axis 3 for input "x", which has shape (batch, 6)`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Unsqueeze(x, -4) }), Want: `op.Unsqueeze: axis -4 for input "x", which has shape (batch, 6)`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Squeeze(x, 0) }), Want: `op.Squeeze: input "x" has shape (batch, 6), want size 1 in axis 0`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.Squeeze(x, 2) }), Want: `op.Squeeze: input "x" has shape (batch, 6), want size 1 in axis 2`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.BroadcastTo(x, 3, 6) }), Want: `op.BroadcastTo: input "x" has shape (batch, 6), want one that broadcasts to (3, 6)`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.BroadcastTo(x, 6) }), Want: `op.BroadcastTo: input "x" has shape (batch, 6), want one that broadcasts to (6,)`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.SumTo(x, 1, op.Batch, 6) }), Want: `op.SumTo: input "x" has shape (batch, 6), which does not sum to (1, batch, 6)`},
		{In: x, Build: f(func(x *op.Node) *op.Node { return op.SumTo(x, 4) }), Want: `op.SumTo: input "x" has shape (batch, 6), which does not sum to (4,)`},
	}})
}

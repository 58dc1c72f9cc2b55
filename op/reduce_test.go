package op_test

import (
	"fmt"
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// reduction is what a reduction should compute.
type reduction struct {
	build  func(x *op.Node, axes ...int) *op.Node
	from   float64
	fold   func(acc, x float64) float64
	finish func(acc float64, n int) float64
}

func plain(acc float64, _ int) float64 { return acc }

var reductions = map[string]reduction{
	"Sum":  {op.Sum, 0, func(a, x float64) float64 { return a + x }, plain},
	"Mean": {op.Mean, 0, func(a, x float64) float64 { return a + x }, func(a float64, n int) float64 { return a / math.Max(1, float64(n)) }},
	"Max":  {op.Max, math.Inf(-1), math.Max, plain},
	"Min":  {op.Min, math.Inf(1), math.Min, plain},
}

func TestReduce(t *testing.T) {
	shapes := []struct {
		shape []op.Dim
		axes  [][]int
	}{
		{[]op.Dim{}, [][]int{{}}},
		{[]op.Dim{op.Batch}, [][]int{{}, {0}, {-1}}},
		{[]op.Dim{op.Batch, 4}, [][]int{{}, {0}, {1}, {-1}, {0, 1}, {-1, 0}}},
		{[]op.Dim{3, op.Batch, 1}, [][]int{{0}, {1}, {2}, {0, 2}, {-2}}},
		{[]op.Dim{op.Batch, 2, 3, 2}, [][]int{{1}, {0, 2, 3}, {-3, -1}}},
		{[]op.Dim{2, op.Batch, 2, 1, 3}, [][]int{{0, 2, 4}, {1, 3}, {}, {3}}},
		{[]op.Dim{op.Batch, optest.Length}, [][]int{{0}, {1}, {}}},
	}
	for name, r := range reductions {
		t.Run(name, func(t *testing.T) {
			for _, s := range shapes {
				for _, axes := range s.axes {
					optest.Check(t, r.check(fmt.Sprint(s.shape, axes), s.shape, axes))
				}
			}
			c := r.check("no rows", []op.Dim{op.Batch, 3}, []int{1})
			c.Batches = []int{0, 2, 0}
			optest.Check(t, c)
		})
	}
}

func (r reduction) check(name string, shape []op.Dim, axes []int) optest.Case {
	return optest.Case{
		Name: name, In: []optest.Input{optest.Float(shape...)},
		Build: optest.Unary(func(x *op.Node) *op.Node { return r.build(x, axes...) }),
		Reference: func(in []optest.Array) []optest.Array {
			return []optest.Array{reduced(in[0], axisSet(len(shape), axes), r.from, r.fold, r.finish)}
		},
	}
}

func axisSet(rank int, axes []int) map[int]bool {
	set := map[int]bool{}
	for i := range rank {
		set[i] = len(axes) == 0
	}
	for _, a := range axes {
		set[(a+rank)%max(rank, 1)] = true
	}
	return set
}

// Reductions of nothing have the values that ReduceFunc documents.
func TestReduceNothing(t *testing.T) {
	inf := math.Inf(1)
	build := func(f func(*op.Node, ...int) *op.Node) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return f(x, 0) })
	}
	in := []optest.Input{{Shape: []op.Dim{op.Batch, 2}, Values: []float64{}}}
	bools := []optest.Input{{DType: op.Bool, Shape: []op.Dim{op.Batch, 2}, Values: []float64{}}}
	ints := []optest.Input{{DType: op.Int32, Shape: []op.Dim{op.Batch, 2}, Values: []float64{}}}
	none := []int{0}
	optest.Check(t,
		optest.Case{Name: "Sum", In: in, Build: build(op.Sum), Batches: none, Want: [][]float64{{0, 0}}},
		optest.Case{Name: "Mean", In: in, Build: build(op.Mean), Batches: none, Want: [][]float64{{0, 0}}},
		optest.Case{Name: "Max", In: in, Build: build(op.Max), Batches: none, Want: [][]float64{{-inf, -inf}}, OnKink: true},
		optest.Case{Name: "Min", In: in, Build: build(op.Min), Batches: none, Want: [][]float64{{inf, inf}}, OnKink: true},
		optest.Case{Name: "Max of integers", In: ints, Build: build(op.Max), Batches: none, Want: [][]float64{{math.MinInt32, math.MinInt32}}},
		optest.Case{Name: "Min of integers", In: ints, Build: build(op.Min), Batches: none, Want: [][]float64{{math.MaxInt32, math.MaxInt32}}},
		optest.Case{Name: "All", In: bools, Build: build(op.All), Batches: none, Want: [][]float64{{1, 1}}},
		optest.Case{Name: "Any", In: bools, Build: build(op.Any), Batches: none, Want: [][]float64{{0, 0}}},
	)
}

// The gradient of a maximum is shared by all that are greatest.
func TestReduceTies(t *testing.T) {
	x := []optest.Input{optest.Given([]float64{1, 3, 3, 2, 2, 2}, 2, 3)}
	rows := func(f func(*op.Node, ...int) *op.Node) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return f(x, 1) })
	}
	third := 1.0 / 3
	optest.Check(t,
		optest.Case{Name: "Max", In: x, Build: rows(op.Max), OnKink: true, Want: [][]float64{{3, 2}}, WantGrad: [][]float64{{0, 0.5, 0.5, third, third, third}}},
		optest.Case{Name: "Min", In: x, Build: rows(op.Min), OnKink: true, Want: [][]float64{{1, 2}}, WantGrad: [][]float64{{1, 0, 0, third, third, third}}},
		optest.Case{Name: "Max with NaN", In: []optest.Input{optest.Given([]float64{1, math.NaN(), 3, 4}, 2, 2)}, Build: rows(op.Max), OnKink: true,
			Want: [][]float64{{math.NaN(), 4}}},
		optest.Case{Name: "Min with NaN", In: []optest.Input{optest.Given([]float64{1, math.NaN(), 3, 4}, 2, 2)}, Build: rows(op.Min), OnKink: true,
			Want: [][]float64{{math.NaN(), 3}}},
	)
}

func TestReduceIntegersAndBools(t *testing.T) {
	ints := []optest.Input{{DType: op.Int32, Shape: []op.Dim{2, 3}, Values: []float64{1, -5, 3, 4, 4, 0}}}
	bools := []optest.Input{{DType: op.Bool, Shape: []op.Dim{3, 2}, Values: []float64{1, 1, 0, 1, 0, 0}}}
	along := func(f func(*op.Node, ...int) *op.Node, axes ...int) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return f(x, axes...) })
	}
	optest.Check(t,
		optest.Case{Name: "Sum", In: ints, Build: along(op.Sum, 0), Want: [][]float64{{5, -1, 3}}},
		optest.Case{Name: "Max", In: ints, Build: along(op.Max, 1), Want: [][]float64{{3, 4}}},
		optest.Case{Name: "Min", In: ints, Build: along(op.Min), Want: [][]float64{{-5}}},
		optest.Case{Name: "All", In: bools, Build: along(op.All, 1), Want: [][]float64{{1, 0, 0}}},
		optest.Case{Name: "Any", In: bools, Build: along(op.Any, 1), Want: [][]float64{{1, 1, 0}}},
		optest.Case{Name: "All of all", In: bools, Build: along(op.All), Want: [][]float64{{0}}},
		optest.Case{Name: "Any of all", In: bools, Build: along(op.Any), Want: [][]float64{{1}}},
	)
}

func TestArg(t *testing.T) {
	at := func(axis int, better func(a, b float64) bool) func(in []optest.Array) []optest.Array {
		return func(in []optest.Array) []optest.Array {
			a := in[0]
			k := (axis + len(a.Shape)) % len(a.Shape)
			var shape []int
			shape = append(append(shape, a.Shape[:k]...), a.Shape[k+1:]...)
			out := optest.NewArray(shape...)
			each(shape, func(to []int) {
				index := append(append(append([]int{}, to[:k]...), 0), to[k:]...)
				best := a.At(index...)
				for i := 1; i < a.Shape[k]; i++ {
					if index[k] = i; better(a.At(index...), best) {
						best = a.At(index...)
						out.Set(float64(i), to...)
					}
				}
			})
			return []optest.Array{out}
		}
	}
	greater := func(a, b float64) bool { return a > b }
	less := func(a, b float64) bool { return a < b }
	for _, c := range []struct {
		shape []op.Dim
		axis  int
	}{{[]op.Dim{5}, 0}, {[]op.Dim{op.Batch, 4}, 1}, {[]op.Dim{op.Batch, 4}, 0}, {[]op.Dim{2, 3, op.Batch}, -2}, {[]op.Dim{2, 1, op.Batch, 3, 2}, 3}, {[]op.Dim{op.Batch, 1}, 1}} {
		in := []optest.Input{optest.Float(c.shape...)}
		name := fmt.Sprint(c.shape, c.axis)
		optest.Check(t,
			optest.Case{Name: "ArgMax " + name, In: in, Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMax(x, c.axis) }), Reference: at(c.axis, greater)},
			optest.Case{Name: "ArgMin " + name, In: in, Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMin(x, c.axis) }), Reference: at(c.axis, less)},
		)
	}
	nan := math.NaN()
	rows := []optest.Input{optest.Given([]float64{2, 2, 1, 1, nan, 5, nan, nan, 0}, 3, 3)}
	optest.Check(t,
		optest.Case{Name: "ties and NaN", In: rows, Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMax(x, 1) }), Want: [][]float64{{0, 1, 0}}},
		optest.Case{Name: "ties and NaN", In: rows, Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMin(x, 1) }), Want: [][]float64{{2, 1, 0}}},
		optest.Case{Name: "no rows", In: []optest.Input{optest.Float(op.Batch, 3)}, Batches: []int{0, 2},
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMax(x, 1) }), Reference: at(1, greater)},
	)
}

func TestReduceMisuse(t *testing.T) {
	x := []optest.Input{{Name: "x", Shape: []op.Dim{op.Batch, 4}}}
	with := func(f func(*op.Node, ...int) *op.Node, axes ...int) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return f(x, axes...) })
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: x, Build: with(op.Sum, 2), Want: `op.Sum: axis 2 of input "x", which has shape (batch, 4)`},
		{In: x, Build: with(op.Mean, -3), Want: `op.Mean: axis -3 of input "x", which has shape (batch, 4)`},
		{In: x, Build: with(op.Max, 1, -1), Want: `op.Max: axis -1 is named twice`},
		{In: x, Build: with(op.All), Want: `op.All: input "x" has type float32, want bool`},
		{In: []optest.Input{optest.Bool(3)}, Build: with(op.Sum), Want: `op.Sum: input "x0" has type bool, want a number type`},
		{In: x, Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMax(x, 2) }), Want: `op.ArgMax: axis 2 of input "x", which has shape (batch, 4)`},
		{In: []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{3}}}, Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMin(x, 0) }),
			Want: `op.ArgMin: input "ids" has type int32, want a floating-point type`},
		{In: []optest.Input{{Name: "x", Shape: []op.Dim{3, 0}}}, Build: optest.Unary(func(x *op.Node) *op.Node { return op.ArgMax(x, 1) }),
			Want: `op.ArgMax: input "x" has shape (3, 0), want one with elements along axis 1`},
	}})
}

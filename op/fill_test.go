package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

func TestFill(t *testing.T) {
	constant := func(v float64) func([]optest.Array) []optest.Array {
		return elementwise(func(float64) float64 { return v })
	}
	x := []optest.Input{optest.Float(op.Batch, 3)}
	optest.Check(t,
		optest.Case{Name: "Ones", In: x, Build: optest.Unary(op.Ones), Reference: constant(1)},
		optest.Case{Name: "Zeros", In: x, Build: optest.Unary(op.Zeros), Reference: constant(0)},
		optest.Case{Name: "Ones of integers", In: []optest.Input{optest.Int(5, op.Batch, 3)}, Build: optest.Unary(op.Ones), Reference: constant(1)},
		optest.Case{Name: "Full", Want: [][]float64{{2.5, 2.5, 2.5, 2.5, 2.5, 2.5}}, In: []optest.Input{optest.Float(1)},
			Build: optest.Unary(func(x *op.Node) *op.Node {
				if x.Err() != nil {
					return x.Graph().Fail("%w", x.Err())
				}
				return x.Graph().Full(x.DType(), 2.5, 2, 3)
			})},
	)
}

// DimSize gives a size as a number, and so binds the batch although nothing reads the input.
func TestDimSize(t *testing.T) {
	size := func(d op.DType, of func(g *op.Graph) op.Dim) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node {
			if x.Err() != nil {
				return x.Graph().Fail("%w", x.Err())
			}
			return x.Graph().DimSize(d, of(x.Graph()))
		})
	}
	batch := func(in []optest.Array) []optest.Array {
		return []optest.Array{{Shape: []int{}, Data: []float64{float64(in[0].Shape[0])}}}
	}
	twice := func(in []optest.Array) []optest.Array {
		return []optest.Array{{Shape: []int{}, Data: []float64{2*float64(in[0].Shape[0]) + 1}}}
	}
	x := []optest.Input{optest.Int(4, op.Batch, 3)}
	optest.Check(t,
		optest.Case{In: x, Reference: batch, Build: size(op.Float32, func(*op.Graph) op.Dim { return op.Batch })},
		optest.Case{In: x, Reference: batch, Build: size(op.Int64, func(*op.Graph) op.Dim { return op.Batch })},
		optest.Case{In: x, Reference: twice, Build: size(op.Int32, func(g *op.Graph) op.Dim { return g.AddDims(op.Batch, g.AddDims(op.Batch, 1)) })},
	)
}

func TestCast(t *testing.T) {
	to := func(d op.DType) optest.Build {
		return optest.Unary(func(x *op.Node) *op.Node { return op.Cast(x, d) })
	}
	given := func(d op.DType, v ...float64) []optest.Input {
		return []optest.Input{{DType: d, Shape: []op.Dim{op.Dim(len(v))}, Values: v}}
	}
	ones := [][]float64{{1, 1, 1, 1}}
	optest.Check(t,
		optest.Case{Name: "to itself", In: given(op.Float32, 1, 2, 3, 4), Build: to(op.Float32), Want: [][]float64{{1, 2, 3, 4}}, WantGrad: ones},
		optest.Case{Name: "down", In: given(op.Float64, 1, -2.5, 0.1, 1e300), Build: to(op.Float32), OnKink: true, WantGrad: ones,
			Want: [][]float64{{1, -2.5, float64(float32(0.1)), math.Inf(1)}}},
		optest.Case{Name: "up", In: given(op.Float32, 1, -2.5, 0.1, 7), Build: to(op.Float64), OnKink: true, WantGrad: ones,
			Want: [][]float64{{1, -2.5, float64(float32(0.1)), 7}}},
		optest.Case{Name: "to integers", In: given(op.Float64, 1.9, -1.9, 0.5, -0.5), Build: to(op.Int32), Want: [][]float64{{1, -1, 0, 0}}},
		optest.Case{Name: "to Int64", In: given(op.Float32, 1.9, -1.9, 1e9, -0.5), Build: to(op.Int64), Want: [][]float64{{1, -1, 1e9, 0}}},
		optest.Case{Name: "to Bool", In: given(op.Float64, 0, -0.5, math.NaN(), 3), Build: to(op.Bool), Want: [][]float64{{0, 1, 1, 1}}},
		optest.Case{Name: "from Bool", In: given(op.Bool, 0, 1), Build: to(op.Float32), Want: [][]float64{{0, 1}}},
		optest.Case{Name: "from Int32", In: given(op.Int32, -7, 7), Build: to(op.Float64), Want: [][]float64{{-7, 7}}},
		optest.Case{Name: "from Int64", In: given(op.Int64, -7, 1<<40), Build: to(op.Float64), Want: [][]float64{{-7, 1 << 40}}},
		optest.Case{Name: "between integers", In: given(op.Int64, -7, 300), Build: to(op.Int32), Want: [][]float64{{-7, 300}}},
		optest.Case{Name: "to Uint8", In: given(op.Int32, 7, 255), Build: to(op.Uint8), Want: [][]float64{{7, 255}}},
		optest.Case{Name: "no rows", In: []optest.Input{{DType: op.Float64, Shape: []op.Dim{op.Batch, 3}}}, Build: to(op.Float32), Batches: []int{0, 3},
			Reference: elementwise(func(x float64) float64 { return x }), OnKink: true},
		optest.Case{Name: "through bfloat16", In: given(op.Float32, 1, -2.5, 3.140625, 0), OnKink: true, WantGrad: ones, Want: [][]float64{{1, -2.5, 3.140625, 0}},
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.Cast(op.Cast(x, op.BFloat16), op.Float32) })},
		optest.Case{Name: "through float16", In: given(op.Float32, 1, -2.5, 3.140625, 0), OnKink: true, WantGrad: ones, Want: [][]float64{{1, -2.5, 3.140625, 0}},
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.Cast(op.Cast(x, op.Float16), op.Float32) })},
		optest.Case{Misuse: []optest.Misuse{
			{In: given(op.Float32, 1), Build: to(op.DType(77)), Want: "op.Cast: output 0 of cast: DType(77) is no element type"},
			{In: given(op.Float32, 1), Build: to(op.InvalidDType), Want: "op.Cast: output 0 of cast: invalid is no element type"},
		}},
	)
}

func TestStopGradient(t *testing.T) {
	optest.Check(t,
		optest.Case{Name: "alone", In: []optest.Input{optest.Float(op.Batch, 3)}, Build: optest.Unary(op.StopGradient), OnKink: true,
			Reference: elementwise(func(x float64) float64 { return x })},
		optest.Case{Name: "one factor", In: []optest.Input{optest.Given([]float64{2, 3}, 2)}, OnKink: true,
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.Mul(x, op.StopGradient(x)) }),
			Want:  [][]float64{{4, 9}}, WantGrad: [][]float64{{2, 3}}},
	)
}

package gorgop

import (
	"math"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle/op"
	"paddle/op/optest"
)

// stockCase is a function of Gorgonia, and what it computes.
type stockCase struct {
	name  string
	f     func(in gorgonia.Nodes) (*gorgonia.Node, error)
	want  func(in []array) array
	in    []optest.Input
	avoid []float64 // kinks
	sizes []int     // of the batch
	none  bool      // no gradient
}

func (c stockCase) check(t *testing.T) {
	t.Helper()
	for i := range c.in {
		c.in[i].Avoid = c.avoid
	}
	optest.Check(t, optest.Case{
		In:         c.in,
		Build:      optest.One(func(in ...*op.Node) *op.Node { return Import(c.f, in...) }),
		Reference:  func(in []array) []array { return []array{c.want(in)} },
		Batches:    c.sizes,
		NoGradient: c.none,
	})
}

func checkStock(t *testing.T, cases []stockCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

func one(f func(x *gorgonia.Node) (*gorgonia.Node, error)) func(gorgonia.Nodes) (*gorgonia.Node, error) {
	return func(in gorgonia.Nodes) (*gorgonia.Node, error) { return f(in[0]) }
}

func two(f func(a, b *gorgonia.Node) (*gorgonia.Node, error)) func(gorgonia.Nodes) (*gorgonia.Node, error) {
	return func(in gorgonia.Nodes) (*gorgonia.Node, error) { return f(in[0], in[1]) }
}

func inputs(in ...optest.Input) []optest.Input { return in }

func TestStockUnary(t *testing.T) {
	matrix, positive := inputs(optest.Float(op.Batch, 4)), inputs(optest.Between(0.3, 2, op.Batch, 4))
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	zero := []float64{0}
	checkStock(t, []stockCase{
		{name: "abs", f: one(gorgonia.Abs), want: each(math.Abs), in: matrix, avoid: zero},
		{name: "sign", f: one(gorgonia.Sign), want: each(func(x float64) float64 { return math.Copysign(1, x) }), in: matrix, avoid: zero},
		{name: "ceil", f: one(gorgonia.Ceil), want: each(math.Ceil), in: matrix, avoid: []float64{-1, 0, 1}},
		{name: "floor", f: one(gorgonia.Floor), want: each(math.Floor), in: matrix, avoid: []float64{-1, 0, 1}},
		{name: "sin", f: one(gorgonia.Sin), want: each(math.Sin), in: matrix},
		{name: "cos", f: one(gorgonia.Cos), want: each(math.Cos), in: matrix},
		{name: "exp", f: one(gorgonia.Exp), want: each(math.Exp), in: matrix},
		{name: "neg", f: one(gorgonia.Neg), want: each(func(x float64) float64 { return -x }), in: matrix},
		{name: "square", f: one(gorgonia.Square), want: each(func(x float64) float64 { return x * x }), in: matrix},
		{name: "cube", f: one(gorgonia.Cube), want: each(func(x float64) float64 { return x * x * x }), in: matrix},
		{name: "tanh", f: one(gorgonia.Tanh), want: each(math.Tanh), in: matrix},
		{name: "sigmoid", f: one(gorgonia.Sigmoid), want: each(sigmoid), in: matrix},
		{name: "expm1", f: one(gorgonia.Expm1), want: each(math.Expm1), in: matrix},
		{name: "softplus", f: one(gorgonia.Softplus), want: each(func(x float64) float64 { return math.Log1p(math.Exp(x)) }), in: matrix},
		{name: "log", f: one(gorgonia.Log), want: each(math.Log), in: positive},
		{name: "log1p", f: one(gorgonia.Log1p), want: each(math.Log1p), in: positive},
		{name: "sqrt", f: one(gorgonia.Sqrt), want: each(math.Sqrt), in: positive},
		{name: "inverse", f: one(gorgonia.Inverse), want: each(func(x float64) float64 { return 1 / x }), in: positive},
		{name: "log2", f: one(gorgonia.Log2), want: each(math.Log2), in: positive, none: true},
		{name: "inverse sqrt", f: one(gorgonia.InverseSqrt), want: each(func(x float64) float64 { return 1 / math.Sqrt(x) }), in: positive, none: true},
		{name: "relu", f: one(gorgonia.Rectify), want: each(func(x float64) float64 { return math.Max(x, 0) }), in: matrix, avoid: zero},
		{name: "leaky relu", f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.LeakyRelu(x, 0.1) }),
			want: each(func(x float64) float64 { return math.Max(x, 0.1*x) }), in: matrix, avoid: zero},
		{name: "mish", f: one(gorgonia.Mish), want: each(func(x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) }), in: matrix},
		{name: "tanh of a scalar", f: one(gorgonia.Tanh), want: each(math.Tanh), in: inputs(optest.Float())},
		{name: "tanh of a vector", f: one(gorgonia.Tanh), want: each(math.Tanh), in: inputs(optest.Float(op.Batch)), sizes: []int{3, 1}},
		{name: "cube in 4 axes", f: one(gorgonia.Cube), want: each(func(x float64) float64 { return x * x * x }), in: inputs(optest.Float(op.Batch, 2, 1, 3)), sizes: []int{3, 1}},
	})
}

func TestStockBinary(t *testing.T) {
	less := func(a, b float64) float64 {
		if a < b {
			return 1
		}
		return 0
	}
	functions := []struct {
		name string
		f    func(a, b *gorgonia.Node) (*gorgonia.Node, error)
		want func(a, b float64) float64
	}{
		{"add", gorgonia.Add, plus},
		{"sub", gorgonia.Sub, func(a, b float64) float64 { return a - b }},
		{"mul", gorgonia.HadamardProd, func(a, b float64) float64 { return a * b }},
		{"div", gorgonia.HadamardDiv, func(a, b float64) float64 { return a / b }},
		{"pow", gorgonia.Pow, math.Pow},
		{"lt", func(a, b *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Lt(a, b, true) }, less},
		{"gte", func(a, b *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Gte(a, b, true) }, func(a, b float64) float64 { return 1 - less(a, b) }},
		{"lt of type bool", func(a, b *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Lt(a, b, false) }, less},
		{"min", gorgonia.MinBetween, math.Min},
		{"max", gorgonia.MaxBetween, math.Max},
	}
	a, b := optest.Between(0.3, 0.9, op.Batch, 4), optest.Between(0.2, 0.8, op.Batch, 4)
	x, y := optest.Between(0.3, 0.9), optest.Between(0.2, 0.8)
	for _, c := range functions {
		scalars := c.name != "min" && c.name != "max"
		t.Run(c.name, func(t *testing.T) {
			for i, in := range [][]optest.Input{{a, b}, {a, y}, {x, b}, {x, y}} {
				if i == 0 || scalars {
					stockCase{f: two(c.f), want: pairs(c.want), in: in, sizes: []int{3, 1}}.check(t)
				}
			}
		})
	}
}

func TestStockReductions(t *testing.T) {
	along := func(f func(x *gorgonia.Node, axes ...int) (*gorgonia.Node, error), axes ...int) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return f(x, axes...) })
	}
	mean := func(axes ...int) func(in []array) array {
		return func(in []array) array {
			sum := reduced(0, plus, axes...)(in)
			n := float64(len(in[0].Data)) / float64(len(sum.Data))
			return sum.Map(func(x float64) float64 { return x / n })
		}
	}
	minus := math.Inf(-1)
	matrix, cube := inputs(optest.Float(op.Batch, 4)), inputs(optest.Between(-2, -1, op.Batch, 2, 3))
	four := inputs(optest.Between(-2, -1, op.Batch, 2, 3, 2))
	checkStock(t, []stockCase{
		{name: "sum", f: along(gorgonia.Sum), want: reduced(0, plus), in: matrix, sizes: []int{3, 1}},
		{name: "sum 0", f: along(gorgonia.Sum, 0), want: reduced(0, plus, 0), in: matrix, sizes: []int{3, 1}},
		{name: "sum 1", f: along(gorgonia.Sum, 1), want: reduced(0, plus, 1), in: matrix, sizes: []int{3, 1}},
		{name: "sum of a vector", f: along(gorgonia.Sum, 0), want: reduced(0, plus, 0), in: inputs(optest.Float(op.Batch)), sizes: []int{3, 1}},
		{name: "sum 1 of 3", f: along(gorgonia.Sum, 1), want: reduced(0, plus, 1), in: cube},
		{name: "sum 0, 2 of 3", f: along(gorgonia.Sum, 0, 2), want: reduced(0, plus, 0, 2), in: cube},
		{name: "sum 1, 2 of 4", f: along(gorgonia.Sum, 1, 2), want: reduced(0, plus, 1, 2), in: four},
		{name: "sum 0, 2, 3 of 4", f: along(gorgonia.Sum, 0, 2, 3), want: reduced(0, plus, 0, 2, 3), in: four},
		{name: "mean", f: along(gorgonia.Mean), want: mean(), in: matrix},
		{name: "mean 0", f: along(gorgonia.Mean, 0), want: mean(0), in: matrix},
		{name: "mean 1 of 3", f: along(gorgonia.Mean, 1), want: mean(1), in: cube},
		{name: "max", f: along(gorgonia.Max), want: reduced(minus, math.Max), in: matrix, sizes: []int{3, 1}},
		{name: "max 0", f: along(gorgonia.Max, 0), want: reduced(minus, math.Max, 0), in: cube},
		{name: "max 1", f: along(gorgonia.Max, 1), want: reduced(minus, math.Max, 1), in: cube},
		{name: "max 2", f: along(gorgonia.Max, 2), want: reduced(minus, math.Max, 2), in: cube},
		{name: "max 1, 3 of 4", f: along(gorgonia.Max, 1, 3), want: reduced(minus, math.Max, 1, 3), in: four},
		{name: "norm", f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Norm(x, 1, 2) }),
			want: func(in []array) array {
				return reduced(0, func(a, x float64) float64 { return a + x*x }, 1)(in).Map(math.Sqrt)
			}, in: matrix},
	})
}

func TestStockShapes(t *testing.T) {
	transposed := func(axes ...int) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Transpose(x, axes...) })
	}
	sliced := func(s ...tensor.Slice) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Slice(x, s...) })
	}
	checkStock(t, []stockCase{
		{name: "transpose", f: transposed(), want: permuted(1, 0), in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1}},
		{name: "transpose 3", f: transposed(1, 2, 0), want: permuted(1, 2, 0), in: inputs(optest.Float(op.Batch, 4, 2)), sizes: []int{3, 1}},
		{name: "transpose 4", f: transposed(0, 3, 1, 2), want: permuted(0, 3, 1, 2), in: inputs(optest.Float(op.Batch, 4, 2, 3)), sizes: []int{3, 1}},
		{name: "slice", f: sliced(nil, gorgonia.S(1, 3)), want: cut(1, 1, 3), in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1}},
		{name: "slice of 3", f: sliced(nil, gorgonia.S(1, 3)), want: cut(1, 1, 3), in: inputs(optest.Float(op.Batch, 4, 2)), sizes: []int{3, 1}},
		{name: "slice of one row", f: sliced(gorgonia.S(1)), in: inputs(optest.Float(op.Batch, 4)),
			want: func(in []array) array { return reshaped(cut(0, 1, 2)(in), 4) }},
		{name: "slice of one column", f: sliced(nil, gorgonia.S(2)), in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1},
			want: func(in []array) array { return reshaped(cut(1, 2, 3)(in), in[0].Shape[0]) }},
		{name: "ravel", f: one(gorgonia.Ravel), in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1},
			want: func(in []array) array { return reshaped(in[0], len(in[0].Data)) }},
		{name: "reshape", in: inputs(optest.Float(op.Batch, optest.Length, 4)),
			f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
				return gorgonia.Reshape(x, tensor.Shape{x.Shape()[0] * 2, x.Shape()[1] * 2})
			}),
			want: func(in []array) array { return reshaped(in[0], in[0].Shape[0]*2, in[0].Shape[1]*2) }},
		{name: "concat 1", f: func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Concat(1, in...) }, want: joined(1),
			in: inputs(optest.Float(op.Batch, 2), optest.Float(op.Batch, 1), optest.Float(op.Batch, 3)), sizes: []int{3, 1}},
		{name: "concat 2 of 3", f: func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Concat(2, in...) }, want: joined(2),
			in: inputs(optest.Float(op.Batch, 2, 3), optest.Float(op.Batch, 2, 4))},
		{name: "at", f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.At(x, 1, 2) }), none: true,
			want: func(in []array) array { return array{Data: []float64{in[0].At(1, 2)}} }, in: inputs(optest.Float(3, 4))},
		{name: "rows by index", f: two(func(x, ids *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.ByIndices(x, ids, 0) }),
			in: inputs(optest.Float(8, 3), optest.Input{DType: op.Int64, Shape: []op.Dim{op.Batch}}), sizes: []int{3, 1},
			want: func(in []array) array {
				return fill([]int{len(in[1].Data), 3}, func(at []int) float64 { return in[0].At(int(in[1].Data[at[0]]), at[1]) })
			}},
		{name: "columns by index", f: two(func(x, ids *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.ByIndices(x, ids, 1) }),
			in: inputs(optest.Float(3, 8), optest.Input{DType: op.Int64, Shape: []op.Dim{op.Batch}}), sizes: []int{3, 1}, none: true,
			want: func(in []array) array {
				return fill([]int{3, len(in[1].Data)}, func(at []int) float64 { return in[0].At(at[0], int(in[1].Data[at[1]])) })
			}},
		{name: "broadcast", f: two(func(a, b *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.BroadcastAdd(a, b, nil, []byte{0}) }),
			in: inputs(optest.Float(op.Batch, 4), optest.Float(4)), sizes: []int{3, 1},
			want: func(in []array) array {
				return fill(in[0].Shape, func(at []int) float64 { return in[0].At(at...) + in[1].At(at[1]) })
			}},
		{name: "diagonal", f: one(gorgonia.DiagFlat), in: inputs(optest.Float(op.Batch)), none: true,
			want: func(in []array) array {
				n := len(in[0].Data)
				return fill([]int{n, n}, func(at []int) float64 {
					if at[0] != at[1] {
						return 0
					}
					return in[0].Data[at[0]]
				})
			}},
	})
}

func TestStockProducts(t *testing.T) {
	batched := func(a, b []op.Dim, transA, transB bool) stockCase {
		return stockCase{name: "batched", sizes: []int{3, 1}, in: inputs(optest.Float(a...), optest.Float(b...)),
			f:    two(func(a, b *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.BatchedMatMul(a, b, transA, transB) }),
			want: func(in []array) array { return product(in[0], in[1], transA, transB) }}
	}
	n := op.Batch
	checkStock(t, []stockCase{
		{name: "matrices", f: two(gorgonia.Mul), in: inputs(optest.Float(n, 4), optest.Float(4, 3)), sizes: []int{3, 1},
			want: func(in []array) array { return product(in[0], in[1], false, false) }},
		{name: "matrix and vector", f: two(gorgonia.Mul), in: inputs(optest.Float(n, 4), optest.Float(4)), sizes: []int{3, 1},
			want: func(in []array) array {
				return reshaped(product(in[0], reshaped(in[1], 4, 1), false, false), in[0].Shape[0])
			}},
		{name: "vector and matrix", f: two(gorgonia.Mul), in: inputs(optest.Float(n), optest.Float(n, 4)), sizes: []int{3, 1},
			want: func(in []array) array {
				return reshaped(product(reshaped(in[0], 1, in[0].Shape[0]), in[1], false, false), 4)
			}},
		{name: "vectors", f: two(gorgonia.Mul), in: inputs(optest.Float(n), optest.Float(n)), sizes: []int{3, 1},
			want: func(in []array) array {
				return reduced(0, plus)([]array{pairs(func(a, b float64) float64 { return a * b })(in)})
			}},
		{name: "outer", f: two(gorgonia.OuterProd), in: inputs(optest.Float(n), optest.Float(4)), none: true,
			want: func(in []array) array {
				return fill([]int{len(in[0].Data), 4}, func(at []int) float64 { return in[0].Data[at[0]] * in[1].Data[at[1]] })
			}},
		batched([]op.Dim{n, 4, 3}, []op.Dim{n, 3, 2}, false, false),
		batched([]op.Dim{n, 3, 4}, []op.Dim{n, 3, 2}, true, false),
		batched([]op.Dim{n, 4, 3}, []op.Dim{n, 2, 3}, false, true),
		batched([]op.Dim{n, 3, 4}, []op.Dim{n, 2, 3}, true, true),
		batched([]op.Dim{n, 2, 4, 3}, []op.Dim{n, 2, 3, 1}, false, false),
		{name: "tensordot", f: two(func(a, b *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Tensordot([]int{1}, []int{0}, a, b) }),
			in:   inputs(optest.Float(n, 4), optest.Float(4, 3)),
			want: func(in []array) array { return product(in[0], in[1], false, false) }},
		{name: "tensordot over two axes", f: two(func(a, b *gorgonia.Node) (*gorgonia.Node, error) {
			return gorgonia.Tensordot([]int{1, 2}, []int{1, 0}, a, b)
		}), in: inputs(optest.Float(n, 4, 3), optest.Float(3, 4, 2)),
			want: func(in []array) array {
				return fill([]int{in[0].Shape[0], 2}, func(at []int) float64 {
					sum := 0.0
					for i := range 4 {
						for j := range 3 {
							sum += in[0].At(at[0], i, j) * in[1].At(j, i, at[1])
						}
					}
					return sum
				})
			}},
	})
}

func TestStockImages(t *testing.T) {
	conv := func(pad, stride, dilation [2]int) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return two(func(x, w *gorgonia.Node) (*gorgonia.Node, error) {
			return gorgonia.Conv2d(x, w, tensor.Shape{3, 2}, pad[:], stride[:], dilation[:])
		})
	}
	pool := func(kernel, pad, stride [2]int) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
			return gorgonia.MaxPool2D(x, kernel[:], pad[:], stride[:])
		})
	}
	images := inputs(optest.Float(op.Batch, 2, 7, 6), optest.Float(3, 2, 3, 2))
	checkStock(t, []stockCase{
		{name: "conv", f: conv([2]int{1, 0}, [2]int{1, 1}, [2]int{1, 1}), want: convolved([2]int{1, 0}, [2]int{1, 1}, [2]int{1, 1}), in: images, sizes: []int{3, 1}},
		{name: "conv, strided", f: conv([2]int{1, 2}, [2]int{2, 3}, [2]int{2, 1}), want: convolved([2]int{1, 2}, [2]int{2, 3}, [2]int{2, 1}), in: images, sizes: []int{3, 1}},
		{name: "im2col", in: images[:1], want: columns([2]int{3, 2}, [2]int{1, 0}, [2]int{2, 1}, [2]int{1, 2}),
			f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) {
				return gorgonia.Im2Col(x, tensor.Shape{3, 2}, tensor.Shape{1, 0}, tensor.Shape{2, 1}, tensor.Shape{1, 2})
			})},
		{name: "max pool", f: pool([2]int{2, 3}, [2]int{0, 0}, [2]int{2, 2}), want: pooledMax([2]int{2, 3}, [2]int{0, 0}, [2]int{2, 2}), in: images[:1], sizes: []int{3, 1}},
		{name: "max pool, padded", f: pool([2]int{3, 3}, [2]int{1, 1}, [2]int{2, 1}), want: pooledMax([2]int{3, 3}, [2]int{1, 1}, [2]int{2, 1}), in: images[:1], sizes: []int{3, 1}},
		{name: "global average", f: one(gorgonia.GlobalAveragePool2D), in: images[:1], none: true,
			want: func(in []array) array {
				sum := reduced(0, plus, 2, 3)(in)
				return reshaped(sum.Map(func(x float64) float64 { return x / 42 }), in[0].Shape[0], 2, 1, 1)
			}},
		{name: "upsample", f: one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Upsample2D(x, 2) }), in: images[:1],
			want: func(in []array) array {
				return fill([]int{in[0].Shape[0], 2, 14, 12}, func(at []int) float64 { return in[0].At(at[0], at[1], at[2]/2, at[3]/2) })
			}},
	})
}

func TestStockSoftmax(t *testing.T) {
	soft := func(f func(x *gorgonia.Node, axes ...int) (*gorgonia.Node, error), axes ...int) func(gorgonia.Nodes) (*gorgonia.Node, error) {
		return one(func(x *gorgonia.Node) (*gorgonia.Node, error) { return f(x, axes...) })
	}
	checkStock(t, []stockCase{
		{name: "matrix", f: soft(gorgonia.SoftMax), want: softmax(-1, false), in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1}},
		{name: "vector", f: soft(gorgonia.SoftMax), want: softmax(-1, false), in: inputs(optest.Float(op.Batch)), sizes: []int{3, 1}},
		{name: "column", f: soft(gorgonia.SoftMax, 1), want: softmax(1, false), in: inputs(optest.Float(op.Batch, 1)), sizes: []int{3, 1}},
		{name: "axis 0", f: soft(gorgonia.SoftMax, 0), want: softmax(0, false), in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1}},
		{name: "axis 1 of 3", f: soft(gorgonia.SoftMax, 1), want: softmax(1, false), in: inputs(optest.Float(op.Batch, 4, 2)), sizes: []int{3, 1}},
		{name: "log", f: soft(gorgonia.LogSoftMax), want: softmax(-1, true), in: inputs(optest.Float(op.Batch, 4)), sizes: []int{3, 1}},
		{name: "log, axis 1 of 3", f: soft(gorgonia.LogSoftMax, 1), want: softmax(1, true), in: inputs(optest.Float(op.Batch, 4, 2)), sizes: []int{3, 1}},
		{name: "log, axis 2 of 4", f: soft(gorgonia.LogSoftMax, 2), want: softmax(2, true), in: inputs(optest.Float(op.Batch, 2, 3, 2)), sizes: []int{3, 1}},
	})
}

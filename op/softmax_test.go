package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// alongRows applies f to each row of the last axis.
func alongRows(f func(row, out []float64)) func(in []optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		x := in[0]
		y := optest.NewArray(x.Shape...)
		n := x.Shape[len(x.Shape)-1]
		for i := 0; i < len(x.Data); i += n {
			f(x.Data[i:i+n], y.Data[i:i+n])
		}
		return []optest.Array{y}
	}
}

// logSum is the definition of log-sum-exp, for numbers whose exponential is finite.
func logSum(row []float64) float64 {
	s := 0.0
	for _, v := range row {
		s += math.Exp(v)
	}
	return math.Log(s)
}

func TestSoftmax(t *testing.T) {
	for _, shape := range [][]op.Dim{{op.Batch, 7}, {5}, {2, op.Batch, 3}, {op.Batch, 1}} {
		optest.Check(t,
			optest.Case{
				Name: "softmax", In: []optest.Input{optest.Float(shape...)}, Build: optest.Unary(op.Softmax),
				Reference: alongRows(func(row, out []float64) {
					for i, v := range row {
						out[i] = math.Exp(v - logSum(row))
					}
				}),
			},
			optest.Case{
				Name: "log_softmax", In: []optest.Input{optest.Float(shape...)}, Build: optest.Unary(op.LogSoftmax),
				Reference: alongRows(func(row, out []float64) {
					for i, v := range row {
						out[i] = v - logSum(row)
					}
				}),
			},
		)
	}
}

// Rows of a softmax sum to 1, however far apart the elements are.
func TestSoftmaxRowsSumToOne(t *testing.T) {
	x := op.NewGraph(nil).Input("x", op.Float32, op.Batch, 3)
	out := evaluate(t, op.Feeds{"x": tensorOf([]float32{1e4, 1e4, 1e4, -1e4, 0, 1e4, 1, 2, 3}, 3, 3)}, op.Sum(op.Softmax(x), -1), op.LogSoftmax(x))
	wantNear(t, "sums", out[0], []float64{1, 1, 1}, 1e-6)
	wantNear(t, "logarithms", out[1][:6], []float64{-math.Log(3), -math.Log(3), -math.Log(3), -2e4, -1e4, 0}, 1e-6)
}

func TestSoftmaxSecondDerivative(t *testing.T) {
	in := []optest.Input{optest.Float(op.Batch, 4), optest.Float(op.Batch, 4)}
	for name, f := range map[string]func(*op.Node) *op.Node{"softmax": op.Softmax, "log_softmax": op.LogSoftmax} {
		optest.Check(t, optest.Case{Name: name, In: in, Build: func(in ...*op.Node) []*op.Node {
			return op.VJP([]*op.Node{op.Mul(f(in[0]), in[1])}, nil, in[:1])
		}})
	}
}

func TestLogSumExp(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 2, 5)}, Build: optest.Unary(op.LogSumExp),
		Reference: func(in []optest.Array) []optest.Array {
			x := in[0]
			y := optest.NewArray(x.Shape[:2]...)
			for i := range y.Data {
				y.Data[i] = logSum(x.Data[5*i : 5*i+5])
			}
			return []optest.Array{y}
		},
	})
}

// L02: where all elements are −Inf the result is −Inf and the gradient 0, and no other row takes harm.
func TestL02LogSumExpOfMinusInfinity(t *testing.T) {
	inf := math.Inf(1)
	optest.Check(t, optest.Case{
		In:       []optest.Input{optest.Given([]float64{-inf, -inf, -inf, 2, 1000, 1000}, 3, 2)},
		Build:    optest.Unary(op.LogSumExp),
		Want:     [][]float64{{-inf, 2, 1000 + math.Ln2}},
		WantGrad: [][]float64{{0, 0, 0, 1, 0.5, 0.5}},
		OnKink:   true,
	})
}

func TestSoftmaxMisuse(t *testing.T) {
	for name, f := range map[string]func(*op.Node) *op.Node{"Softmax": op.Softmax, "LogSoftmax": op.LogSoftmax, "LogSumExp": op.LogSumExp} {
		optest.Check(t, optest.Case{Misuse: []optest.Misuse{
			{In: []optest.Input{optest.Float()}, Build: optest.Unary(f), Want: "op." + name + `: input "x0" has shape (), want at least one axis`},
			{In: []optest.Input{optest.Int(3, 2)}, Build: optest.Unary(f), Want: "op." + name + `: input "x0" has type int32, want a floating-point type`},
		}})
	}
}

package op_test

import (
	"math"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// scalarOf is a scalar result.
func scalarOf(v float64) optest.Array {
	a := optest.NewArray()
	a.Data[0] = v
	return a
}

// lossAndCount builds a loss and its denominator.
func lossAndCount(f func(a, b *op.Node) *op.Node) optest.Build {
	return func(in ...*op.Node) []*op.Node {
		loss := f(in[0], in[1])
		return []*op.Node{loss, op.Count(loss)}
	}
}

// overBatch is the mean over the batch of f summed over the elements of a sample.
func overBatch(f func(a, b float64) float64) func(in []optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		sum, batch := 0.0, float64(in[0].Shape[0])
		for i, a := range in[0].Data {
			sum += f(a, in[1].Data[i])
		}
		return []optest.Array{scalarOf(sum / batch), scalarOf(batch)}
	}
}

func square(a, b float64) float64 { return (a - b) * (a - b) }

func TestSquareError(t *testing.T) {
	for _, shape := range [][]op.Dim{{op.Batch}, {op.Batch, 3}, {op.Batch, 2, 3}, {4, 2}} {
		pair := []optest.Input{optest.Float(shape...), optest.Float(shape...)}
		optest.Check(t, optest.Case{In: pair, Build: lossAndCount(op.SquareError), Reference: overBatch(square)})
		optest.Check(t, optest.Case{
			In: pair, Build: lossAndCount(op.MeanSquareError),
			Reference: func(in []optest.Array) []optest.Array {
				out := overBatch(square)(in)
				out[0].Data[0] *= float64(in[0].Shape[0]) / float64(len(in[0].Data))
				return out
			},
		})
	}
}

func TestBinaryCrossEntropy(t *testing.T) {
	for _, shape := range [][]op.Dim{{op.Batch}, {op.Batch, 3}} {
		optest.Check(t, optest.Case{
			In: []optest.Input{optest.Float(shape...), optest.Between(0, 1, shape...)}, Build: lossAndCount(op.BinaryCrossEntropy),
			Reference: overBatch(func(x, y float64) float64 {
				p := 1 / (1 + math.Exp(-x))
				return -y*math.Log(p) - (1-y)*math.Log(1-p)
			}),
		})
	}
}

// L03: large logits, and the logit 0.
func TestL03BinaryCrossEntropyOfLargeLogits(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := g.Input("x", op.Float32, op.Batch), g.Input("y", op.Float32, op.Batch)
	loss := op.BinaryCrossEntropy(x, y)
	r := compile(t, op.Training, nil, loss, op.Gradient(loss, x)[0])
	for _, c := range []struct{ x, y, loss, dx, off float64 }{
		{100, 0, 100, 1, 0}, {-100, 1, 100, -1, 0}, {100, 1, 0, 0, 1e-30}, {-100, 0, 0, 0, 1e-30},
		{0, 1, math.Ln2, -0.5, 1e-7}, {0, 0, math.Ln2, 0.5, 1e-7}, {1e30, 0, 1e30, 1, 1e23}, {20, 1, 2.0611536e-9, -2.0611536e-9, 1e-15},
	} {
		out, err := r.try(op.Feeds{"x": tensorOf([]float32{float32(c.x)}), "y": tensorOf([]float32{float32(c.y)})})
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, "loss", out[0], []float64{c.loss}, c.off)
		wantNear(t, "gradient", out[1], []float64{c.dx}, 1e-6*math.Abs(c.dx)+c.off)
	}
}

func TestSoftCrossEntropy(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 4), optest.Between(0, 1, op.Batch, 4)}, Build: lossAndCount(op.SoftCrossEntropy),
		Reference: func(in []optest.Array) []optest.Array {
			batch, sum := in[0].Shape[0], 0.0
			for i := range batch {
				row := in[0].Data[4*i : 4*i+4]
				for j, x := range row {
					sum -= in[1].At(i, j) * (x - logSum(row))
				}
			}
			return []optest.Array{scalarOf(sum / float64(batch)), scalarOf(float64(batch))}
		},
	})
}

// With a one-hot target it is CrossEntropy.
func TestSoftCrossEntropyOfOneHot(t *testing.T) {
	g := op.NewGraph(nil)
	x, label := g.Input("x", op.Float64, op.Batch, 3), g.Input("label", op.Int32, op.Batch)
	out := evaluate(t, op.Feeds{"x": tensorOf([]float64{1, 2, 4, -3, 0, 1}, 2, 3), "label": tensorOf([]int32{1, 0})},
		op.SoftCrossEntropy(x, op.OneHot(label, 3, op.Float64)), op.CrossEntropy(x, label))
	wantNear(t, "loss", out[0], out[1], 1e-14)
}

func TestSoftCrossEntropyOfVector(t *testing.T) {
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{{
		In: []optest.Input{optest.Float(op.Batch), optest.Float(op.Batch)}, Build: optest.Binary(op.SoftCrossEntropy),
		Want: `op.SoftCrossEntropy: input "x0" has shape (batch,), want (batch, classes)`,
	}}})
}

// A prediction and a target of different shapes are a mistake, never broadcast.
func TestLossesDoNotBroadcast(t *testing.T) {
	for name, f := range map[string]func(a, b *op.Node) *op.Node{
		"SquareError": op.SquareError, "MeanSquareError": op.MeanSquareError,
		"BinaryCrossEntropy": op.BinaryCrossEntropy, "SoftCrossEntropy": op.SoftCrossEntropy,
	} {
		misuse := func(a, b optest.Input, want string) optest.Misuse {
			a.Name, b.Name = "y", "target"
			return optest.Misuse{In: []optest.Input{a, b}, Build: optest.Binary(f), Want: "op." + name + ": " + want}
		}
		optest.Check(t, optest.Case{Misuse: []optest.Misuse{
			misuse(optest.Float(op.Batch, 1), optest.Float(op.Batch), `input "target" has shape (batch,), want (batch, 1), as input "y"`),
			misuse(optest.Float(op.Batch, 3), optest.Float(1, 3), `input "target" has shape (1, 3), want (batch, 3), as input "y"`),
			misuse(optest.Float(op.Batch), optest.Int(2, op.Batch), `input "target" has type int32, want float32, as input "y"`),
			misuse(optest.Int(2, op.Batch), optest.Int(2, op.Batch), `input "y" has type int32, want a floating-point type`),
			misuse(optest.Float(), optest.Float(), `input "y" has shape (), want (batch, …)`),
		}})
	}
}

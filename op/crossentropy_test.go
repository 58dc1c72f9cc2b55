package op_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// labels is an input of labels with the given values, then over again.
func labels(values []float64, shape ...op.Dim) optest.Input {
	return optest.Input{Name: "label", DType: op.Int32, Shape: shape, Values: values}
}

// crossEntropies is the definition, row by row; the second result is how many rows count.
func crossEntropies(logits, label optest.Array) (rows optest.Array, count float64) {
	rows = optest.NewArray(label.Shape...)
	n := logits.Shape[len(logits.Shape)-1]
	for i, l := range label.Data {
		if l != op.IgnoreLabel {
			row := logits.Data[i*n : i*n+n]
			rows.Data[i] = logSum(row) - row[int(l)]
			count++
		}
	}
	return rows, count
}

func total(a optest.Array) float64 {
	s := 0.0
	for _, v := range a.Data {
		s += v
	}
	return s
}

func TestCrossEntropy(t *testing.T) {
	mean := func(in []optest.Array) []optest.Array {
		rows, count := crossEntropies(in[0], in[1])
		loss, n := optest.NewArray(), optest.NewArray()
		loss.Data[0], n.Data[0] = total(rows)/math.Max(count, 1), count
		return []optest.Array{loss, n}
	}
	build := func(in ...*op.Node) []*op.Node {
		loss := op.CrossEntropy(in[0], in[1])
		return []*op.Node{loss, op.Count(loss)}
	}
	some := []float64{2, 0, op.IgnoreLabel, 4, 1, op.IgnoreLabel}
	optest.Check(t,
		optest.Case{
			Name: "matrix", In: []optest.Input{optest.Float(op.Batch, 5), labels(some, op.Batch)}, Build: build, Reference: mean,
		},
		optest.Case{
			Name: "axes in front", In: []optest.Input{optest.Float(op.Batch, 2, 5), labels(some, op.Batch, 2)}, Build: build, Reference: mean,
		},
		optest.Case{
			Name: "rows", In: []optest.Input{optest.Float(op.Batch, 2, 5), labels(some, op.Batch, 2)},
			Build: func(in ...*op.Node) []*op.Node {
				rows := op.CrossEntropyRows(in[0], in[1])
				return []*op.Node{rows, op.Count(rows)}
			},
			Reference: func(in []optest.Array) []optest.Array {
				rows, count := crossEntropies(in[0], in[1])
				n := optest.NewArray()
				n.Data[0] = count
				return []optest.Array{rows, n}
			},
		},
	)
}

func TestNLL(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Between(-4, -1, op.Batch, 5), labels([]float64{2, op.IgnoreLabel, 0, 4}, op.Batch)},
		Build: func(in ...*op.Node) []*op.Node {
			loss := op.NLL(in[0], in[1])
			return []*op.Node{loss, op.Count(loss)}
		},
		Reference: func(in []optest.Array) []optest.Array {
			loss, n := optest.NewArray(), optest.NewArray()
			for i, l := range in[1].Data {
				if l != op.IgnoreLabel {
					loss.Data[0] -= in[0].At(i, int(l))
					n.Data[0]++
				}
			}
			loss.Data[0] /= n.Data[0]
			return []optest.Array{loss, n}
		},
	})
}

// NLL of LogSoftmax is CrossEntropy.
func TestNLLOfLogSoftmax(t *testing.T) {
	g := op.NewGraph(nil)
	x, label := g.Input("x", op.Float64, op.Batch, 3), g.Input("label", op.Int64, op.Batch)
	a, b := op.CrossEntropy(x, label), op.NLL(op.LogSoftmax(x), label)
	nodes := append([]*op.Node{a, b}, op.Gradient(a, x)[0], op.Gradient(b, x)[0])
	out := evaluate(t, op.Feeds{"x": tensorOf([]float64{1, 2, 4, -3, 0, 1}, 2, 3), "label": tensorOf([]int64{1, 0})}, nodes...)
	wantNear(t, "loss", out[1], out[0], 1e-14)
	wantNear(t, "gradient", out[3], out[2], 1e-14)
}

// L01: far-apart logits.
func TestL01CrossEntropyOfLargeLogits(t *testing.T) {
	g := op.NewGraph(nil)
	x, label := g.Input("x", op.Float32, op.Batch, 3), g.Input("label", op.Int32, op.Batch)
	loss := op.CrossEntropy(x, label)
	r := compile(t, op.Training, op.Feeds{"x": tensorOf([]float32{-500, 300, 450}, 1, 3), "label": tensorOf([]int32{0})}, loss, op.Gradient(loss, x)[0])
	near := r.run()
	wantNear(t, "loss", near[0], []float64{950}, 0)
	wantNear(t, "gradient", near[1], []float64{-1, 0, 1}, 1e-6)
	far, err := r.try(op.Feeds{"x": tensorOf([]float32{9500, 10300, 10450}, 1, 3), "label": r.feeds["label"]})
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "loss of logits larger by 1e4", far[0], near[0], 0)
	wantNear(t, "gradient of logits larger by 1e4", far[1], near[1], 0)
}

// L04: no row counts.
func TestL04AllRowsIgnored(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 3), labels([]float64{-100, -100, -100, -100}, op.Batch)},
		Build: func(in ...*op.Node) []*op.Node {
			a, b := op.CrossEntropy(in[0], in[1]), op.NLL(in[0], in[1])
			return []*op.Node{a, op.Count(a), b, op.Count(b)}
		},
		Want:     [][]float64{{0}, {0}, {0}, {0}},
		WantGrad: [][]float64{make([]float64, 12)},
	})
}

// L05: the mean is over the rows that count.
func TestL05MeanOverCountedRows(t *testing.T) {
	g := op.NewGraph(nil)
	x, label := g.Input("x", op.Float64, op.Batch, 2), g.Input("label", op.Int32, op.Batch)
	loss := op.CrossEntropy(x, label)
	at := func(loss float64) float64 { return -math.Log(math.Exp(loss) - 1) } // logit against one of 0
	out := evaluate(t, op.Feeds{
		"x":     tensorOf([]float64{at(1), 0, 0, at(3), 5, 5}, 3, 2),
		"label": tensorOf([]int32{0, 1, op.IgnoreLabel}),
	}, loss, op.Count(loss))
	wantNear(t, "loss", out[0], []float64{2}, 1e-12)
	wantNear(t, "count", out[1], []float64{2}, 0)
}

// L05: a label that is no class is an error that names row and value.
func TestL05LabelOutOfRange(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch, 3)
	for _, dtype := range []op.DType{op.Int32, op.Int64} {
		label := g.Input("label "+dtype.String(), dtype, op.Batch)
		for _, loss := range []*op.Node{op.CrossEntropy(x, label), op.CrossEntropyRows(x, label), op.NLL(x, label)} {
			r := compile(t, op.Training, nil, loss)
			for _, bad := range []int{3, -4, -1} {
				feeds := op.Feeds{"x": tensorOf(make([]float32, 6), 2, 3), label.Name(): tensorOf([]int64{0, int64(bad)})}
				if dtype == op.Int32 {
					feeds[label.Name()] = tensorOf([]int32{0, int32(bad)})
				}
				_, err := r.try(feeds)
				var outside *op.RangeError
				if !errors.As(err, &outside) || *outside != (op.RangeError{Row: 1, Value: int64(bad), Limit: 3}) {
					t.Errorf("label %d: error %v, want a RangeError of row 1", bad, err)
				} else if !strings.Contains(err.Error(), "crossentropy_test.go:") {
					t.Errorf("label %d: error %v does not say where", bad, err)
				}
			}
		}
	}
}

// A gradient of the loss leaves a run with a bad label without any change.
func TestL05BadLabelChangesNothing(t *testing.T) {
	g := op.NewGraph(nil)
	w, node := variable(t, g, op.Float32, []float64{1, 2, 3}, 1, 3)
	label := g.Input("label", op.Int32, 1)
	loss := op.CrossEntropy(node, label)
	op.UpdateSGD(g.ApplyFlag(), node, op.Gradient(loss, node)[0], g.Full(op.Float64, 1))
	p := compileEffects(t, g, loss)
	if err := p.Run(context.Background(), op.Feeds{"label": tensorOf([]int32{7})}, 0, func([]op.Buffer) error { return nil }); err == nil {
		t.Error("label 7 of 3 goes through")
	}
	wantNear(t, "weight", valueOf(w), []float64{1, 2, 3}, 0)
}

func TestCrossEntropyMisuse(t *testing.T) {
	for name, f := range map[string]func(a, b *op.Node) *op.Node{
		"CrossEntropy": op.CrossEntropy, "CrossEntropyRows": op.CrossEntropyRows, "NLL": op.NLL, "Accuracy": op.Accuracy,
	} {
		misuse := func(x, label optest.Input, want string) optest.Misuse {
			x.Name, label.Name = "logits", "label"
			return optest.Misuse{In: []optest.Input{x, label}, Build: optest.Binary(f), Want: "op." + name + ": " + want}
		}
		optest.Check(t, optest.Case{Misuse: []optest.Misuse{
			misuse(optest.Float(3), optest.Int(3, 3), `input "logits" has shape (3,), want (batch, classes)`),
			misuse(optest.Float(op.Batch, 3), optest.Int(3, op.Batch, 1), `input "label" has shape (batch, 1), want (batch,), a label for each row of "logits"`),
			misuse(optest.Float(op.Batch, 2, 3), optest.Int(3, op.Batch), `input "label" has shape (batch,), want (batch, 2), a label for each row of "logits"`),
			misuse(optest.Float(op.Batch, 3), optest.Float(op.Batch), `input "label" has type float32, want int32 or int64`),
			misuse(optest.Int(3, op.Batch, 3), optest.Int(3, op.Batch), `input "logits" has type int32, want a floating-point type`),
		}})
	}
}

package cpu

import (
	"fmt"
	"math"
	"testing"
	"time"

	"paddle/op"
)

// BenchmarkPrimitives times calls on few and on many elements, on one thread.
func BenchmarkPrimitives(b *testing.B) {
	adam := op.AdamSpec{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Step: 2}
	for _, c := range []struct {
		name string
		run  func(e *Backend, x, z, y, row op.Buffer)
	}{
		{"Fill", func(e *Backend, x, z, y, row op.Buffer) { e.Fill(y, 1.5) }},
		{"Add", func(e *Backend, x, z, y, row op.Buffer) { e.Binary(op.BinaryAdd, x, z, y) }},
		{"AddRow", func(e *Backend, x, z, y, row op.Buffer) { e.Binary(op.BinaryAdd, x, row, y) }},
		{"ReLU", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnaryReLU, 0, 0, x, y) }},
		{"ReLUGrad", func(e *Backend, x, z, y, row op.Buffer) { e.UnaryGrad(op.UnaryReLU, 0, 0, x, x, z, y) }},
		{"Exp", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnaryExp, 0, 0, x, y) }},
		{"Log", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnaryLog, 0, 0, x, y) }},
		{"Sigmoid", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnarySigmoid, 0, 0, x, y) }},
		{"Tanh", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnaryTanh, 0, 0, x, y) }},
		{"SiLU", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnarySiLU, 0, 0, x, y) }},
		{"Softplus", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnarySoftplus, 0, 0, x, y) }},
		{"GELU", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnaryGELU, 0, 0, x, y) }},
		{"GELUGrad", func(e *Backend, x, z, y, row op.Buffer) { e.UnaryGrad(op.UnaryGELU, 0, 0, x, x, z, y) }},
		{"GELUTanh", func(e *Backend, x, z, y, row op.Buffer) { e.Unary(op.UnaryGELUTanh, 0, 0, x, y) }},
		{"Softmax", func(e *Backend, x, z, y, row op.Buffer) { e.Softmax(false, x, y) }},
		{"SoftmaxGrad", func(e *Backend, x, z, y, row op.Buffer) { e.SoftmaxGrad(false, x, z, y) }},
		{"LogSumExp", func(e *Backend, x, z, y, row op.Buffer) { e.LogSumExp(x, row) }},
		{"SumColumns", func(e *Backend, x, z, y, row op.Buffer) { e.Reduce(op.ReduceSum, 1, x, row) }},
		{"SumSquares", func(e *Backend, x, z, y, row op.Buffer) { e.SumSquares(x) }},
		{"Dropout", func(e *Backend, x, z, y, row op.Buffer) { e.Dropout(op.Key{}, 0.5, x, y) }},
		{"Uniform", func(e *Backend, x, z, y, row op.Buffer) { e.Uniform(op.Key{}, 0, 1, y) }},
		{"Normal", func(e *Backend, x, z, y, row op.Buffer) { e.Normal(op.Key{}, 0, 1, y) }},
		{"Adam", func(e *Backend, x, z, y, row op.Buffer) { e.UpdateAdam(y, op.Buffer{}, x, z, row, adam) }},
	} {
		for _, shape := range [][]int{{1, 10}, {10, 100}, {100, 1000}} {
			b.Run(fmt.Sprintf("%s/%dx%d", c.name, shape[0], shape[1]), func(b *testing.B) {
				e, r := New(), newRand(1)
				x, z, y := random(r, op.Float32, shape...), random(r, op.Float32, shape...), op.NewBuffer(op.Float32, shape...)
				row := op.NewBuffer(op.Float32, shape[1])
				if c.name == "Adam" {
					row = op.NewBuffer(op.Float32, shape...)
				}
				if c.name == "LogSumExp" {
					row = op.NewBuffer(op.Float32, shape[0])
				}
				least := leastTime(b, func() { c.run(e, x, z, y, row) })
				b.ReportMetric(least, "least-ns/op")
				b.ReportMetric(least/float64(x.Len()), "least-ns/element")
			})
		}
	}
}

// leastTime calls f at least b.N times and returns the nanoseconds of a call in the quickest of many batches, which nothing else interrupted.
func leastTime(b *testing.B, f func()) float64 {
	batch, least := 1, math.Inf(1)
	for done := 0; done < b.N || done == 0; done += batch {
		start := time.Now()
		for range batch {
			f()
		}
		t := time.Since(start)
		least = min(least, float64(t.Nanoseconds())/float64(batch))
		if t < 10*time.Microsecond && batch < b.N {
			batch *= 2
		}
	}
	return least
}

package op_test

import (
	"fmt"
	"math"
	"testing"

	"paddle/op"
)

var lengthSets = [][]int{{4, 2, 2, 1, 0}, {1}, {3, 3, 3}, {19, 2, 0}, {0, 0}, {}}

// A Scan has the results and the gradients of a graph in which every sequence is unrolled by itself.
func TestScanIsUnrolledGraph(t *testing.T) {
	for _, c := range cells {
		for _, lengths := range lengthSets {
			for _, reverse := range []bool{false, true} {
				t.Run(fmt.Sprint(c.name, lengths, reverse), func(t *testing.T) {
					w := newWorld(c, lengths, reverse)
					scanned, unrolled := w.loss(t), w.unrolled()
					var fetch []*op.Node
					got, want := op.Gradient(scanned, w.wrt...), op.Gradient(unrolled, w.wrt...)
					for i, n := range w.wrt {
						for _, d := range []*op.Node{got[i], want[i]} {
							if d == nil {
								d = op.Zeros(n)
							}
							fetch = append(fetch, d)
						}
					}
					values := compute(t, w.graph, w.feeds, append(fetch, scanned, unrolled)...)
					for i, n := range append(w.wrt, scanned) {
						near(t, n.Name(), values[2*i], values[2*i+1], 1e-11)
					}
				})
			}
		}
	}
}

// The gradients agree with differences of the loss, for steps that draw random numbers too.
func TestScanGradientIsDifference(t *testing.T) {
	random := cell{name: "dropout", rows: 1, init: 1, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		h := op.Tanh(op.Add(op.MatMul(op.Dropout(s.Rows[0], 0.4), w.a), op.MatMul(op.Dropout(s.Memory[0], 0.3), w.b)))
		return nodes(op.Dropout(h, 0.5)), nodes(h)
	}}
	mixed := cell{name: "mixed", rows: 1, init: 1, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		mix := op.MatMul(op.TMatMul(s.Rows[0], s.Memory[0]), w.a) // values without rows
		h := op.Tanh(op.Add(op.MatMul(s.Memory[0], op.Tanh(mix)), op.MulConst(op.Exp(op.Mean(s.Memory[0])), 0.2)))
		return nodes(h), nodes(h)
	}}
	for _, c := range append(cells, random, mixed) {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(c, []int{5, 3, 1, 0}, false)
			loss := w.loss(t)
			grads := op.Gradient(loss, w.wrt...)
			slope := w.graph.Full(op.Float64, 0)
			direction := map[string][]float64{}
			for i, n := range w.wrt {
				if grads[i] == nil {
					continue
				}
				b, err := op.BufferOf(w.feeds[n.Name()])
				if err != nil {
					t.Fatal(err)
				}
				d := weights(b.Len(), func(x float64) float64 { return math.Cos(x * float64(i+1)) })
				direction[n.Name()] = d
				slope = op.Add(slope, op.Sum(op.Mul(grads[i], w.graph.Constant(buffer(d, b.Shape...).Dense()))))
			}
			at := func(step float64) float64 {
				feeds := op.Feeds{}
				for name, f := range w.feeds {
					b, _ := op.BufferOf(f)
					b = b.Clone()
					for i, d := range direction[name] {
						b.Float64s()[i] += step * d
					}
					feeds[name] = b.Dense()
				}
				return compute(t, w.graph, feeds, loss)[0][0]
			}
			const h = 1e-5
			want := (at(h) - at(-h)) / (2 * h)
			near(t, "slope", compute(t, w.graph, w.feeds, slope)[0], []float64{want}, 1e-7)
		})
	}
}

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
			w.differs(t, "slope", loss, w.slope(t, loss, math.Cos), math.Cos)
		})
	}
}

// The gradient of a Scan is a Scan, which has a gradient.
func TestScanGradientTwice(t *testing.T) {
	for _, c := range cells {
		for _, reverse := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, reverse), func(t *testing.T) {
				w := newWorld(c, []int{4, 3, 1, 0}, reverse)
				slope := w.slope(t, w.loss(t), math.Cos)
				w.differs(t, "curvature", slope, w.slope(t, slope, math.Sin), math.Sin)
			})
		}
	}
}

// slope returns the derivative of loss when each input moves in a direction.
func (w *world) slope(t *testing.T, loss *op.Node, direction func(float64) float64) *op.Node {
	t.Helper()
	slope := w.graph.Full(op.Float64, 0)
	for i, d := range op.Gradient(loss, w.wrt...) {
		if d != nil {
			if d.Err() != nil {
				t.Fatal(d.Err())
			}
			slope = op.Add(slope, op.Sum(op.Mul(d, w.graph.Constant(w.direction(i, direction).Dense()))))
		}
	}
	return slope
}

// direction returns the direction in which input i moves.
func (w *world) direction(i int, f func(float64) float64) op.Buffer {
	b, _ := op.BufferOf(w.feeds[w.wrt[i].Name()])
	return buffer(weights(b.Len(), func(x float64) float64 { return f(x * float64(i+1)) }), b.Shape...)
}

// differs compares slope with the difference quotient of loss.
func (w *world) differs(t *testing.T, name string, loss, slope *op.Node, direction func(float64) float64) {
	t.Helper()
	at := func(step float64) float64 {
		feeds := op.Feeds{}
		for name, f := range w.feeds {
			feeds[name] = f
		}
		for i, n := range w.wrt {
			b, _ := op.BufferOf(w.feeds[n.Name()])
			b = b.Clone()
			for k, d := range w.direction(i, direction).Float64s() {
				b.Float64s()[k] += step * d
			}
			feeds[n.Name()] = b.Dense()
		}
		return compute(t, w.graph, feeds, loss)[0][0]
	}
	const h = 1e-5
	near(t, name, compute(t, w.graph, w.feeds, slope)[0], []float64{(at(h) - at(-h)) / (2 * h)}, 1e-7)
}

package op_test

import (
	"strings"
	"testing"

	"paddle/op"
)

// Values of the enclosing graph may be given the size of a step's rows: a parameter that is stretched to them, numbers, an input that is
// made in the step. The sums of the gradient run over all rows.
func TestScanRowsOfOuterValues(t *testing.T) {
	g := op.NewGraph(nil)
	starts := g.Input("starts", op.Int32, g.Dim("steps"))
	x, h, v := g.Input("x", op.Float64, g.Dim("rows"), 2), g.Input("h", op.Float64, op.Batch, 2), g.Input("v", op.Float64, 2)
	outs, last := op.Scan(op.ScanInputs{Starts: starts, Rows: nodes(x), Init: nodes(h)}, func(s *op.ScanStep) (out, next []*op.Node) {
		live := s.Rows[0].Shape()
		w := s.Rows[0].Graph().Input("w", op.Float64, 2)
		return nodes(op.BroadcastTo(v, live...), g.Full(op.Float64, 7, live...), op.Add(op.Zeros(s.Rows[0]), w)), nodes(op.BroadcastTo(v, live...))
	})
	feeds := op.Feeds{
		"starts": dense([]int32{0, 2, 3}, 3), "x": dense(make([]float64, 6), 3, 2), "h": dense([]float64{1, 2, 3, 4, 5, 6}, 3, 2),
		"v": dense([]float64{8, 9}, 2), "w": dense([]float64{-1, -2}, 2),
	}
	loss := op.Add(op.Sum(outs[0]), op.MulConst(op.Sum(last[0]), 10))
	grads := op.Gradient(loss, v, h)
	got := compute(t, g, feeds, outs[0], outs[1], outs[2], last[0], grads[0], grads[1])
	for i, want := range [][]float64{
		{8, 9, 8, 9, 8, 9}, {7, 7, 7, 7, 7, 7}, {-1, -2, -1, -2, -1, -2}, {8, 9, 8, 9, 5, 6}, {3 + 20, 3 + 20}, {0, 0, 0, 0, 10, 10},
	} {
		near(t, "result", got[i], want, 0)
	}
}

// The size of a step's rows means nothing outside of the step.
func TestScanRowsOutside(t *testing.T) {
	g := op.NewGraph(nil)
	starts, x := g.Input("starts", op.Int32, g.Dim("steps")), g.Input("x", op.Float64, g.Dim("rows"))
	v := g.Input("v", op.Float64, 1)
	var live op.Dim
	op.Scan(op.ScanInputs{Starts: starts, Rows: nodes(x)}, func(s *op.ScanStep) (out, next []*op.Node) {
		live = s.Rows[0].Dim(0)
		return s.Rows, nil
	})
	for _, n := range nodes(op.BroadcastTo(v, live), g.Full(op.Float64, 1, g.MulDims(live, 2))) {
		if err := n.Err(); err == nil || !strings.Contains(err.Error(), "rows is that of the rows in a step, want one that is known outside of the step") {
			t.Errorf("the error is %v", err)
		}
	}
}

package op_test

import (
	"context"
	"math"
	"testing"

	"paddle/op"
)

// A training step with every kind of layer op, loss, metric and update allocates nothing once the sizes have been seen.
func TestTrainingStepAllocatesNothing(t *testing.T) {
	n := &normed{Momentum: 0.9, Epsilon: 1e-5}
	g := op.NewGraph(n)
	image, label := g.Input("image", op.Float32, op.Batch, 2, 8, 8), g.Input("label", op.Int32, op.Batch)
	filters, w := variable(t, g, op.Float32, weights(4*2*9, math.Sin), 4, 2, 3, 3)
	table, rows := variable(t, g, op.Float32, weights(5*16, math.Sin), 5, 16)
	x := op.ReLU(n.forward(op.Conv2D(image, w, op.Conv{Padding: 1})))
	x = op.AvgPool2D(op.MaxPool2D(x, op.Pool{Size: 2}), op.Pool{Size: 2})
	x = op.Add(op.Dropout(op.Flatten(x), 0.25), op.GatherRows(rows, label, -1))
	loss := op.Add(op.CrossEntropy(x, label), op.MulConst(op.SquareError(x, op.Zeros(x)), 1e-3))
	grads, norm, finite := op.ClipByGlobalNorm(op.Gradient(loss, w, rows, g.ReadParameter(n.Weight)), 1)
	apply, rate := op.All(finite), g.Full(op.Float64, 0.01)
	_, m := variable(t, g, op.Float32, nil, 4, 2, 3, 3)
	_, v := variable(t, g, op.Float32, nil, 4, 2, 3, 3)
	_, a := variable(t, g, op.Float32, nil, 5, 16)
	_, step := variable(t, g, op.Int64, nil)
	op.UpdateAdam(apply, w, grads[0], m, v, rate, step, op.Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8})
	op.UpdateAdaGrad(apply, rows, grads[1], a, rate, 1e-8)
	op.UpdateSGD(apply, g.ReadParameter(n.Weight), grads[2], rate)
	op.Increment(apply, step)
	p := compileEffects(t, g, loss, norm, op.Accuracy(x, label))

	var feeds []op.Feeds
	for _, batch := range []int{6, 4, 1} {
		feeds = append(feeds, op.Feeds{
			"image": tensorIn(op.Float32, weights(batch*128, math.Sin), batch, 2, 8, 8), "label": tensorOf(make([]int32, batch)),
		})
	}
	before := valueOf(filters)
	at := 0
	run := func() {
		at++
		if err := p.Run(context.Background(), feeds[at%len(feeds)], uint64(at), func([]op.Buffer) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for range feeds {
		run()
	}
	if n := testing.AllocsPerRun(30, run); n > 0 {
		t.Errorf("%v allocations a step, want 0", n)
	}
	if after := valueOf(filters); after[0] == before[0] || len(valueOf(table)) == 0 {
		t.Error("the step changes nothing")
	}
}

package paddle_test

import (
	"context"
	"math"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/op"
)

// slope is y = w·x, with the loss |y| averaged over the batch.
type slope struct{ W *op.Parameter }

// trainSlope takes one step of SGD with rate 1 for each batch of xs, from w = 1, and returns w and which steps were applied.
func trainSlope(t *testing.T, xs [][]float64, passes ...op.Pass) (w float64, applied []bool) {
	t.Helper()
	net := &slope{}
	g := op.NewGraph(net)
	x := g.Input("x", op.Float64, op.Batch)
	if err := net.W.Define(op.Float64, op.InitConstant(1)); err != nil {
		t.Fatal(err)
	}
	loss := op.Mean(op.Mul(x, g.ReadParameter(net.W)))
	trainer, err := paddle.NewTrainer(loss, paddle.SGD{LearningRate: 1}, passes...)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range xs {
		step, err := trainer.Step(context.Background(), op.Feeds{"x": tensor.New(tensor.WithShape(len(rows)), tensor.WithBacking(rows))})
		if err != nil {
			t.Fatal(err)
		}
		applied = append(applied, step.Applied)
	}
	return net.W.Memory().Float64s()[0], applied
}

// TestO05AccumulationEqualsTheBigBatch accumulates a batch of one row with gradient 4 and one of three rows with gradient 0: the
// gradient is 1, not the mean of means 2. It is the same for every way to split the rows.
func TestO05AccumulationEqualsTheBigBatch(t *testing.T) {
	w, applied := trainSlope(t, [][]float64{{4}, {0, 0, 0}}, paddle.Accumulate(2))
	if w != 0 || applied[0] || !applied[1] {
		t.Errorf("w = %v, applied %v, want 1 − 1 = 0 after the second step only", w, applied)
	}
	rows := []float64{0.5, -2, 3, 7, 1, -0.25, 4, 9}
	whole, _ := trainSlope(t, [][]float64{rows})
	for _, cuts := range [][]int{{1, 2}, {3, 6}, {4, 5}, {6, 7}} {
		split := [][]float64{rows[:cuts[0]], rows[cuts[0]:cuts[1]], rows[cuts[1]:]}
		if w, _ := trainSlope(t, split, paddle.Accumulate(3)); math.Abs(w-whole) > 1e-12 {
			t.Errorf("split at %v: w = %v, the whole batch gives %v", cuts, w, whole)
		}
	}
}

// TestAccumulateTwoWindows starts afresh after each window, and clips what has been accumulated.
func TestAccumulateTwoWindows(t *testing.T) {
	xs := [][]float64{{1}, {3}, {5}, {7}}
	if w, _ := trainSlope(t, xs, paddle.Accumulate(2)); w != 1-2-6 {
		t.Errorf("w = %v, want 1 − 2 − 6", w)
	}
	if w, _ := trainSlope(t, xs, paddle.ClipGlobalNorm(3), paddle.Accumulate(2)); math.Abs(w-(1-2-3)) > 1e-12 {
		t.Errorf("clipped: w = %v, want 1 − 2 − 3", w)
	}
}

// TestAccumulateMistake checks the error of a window without steps.
func TestAccumulateMistake(t *testing.T) {
	net := &slope{}
	g := op.NewGraph(net)
	if err := net.W.Define(op.Float32, nil); err != nil {
		t.Fatal(err)
	}
	_, err := paddle.NewTrainer(op.Square(g.ReadParameter(net.W)), paddle.SGD{LearningRate: 1}, paddle.Accumulate(0))
	if want := "paddle.NewTrainer: paddle.Accumulate: 0 steps, want 1 or more"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

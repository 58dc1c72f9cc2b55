package op_test

import (
	"fmt"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

func TestDropout(t *testing.T) {
	for _, p := range []float64{0.2, 0.5} {
		optest.Check(t, optest.Case{
			Name: fmt.Sprint(p), In: []optest.Input{optest.Float(op.Batch, 40)},
			Build: optest.Unary(func(x *op.Node) *op.Node { return op.Dropout(x, p) }),
			Property: func(in, out []optest.Array) error {
				for i, x := range in[0].Data {
					if y := out[0].Data[i]; y != 0 && float32(y) != float32(x/(1-p)) {
						return fmt.Errorf("%v became %v, want 0 or %v", x, y, x/(1-p))
					}
				}
				return nil
			},
		})
	}
}

func TestDropoutOfNothingAndOfEverything(t *testing.T) {
	x := op.NewGraph(nil).Input("x", op.Float32, op.Batch)
	if y := op.Dropout(x, 0); y != x {
		t.Errorf("p = 0 gives %s, want x itself", y.Name())
	}
	y := op.Dropout(x, 1)
	feeds := op.Feeds{"x": tensorOf([]float32{1, 2, 3})}
	out := evaluate(t, feeds, y, op.Gradient(op.Sum(y), x)[0])
	wantNear(t, "p = 1", out[0], []float64{0, 0, 0}, 0)
	wantNear(t, "its gradient", out[1], []float64{0, 0, 0}, 0)
	wantNear(t, "p = 1 in prediction", compile(t, op.Inference, feeds, y).run()[0], []float64{1, 2, 3}, 0)
}

// N03: p is the fraction that is dropped, the rest is scaled up, and prediction leaves x alone.
func TestN03DropoutScales(t *testing.T) {
	const n = 100_000
	x := make([]float32, n)
	for i := range x {
		x[i] = 1
	}
	g := op.NewGraph(nil)
	y := op.Dropout(g.Input("x", op.Float32, op.Batch), 0.2)
	feeds := op.Feeds{"x": tensorOf(x)}
	sum := 0.0
	for i, v := range evaluate(t, feeds, y)[0] {
		if v != 0 && v != 1.25 {
			t.Fatalf("element %d is %v, want 0 or 1.25", i, v)
		}
		sum += v
	}
	if mean := sum / n; mean < 0.98 || mean > 1.02 {
		t.Errorf("the mean is %v, want one from 0.98 to 1.02", mean)
	}
	for i := range x {
		x[i] = float32(i) / 7
	}
	for i, v := range compile(t, op.Inference, feeds, y).run()[0] {
		if v != float64(x[i]) {
			t.Fatalf("in prediction element %d is %v, want %v", i, v, x[i])
		}
	}
}

// C02: the gradient drops what the forward run dropped.
func TestC02DropoutGradientDropsTheSame(t *testing.T) {
	x := make([]float32, 64)
	for i := range x {
		x[i] = 1
	}
	g := op.NewGraph(nil)
	in := g.Input("x", op.Float32, op.Batch)
	first, second := op.Dropout(in, 0.5), op.Dropout(in, 0.5)
	nodes := []*op.Node{first, op.Gradient(op.Sum(first), in)[0], second}
	r := compile(t, op.Training, op.Feeds{"x": tensorOf(x)}, nodes...)
	seen := map[string]bool{}
	for range 3 {
		out := r.run()
		for i, y := range out[0] {
			if want := y; y != 0 && y != 2 || out[1][i] != want {
				t.Fatalf("element %d is %v with gradient %v", i, y, out[1][i])
			}
		}
		seen[fmt.Sprint(out[0])], seen[fmt.Sprint(out[2])] = true, true
	}
	if len(seen) != 6 {
		t.Errorf("two applications in three steps drew %d different masks, want 6", len(seen))
	}
}

// In a program for prediction the gradient passes through unchanged.
func TestDropoutGradientInPrediction(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float64, op.Batch)
	dx := op.Gradient(op.Sum(op.Square(op.Dropout(x, 0.5))), x)[0]
	out := compile(t, op.Inference, op.Feeds{"x": tensorOf([]float64{1, -2, 3})}, dx).run()
	wantNear(t, "gradient", out[0], []float64{2, -4, 6}, 0)
}

func TestDropoutMisuse(t *testing.T) {
	misuse := func(p float64, in optest.Input, want string) optest.Misuse {
		return optest.Misuse{In: []optest.Input{in}, Build: optest.Unary(func(x *op.Node) *op.Node { return op.Dropout(x, p) }), Want: want}
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		misuse(-0.1, optest.Float(3), "op.Dropout: the fraction -0.1 to drop is not from 0 to 1"),
		misuse(1.1, optest.Float(3), "op.Dropout: the fraction 1.1 to drop is not from 0 to 1"),
		misuse(0.5, optest.Int(3, 3), `op.Dropout: input "x0" has type int32, want a floating-point type`),
	}})
}

// A gradient takes no seed away from what is built after it.
func TestDropoutGradientDrawsNoSeed(t *testing.T) {
	seedAfter := func(gradient bool) uint64 {
		g := op.NewGraph(nil)
		x := g.Input("x", op.Float32, op.Batch)
		y := op.Dropout(x, 0.5)
		if gradient {
			op.Gradient(op.Sum(y), x)
		}
		c, _ := op.Dropout(x, 0.5).Call()
		return c.Seed
	}
	if with, without := seedAfter(true), seedAfter(false); with != without {
		t.Errorf("the next seed is %d, and %d without a gradient", with, without)
	}
}

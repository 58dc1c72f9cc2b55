package paddle_test

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"paddle"
	"paddle/op"
)

// Compiling only reads the user's graph: trainers, predictors and what Test compiles later leave it as it is, side by side and while it
// grows.
func TestCompilingLeavesTheGraphAlone(t *testing.T) {
	n := newMLP()
	g := op.NewGraph(n)
	x := g.Input("x", op.Float32, op.Batch, 2)
	y := n.Forward(x)
	loss := op.Sum(op.Square(y)) // has no count of its own
	mean := op.Mean(x)
	calls := len(g.Calls())
	data := func(yield func(op.Feeds, error) bool) {
		yield(op.Feeds{"x": op.NewBuffer(op.Float32, 3, 2).Dense()}, nil)
	}
	trainers := make([]*paddle.Trainer, 4)
	var wait sync.WaitGroup
	for i := range trainers {
		wait.Go(func() {
			var err error
			if trainers[i], err = paddle.NewTrainer(loss, paddle.SGD{LearningRate: 0.1}, paddle.Track("mean", mean), paddle.Named(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
			if _, err := paddle.NewPredictor(y); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got := len(g.Calls()); got != calls {
		t.Errorf("the graph has %d applications after compiling, want %d", got, calls)
	}
	for _, tr := range trainers {
		wait.Go(func() {
			if r, err := tr.Test(context.Background(), data); err != nil || r.Count != 3 {
				t.Errorf("result %+v, %v, want a count of 3", r, err)
			}
		})
	}
	for range 100 {
		y = op.Neg(y)
	}
	wait.Wait()
}

// A sum with a multiple is the same bits where it is one operation, in place or not, as where the multiple is read and it is two.
func TestSumsWithMultiplesKeepTheirBits(t *testing.T) {
	for _, d := range []op.DType{op.Float32, op.Float64} {
		g := op.NewGraph(nil)
		x, z := g.Input("x", op.Float32, op.Batch, 37), g.Input("z", op.Float32, op.Batch, 37)
		a, b := op.Cast(x, d), op.Cast(z, d)
		multiple := func() *op.Node { return op.MulConst(op.Exp(b), 0.3) }
		read := multiple()
		feeds := op.Feeds{"x": floats([]int{5, 37}, ramp(5*37)...), "z": floats([]int{5, 37}, ramp(5*37)...)}
		predict := func(nodes ...*op.Node) any {
			return must(must(paddle.NewPredictor(nodes...))(t).Predict(context.Background(), feeds))(t)[0].Data()
		}
		for name, addend := range map[string]*op.Node{"an input": a, "something else": op.Sqrt(op.Square(a))} {
			want := predict(op.Add(addend, read), read)
			for _, sum := range []*op.Node{op.Add(addend, multiple()), op.Add(multiple(), addend)} {
				if got := predict(sum); !reflect.DeepEqual(got, want) {
					t.Errorf("the sum of %s and a multiple of %v has other bits", name, d)
				}
			}
		}
	}
}

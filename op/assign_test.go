package op_test

import (
	"context"
	"testing"

	"paddle/op"
)

func TestAssignBlendIncrement(t *testing.T) {
	g := op.NewGraph(nil)
	apply, x := g.Input("apply", op.Bool), g.Input("x", op.Float32, 2)
	a, assigned := variable(t, g, op.Float32, []float64{1, 2}, 2)
	b, blended := variable(t, g, op.Float32, []float64{1, 2}, 2)
	n, counter := variable(t, g, op.Int64, []float64{1 << 40})
	flag, flags := variable(t, g, op.Int64, []float64{3, 4}, 2)
	op.Assign(apply, assigned, op.Add(assigned, x))
	op.Blend(apply, blended, x, 0.75)
	op.Increment(apply, counter)
	op.Assign(apply, flags, op.Cast(x, op.Int64))
	p := compileEffects(t, g, op.Add(assigned, blended))
	run := func(apply bool) (old []float64) {
		feeds := op.Feeds{"apply": scalar(apply), "x": tensorOf([]float32{5, -2})}
		if err := p.Run(context.Background(), feeds, 0, func(out []op.Buffer) error { old = numbers(out[0]); return nil }); err != nil {
			t.Fatal(err)
		}
		return old
	}
	check := func(when string, want ...[]float64) {
		t.Helper()
		for i, v := range []*op.Variable{a, b, n, flag} {
			wantNear(t, when, valueOf(v), want[i], 0)
		}
	}
	run(false)
	check("without apply", []float64{1, 2}, []float64{1, 2}, []float64{1 << 40}, []float64{3, 4})
	wantNear(t, "the values that the run read", run(true), []float64{2, 4}, 0)
	check("after one run", []float64{6, 0}, []float64{2, 1}, []float64{1<<40 + 1}, []float64{5, -2})
	run(true)
	check("after two runs", []float64{11, -2}, []float64{2.75, 0.25}, []float64{1<<40 + 2}, []float64{5, -2})
}

package op_test

import (
	"context"
	"math"
	"testing"

	"paddle/op"
)

// clipped runs ClipByGlobalNorm over gradients of the given elements: what became of them, the norm, and which are finite.
func clipped(t *testing.T, maxNorm float64, grads ...[]float32) (out [][]float64, norm float64, finite []float64) {
	t.Helper()
	g := op.NewGraph(nil)
	feeds := op.Feeds{}
	var in []*op.Node
	for i, v := range grads {
		name := string(rune('a' + i))
		in = append(in, g.Input(name, op.Float32, op.Dim(len(v))))
		feeds[name] = tensorOf(v)
	}
	nodes, normNode, finiteNode := op.ClipByGlobalNorm(in, maxNorm)
	values := evaluate(t, feeds, append(nodes, normNode, finiteNode)...)
	n := len(grads)
	return values[:n], values[n][0], values[n+1]
}

func TestClipByGlobalNorm(t *testing.T) {
	out, norm, finite := clipped(t, 6.5, []float32{3, 4}, []float32{12})
	wantNear(t, "norm", []float64{norm}, []float64{13}, 1e-12)
	wantNear(t, "first", out[0], []float64{1.5, 2}, 1e-6)
	wantNear(t, "second", out[1], []float64{6}, 1e-6)
	wantNear(t, "finite", finite, []float64{1, 1}, 0)

	odd := float32(math.Pi / 1e30)
	out, _, _ = clipped(t, 13, []float32{3, 4}, []float32{12})
	wantNear(t, "at the bound", out[0], []float64{3, 4}, 0)
	out, _, _ = clipped(t, 1, []float32{odd, -0.1}, nil)
	wantNear(t, "below the bound", out[0], []float64{float64(odd), float64(float32(-0.1))}, 0)
}

// O04: squares beyond float32, and gradients that are not finite.
func TestO04ClipLargeAndNonFinite(t *testing.T) {
	out, norm, finite := clipped(t, 1, []float32{1e25, 1e25, 1e25}, []float32{1e25})
	wantNear(t, "norm", []float64{norm}, []float64{2e25}, 1e20)
	wantNear(t, "gradients", append(out[0], out[1]...), []float64{0.5, 0.5, 0.5, 0.5}, 1e-6)
	wantNear(t, "finite", finite, []float64{1, 1}, 0)

	inf, nan := math.Inf(1), math.NaN()
	for _, bad := range []float64{inf, -inf, nan} {
		out, norm, finite = clipped(t, 1, []float32{5, 1}, []float32{1, float32(bad)}, []float32{7})
		wantNear(t, "finite", finite, []float64{1, 0, 1}, 0)
		wantNear(t, "untouched", append(append(out[0], out[1]...), out[2]...), []float64{5, 1, 1, bad, 7}, 0)
		if !math.IsInf(norm, 0) && !math.IsNaN(norm) {
			t.Errorf("the norm is %v", norm)
		}
	}
}

// Rows of equal ids are one gradient, and stay rows; a nil gradient is none.
func TestClipSparse(t *testing.T) {
	g := op.NewGraph(nil)
	rows := op.SparseRows([]op.Dim{5, 2}, g.Input("ids", op.Int32, g.Dim("count")), g.Input("rows", op.Float32, g.Dim("count"), 2), 4)
	w, node := variable(t, g, op.Float32, nil, 5, 2)
	out, norm, finite := op.ClipByGlobalNorm([]*op.Node{rows, nil, g.Input("b", op.Float32)}, 6.5)
	if out[1] != nil || out[0].Sparse() == nil || !out[0].Sparse().Merged {
		t.Fatalf("got %v", out)
	}
	op.UpdateSGD(g.ApplyFlag(), node, out[0], g.Full(op.Float64, -1))
	p := compileEffects(t, g, norm, finite, out[2])
	feeds := op.Feeds{
		"ids": tensorOf([]int32{3, 1, 3, 4}), "rows": tensorOf([]float32{1, 4, 3, 0, -1, 0, 100, 100}, 4, 2), "b": scalar(float32(12)),
	}
	err := p.Run(context.Background(), feeds, 0, func(out []op.Buffer) error {
		wantNear(t, "norm", numbers(out[0]), []float64{13}, 1e-12)
		wantNear(t, "finite", numbers(out[1]), []float64{1, 1, 1}, 0)
		wantNear(t, "b", numbers(out[2]), []float64{6}, 1e-6)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "w", valueOf(w), []float64{0, 0, 1.5, 0, 0, 0, 0, 2, 0, 0}, 1e-6)
}

func TestClipMisuse(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, 3)
	for _, c := range []struct {
		grads []*op.Node
		max   float64
		want  string
	}{
		{[]*op.Node{x}, 0, "op.ClipByGlobalNorm: the greatest norm is 0, want a number above 0"},
		{[]*op.Node{x}, math.NaN(), "op.ClipByGlobalNorm: the greatest norm is NaN, want a number above 0"},
		{nil, 1, "op.ClipByGlobalNorm: no gradients to clip"},
		{[]*op.Node{nil}, 1, "op.ClipByGlobalNorm: no gradients to clip"},
		{[]*op.Node{x, op.NewGraph(nil).Input("y", op.Float32)}, 1, `op.ClipByGlobalNorm: input "y" belongs to another graph`},
	} {
		out, norm, finite := op.ClipByGlobalNorm(c.grads, c.max)
		for _, n := range append(out, norm, finite) {
			wantError(t, n, c.want)
		}
	}
	out, _, _ := op.ClipByGlobalNorm([]*op.Node{g.Fail("poison")}, 1)
	if out[0].Err() == nil {
		t.Error("a failed gradient goes through")
	}
}

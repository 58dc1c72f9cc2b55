package layer_test

import (
	"testing"

	"paddle/layer"
	"paddle/op"
)

func TestDropout(t *testing.T) {
	model := &struct{ Drop, All, None, Wrong layer.Dropout }{
		layer.Dropout{P: 0.5}, layer.Dropout{P: 1}, layer.Dropout{}, layer.Dropout{P: -1},
	}
	g := op.NewGraph(model)
	x := g.Input("x", op.Float32, op.Batch)
	y := model.Drop.Forward(x)
	wantShape(t, y, "(batch,)")
	wantNames(t, model)
	feeds := op.Feeds{"x": tensorOf([]float32{1, 1, 1, 1, 1, 1, 1, 1}, 8)}
	kinds := map[float32]bool{}
	for _, v := range evaluate(t, op.Training, feeds, y)[0] {
		kinds[v] = true
	}
	if len(kinds) != 2 || !kinds[0] || !kinds[2] {
		t.Errorf("training gives the values %v, want 0 and 2", kinds)
	}
	wantNear(t, "prediction", evaluate(t, op.Inference, feeds, y)[0], 1, 1, 1, 1, 1, 1, 1, 1)
	wantNear(t, "all dropped", evaluate(t, op.Training, feeds, model.All.Forward(x))[0], 0, 0, 0, 0, 0, 0, 0, 0)
	if model.None.Forward(x) != x {
		t.Error("P = 0 changes x")
	}
	wantError(t, model.Wrong.Forward(x), `layer.Dropout wrong: the fraction -1 to drop is not from 0 to 1`)
}

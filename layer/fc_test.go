package layer_test

import (
	"fmt"
	"runtime"
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/op/optest"
)

func TestFC(t *testing.T) {
	model := &struct{ Out layer.FC }{layer.FC{Size: 2, Act: op.ReLU}}
	g := op.NewGraph(model)
	y := model.Out.Forward(g.Input("x", op.Float32, op.Batch, 3))
	wantShape(t, y, "(batch, 2)")
	wantNames(t, model, "out.weight float32 3 2", "out.bias float32 2")
	assign(t, model.Out.Weight, 1, 0, 0, 1, 1, -1)
	assign(t, model.Out.Bias, 10, 0.5)
	out := evaluate(t, op.Training, op.Feeds{"x": tensorOf([]float32{1, 2, 3, -20, 5, 1}, 2, 3)}, y)
	wantNear(t, "y", out[0], 14, 0 /**/, 0, 4.5)
}

func TestFCGradients(t *testing.T) {
	type net struct{ Hidden, Out layer.FC }
	for name, shape := range map[string][]op.Dim{"rows": {op.Batch, 3}, "more axes": {op.Batch, 2, 3}} {
		optest.Check(t, optest.Case{
			Name: name, In: []optest.Input{optest.Float(shape...)},
			Model: func() (any, optest.Build) {
				m := &net{layer.FC{Size: 4, Act: op.Tanh}, layer.FC{Size: 2, NoBias: true}}
				return m, optest.Unary(func(x *op.Node) *op.Node { return m.Out.Forward(m.Hidden.Forward(x)) })
			},
		})
	}
}

func TestFCWithoutBias(t *testing.T) {
	model := &struct{ Out *layer.FC }{&layer.FC{Size: 2, NoBias: true}}
	g := op.NewGraph(model)
	wantShape(t, model.Out.Forward(g.Input("x", op.Float64, op.Batch, 5, 3)), "(batch, 5, 2)")
	wantNames(t, model, "out.weight float64 3 2")
}

// A weight shared with an embedding is stored once, under its first name.
func TestFCTiedToEmbedding(t *testing.T) {
	table := new(op.Parameter)
	model := &struct {
		Words layer.Embedding
		Out   layer.FC
	}{
		Words: layer.Embedding{Vocabulary: 3, Width: 2, Weight: table},
		Out:   layer.FC{Transposed: true, NoBias: true, Weight: table},
	}
	g := op.NewGraph(model)
	y := model.Out.Forward(model.Words.Forward(g.Input("ids", op.Int32, op.Batch)))
	wantShape(t, y, "(batch, 3)")
	wantNames(t, model, "words.weight float32 3 2")
	assign(t, table, 1, 2, 3, 4, 5, 6)
	grad := op.Gradient(op.Sum(y), g.ReadParameter(table))[0]
	out := evaluate(t, op.Training, op.Feeds{"ids": tensorOf([]int32{1}, 1)}, y, op.Densify(grad))
	wantNear(t, "y", out[0], 11, 25, 39)
	// Row 1 gets the sum of all rows through the embedding, each row gets row 1 through the product.
	wantNear(t, "gradient", out[1], 3, 4, 3+9, 4+12, 3, 4)
}

func TestFCMisuse(t *testing.T) {
	model := &struct{ Out, Empty layer.FC }{Out: layer.FC{Size: 10}}
	g := op.NewGraph(model)
	model.Out.Forward(g.Input("first", op.Float32, op.Batch, 5))
	_, _, line, _ := runtime.Caller(0)
	wantError(t, model.Out.Forward(g.Input("image", op.Float32, 4, 3)), `layer.FC out: input "image" has shape (4, 3), want (batch, 5)`)
	wantError(t, model.Out.Forward(g.Input("deep", op.Float32, op.Batch, 7, 3)), `layer.FC out: input "deep" has shape (batch, 7, 3), want (batch, 7, 5)`)
	wantError(t, model.Out.Forward(g.Input("flat", op.Float32, 5)), `layer.FC out: input "flat" has shape (5,), want (batch, 5)`)
	wantError(t, model.Out.Forward(g.Input("double", op.Float64, op.Batch, 5)), `layer.FC out: Weight has float32 (5, 10), want float64 (5, 10)`)
	wantError(t, model.Empty.Forward(g.Input("x", op.Float32, op.Batch, 3)), `layer.FC empty: size 0, want 1 or more`)
	model.Empty.Size = 2
	wantError(t, model.Empty.Forward(g.Input("y", op.Float32, 3, op.Batch)), `layer.FC empty: input "y" has shape (3, batch), want a last axis of known size`)
	wantError(t, model.Empty.Forward(g.Input("s", op.Float32)), `layer.FC empty: input "s" has shape (), want (batch, in)`)
	wantError(t, model.Out.Forward(nil), `layer.FC: input 0 is nil`)
	want := fmt.Sprintf(`fc_test.go:%d: layer.FC out: input "image" has shape (4, 3), want (batch, 5)`, line+1)
	if got := g.Err().Error(); got != want {
		t.Errorf("the graph's error is\n\t%s\nwant\n\t%s", got, want)
	}
}

// A layer that is not part of the model is a mistake: its parameters would be lost.
func TestLayerOutsideOfModel(t *testing.T) {
	model := &struct{ Out *layer.FC }{&layer.FC{Size: 2}}
	g := op.NewGraph(model)
	stranger := &layer.FC{Size: 2}
	wantError(t, stranger.Forward(g.Input("x", op.Float32, op.Batch, 3)),
		`layer.FC: the layer is not part of the model *struct { Out *layer.FC } that NewGraph was given: was it copied, or made later?`)
	var missing *layer.FC
	if n := missing.Forward(g.Input("y", op.Float32, op.Batch, 3)); n.Err() == nil {
		t.Error("a nil layer goes through")
	}
}

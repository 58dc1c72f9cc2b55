package layer_test

import (
	"fmt"
	"strings"
	"testing"

	"paddle/internal/exec"
	"paddle/layer"
	"paddle/op"
	"paddle/op/optest"
)

func TestEmbedding(t *testing.T) {
	model := &struct{ Words layer.Embedding }{layer.Embedding{Vocabulary: 4, Width: 2}}
	g := op.NewGraph(model)
	y := model.Words.Forward(g.Input("ids", op.Int64, op.Batch, 2))
	wantShape(t, y, "(batch, 2, 2)")
	wantNames(t, model, "words.weight float32 4 2")
	assign(t, model.Words.Weight, 0, 1, 10, 11, 20, 21, 30, 31)
	out := evaluate(t, op.Training, op.Feeds{"ids": tensorOf([]int64{3, 0, 1, 3}, 2, 2)}, y)
	wantNear(t, "y", out[0], 30, 31, 0, 1, 10, 11, 30, 31)
}

func TestEmbeddingGradients(t *testing.T) {
	for name, padding := range map[string]*int{"plain": nil, "padding": new(2)} {
		optest.Check(t, optest.Case{
			Name: name, In: []optest.Input{optest.Int(5, op.Batch, 3)},
			Model: func() (any, optest.Build) {
				m := &layer.Embedding{Vocabulary: 5, Width: 3, Padding: padding, DType: op.Float64}
				return m, optest.Unary(m.Forward)
			},
		})
	}
}

// The padding row starts as zeros, and gives zeros whatever it holds.
func TestEmbeddingPadding(t *testing.T) {
	model := &struct{ Words layer.Embedding }{layer.Embedding{Vocabulary: 3, Width: 2, Padding: new(1)}}
	g := op.NewGraph(model)
	y := model.Words.Forward(g.Input("ids", op.Int32, op.Batch))
	feeds := op.Feeds{"ids": tensorOf([]int32{1, 0, 1}, 3)}
	evaluate(t, op.Training, feeds, y)
	wantNear(t, "padding row", model.Words.Weight.Memory().Float32s()[2:4], 0, 0)
	if w := model.Words.Weight.Memory().Float32s(); w[0] == 0 || w[5] == 0 {
		t.Errorf("table %v has other zeros", w)
	}
	assign(t, model.Words.Weight, 1, 2, 3, 4, 5, 6)
	wantNear(t, "y", evaluate(t, op.Training, feeds, y)[0], 0, 0, 1, 2, 0, 0)
}

// E01: the padding row gets no gradient and stays as it is, for any number of ids, dense or sparse.
func TestE01PaddingRowReceivesNoGradient(t *testing.T) {
	for _, n := range []int{7, 769, 100_000} {
		for _, dense := range []bool{false, true} {
			model := &struct{ Words layer.Embedding }{layer.Embedding{Vocabulary: 10, Width: 4, Padding: new(0)}}
			g := op.NewGraph(model)
			y := model.Words.Forward(g.Input("ids", op.Int32, op.Batch))
			w := g.ReadParameter(model.Words.Weight)
			grad := op.Gradient(op.Sum(op.Square(op.AddConst(y, 1))), w)[0]
			if grad.Sparse() == nil {
				t.Fatal("the gradient is dense")
			}
			whole := op.Densify(grad)
			if dense {
				grad = whole
			}
			m, v, step := moments(t, g, 10, 4)
			op.UpdateAdam(g.ApplyFlag(), w, grad, m, v, g.Full(op.Float64, 0.1), step, op.Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 0.1})
			p, err := exec.Compile(g, []*op.Node{whole}, exec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			ids := make([]int32, n)
			for i := range ids {
				ids[i] = int32(i * 7 % 10)
			}
			if err := p.Run(t.Context(), op.Feeds{"ids": tensorOf(ids, n)}, 0, func(out []op.Buffer) error {
				wantNear(t, "gradient of row 0", out[0].Float32s()[:4], 0, 0, 0, 0)
				if out[0].Float32s()[4] == 0 {
					t.Error("row 1 has no gradient")
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			wantNear(t, "row 0", model.Words.Weight.Memory().Float32s()[:4], 0, 0, 0, 0)
		}
	}
}

func moments(t *testing.T, g *op.Graph, shape ...int) (m, v, step *op.Node) {
	t.Helper()
	var out []*op.Node
	for _, dtype := range []op.DType{op.Float32, op.Float32, op.Int64} {
		v := new(op.Variable)
		if dtype == op.Int64 {
			shape = nil
		}
		if err := v.Define(dtype, op.InitConstant(0), shape...); err != nil {
			t.Fatal(err)
		}
		out = append(out, g.Read(v))
	}
	return out[0], out[1], out[2]
}

// E02: an id outside of the table is an error with its place and value, with and without a padding id.
func TestE02IDOutOfRange(t *testing.T) {
	for _, padding := range []*int{nil, new(0)} {
		for _, ids := range [][]int32{{0, 4}, {0, -1}} {
			model := &struct{ Words layer.Embedding }{layer.Embedding{Vocabulary: 4, Width: 2, Padding: padding}}
			g := op.NewGraph(model)
			y := model.Words.Forward(g.Input("ids", op.Int32, op.Batch))
			_, err := run(t, op.Training, op.Feeds{"ids": tensorOf(ids, 2)}, y)
			want := fmt.Sprintf(": layer.Embedding words: input \"ids\": element 1 is %d, want 0 to 3", ids[1])
			if err == nil || !strings.HasSuffix(err.Error(), want) || !strings.HasPrefix(err.Error(), "embedding_test.go:") {
				t.Errorf("ids %v: error %v, want *%s", ids, err, want)
			}
		}
	}
}

func TestEmbeddingMisuse(t *testing.T) {
	model := &struct{ A, B, C, D layer.Embedding }{
		A: layer.Embedding{Width: 2}, B: layer.Embedding{Vocabulary: 4, Width: 2, Padding: new(4)},
		C: layer.Embedding{Vocabulary: 4, Width: 2, DType: op.Int32}, D: layer.Embedding{Vocabulary: 4, Width: 2},
	}
	g := op.NewGraph(model)
	ids := g.Input("ids", op.Int32, op.Batch)
	wantError(t, model.A.Forward(ids), `layer.Embedding a: a table of 0 rows of width 2, want 1 or more of both`)
	wantError(t, model.B.Forward(ids), `layer.Embedding b: padding id 4, want one from 0 to 3`)
	wantError(t, model.C.Forward(ids), `layer.Embedding c: a table of int32, want a floating-point type`)
	wantError(t, model.D.Forward(g.Input("x", op.Float32, op.Batch)), `layer.Embedding d: input "x" has type float32, want int32 or int64`)
}

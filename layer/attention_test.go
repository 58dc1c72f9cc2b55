package layer_test

import (
	"math"
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/op/optest"
)

// attended is the definition for one head, with the parameters as they are named in SelfAttention.
func attended(x []float32, length, width int, in, inBias, out, outBias []float32) []float64 {
	project := func(row []float64, j, columns int, w, b []float32) float64 {
		v := float64(b[j])
		for k := range width {
			v += row[k] * float64(w[k*columns+j])
		}
		return v
	}
	wide := make([]float64, len(x))
	for i, v := range x {
		wide[i] = float64(v)
	}
	qkv := make([]float64, length*3*width)
	for i := range length {
		for j := range 3 * width {
			qkv[i*3*width+j] = project(wide[i*width:], j, 3*width, in, inBias)
		}
	}
	heads := make([]float64, length*width)
	for i := range length {
		weights, total := make([]float64, length), 0.0
		for k := range length {
			score := 0.0
			for j := range width {
				score += qkv[i*3*width+j] * qkv[k*3*width+width+j]
			}
			weights[k] = math.Exp(score / math.Sqrt(float64(width)))
			total += weights[k]
		}
		for k := range length {
			for j := range width {
				heads[i*width+j] += weights[k] / total * qkv[k*3*width+2*width+j]
			}
		}
	}
	y := make([]float64, length*width)
	for i := range length {
		for j := range width {
			y[i*width+j] = project(heads[i*width:], j, width, out, outBias)
		}
	}
	return y
}

func TestSelfAttention(t *testing.T) {
	const length, width = 3, 2
	model := &struct{ Attention layer.SelfAttention }{}
	g := op.NewGraph(model)
	y := model.Attention.Forward(g.Input("x", op.Float32, op.Batch, length, width))
	wantShape(t, y, "(batch, 3, 2)")
	wantNames(t, model, "attention.in_weight float32 2 6", "attention.in_bias float32 6", "attention.out_weight float32 2 2", "attention.out_bias float32 2")
	x := []float32{0.5, -1, 2, 0.25, -0.75, 1.5}
	in := []float32{0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, -0.9, 1, 1.1, -1.2}
	inBias, out, outBias := []float32{0.1, 0.2, -0.3, 0.4, 0.5, -0.6}, []float32{1, -1, 0.5, 2}, []float32{0.25, -0.125}
	assign(t, model.Attention.InWeight, in...)
	assign(t, model.Attention.InBias, inBias...)
	assign(t, model.Attention.OutWeight, out...)
	assign(t, model.Attention.OutBias, outBias...)
	got := evaluate(t, op.Inference, op.Feeds{"x": tensorOf(x, 1, length, width)}, y)
	for i, want := range attended(x, length, width, in, inBias, out, outBias) {
		if math.Abs(float64(got[0][i])-want) > 1e-6 {
			t.Errorf("y[%d] = %v, want %v", i, got[0][i], want)
		}
	}
}

func TestSelfAttentionGradients(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 3, 4)},
		Model: func() (any, optest.Build) {
			m := &layer.SelfAttention{Heads: 2}
			return m, optest.Unary(m.Forward)
		},
	})
}

package layer_test

import (
	"math"
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

func TestAdditiveAttention(t *testing.T) {
	net := &struct{ Look layer.AdditiveAttention }{layer.AdditiveAttention{Size: 2}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 1)
	state := g.Input("state", op.Float32, op.Batch, 1)
	context, weights := net.Look.Attend(x, net.Look.Keys(x), state)
	wantShape(t, context, "(batch, 1)")
	wantShape(t, weights.Rows(), "(x.tokens, 1)")
	wantNames(t, net, "look.key_weight float32 1 2", "look.state_weight float32 1 2", "look.weight float32 2")
	assign(t, net.Look.KeyWeight, 1, -0.5)
	assign(t, net.Look.StateWeight, 0.25, 1)
	assign(t, net.Look.Weight, 2, 1)
	feeds := scalars(t, []float32{1, 3}, nil, []float32{5})
	feeds["state"] = tensorOf([]float32{2, 1, -1}, 3, 1)
	score := func(x, s float64) float64 { return 2*math.Tanh(x+0.25*s) + math.Tanh(-0.5*x+s) }
	a, b := math.Exp(score(1, 2)), math.Exp(score(3, 2))
	out := evaluate(t, op.Inference, feeds, context, weights.Rows(), net.Look.Forward(x, state))
	wantNear(t, "context", out[0], (a*1+b*3)/(a+b), 0, 5)
	wantNear(t, "weights", out[1], a/(a+b), b/(a+b), 1)
	wantNear(t, "forward", out[2], (a*1+b*3)/(a+b), 0, 5)
}

func TestAdditiveAttentionAlone(t *testing.T) {
	v := &overTime{name: "attention", in: 3, init: []int{2}, make: func() (any, building) {
		l := &layer.AdditiveAttention{Size: 4}
		return l, func(x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node) {
			context, weights := l.Attend(x, l.Keys(x), init[0])
			return weights, []*op.Node{context}
		}
	}}
	t.Run("alone", v.check)
}

func TestAdditiveAttentionMisuse(t *testing.T) {
	net := &struct{ Look, Empty layer.AdditiveAttention }{Look: layer.AdditiveAttention{Size: 2}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 3)
	state := g.Input("state", op.Float32, op.Batch, 4)
	net.Look.Forward(x, state)
	wantError(t, net.Look.Forward(x, g.Input("narrow", op.Float32, op.Batch, 3)), `layer.AdditiveAttention look: input "narrow" has shape (batch, 3), want 4 columns`)
	wantError(t, net.Look.Forward(x, g.Input("flat", op.Float32, op.Batch)), `layer.AdditiveAttention look: input "flat" has shape (batch,), want (sequences, columns)`)
	wantError(t, net.Look.Forward(sequence.Input(g, "y", op.Float32, 5), state), `layer.AdditiveAttention look: input "y" has shape (y.tokens, 5), want (y.tokens, 3)`)
	wantError(t, net.Empty.Forward(x, state), `layer.AdditiveAttention empty: size 0, want 1 or more`)
	context, _ := net.Look.Attend(x, x, state)
	wantError(t, context, `layer.AdditiveAttention look: input "x" has shape (x.tokens, 3), want (tokens, 2)`)
}

// A decoder attends anew at each of its steps, by what it has found before, to keys that are computed once.
func TestAdditiveAttentionInGroup(t *testing.T) {
	net := &struct{ Look layer.AdditiveAttention }{layer.AdditiveAttention{Size: 2}}
	g := op.NewGraph(net)
	x, y := sequence.Input(g, "x", op.Float32, 1), sequence.Input(g, "y", op.Float32, 1)
	keys := net.Look.Keys(x)
	out := sequence.Group{
		Inputs: []*sequence.Node{y}, StaticSequences: []*sequence.Node{x, keys}, Memories: []sequence.Memory{{Size: 1}},
		Step: func(s *sequence.Step) sequence.StepResult {
			x, keys := s.StaticSequences[0], s.StaticSequences[1]
			context, _ := net.Look.Attend(x, keys.As(x), op.Add(s.Inputs[0], s.Memories[0]))
			return sequence.StepResult{Outputs: []*op.Node{context}, Memories: []*op.Node{context}}
		},
	}.Run().Output(0)
	assign(t, net.Look.KeyWeight, 1, -0.5)
	assign(t, net.Look.StateWeight, 0.25, 1)
	assign(t, net.Look.Weight, 2, 1)
	feeds := scalars(t, []float32{1, 3}, []float32{5})
	b, err := sequence.NewBatch([][]float32{{2, -1, 0}, {7}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	b.Feed(feeds, "y")
	want := make([]float64, 4)
	before := 0.0
	for i, y := range []float64{2, -1, 0} {
		s := y + before
		a, b := math.Exp(2*math.Tanh(1+0.25*s)+math.Tanh(-0.5+s)), math.Exp(2*math.Tanh(3+0.25*s)+math.Tanh(-1.5+s))
		before = (a*1 + b*3) / (a + b)
		want[i] = before
	}
	want[3] = 5
	wantNear(t, "contexts", evaluate(t, op.Inference, feeds, out.Rows())[0], want...)
}

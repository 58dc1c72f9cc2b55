package layer_test

import (
	"context"
	"testing"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// A recurrent layer in the step of a group, over the words of each sentence, is the same as one over all sentences with the group's memory
// behind it: results and gradients.
func TestRecurrentLayerInGroup(t *testing.T) {
	for name, inner := range map[string]func() layer.Recurrent{
		"LSTM":      func() layer.Recurrent { return &layer.LSTM{Size: 3, Peephole: true} },
		"projected": func() layer.Recurrent { return &layer.LSTM{Size: 3, Projection: 2} },
		"both": func() layer.Recurrent {
			return layer.Bidirectional{FromStart: &layer.GRU{Size: 2}, FromEnd: &layer.RNN{Size: 2, Reverse: true}}
		},
	} {
		net := &struct {
			Words layer.Recurrent
			Mix   layer.FC
		}{inner(), layer.FC{Size: 4, Act: op.Tanh}}
		g := op.NewGraph(net)
		x := sequence.NestedInput(g, "x", op.Float64, 2)
		mix := func(sentence, memory *op.Node) *op.Node { return net.Mix.Forward(op.Concat(1, sentence, memory)) }
		grouped := sequence.Group{
			Nested: []*sequence.Nested{x}, Memories: []sequence.Memory{{Size: 4, DType: op.Float64}},
			Step: func(s *sequence.Step) sequence.StepResult {
				_, last := net.Words.Final(s.Nested[0])
				h := mix(last, s.Memories[0])
				return sequence.StepResult{Outputs: []*op.Node{h}, Memories: []*op.Node{h}}
			},
		}.Run().Output(0)
		_, last := net.Words.Final(x.Inner())
		flat := sequence.Group{
			Inputs: []*sequence.Node{x.Outer(last)}, Memories: []sequence.Memory{{Size: 4, DType: op.Float64}},
			Step: func(s *sequence.Step) sequence.StepResult {
				h := mix(s.Inputs[0], s.Memories[0])
				return sequence.StepResult{Outputs: []*op.Node{h}, Memories: []*op.Node{h}}
			},
		}.Run().Output(0)
		if err := g.Err(); err != nil {
			t.Fatal(name, err)
		}
		randomise(t, g)
		fetch := []*op.Node{}
		wrt := []*op.Node{x.Inner().Rows()}
		for _, p := range g.Parameters() {
			wrt = append(wrt, g.ReadParameter(p))
		}
		for _, y := range []*sequence.Node{grouped, flat} {
			fetch = append(append(fetch, y.Rows()), op.Gradient(op.Sum(op.Square(y.Rows())), wrt...)...)
		}
		p, err := paddle.NewPredictor(fetch...)
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := sequence.NewNestedBatch([][][]float64{{{1, 2, -1, 0.5}, {}, {0.25, 1}}, {}, {{2, -2, 1, 1, 0, 0.5, -1, -1}}, {{}}}, 2)
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Predict(context.Background(), b.Feeds("x"))
		if err != nil {
			t.Fatal(name, err)
		}
		half := len(out) / 2
		for i := range half {
			if at := apart(out[i].Float64s(), out[half+i].Float64s(), 1e-12); at != "" {
				t.Errorf("%s: output %d: %s", name, i, at)
			}
		}
	}
}

// Dropout on states works in the step of a group too: training runs, and draws other masks in every step.
func TestRecurrentDropoutInGroup(t *testing.T) {
	net := &struct{ Words layer.RNN }{layer.RNN{Size: 32, Act: op.ReLU, RecurrentDropout: 0.5}}
	g := op.NewGraph(net)
	x := sequence.NestedInput(g, "x", op.Float32, 1)
	y := sequence.Group{
		Nested: []*sequence.Nested{x}, Memories: []sequence.Memory{{Size: 32}},
		Step: func(s *sequence.Step) sequence.StepResult {
			_, last := net.Words.Run(s.Nested[0], op.Ones(s.Memories[0]))
			return sequence.StepResult{Outputs: []*op.Node{last}, Memories: []*op.Node{last}}
		},
	}.Run().Output(0)
	assign(t, net.Words.InWeight, make([]float32, 32)...)
	identity := make([]float32, 32*32)
	for i := range 32 {
		identity[33*i] = 1
	}
	assign(t, net.Words.Weight, identity...)
	b, err := sequence.NewNestedBatch([][][]float32{{{0}, {0}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	out := evaluate(t, op.Training, b.Feeds("x"), y.Rows())[0]
	same := true
	for j, v := range out {
		if v != 0 && v != 2 {
			t.Fatalf("element %d is %v, want 0 or 2", j, v)
		}
		same = same && v == out[j%32]
	}
	if same {
		t.Error("both steps have one mask")
	}
}

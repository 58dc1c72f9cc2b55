package layer_test

import (
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

func TestStack(t *testing.T) {
	net := &struct{ Net layer.Stack }{layer.Stack{
		layer.EachToken{&layer.FC{Size: 5, Act: op.ReLU}, &layer.LayerNorm{}},
		layer.Bidirectional{FromStart: &layer.LSTM{Size: 2}, FromEnd: &layer.LSTM{Size: 2, Reverse: true}},
		&layer.SequenceDropout{P: 0.5, Variational: true},
		layer.SequenceFunc(sequence.Reverse),
		&layer.GRU{Size: 3},
	}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 3)
	wantShape(t, net.Net.Forward(x).Rows(), "(x.tokens, 3)")
	wantNames(t, net,
		"net.0.0.weight float32 3 5", "net.0.0.bias float32 5", "net.0.1.weight float32 5", "net.0.1.bias float32 5",
		"net.1.from_start.in_weight float32 5 8", "net.1.from_start.weight float32 2 8", "net.1.from_start.bias float32 8",
		"net.1.from_end.in_weight float32 5 8", "net.1.from_end.weight float32 2 8", "net.1.from_end.bias float32 8",
		"net.4.in_weight float32 4 9", "net.4.weight float32 3 9", "net.4.bias float32 9",
	)
	if (layer.Stack{}).Forward(x) != x {
		t.Error("no layers change x")
	}
	wantError(t, layer.Stack{nil}.Forward(x).Rows(), `layer.Stack: layer 0 of 1 is nil`)
	wantError(t, layer.EachToken{nil}.Forward(x).Rows(), `layer.EachToken: layer 0 of 1 is nil`)
	wantError(t, layer.SequenceFunc(nil).Forward(x).Rows(), `layer.SequenceFunc: the function is nil`)
}

// The same columns of all rows of a sequence are dropped, other ones in other sequences, and nothing where a model predicts.
func TestVariationalDropout(t *testing.T) {
	const width = 64
	net := &struct{ Drop layer.SequenceDropout }{layer.SequenceDropout{P: 0.25, Variational: true}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, width)
	y := net.Drop.Forward(x)
	dx := op.Gradient(op.Sum(y.Rows()), x.Rows())[0]
	ones := make([]float32, 3*width)
	for i := range ones {
		ones[i] = 1
	}
	b, err := sequence.NewBatch([][]float32{ones, nil, ones[:2*width]}, width)
	if err != nil {
		t.Fatal(err)
	}
	out := evaluate(t, op.Training, b.Feeds("x"), y.Rows(), dx)
	row := func(i int) []float32 { return out[0][i*width:][:width] }
	same, dropped := 0, 0
	for j := range width {
		if v := row(0)[j]; v != 0 && v != float32(1/0.75) {
			t.Fatalf("element %d is %v, want 0 or 1/0.75", j, v)
		}
		if row(1)[j] != row(0)[j] || row(2)[j] != row(0)[j] || row(4)[j] != row(3)[j] {
			t.Errorf("column %d differs between tokens of one sequence", j)
		}
		if row(0)[j] == 0 {
			dropped++
		}
		if row(0)[j] == row(3)[j] {
			same++
		}
	}
	if dropped < 4 || dropped > 30 || same == width {
		t.Errorf("%d of %d columns are dropped, %d alike in both sequences", dropped, width, same)
	}
	for i, v := range out[1] {
		if v != out[0][i] {
			t.Fatalf("the gradient of element %d is %v, want %v", i, v, out[0][i])
		}
	}
	for i, values := range evaluate(t, op.Inference, b.Feeds("x"), y.Rows(), dx) {
		for _, v := range values {
			if v != 1 {
				t.Fatalf("prediction: output %d has %v, want 1", i, v)
			}
		}
	}
}

// Without Variational each element is drawn on its own.
func TestSequenceDropout(t *testing.T) {
	net := &struct{ Drop layer.SequenceDropout }{layer.SequenceDropout{P: 0.5}}
	g := op.NewGraph(net)
	y := net.Drop.Forward(sequence.Input(g, "x", op.Float32, 1))
	long := make([]float32, 200)
	for i := range long {
		long[i] = 1
	}
	dropped := 0
	for _, v := range evaluate(t, op.Training, scalars(t, long), y.Rows())[0] {
		if v == 0 {
			dropped++
		}
	}
	if dropped < 60 || dropped > 140 {
		t.Errorf("%d of 200 are dropped, want about half", dropped)
	}
	wrong := &layer.SequenceDropout{P: 2}
	g = op.NewGraph(wrong)
	wantError(t, wrong.Forward(sequence.Input(g, "x", op.Float32, 1)).Rows(), `layer.SequenceDropout: the fraction 2 to drop is not from 0 to 1`)
}

// Recurrent dropout multiplies h by the same mask at every token. With no input, Wh = 1 and no activation, h is the first state times the mask to
// the power of the tokens so far.
func TestRecurrentDropoutIsTheSameAtEachToken(t *testing.T) {
	const width = 32
	for name, act := range map[string]op.ActivationFunc{"one op": op.ReLU, "step by step": func(x *op.Node) *op.Node { return x }} {
		net := &struct{ Net layer.RNN }{layer.RNN{Size: width, Act: act, RecurrentDropout: 0.5}}
		g := op.NewGraph(net)
		x := sequence.Input(g, "x", op.Float32, 1)
		h, _ := net.Net.Run(x, g.Full(op.Float32, 1, op.Batch, width))
		identity := make([]float32, width*width)
		for i := range width {
			identity[i*width+i] = 1
		}
		assign(t, net.Net.InWeight, make([]float32, width)...)
		assign(t, net.Net.Weight, identity...)
		feeds := scalars(t, []float32{0, 0, 0}, []float32{0, 0})
		out := evaluate(t, op.Training, feeds, h.Rows())[0]
		kept := 0
		for j := range width {
			first := out[j]
			if first == 2 {
				kept++
			}
			if first != 0 && first != 2 || out[width+j] != first*first || out[2*width+j] != first*first*first {
				t.Errorf("%s: column %d is %v, %v, %v, want powers of 0 or 2", name, j, first, out[width+j], out[2*width+j])
			}
			if other := out[3*width+j]; out[4*width+j] != other*other {
				t.Errorf("%s: column %d of the second sequence is %v, %v, want powers of 0 or 2", name, j, other, out[4*width+j])
			}
		}
		if kept < 6 || kept > 26 {
			t.Errorf("%s: %d of %d columns are kept, want about half", name, kept, width)
		}
		for _, v := range evaluate(t, op.Inference, feeds, h.Rows())[0] {
			if v != 1 {
				t.Fatalf("%s: prediction gives %v, want 1", name, v)
			}
		}
	}
}

// Where all of h is dropped, a layer is one whose Weight is 0.
func TestRecurrentDropoutOfEverything(t *testing.T) {
	zero := func(p *op.Parameter) { assign(t, p, make([]float32, op.NewBuffer(op.Float32, p.Shape()...).Len())...) }
	for name, c := range map[string]dropping{
		"LSTM": pair(&layer.LSTM{Size: 2, RecurrentDropout: 1}), "projected": pair(&layer.LSTM{Size: 2, Projection: 1, RecurrentDropout: 1}),
		"GRU": pairGRU(&layer.GRU{Size: 2, RecurrentDropout: 1}), "after": pairGRU(&layer.GRU{Size: 2, ResetAfter: true, RecurrentDropout: 1}),
	} {
		g := op.NewGraph(c.l)
		h := c.l.Forward(sequence.Input(g, "x", op.Float32, 1))
		feeds := scalars(t, []float32{1, 2}, []float32{3, 4, 5})
		got := evaluate(t, op.Training, feeds, h.Rows())[0]
		full := evaluate(t, op.Inference, feeds, h.Rows())[0]
		zero(c.weight())
		want := evaluate(t, op.Inference, feeds, h.Rows())[0]
		differs := false
		for i := range want {
			wantNear(t, name, got[i:i+1], float64(want[i]))
			differs = differs || full[i] != want[i]
		}
		if !differs {
			t.Errorf("%s: prediction drops too", name)
		}
	}
}

// dropping is a layer and its weight, which is there once it is built.
type dropping struct {
	l      layer.SequenceLayer
	weight func() *op.Parameter
}

func pair(l *layer.LSTM) dropping   { return dropping{l, func() *op.Parameter { return l.Weight }} }
func pairGRU(l *layer.GRU) dropping { return dropping{l, func() *op.Parameter { return l.Weight }} }

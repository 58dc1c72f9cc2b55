package layer_test

import (
	"math"
	"slices"
	"testing"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// scalars feeds sequences of rows of one number.
func scalars(t *testing.T, rows ...[]float32) op.Feeds {
	t.Helper()
	b, err := sequence.NewBatch(rows, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b.Feeds("x")
}

// R01: a sequence without tokens takes no step, and its gradients are 0.
func TestR01SequenceWithoutTokens(t *testing.T) {
	net := &struct{ Net layer.RNN }{layer.RNN{Size: 1}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 1)
	init := g.Input("init", op.Float32, op.Batch, 1)
	h, last := net.Net.Run(x, init)
	dx := op.Gradient(op.Sum(last), x.Rows(), init)
	for p, v := range map[*op.Parameter]float32{net.Net.InWeight: 1, net.Net.Weight: 0.5, net.Net.Bias: 0} {
		assign(t, p, v)
	}
	feeds := scalars(t, []float32{1, 2}, nil)
	feeds["init"] = tensorOf([]float32{0, 0.25}, 2, 1)
	out := evaluate(t, op.Inference, feeds, h.Rows(), last, dx[0], dx[1])
	wantNear(t, "h", out[0], math.Tanh(1), 0.983041)
	wantNear(t, "last", out[1], 0.983041, 0.25)
	h1, h2 := math.Tanh(1), math.Tanh(2+0.5*math.Tanh(1))
	d2 := 1 - h2*h2
	d1 := d2 * 0.5 * (1 - h1*h1)
	wantNear(t, "gradient of x", out[2], d1, d2)
	wantNear(t, "gradient of the states", out[3], d1*0.5, 1)
	feeds["init"] = tensorOf([]float32{0, 0}, 2, 1)
	if got := evaluate(t, op.Inference, feeds, last)[0]; got[1] != 0 {
		t.Errorf("the state of a sequence without tokens is %v, want 0", got[1])
	}
}

// R02: results and last states are in the caller's order, whatever the lengths.
func TestR02RestoresTheOrder(t *testing.T) {
	net := &struct{ Net layer.GRU }{layer.GRU{Size: 2}}
	g := op.NewGraph(net)
	h, last := net.Net.Final(sequence.Input(g, "x", op.Float32, 1))
	rows := [][]float32{{0.10}, {0.20, 0.21, 0.22}, {0.30, 0.31}, {}}
	run := func(order []int) (hs [][]float32, lasts [][]float32) {
		var moved [][]float32
		for _, i := range order {
			moved = append(moved, rows[i])
		}
		out := evaluate(t, op.Inference, scalars(t, moved...), h.Rows(), last)
		for _, i := range order {
			n := 2 * len(rows[i])
			hs, out[0] = append(hs, out[0][:n]), out[0][n:]
			lasts, out[1] = append(lasts, out[1][:2]), out[1][2:]
		}
		return hs, lasts
	}
	hs, lasts := run([]int{0, 1, 2, 3})
	for _, p := range [][]int{{3, 2, 1, 0}, {1, 0, 3, 2}, {2, 3, 0, 1}} {
		gotH, gotLast := run(p)
		for at, i := range p {
			if !slices.Equal(gotH[at], hs[i]) || !slices.Equal(gotLast[at], lasts[i]) {
				t.Errorf("order %v: sequence %d gives %v, %v, want %v, %v", p, i, gotH[at], gotLast[at], hs[i], lasts[i])
			}
		}
	}
}

// R03: the reverse pass begins at a sequence's own last token.
func TestR03ReverseBeginsAtTheLastToken(t *testing.T) {
	net := &struct{ Net layer.RNN }{layer.RNN{Size: 1, Act: op.ReLU, Reverse: true}}
	g := op.NewGraph(net)
	h := net.Net.Forward(sequence.Input(g, "x", op.Float32, 1))
	for p, v := range map[*op.Parameter]float32{net.Net.InWeight: 1, net.Net.Weight: 0.5, net.Net.Bias: 1} {
		assign(t, p, v)
	}
	together := evaluate(t, op.Inference, scalars(t, []float32{1, 2}, []float32{9, 9, 9, 9, 9}), h.Rows())[0]
	wantNear(t, "h", together[:2], 3.5, 3)
	if alone := evaluate(t, op.Inference, scalars(t, []float32{1, 2}), h.Rows())[0]; !slices.Equal(together[:2], alone) {
		t.Errorf("beside a longer one %v, alone %v", together[:2], alone)
	}
}

func TestRecurrentParameters(t *testing.T) {
	net := &struct {
		LSTM, Full layer.LSTM
		GRU        layer.GRU
		After      *layer.GRU
		RNN        layer.RNN
		Both       layer.Bidirectional
	}{
		LSTM: layer.LSTM{Size: 2}, Full: layer.LSTM{Size: 4, Peephole: true, Projection: 3, LayerNorm: true},
		GRU: layer.GRU{Size: 2}, After: &layer.GRU{Size: 2, ResetAfter: true}, RNN: layer.RNN{Size: 2},
		Both: layer.Bidirectional{FromStart: &layer.RNN{Size: 2}, FromEnd: &layer.GRU{Size: 3, Reverse: true}},
	}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 3)
	for _, c := range []struct {
		l             layer.Recurrent
		tokens, final string
	}{
		{&net.LSTM, "(x.tokens, 2)", "(batch, 2)"}, {&net.Full, "(x.tokens, 3)", "(batch, 3)"}, {&net.GRU, "(x.tokens, 2)", "(batch, 2)"},
		{net.After, "(x.tokens, 2)", "(batch, 2)"}, {&net.RNN, "(x.tokens, 2)", "(batch, 2)"}, {net.Both, "(x.tokens, 5)", "(batch, 5)"},
	} {
		wantShape(t, c.l.Forward(x).Node(), c.tokens)
		h, last := c.l.Final(x)
		wantShape(t, h.Rows(), c.tokens)
		wantShape(t, last, c.final)
	}
	wantNames(t, net,
		"lstm.in_weight float32 3 8", "lstm.weight float32 2 8", "lstm.bias float32 8",
		"full.in_weight float32 3 16", "full.weight float32 3 16", "full.bias float32 16",
		"full.peephole_weight float32 3 4", "full.projection_weight float32 4 3",
		"full.in_gain float32 16", "full.gain float32 16", "full.cell_gain float32 4", "full.cell_bias float32 4",
		"gru.in_weight float32 3 6", "gru.weight float32 2 6", "gru.bias float32 6",
		"after.in_weight float32 3 6", "after.weight float32 2 6", "after.bias float32 6", "after.hidden_bias float32 2",
		"rnn.in_weight float32 3 2", "rnn.weight float32 2 2", "rnn.bias float32 2",
		"both.from_start.in_weight float32 3 2", "both.from_start.weight float32 2 2", "both.from_start.bias float32 2",
		"both.from_end.in_weight float32 3 9", "both.from_end.weight float32 3 9", "both.from_end.bias float32 9",
	)
}

// Only the forget gate begins with a bias, and each gate's weights are bounded as if it stood alone.
func TestRecurrentInitialValues(t *testing.T) {
	net := &struct{ Net layer.LSTM }{layer.LSTM{Size: 50}}
	g := op.NewGraph(net)
	h := net.Net.Forward(sequence.Input(g, "x", op.Float32, 1))
	evaluate(t, op.Inference, scalars(t, []float32{1}), h.Rows())
	for i, v := range net.Net.Bias.Memory().Float32s() {
		if want := map[bool]float32{true: 1}[i >= 50 && i < 100]; v != want {
			t.Errorf("bias %d begins as %v, want %v", i, v, want)
		}
	}
	for _, c := range []struct {
		p     *op.Parameter
		bound float64
	}{{net.Net.InWeight, math.Sqrt(6.0 / 51)}, {net.Net.Weight, math.Sqrt(6.0 / 100)}} {
		w := c.p.Memory().Float32s()
		low, high := float64(slices.Min(w)), float64(slices.Max(w))
		if low < -c.bound || high > c.bound || low > -0.9*c.bound || high < 0.9*c.bound {
			t.Errorf("weights of shape %v begin from %v to %v, want ±%v", c.p.Shape(), low, high, c.bound)
		}
	}
}

func TestRecurrentMisuse(t *testing.T) {
	net := &struct {
		Net, Empty, Negative, Forgetful layer.LSTM
		GRU                             layer.GRU
		RNN                             layer.RNN
	}{
		Net: layer.LSTM{Size: 2}, Negative: layer.LSTM{Size: 2, Projection: -1}, Forgetful: layer.LSTM{Size: 2, RecurrentDropout: 1.5},
		GRU: layer.GRU{Size: 2}, RNN: layer.RNN{Size: -1},
	}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 3)
	wide := sequence.Input(g, "wide", op.Float32, 4)
	ids := sequence.Input(g, "ids", op.Int32)
	state := func(name string, shape ...op.Dim) *op.Node { return g.Input(name, op.Float32, shape...) }
	net.Net.Forward(x)
	run := func(h, c *op.Node) *op.Node {
		_, last := net.Net.Run(x, sequence.State{H: h, C: c})
		return last.C
	}
	wantError(t, net.Net.Forward(wide).Rows(), `layer.LSTM net: input "wide" has shape (wide.tokens, 4), want (wide.tokens, 3)`)
	wantError(t, net.Net.Forward(ids).Rows(), `layer.LSTM net: input "ids" has shape (ids.tokens,), want (ids.tokens, 3)`)
	wantError(t, net.GRU.Forward(ids).Rows(), `layer.GRU gru: input "ids" has shape (ids.tokens,), want (ids.tokens, in)`)
	wantError(t, net.Net.Forward(nil).Rows(), `layer.LSTM: input 0 is nil`)
	wantError(t, net.Empty.Forward(x).Rows(), `layer.LSTM empty: size 0, want 1 or more`)
	wantError(t, net.RNN.Forward(x).Rows(), `layer.RNN rnn: size -1, want 1 or more`)
	wantError(t, net.Negative.Forward(x).Rows(), `layer.LSTM negative: projection -1, want 0 for none or more`)
	wantError(t, net.Forgetful.Forward(x).Rows(), `layer.LSTM forgetful: recurrent dropout 1.5, want a fraction from 0 to 1`)
	wantError(t, run(state("h3", op.Batch, 3), nil), `layer.LSTM net: input "h3" has shape (batch, 3), want (batch, 2), one row a sequence`)
	wantError(t, run(nil, state("c", 5, 2)), `layer.LSTM net: input "c" has shape (5, 2), want (batch, 2), one row a sequence`)
	_, last := net.GRU.Run(x, state("h", op.Batch))
	wantError(t, last, `layer.GRU gru: input "h" has shape (batch,), want (batch, 2), one row a sequence`)
	stranger := &layer.GRU{Size: 2}
	wantError(t, stranger.Forward(x).Rows(), `layer.GRU: the layer is not part of the model *struct { Net layer.LSTM; Empty layer.LSTM; Negative layer.LSTM; Forgetful layer.LSTM; GRU layer.GRU; RNN layer.RNN } that NewGraph was given: was it copied, or made later?`)
}

// What the kernels can do is one op; other activations are built step by step.
func TestRNNActivations(t *testing.T) {
	wrapped := func(x *op.Node) *op.Node { return op.ReLU(x) }
	for name, c := range map[string]struct {
		act   op.ActivationFunc
		steps string
	}{
		"nil": {nil, "rnn"}, "Tanh": {op.Tanh, "rnn"}, "ReLU": {op.ReLU, "rnn"}, "Sigmoid": {op.Sigmoid, "rnn"}, "wrapped": {wrapped, "rnn"},
		"GELU": {op.GELU, "scan"}, "none": {func(x *op.Node) *op.Node { return x }, "scan"},
	} {
		net := &layer.RNN{Size: 2, Act: c.act}
		g := op.NewGraph(net)
		if err := net.Forward(sequence.Input(g, "x", op.Float32, 3)).Err(); err != nil {
			t.Fatal(name, err)
		}
		if !slices.ContainsFunc(g.Calls(), func(k *op.Call) bool { return k.Op.Name() == c.steps }) {
			t.Errorf("%s: there is no %s among the ops", name, c.steps)
		}
	}
}

func TestBidirectional(t *testing.T) {
	sum := func(x *op.Node) *op.Node { return x }
	net := &struct{ Both layer.Bidirectional }{layer.Bidirectional{
		FromStart: &layer.RNN{Size: 1, Act: sum}, FromEnd: &layer.RNN{Size: 1, Act: sum, Reverse: true},
	}}
	g := op.NewGraph(net)
	h, last := net.Both.Final(sequence.Input(g, "x", op.Float32, 1))
	for _, l := range []layer.Recurrent{net.Both.FromStart, net.Both.FromEnd} {
		assign(t, l.(*layer.RNN).InWeight, 1)
		assign(t, l.(*layer.RNN).Weight, 1)
	}
	out := evaluate(t, op.Inference, scalars(t, []float32{1, 2, 4}, nil, []float32{8}), h.Rows(), last)
	wantNear(t, "sums from both ends", out[0], 1, 7, 3, 6, 7, 4, 8, 8)
	wantNear(t, "last states", out[1], 7, 7, 0, 0, 8, 8)
}

func TestBidirectionalMisuse(t *testing.T) {
	net := &struct{ A, B, C layer.Bidirectional }{
		B: layer.Bidirectional{FromStart: &layer.LSTM{Size: 1}, FromEnd: &layer.LSTM{Size: 1}},
		C: layer.Bidirectional{FromStart: &layer.GRU{Size: 1, Reverse: true}, FromEnd: &layer.GRU{Size: 1, Reverse: true}},
	}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 1)
	wantError(t, net.A.Forward(x).Rows(), `layer.Bidirectional: FromStart is <nil> and FromEnd is <nil>, want two recurrent layers`)
	wantError(t, net.B.Forward(x).Rows(), `layer.Bidirectional: FromEnd walks from the start, want a *layer.LSTM with Reverse`)
	_, last := net.C.Final(x)
	wantError(t, last, `layer.Bidirectional: FromStart walks from the end, want a *layer.GRU without Reverse`)
}

// Layers that are nil, or an activation that returns nothing, are mistakes and no panic.
func TestNilLayersOverTime(t *testing.T) {
	net := &struct{ Net layer.RNN }{layer.RNN{Size: 2, Act: func(*op.Node) *op.Node { return nil }}}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 3)
	if err := net.Net.Forward(x).Err(); err == nil {
		t.Error("an activation that returns nil goes through")
	}
	for _, l := range []layer.SequenceLayer{
		(*layer.LSTM)(nil), (*layer.GRU)(nil), (*layer.RNN)(nil), (*layer.SequenceDropout)(nil), (*layer.SequenceConv)(nil),
		layer.Bidirectional{FromStart: (*layer.LSTM)(nil), FromEnd: (*layer.GRU)(nil)},
		layer.Bidirectional{FromStart: (*layer.LSTM)(nil), FromEnd: &layer.GRU{Size: 2, Reverse: true}},
	} {
		if err := l.Forward(x).Err(); err == nil {
			t.Errorf("%T: a nil layer goes through", l)
		}
		if err := l.Forward(nil).Err(); err == nil {
			t.Errorf("%T: a nil sequence goes through", l)
		}
	}
	var look *layer.AdditiveAttention
	pool := layer.SequenceConvPool{Convs: []*layer.SequenceConv{nil}}
	for _, n := range []*op.Node{look.Forward(x, nil), pool.Forward(x), pool.Forward(nil), layer.SequenceConvPool{}.Forward(nil)} {
		if n.Err() == nil {
			t.Error("a nil layer goes through")
		}
	}
}

// normalised is gain⊙(x − mean)/√(variance + 1e-5) + bias.
func normalised(x, gain, bias []float64) []float64 {
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = gain[i]*(v-mean)/math.Sqrt(variance+1e-5) + bias[i]
	}
	return out
}

// An LSTM with all options is what the equations of its documentation say, for one sequence, written as plainly as can be.
func TestLSTMWithAllOptions(t *testing.T) {
	const in, size, narrow = 3, 4, 2
	net := &struct{ Net layer.LSTM }{layer.LSTM{Size: size, Peephole: true, Projection: narrow, LayerNorm: true}}
	g := op.NewGraph(net)
	h, last := net.Net.Run(sequence.Input(g, "x", op.Float64, in), sequence.State{})
	randomise(t, g)
	p, err := paddle.NewPredictor(h.Rows(), last.H, last.C)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0.5, -1, 2, 1, 0.25, -0.5, -2, 1, 0.75}
	b, err := sequence.NewBatch([][]float64{x}, in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Predict(t.Context(), b.Feeds("x"))
	if err != nil {
		t.Fatal(err)
	}
	w := func(p *op.Parameter) []float64 { return p.Memory().Float64s() }
	times := func(x, w []float64, columns int) []float64 {
		y := make([]float64, columns)
		for j := range y {
			y[j] = dotColumn(x, w, columns, j)
		}
		return y
	}
	r, c := make([]float64, narrow), make([]float64, size)
	var want []float64
	for row := range slices.Chunk(x, in) {
		gates := normalised(times(row, w(net.Net.InWeight), 4*size), w(net.Net.InGain), w(net.Net.Bias))
		for i, v := range normalised(times(r, w(net.Net.Weight), 4*size), w(net.Net.Gain), make([]float64, 4*size)) {
			gates[i] += v
		}
		peephole := w(net.Net.PeepholeWeight)
		for j := range size {
			i, f := sigma(gates[j]+peephole[j]*c[j]), sigma(gates[size+j]+peephole[size+j]*c[j])
			c[j] = f*c[j] + i*math.Tanh(gates[2*size+j])
		}
		cell := normalised(c, w(net.Net.CellGain), w(net.Net.CellBias))
		for j := range cell {
			cell[j] = sigma(gates[3*size+j]+peephole[2*size+j]*c[j]) * math.Tanh(cell[j])
		}
		r = times(cell, w(net.Net.ProjectionWeight), narrow)
		want = append(want, r...)
	}
	for i, w := range [][]float64{want, r, c} {
		if at := apart(out[i].Float64s(), w, 1e-12); at != "" {
			t.Errorf("output %d: %s", i, at)
		}
	}
}

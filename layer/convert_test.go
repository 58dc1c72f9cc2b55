package layer_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// draw returns a tensor of random numbers.
func draw(r *rand.Rand, shape ...int) *tensor.Dense {
	x := make([]float64, tensor.Shape(shape).TotalSize())
	for i := range x {
		x[i] = 2*r.Float64() - 1
	}
	return tensorOf(x, shape...)
}

func sigma(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// dotColumn returns x times column j of w, which has that many columns.
func dotColumn(x, w []float64, columns, j int) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * w[i*columns+j]
	}
	return sum
}

// lstmemory is Paddle's layer behind its projection, for one sequence, by its own layout.
func lstmemory(p layer.PaddleRecurrent, x [][]float64, size int) (hs [][]float64) {
	in, w, b := p.InWeight.Float64s(), p.Weight.Float64s(), p.Bias.Float64s()
	h, c := make([]float64, size), make([]float64, size)
	for _, row := range x {
		nextH, nextC := make([]float64, size), make([]float64, size)
		for j := range size {
			gate := func(k int) float64 {
				return dotColumn(row, in, 4*size, k*size+j) + dotColumn(h, w, 4*size, k*size+j) + b[k*size+j]
			}
			candidate := math.Tanh(gate(0))
			input := sigma(gate(1) + b[4*size+j]*c[j])
			forget := sigma(gate(2) + b[5*size+j]*c[j])
			nextC[j] = forget*c[j] + input*candidate
			nextH[j] = sigma(gate(3)+b[6*size+j]*nextC[j]) * math.Tanh(nextC[j])
		}
		h, c = nextH, nextC
		hs = append(hs, h)
	}
	return hs
}

// grumemory is Paddle's layer behind its projection, for one sequence, by its own layout.
func grumemory(p layer.PaddleRecurrent, x [][]float64, size int) (hs [][]float64) {
	in, w, b := p.InWeight.Float64s(), p.Weight.Float64s(), p.Bias.Float64s()
	gates, state := w[:2*size*size], w[2*size*size:]
	h := make([]float64, size)
	for _, row := range x {
		input := func(k, j int) float64 { return dotColumn(row, in, 3*size, k*size+j) + b[k*size+j] }
		reset, next := make([]float64, size), make([]float64, size)
		for j := range size {
			reset[j] = sigma(input(1, j)+dotColumn(h, gates, 2*size, size+j)) * h[j]
		}
		for j := range size {
			update := sigma(input(0, j) + dotColumn(h, gates, 2*size, j))
			candidate := math.Tanh(input(2, j) + dotColumn(reset, state, size, j))
			next[j] = (1-update)*h[j] + update*candidate
		}
		h = next
		hs = append(hs, h)
	}
	return hs
}

// runLayer returns what a layer makes of one sequence.
func runLayer(t *testing.T, l layer.SequenceLayer, x [][]float64) []float64 {
	t.Helper()
	g := op.NewGraph(l)
	h := l.Forward(sequence.Input(g, "x", op.Float64, op.Dim(len(x[0]))))
	p, err := paddle.NewPredictor(h.Rows())
	if err != nil {
		t.Fatal(err)
	}
	b, err := sequence.NewBatch([][]float64{slices.Concat(x...)}, len(x[0]))
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Predict(context.Background(), b.Feeds("x"))
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Float64s()
}

func wantTensors(t *testing.T, what string, got, want []*tensor.Dense) {
	t.Helper()
	for i, w := range want {
		if !slices.Equal(got[i].Float64s(), w.Float64s()) {
			t.Errorf("%s: array %d is %v, want %v", what, i, got[i], w)
		}
	}
}

func TestLSTMFromPaddle(t *testing.T) {
	const in, size = 3, 2
	r := rand.New(rand.NewPCG(1, 2))
	p := layer.PaddleRecurrent{InWeight: draw(r, in, 4*size), Weight: draw(r, size, size, 4), Bias: draw(r, 1, 7*size)}
	v, err := p.LSTM()
	if err != nil {
		t.Fatal(err)
	}
	l := &layer.LSTM{Size: size, Peephole: true}
	if err := l.Assign(v); err != nil {
		t.Fatal(err)
	}
	x := [][]float64{{0.5, -1, 2}, {1, 0.25, -0.5}, {-2, 1, 0.75}}
	if at := apart(runLayer(t, l, x), slices.Concat(lstmemory(p, x, size)...), 1e-12); at != "" {
		t.Error(at)
	}
	read, err := l.Values()
	if err != nil {
		t.Fatal(err)
	}
	back, err := read.Paddle()
	if err != nil {
		t.Fatal(err)
	}
	wantTensors(t, "there and back", []*tensor.Dense{back.InWeight, back.Weight, back.Bias}, []*tensor.Dense{p.InWeight, p.Weight, p.Bias})
}

func TestGRUFromPaddle(t *testing.T) {
	const in, size = 3, 2
	r := rand.New(rand.NewPCG(3, 4))
	p := layer.PaddleRecurrent{InWeight: draw(r, in, 3*size), Weight: draw(r, size, 3*size), Bias: draw(r, 3*size)}
	v, err := p.GRU()
	if err != nil {
		t.Fatal(err)
	}
	l := &layer.GRU{Size: size}
	if err := l.Assign(v); err != nil {
		t.Fatal(err)
	}
	x := [][]float64{{0.5, -1, 2}, {1, 0.25, -0.5}, {-2, 1, 0.75}}
	if at := apart(runLayer(t, l, x), slices.Concat(grumemory(p, x, size)...), 1e-12); at != "" {
		t.Error(at)
	}
	read, err := l.Values()
	if err != nil {
		t.Fatal(err)
	}
	back, err := read.Paddle()
	if err != nil {
		t.Fatal(err)
	}
	wantTensors(t, "there and back", []*tensor.Dense{back.InWeight, back.Weight, back.Bias}, []*tensor.Dense{p.InWeight, p.Weight, p.Bias})
}

// Without peepholes and without biases the others are 0.
func TestConversionsFillIn(t *testing.T) {
	v := layer.LSTMValues{InWeight: tensorOf(make([]float32, 4), 1, 4), Weight: tensorOf(make([]float32, 4), 1, 4), Bias: tensorOf([]float32{1, 2, 3, 4}, 4)}
	p, err := v.Paddle()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Bias.Float32s(), []float32{3, 1, 2, 4, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("lstmemory's bias is %v, want %v", got, want)
	}
	torch := layer.TorchRecurrent{WeightIH: tensorOf([]float32{1, 2, 3}, 3, 1), WeightHH: tensorOf([]float32{4, 5, 6}, 3, 1)}
	gru, err := torch.GRU()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float32{{1, 2, 3}, {4, 5, 6}, {0, 0, 0}, {0}} {
		if got := []*tensor.Dense{gru.InWeight, gru.Weight, gru.Bias, gru.HiddenBias}[i].Float32s(); !slices.Equal(got, want) {
			t.Errorf("array %d is %v, want %v", i, got, want)
		}
	}
}

func TestConversionMistakes(t *testing.T) {
	f := func(shape ...int) *tensor.Dense {
		return tensorOf(make([]float32, tensor.Shape(shape).TotalSize()), shape...)
	}
	ints := tensorOf([]int32{1, 2, 3, 4}, 4, 1)
	full := layer.LSTMValues{InWeight: f(3, 8), Weight: f(2, 8), Bias: f(8)}
	with := func(change func(v *layer.LSTMValues)) layer.LSTMValues {
		v := full
		change(&v)
		return v
	}
	last := func(_ any, err error) error { return err }
	built := &layer.LSTM{Size: 2}
	built.Forward(sequence.Input(op.NewGraph(built), "x", op.Float32, 3))
	for _, c := range []struct {
		err  error
		want string
	}{
		{last(layer.TorchRecurrent{}.LSTM()), "layer.TorchRecurrent.LSTM: WeightIH is nil"},
		{last(layer.TorchRecurrent{WeightIH: f(8, 3)}.LSTM()), "layer.TorchRecurrent.LSTM: WeightHH is nil"},
		{last(layer.TorchRecurrent{WeightIH: f(7, 3), WeightHH: f(7, 2)}.LSTM()), "layer.TorchRecurrent.LSTM: WeightIH has shape (7, 3), want (4·size, in)"},
		{last(layer.TorchRecurrent{WeightIH: f(8, 3), WeightHH: f(8, 1)}.LSTM()), "layer.TorchRecurrent.LSTM: WeightHH has shape (8, 1), want (8, 2) without WeightHR"},
		{last(layer.TorchRecurrent{WeightIH: f(8, 3), WeightHH: f(8, 1), WeightHR: f(2, 1)}.LSTM()), "layer.TorchRecurrent.LSTM: WeightHR has shape (2, 1), want (1, 2)"},
		{last(layer.TorchRecurrent{WeightIH: f(8, 3), WeightHH: f(8, 2), BiasIH: f(8)}.LSTM()), "layer.TorchRecurrent.LSTM: BiasHH is nil"},
		{last(layer.TorchRecurrent{WeightIH: ints, WeightHH: f(4, 1)}.LSTM()), "layer.TorchRecurrent.LSTM: WeightIH has type int32, want float32 or float64"},
		{last(layer.TorchRecurrent{WeightIH: f(6, 3), WeightHH: f(6, 1)}.GRU()), "layer.TorchRecurrent.GRU: WeightHH has shape (6, 1), want (6, 2)"},
		{last(layer.TorchRecurrent{WeightIH: f(6, 3), WeightHH: f(6, 2), WeightHR: f(2, 1)}.GRU()), "layer.TorchRecurrent.GRU: there is a WeightHR, want none: only an LSTM has a projection"},
		{last(layer.TorchRecurrent{WeightIH: f(6, 3), WeightHH: f(5, 6)}.RNN()), "layer.TorchRecurrent.RNN: WeightHH has shape (5, 6), want (6, any)"},
		{last(layer.PaddleRecurrent{}.GRU()), "layer.PaddleRecurrent.GRU: InWeight is nil"},
		{last(layer.PaddleRecurrent{InWeight: f(3, 7)}.GRU()), "layer.PaddleRecurrent.GRU: InWeight has shape (3, 7), want (in, 3·size)"},
		{last(layer.PaddleRecurrent{InWeight: f(3, 8), Weight: f(2, 6)}.LSTM()), "layer.PaddleRecurrent.LSTM: Weight has shape (2, 6), want 16 elements"},
		{last(layer.PaddleRecurrent{InWeight: f(3, 8), Weight: f(2, 8)}.LSTM()), "layer.PaddleRecurrent.LSTM: Bias is nil"},
		{last(layer.PaddleRecurrent{InWeight: f(3, 8), Weight: f(2, 8), Bias: f(8)}.LSTM()), "layer.PaddleRecurrent.LSTM: Bias has shape (8), want 14 elements"},
		{last(with(func(v *layer.LSTMValues) { v.PeepholeWeight = f(3, 2) }).Torch()), "layer.LSTMValues.Torch: there is a PeepholeWeight, want none: PyTorch has no peepholes"},
		{last(with(func(v *layer.LSTMValues) { v.ProjectionWeight = f(2, 1) }).Paddle()), "layer.LSTMValues.Paddle: there is a ProjectionWeight, want none: lstmemory has no projection"},
		{last(with(func(v *layer.LSTMValues) { v.Bias = f(1, 8) }).Torch()), "layer.LSTMValues.Torch: Bias has shape (1, 8), want (8)"},
		{last(layer.LSTMValues{}.Paddle()), "layer.LSTMValues.Paddle: InWeight is nil"},
		{last(layer.GRUValues{InWeight: f(3, 6), Weight: f(2, 6), Bias: f(6)}.Torch()), "layer.GRUValues.Torch: HiddenBias is nil, want the value of a GRU with ResetAfter: PyTorch has no other"},
		{last(layer.GRUValues{HiddenBias: f(2)}.Paddle()), "layer.GRUValues.Paddle: there is a HiddenBias, want none: grumemory has no reset after the product"},
		{last(layer.RNNValues{InWeight: f(3, 2)}.Torch()), "layer.RNNValues.Torch: Weight is nil"},
		{last((&layer.LSTM{Size: 2}).Values()), "layer.LSTM.Values: InWeight has no value yet"},
		{last(built.Values()), "layer.LSTM.Values: InWeight has no value yet"},
		{last((&layer.LSTM{Size: 2, LayerNorm: true}).Values()), "layer.LSTM.Values: an LSTM with LayerNorm has parameters besides, want one without"},
		{(&layer.LSTM{Size: 2, LayerNorm: true}).Assign(full), "layer.LSTM.Assign: an LSTM with LayerNorm has parameters besides, want one without"},
		{built.Assign(with(func(v *layer.LSTMValues) { v.Weight = nil })), "layer.LSTM.Assign: Weight is nil"},
		{built.Assign(with(func(v *layer.LSTMValues) { v.PeepholeWeight = f(3, 2) })), "layer.LSTM.Assign: there is a value for PeepholeWeight, which the layer does not have with its options"},
		{built.Assign(with(func(v *layer.LSTMValues) { v.Bias = f(7) })), "layer.LSTM.Assign: Bias: "},
		{(&layer.GRU{Size: 2}).Assign(layer.GRUValues{InWeight: f(1, 6), Weight: f(2, 6)}), "layer.GRU.Assign: Bias is nil"},
		{(&layer.LSTM{Size: 3}).Assign(full), "layer.LSTM.Assign: InWeight: has shape (3, 8), want (any, 12) by the layer's options"},
		{(&layer.LSTM{Size: 2, Projection: 1}).Assign(with(func(v *layer.LSTMValues) { v.ProjectionWeight = f(2, 1) })), "layer.LSTM.Assign: Weight: has shape (2, 8), want (1, 8) by the layer's options"},
		{(&layer.GRU{Size: 2, ResetAfter: true}).Assign(layer.GRUValues{InWeight: f(1, 6), Weight: f(2, 6), Bias: f(6), HiddenBias: f(6)}), "layer.GRU.Assign: HiddenBias: has shape (6), want (2) by the layer's options"},
		{(&layer.RNN{}).Assign(layer.RNNValues{InWeight: f(3, 2), Weight: f(2, 2), Bias: f(2)}), "layer.RNN.Assign: InWeight: has shape (3, 2), want (any, 0) by the layer's options"},
		{(&layer.RNN{Size: 2}).Assign(layer.RNNValues{}), "layer.RNN.Assign: InWeight is nil"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
	if _, err := built.Values(); err == nil {
		t.Error("an assignment that failed has left a value")
	}
}

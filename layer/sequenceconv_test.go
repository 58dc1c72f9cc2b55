package layer_test

import (
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

func TestSequenceConv(t *testing.T) {
	for _, c := range []struct {
		name    string
		conv    *layer.SequenceConv
		padding []float32
		tokens  []float64 // for the sequences 1 2 3, none, 4
		pooled  []float64
	}{
		{"centred", &layer.SequenceConv{Filters: 1, Length: 3, NoBias: true}, nil,
			[]float64{1*10 + 2*100, 1 + 2*10 + 3*100, 2 + 3*10, 4 * 10}, []float64{321, 0, 40}},
		{"ahead", &layer.SequenceConv{Filters: 1, Length: 3, Start: new(0), NoBias: true}, nil,
			[]float64{321, 32, 3, 4}, []float64{321, 0, 4}},
		{"valid", &layer.SequenceConv{Filters: 1, Length: 3, Valid: true, NoBias: true}, nil,
			[]float64{321}, []float64{321, 0, 0}},
		{"padding", &layer.SequenceConv{Filters: 1, Length: 3, LearnPadding: true, NoBias: true}, []float32{7, 8},
			[]float64{217, 321, 832, 847}, []float64{832, 0, 847}},
	} {
		net := &struct{ Net layer.SequenceConvPool }{layer.SequenceConvPool{Convs: []*layer.SequenceConv{c.conv}}}
		g := op.NewGraph(net)
		x := sequence.Input(g, "x", op.Float32, 1)
		y, pooled := c.conv.Forward(x), net.Net.Forward(x)
		assign(t, c.conv.Weight, 1, 10, 100)
		if c.padding != nil {
			assign(t, c.conv.PaddingWeight, c.padding...)
		}
		out := evaluate(t, op.Inference, scalars(t, []float32{1, 2, 3}, nil, []float32{4}), y.Rows(), pooled)
		wantNear(t, c.name, out[0], c.tokens...)
		wantNear(t, c.name+", pooled", out[1], c.pooled...)
	}
}

func TestSequenceConvPool(t *testing.T) {
	net := &struct{ Text layer.SequenceConvPool }{layer.SequenceConvPool{
		Convs: []*layer.SequenceConv{
			{Filters: 4, Length: 2, Valid: true, Act: op.ReLU}, {Filters: 3, Length: 3, LearnPadding: true}, {Filters: 2, Length: 1, NoBias: true},
		},
		Pool: sequence.PoolMean,
	}}
	g := op.NewGraph(net)
	wantShape(t, net.Text.Forward(sequence.Input(g, "x", op.Float32, 5)), "(batch, 9)")
	wantNames(t, net,
		"text.convs.0.weight float32 10 4", "text.convs.0.bias float32 4",
		"text.convs.1.weight float32 15 3", "text.convs.1.bias float32 3", "text.convs.1.padding_weight float32 2 5",
		"text.convs.2.weight float32 5 2")
}

// The bias is behind the filters and before the activation.
func TestSequenceConvBiasAndActivation(t *testing.T) {
	net := &layer.SequenceConv{Filters: 2, Length: 1, Act: op.ReLU}
	g := op.NewGraph(net)
	y := net.Forward(sequence.Input(g, "x", op.Float32, 1))
	assign(t, net.Weight, 1, -1)
	assign(t, net.Bias, 0.5, 2)
	wantNear(t, "y", evaluate(t, op.Inference, scalars(t, []float32{1, 3}), y.Rows())[0], 1.5, 1, 3.5, 0)
}

func TestSequenceConvAlone(t *testing.T) {
	for name, conv := range map[string]func() *layer.SequenceConv{
		"centred": func() *layer.SequenceConv { return &layer.SequenceConv{Filters: 2, Length: 3, Act: op.Tanh} },
		"padding": func() *layer.SequenceConv {
			return &layer.SequenceConv{Filters: 2, Length: 4, Start: new(-1), LearnPadding: true}
		},
	} {
		v := &overTime{name: name, in: 3, make: func() (any, building) {
			l := conv()
			net := &struct{ Net layer.SequenceConvPool }{layer.SequenceConvPool{Convs: []*layer.SequenceConv{l}, Pool: sequence.PoolRootMean}}
			return net, func(x *sequence.Node, _ []*op.Node) (*sequence.Node, []*op.Node) {
				return l.Forward(x), []*op.Node{net.Net.Forward(x)}
			}
		}}
		t.Run(name, v.check)
		t.Run(name+", by optest", v.checkGradients)
	}
}

func TestSequenceConvMisuse(t *testing.T) {
	net := &struct {
		Net, NoFilters, NoLength, Both layer.SequenceConv
		Empty                          layer.SequenceConvPool
	}{
		Net: layer.SequenceConv{Filters: 2, Length: 3}, NoFilters: layer.SequenceConv{Length: 1}, NoLength: layer.SequenceConv{Filters: 1},
		Both: layer.SequenceConv{Filters: 1, Length: 1, Valid: true, Start: new(0)},
	}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", op.Float32, 4)
	net.Net.Forward(x)
	wantError(t, net.Net.Forward(sequence.Input(g, "y", op.Float32, 5)).Rows(), `layer.SequenceConv net: input "y" has shape (y.tokens, 5), want 4 columns`)
	wantError(t, net.NoFilters.Forward(x).Rows(), `layer.SequenceConv no_filters: 0 filters, want 1 or more`)
	wantError(t, net.NoLength.Forward(x).Rows(), `layer.SequenceConv no_length: a window of 0 rows, want 1 or more`)
	wantError(t, net.Both.Forward(x).Rows(), `layer.SequenceConv both: Valid with Start or LearnPadding, want neither: nothing outside of a sequence is seen`)
	wantError(t, net.Empty.Forward(x), `layer.SequenceConvPool: no convolutions, want one or more`)
}

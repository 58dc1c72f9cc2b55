package layer_test

import (
	"testing"

	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// variants are the recurrent layers with their options, each alone and all together.
func variants() []*overTime {
	lstms := map[string]func() *layer.LSTM{
		"LSTM":                func() *layer.LSTM { return &layer.LSTM{Size: 4} },
		"LSTM with peepholes": func() *layer.LSTM { return &layer.LSTM{Size: 4, Peephole: true} },
		"projected LSTM":      func() *layer.LSTM { return &layer.LSTM{Size: 4, Projection: 3} },
		"normalised LSTM":     func() *layer.LSTM { return &layer.LSTM{Size: 4, LayerNorm: true} },
		"LSTM with all":       func() *layer.LSTM { return &layer.LSTM{Size: 4, Peephole: true, Projection: 3, LayerNorm: true} },
	}
	grus := map[string]func() *layer.GRU{
		"GRU":              func() *layer.GRU { return &layer.GRU{Size: 4} },
		"GRU, reset after": func() *layer.GRU { return &layer.GRU{Size: 4, ResetAfter: true} },
	}
	rnns := map[string]func() *layer.RNN{
		"RNN":          func() *layer.RNN { return &layer.RNN{Size: 4} },
		"ReLU RNN":     func() *layer.RNN { return &layer.RNN{Size: 4, Act: op.ReLU} },
		"sigmoid RNN":  func() *layer.RNN { return &layer.RNN{Size: 4, Act: op.Sigmoid} },
		"softsign RNN": func() *layer.RNN { return &layer.RNN{Size: 4, Act: op.Softsign} },
	}
	var out []*overTime
	add := func(name string, init []int, make func() (any, building)) {
		out = append(out, &overTime{name: name, in: 3, init: init, make: make})
	}
	for i, reverse := range []bool{false, true} {
		suffix := [...]string{"", " in reverse"}[i]
		for name, fresh := range lstms {
			add(name+suffix, []int{columns(fresh()), 4}, func() (any, building) {
				l := fresh()
				l.Reverse = reverse
				return l, runLSTM(l)
			})
		}
		for name, fresh := range grus {
			add(name+suffix, []int{4}, func() (any, building) {
				l := fresh()
				l.Reverse = reverse
				return l, runOne(l.Run)
			})
		}
		for name, fresh := range rnns {
			add(name+suffix, []int{4}, func() (any, building) {
				l := fresh()
				l.Reverse = reverse
				return l, runOne(l.Run)
			})
		}
	}
	add("two bidirectional layers", nil, func() (any, building) {
		net := &struct{ Below, Above layer.Bidirectional }{
			layer.Bidirectional{FromStart: &layer.LSTM{Size: 3, Peephole: true}, FromEnd: &layer.GRU{Size: 2, Reverse: true}},
			layer.Bidirectional{FromStart: &layer.RNN{Size: 2}, FromEnd: &layer.LSTM{Size: 4, Projection: 3, Reverse: true}},
		}
		return net, func(x *sequence.Node, _ []*op.Node) (*sequence.Node, []*op.Node) {
			h, last := net.Above.Final(net.Below.Forward(x))
			return h, []*op.Node{last}
		}
	})
	return out
}

// columns returns how many columns the h of l has.
func columns(l *layer.LSTM) int {
	if l.Projection > 0 {
		return l.Projection
	}
	return l.Size
}

func runLSTM(l *layer.LSTM) building {
	return func(x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node) {
		h, last := l.Run(x, sequence.State{H: init[0], C: init[1]})
		return h, []*op.Node{last.H, last.C}
	}
}

// runOne is the building of a layer with one state.
func runOne(run func(x *sequence.Node, init *op.Node) (*sequence.Node, *op.Node)) building {
	return func(x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node) {
		h, last := run(x, init[0])
		return h, []*op.Node{last}
	}
}

func TestPackedIsEachSequenceAlone(t *testing.T) {
	for _, v := range variants() {
		t.Run(v.name, v.check)
	}
}

func TestRecurrentGradients(t *testing.T) {
	for _, v := range variants() {
		t.Run(v.name, v.checkGradients)
	}
}

// The bias is part of the product with InWeight, in training and in prediction.
func TestBiasIsPartOfTheProduct(t *testing.T) {
	for name, l := range map[string]layer.SequenceLayer{"LSTM": &layer.LSTM{Size: 4}, "GRU": &layer.GRU{Size: 4}, "RNN": &layer.RNN{Size: 4}} {
		g := op.NewGraph(l)
		x := sequence.Input(g, "x", op.Float32, 3)
		y := l.Forward(x).Rows()
		fetch := []*op.Node{y}
		for _, p := range g.Parameters() {
			fetch = append(fetch, op.Gradient(op.Sum(op.Square(y)), g.ReadParameter(p))[0])
		}
		for _, mode := range []op.Mode{op.Training, op.Inference} {
			copied, find := op.Copy(g, mode, fetch...)
			found := make([]*op.Node, len(fetch))
			for i, n := range fetch {
				found[i] = find(n)
			}
			var roots []*op.Call
			for _, n := range op.Optimize(copied, found) {
				c, _ := n.Call()
				roots = append(roots, c)
			}
			products := 0
			for _, c := range op.Schedule(roots) {
				switch {
				case c.Op.Name() == "matmul" && len(c.In) == 3:
					products++
				case c.Op.Name() == "add" && c.Phase == op.Forward:
					t.Errorf("%s, mode %v: %s is on its own", name, mode, c.Name())
				}
			}
			if products != 1 {
				t.Errorf("%s, mode %v: %d products with a bias, want 1", name, mode, products)
			}
		}
	}
}

package golden

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// recurrentCase is a recurrent network of PyTorch, run over packed sequences.
type recurrentCase struct {
	Name, Kind                           string
	ReLU                                 bool
	Layers, Directions, Projection, Size int

	Lengths            []int32
	X                  array
	States, Parameters []array
	Results            [][]float64 // of the tokens, then the last states (layers·directions, sequences, width)

	GradX          []float64
	GradStates     [][]float64
	GradParameters map[string][]float64
}

func TestRecurrent(t *testing.T) {
	for _, c := range read[recurrentCase](t, "recurrent.json") {
		t.Run(c.Name, func(t *testing.T) {
			for _, d := range []op.DType{op.Float64, op.Float32} {
				c.check(t, d)
			}
		})
	}
}

// recurrent is a layer in one direction.
type recurrent interface {
	layer.Recurrent
	set(t layer.TorchRecurrent) error
	// gradients returns gradients of parameters in PyTorch's layout. That of a sum is that of each term.
	gradients(grads map[string]*tensor.Dense) (layer.TorchRecurrent, error)
	torch() (layer.TorchRecurrent, error)
	run(x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node)
}

// recurrentNet has the layers of each direction, layer after layer.
type recurrentNet struct{ Layers []recurrent }

// check compares results and gradients in one type.
func (c *recurrentCase) check(t *testing.T, d op.DType) {
	net := c.net()
	if err := c.assign(net, d); err != nil {
		t.Fatal(err)
	}
	g := op.NewGraph(net)
	x := sequence.Input(g, "x", d, op.Dim(c.X.Shape[1]))
	results, states := c.build(net, x)
	dy := make([]*op.Node, len(results))
	for i, y := range results {
		dy[i] = g.Input(fmt.Sprint("d", i), d, y.Shape()...)
	}
	wrt := append([]*op.Node{x.Rows()}, states...)
	for _, p := range g.Parameters() {
		wrt = append(wrt, g.ReadParameter(p))
	}
	fetch := append(slices.Clone(results), op.VJP(results, dy, wrt)...)
	p, err := paddle.NewPredictor(fetch...)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]float64{}
	dense := map[string]*tensor.Dense{}
	err = p.View(context.Background(), c.feeds(d), func(out []op.Buffer) error {
		for i := range results {
			got[fmt.Sprint("result ", i)] = numbersOf(out[i])
		}
		rest := out[len(results):]
		got["gradient of x"] = numbersOf(rest[0])
		for i := range states {
			got[fmt.Sprint("gradient of state ", i)] = numbersOf(rest[1+i])
		}
		for i, p := range g.Parameters() {
			dense[g.NameOf(&p.Variable)] = rest[1+len(states)+i].Clone().Dense()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.torchGradients(net, dense, got); err != nil {
		t.Fatal(err)
	}
	c.compare(t, d, got)
}

// want are PyTorch's numbers by the names that check uses.
func (c *recurrentCase) want() map[string][]float64 {
	out := map[string][]float64{"gradient of x": c.GradX}
	for i, y := range c.Results {
		if i == 0 {
			out["result 0"] = y
			continue
		}
		width := len(y) / (c.Layers * c.Directions)
		for k := range c.Layers * c.Directions {
			out[fmt.Sprint("result ", 1+k*(len(c.Results)-1)+i-1)] = y[k*width:][:width]
		}
	}
	for i, y := range c.GradStates {
		width := len(y) / (c.Layers * c.Directions)
		for k := range c.Layers * c.Directions {
			out[fmt.Sprint("gradient of state ", k*len(c.GradStates)+i)] = y[k*width:][:width]
		}
	}
	for name, y := range c.GradParameters {
		out["gradient of "+name] = y
	}
	return out
}

func (c *recurrentCase) compare(t *testing.T, d op.DType, got map[string][]float64) {
	t.Helper()
	want := c.want()
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
		t.Fatalf("%v: results %v, want %v", d, a, b)
	}
	for name, w := range want {
		if len(got[name]) != len(w) {
			t.Errorf("%v: %s has %d elements, want %d", d, name, len(got[name]), len(w))
			continue
		}
		for i, v := range got[name] {
			if !near(v, w[i], tolerances[d].value) {
				t.Errorf("%v: %s: element %d is %v, want %v", d, name, i, v, w[i])
				break
			}
		}
	}
}

// net makes the layers.
func (c *recurrentCase) net() *recurrentNet {
	net := &recurrentNet{}
	for range c.Layers {
		for k := range c.Directions {
			switch c.Kind {
			case "lstm":
				net.Layers = append(net.Layers, &torchLSTM{LSTM: layer.LSTM{Size: c.Size, Projection: c.Projection, Reverse: k == 1}})
			case "gru":
				net.Layers = append(net.Layers, &torchGRU{GRU: layer.GRU{Size: c.Size, ResetAfter: true, Reverse: k == 1}})
			case "rnn":
				act := op.ActivationFunc(op.Tanh)
				if c.ReLU {
					act = op.ReLU
				}
				net.Layers = append(net.Layers, &torchRNN{RNN: layer.RNN{Size: c.Size, Act: act, Reverse: k == 1}})
			}
		}
	}
	return net
}

// suffix is what the names of PyTorch's parameters of a layer end with.
func (c *recurrentCase) suffix(i int) string {
	return fmt.Sprintf("_l%d%s", i/c.Directions, [...]string{"", "_reverse"}[i%c.Directions])
}

// assign converts PyTorch's parameters, and checks that the way back gives what it came from, with one bias for two.
func (c *recurrentCase) assign(net *recurrentNet, d op.DType) error {
	given := map[string]*tensor.Dense{}
	for i := range c.Parameters {
		given[c.Parameters[i].Name] = c.Parameters[i].all(d).Dense()
	}
	for i, l := range net.Layers {
		s := c.suffix(i)
		values := layer.TorchRecurrent{
			WeightIH: given["weight_ih"+s], WeightHH: given["weight_hh"+s], BiasIH: given["bias_ih"+s], BiasHH: given["bias_hh"+s],
			WeightHR: given["weight_hr"+s],
		}
		if err := l.set(values); err != nil {
			return err
		}
		back, err := l.torch()
		if err != nil {
			return err
		}
		for name, pair := range map[string][2]*tensor.Dense{
			"weight_ih": {back.WeightIH, values.WeightIH}, "weight_hh": {back.WeightHH, values.WeightHH}, "weight_hr": {back.WeightHR, values.WeightHR},
		} {
			if (pair[0] == nil) != (pair[1] == nil) || pair[0] != nil && !pair[0].Eq(pair[1]) {
				return fmt.Errorf("%s%s becomes %v, want %v", name, s, pair[0], pair[1])
			}
		}
	}
	return nil
}

// build runs the layers, and returns the results of the tokens and the last states of each layer, and the nodes of the first states.
func (c *recurrentCase) build(net *recurrentNet, x *sequence.Node) (results, states []*op.Node) {
	g := x.Graph()
	for i := 0; i < len(net.Layers); i += c.Directions {
		var hs []*sequence.Node
		for k := range c.Directions {
			var init []*op.Node
			for j, s := range c.States {
				init = append(init, g.Input(fmt.Sprintf("state%d.%d", j, i+k), x.DType(), op.Batch, op.Dim(s.Shape[2])))
			}
			h, last := net.Layers[i+k].run(x, init)
			hs, states, results = append(hs, h), append(states, init...), append(results, last...)
		}
		x = sequence.Combine(func(rows ...*op.Node) *op.Node { return op.Concat(1, rows...) }, hs...)
	}
	return append([]*op.Node{x.Rows()}, results...), states
}

func (c *recurrentCase) feeds(d op.DType) op.Feeds {
	feeds := op.Feeds{"x": c.X.all(d).Dense(), "x.lengths": tensor.New(tensor.WithShape(len(c.Lengths)), tensor.WithBacking(c.Lengths))}
	sequences := len(c.Lengths)
	// slices of what PyTorch has in one array (layers·directions, sequences, width)
	cut := func(name string, x []float64, k, width int) {
		feeds[name] = bufferOf(d, []int{sequences, width}, x[k*sequences*width:][:sequences*width]).Dense()
	}
	for j := range c.States {
		for k := range c.Layers * c.Directions {
			cut(fmt.Sprintf("state%d.%d", j, k), c.States[j].elements(), k, c.States[j].Shape[2])
		}
	}
	for i, y := range c.Results {
		dy := values(fmt.Sprintf("%s/d%d", c.Name, i), len(y), 1, 0)
		if i == 0 {
			tokens := c.X.Shape[0]
			feeds["d0"] = bufferOf(d, []int{tokens, len(y) / tokens}, dy).Dense()
			continue
		}
		for k := range c.Layers * c.Directions {
			cut(fmt.Sprint("d", 1+k*(len(c.Results)-1)+i-1), dy, k, len(y)/(c.Layers*c.Directions*sequences))
		}
	}
	return feeds
}

// torchGradients converts the gradients of all parameters.
func (c *recurrentCase) torchGradients(net *recurrentNet, grads map[string]*tensor.Dense, got map[string][]float64) error {
	for i, l := range net.Layers {
		own := map[string]*tensor.Dense{}
		for _, name := range []string{"in_weight", "weight", "bias", "projection_weight", "hidden_bias"} {
			own[name] = grads[fmt.Sprintf("layers.%d.%s", i, name)]
		}
		t, err := l.gradients(own)
		if err != nil {
			return err
		}
		for name, x := range map[string]*tensor.Dense{
			"weight_ih": t.WeightIH, "weight_hh": t.WeightHH, "bias_ih": t.BiasIH, "bias_hh": t.BiasHH, "weight_hr": t.WeightHR,
		} {
			if x == nil {
				continue
			}
			b, err := op.Contiguous(x)
			if err != nil {
				return err
			}
			got["gradient of "+name+c.suffix(i)] = numbersOf(b)
		}
	}
	return nil
}

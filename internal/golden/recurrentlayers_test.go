package golden

import (
	"gorgonia.org/tensor"

	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

// torchLSTM is a layer whose parameters come from PyTorch.
type torchLSTM struct{ layer.LSTM }

func (l *torchLSTM) set(t layer.TorchRecurrent) error {
	v, err := t.LSTM()
	if err != nil {
		return err
	}
	return l.Assign(v)
}

func (l *torchLSTM) torch() (layer.TorchRecurrent, error) {
	v, err := l.Values()
	if err != nil {
		return layer.TorchRecurrent{}, err
	}
	return v.Torch()
}

func (l *torchLSTM) gradients(g map[string]*tensor.Dense) (layer.TorchRecurrent, error) {
	t, err := layer.LSTMValues{InWeight: g["in_weight"], Weight: g["weight"], Bias: g["bias"], ProjectionWeight: g["projection_weight"]}.Torch()
	t.BiasHH = t.BiasIH
	return t, err
}

func (l *torchLSTM) run(x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node) {
	var state sequence.State
	if len(init) == 2 {
		state = sequence.State{H: init[0], C: init[1]}
	}
	h, last := l.Run(x, state)
	return h, []*op.Node{last.H, last.C}
}

// torchGRU is a layer whose parameters come from PyTorch.
type torchGRU struct{ layer.GRU }

func (l *torchGRU) set(t layer.TorchRecurrent) error {
	v, err := t.GRU()
	if err != nil {
		return err
	}
	return l.Assign(v)
}

func (l *torchGRU) torch() (layer.TorchRecurrent, error) {
	v, err := l.Values()
	if err != nil {
		return layer.TorchRecurrent{}, err
	}
	return v.Torch()
}

// gradients of the hidden biases of r and z are those of the others.
func (l *torchGRU) gradients(g map[string]*tensor.Dense) (layer.TorchRecurrent, error) {
	t, err := layer.GRUValues{InWeight: g["in_weight"], Weight: g["weight"], Bias: g["bias"], HiddenBias: g["hidden_bias"]}.Torch()
	if err != nil {
		return t, err
	}
	from, to := g["bias"], t.BiasHH
	switch x := to.Data().(type) {
	case []float64:
		copy(x[:2*l.Size], from.Float64s())
	case []float32:
		copy(x[:2*l.Size], from.Float32s())
	}
	return t, nil
}

func (l *torchGRU) run(x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node) {
	return runOne(l.Run, x, init)
}

// torchRNN is a layer whose parameters come from PyTorch.
type torchRNN struct{ layer.RNN }

func (l *torchRNN) set(t layer.TorchRecurrent) error {
	v, err := t.RNN()
	if err != nil {
		return err
	}
	return l.Assign(v)
}

func (l *torchRNN) torch() (layer.TorchRecurrent, error) {
	v, err := l.Values()
	if err != nil {
		return layer.TorchRecurrent{}, err
	}
	return v.Torch()
}

func (l *torchRNN) gradients(g map[string]*tensor.Dense) (layer.TorchRecurrent, error) {
	t, err := layer.RNNValues{InWeight: g["in_weight"], Weight: g["weight"], Bias: g["bias"]}.Torch()
	t.BiasHH = t.BiasIH
	return t, err
}

func (l *torchRNN) run(x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node) {
	return runOne(l.Run, x, init)
}

// runOne runs a layer with one state.
func runOne(run func(*sequence.Node, *op.Node) (*sequence.Node, *op.Node), x *sequence.Node, init []*op.Node) (*sequence.Node, []*op.Node) {
	var state *op.Node
	if len(init) == 1 {
		state = init[0]
	}
	h, last := run(x, state)
	return h, []*op.Node{last}
}

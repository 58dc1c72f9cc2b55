package cpu

import "paddle/op"

// recurrentCell is a kind of cell under test.
type recurrentCell struct {
	name      string
	gates     int      // matrices side by side in W
	inputs    []string // beyond gates and w
	results   []string // of the forward run
	reference func(s *state, gates, inner []complex128)
	run       func(b *Backend, c *recurrentCase, x *recurrentBuffers)
	grad      func(b *Backend, c *recurrentCase, x *recurrentBuffers)
	gradW     func(b *Backend, c *recurrentCase, x *recurrentBuffers) // of W and Bias, from what grad leaves
}

// recurrentBuffers are a cell's operands and results by name. A buffer that a case does not have is nil.
type recurrentBuffers struct {
	in, out, grad map[string]op.Buffer // grad has the gradients of results going in, and those of inputs
}

var recurrentCells = []*recurrentCell{
	{
		name: "LSTM", gates: 4, inputs: []string{"peephole", "mask", "h0", "c0"}, results: []string{"h", "c", "hLast", "cLast", "gates"},
		reference: lstmReference, run: runLSTM, grad: gradLSTM, gradW: gradAllW,
	},
	{
		name: "GRU reset after", gates: 3, inputs: []string{"bias", "mask", "h0"}, results: []string{"h", "hLast", "gates", "inner"},
		reference: gruAfterReference,
		run:       func(b *Backend, c *recurrentCase, x *recurrentBuffers) { runGRU(b, c, x, true) },
		grad:      func(b *Backend, c *recurrentCase, x *recurrentBuffers) { gradGRU(b, c, x, true) },
		gradW:     gradInnerW,
	},
	{
		name: "GRU reset before", gates: 3, inputs: []string{"mask", "h0"}, results: []string{"h", "hLast", "gates", "inner"},
		reference: gruBeforeReference,
		run:       func(b *Backend, c *recurrentCase, x *recurrentBuffers) { runGRU(b, c, x, false) },
		grad:      func(b *Backend, c *recurrentCase, x *recurrentBuffers) { gradGRU(b, c, x, false) },
		gradW:     gradResetW,
	},
	rnnCell("RNN tanh", op.ActTanh, tanhReference),
	rnnCell("RNN ReLU", op.ActReLU, reluReference),
	rnnCell("RNN sigmoid", op.ActSigmoid, sigmoidReference),
	rnnCell("RNN linear", op.NoActivation, func(x complex128) complex128 { return x }),
}

func rnnCell(name string, act op.Activation, f func(complex128) complex128) *recurrentCell {
	return &recurrentCell{
		name: name, gates: 1, inputs: []string{"mask", "h0"}, results: []string{"h", "hLast"},
		reference: rnnReference(f),
		run:       func(b *Backend, c *recurrentCase, x *recurrentBuffers) { runRNN(b, c, x, act) },
		grad:      func(b *Backend, c *recurrentCase, x *recurrentBuffers) { gradRNN(b, c, x, act) },
		gradW:     gradAllW,
	}
}

func runLSTM(b *Backend, c *recurrentCase, x *recurrentBuffers) {
	b.LSTM(op.LSTMArgs{
		Steps: c.steps, Reverse: c.reverse,
		Gates: x.out["gates"], W: x.in["w"], Peephole: x.in["peephole"], Mask: x.in["mask"], H0: x.in["h0"], C0: x.in["c0"],
		H: x.out["h"], C: x.out["c"], HLast: x.out["hLast"], CLast: x.out["cLast"],
	})
}

func gradLSTM(b *Backend, c *recurrentCase, x *recurrentBuffers) {
	b.LSTMGrad(op.LSTMGradArgs{
		Steps: c.steps, Reverse: c.reverse,
		Gates: x.grad["gates"], W: x.in["w"], Peephole: x.in["peephole"], Mask: x.in["mask"], C0: x.in["c0"], C: x.out["c"],
		DH: x.grad["h"], DC: x.grad["c"], DHLast: x.grad["hLast"], DCLast: x.grad["cLast"],
		DH0: x.grad["h0"], DC0: x.grad["c0"], DPeephole: x.grad["peephole"],
	})
}

func runGRU(b *Backend, c *recurrentCase, x *recurrentBuffers, after bool) {
	b.GRU(op.GRUArgs{
		Steps: c.steps, Reverse: c.reverse, ResetAfter: after,
		Gates: x.out["gates"], W: x.in["w"], Bias: x.in["bias"], Mask: x.in["mask"], H0: x.in["h0"],
		H: x.out["h"], HLast: x.out["hLast"], Inner: x.out["inner"],
	})
}

func gradGRU(b *Backend, c *recurrentCase, x *recurrentBuffers, after bool) {
	b.GRUGrad(op.GRUGradArgs{
		Steps: c.steps, Reverse: c.reverse, ResetAfter: after,
		Gates: x.grad["gates"], W: x.in["w"], Mask: x.in["mask"], H0: x.in["h0"], H: x.out["h"], Inner: x.out["inner"],
		DH: x.grad["h"], DHLast: x.grad["hLast"], DH0: x.grad["h0"], DInner: x.grad["inner"],
	})
}

func runRNN(b *Backend, c *recurrentCase, x *recurrentBuffers, act op.Activation) {
	copy(x.out["h"].Bytes(), x.out["gates"].Bytes())
	b.RNN(op.RNNArgs{
		Steps: c.steps, Reverse: c.reverse, Act: act,
		H: x.out["h"], W: x.in["w"], Mask: x.in["mask"], H0: x.in["h0"], HLast: x.out["hLast"],
	})
}

func gradRNN(b *Backend, c *recurrentCase, x *recurrentBuffers, act op.Activation) {
	b.RNNGrad(op.RNNGradArgs{
		Steps: c.steps, Reverse: c.reverse, Act: act,
		W: x.in["w"], Mask: x.in["mask"], H: x.out["h"],
		DH: x.grad["h"], DHLast: x.grad["hLast"], DH0: x.grad["h0"], DGates: x.grad["gates"],
	})
}

// gradAllW computes the gradient of W from that of all gates.
func gradAllW(b *Backend, c *recurrentCase, x *recurrentBuffers) {
	addOuter(x.grad["w"], c.previous(b, x), x.grad["gates"], 0, c.width())
}

// gradInnerW computes the gradients of W and Bias where the reset gate comes after the product.
func gradInnerW(b *Backend, c *recurrentCase, x *recurrentBuffers) {
	inner, n := x.grad["inner"], c.hidden
	addOuter(x.grad["w"], c.previous(b, x), inner, 0, 3*n)
	if bias := x.grad["bias"]; !bias.IsNil() {
		for i := range c.rows() * n {
			set(bias, i%n, get(bias, i%n)+get(inner, i/n*3*n+2*n+i%n))
		}
	}
}

// gradResetW computes the gradient of W where the reset gate comes before the product.
func gradResetW(b *Backend, c *recurrentCase, x *recurrentBuffers) {
	addOuter(x.grad["w"], c.previous(b, x), x.grad["gates"], 0, 2*c.hidden)
	addOuter(x.grad["w"], x.out["inner"], x.grad["gates"], 2*c.hidden, 3*c.hidden)
}

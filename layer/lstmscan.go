package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// normEpsilon is added to variances.
const normEpsilon = 1e-5

// lstmStep is an LSTM with a Projection or LayerNorm, of which op.Scan runs one step at a time. Parameters that it does not have are nil.
type lstmStep struct {
	size                         op.Dim
	weight, peephole, projection *op.Node
	gain, cellGain, cellBias     *op.Node
}

// scan builds the layer step by step on x, whose width is in.
func (l *LSTM) scan(s *op.Scope, x *sequence.Node, in int, init sequence.State) (h *sequence.Node, last sequence.State) {
	step := l.step(s, x.DType())
	states := []*op.Node{orZeros(x, init.H, l.columns()), orZeros(x, init.C, l.Size)}
	mask := stateMask(x, l.RecurrentDropout, l.columns())
	h, lasts := scan(l.gates(s, x, in), states, mask, l.Reverse, step.run)
	if h.Err() != nil {
		return h, sequence.State{H: h.Node(), C: h.Node()}
	}
	return h, sequence.State{H: lasts[0], C: lasts[1]}
}

// step reads the parameters of a step.
func (l *LSTM) step(s *op.Scope, d op.DType) lstmStep {
	step := lstmStep{size: op.Dim(l.Size), weight: s.Parameter("Weight", l.Weight, d, xavier{l.columns(), l.Size}, l.columns(), 4*l.Size)}
	if l.Peephole {
		step.peephole = s.Parameter("PeepholeWeight", l.PeepholeWeight, d, op.InitConstant(0), 3, l.Size)
	}
	if l.Projection > 0 {
		step.projection = s.Parameter("ProjectionWeight", l.ProjectionWeight, d, op.InitXavier{}, l.Size, l.Projection)
	}
	if l.LayerNorm {
		step.gain = s.Parameter("Gain", l.Gain, d, op.InitConstant(1), 4*l.Size)
		step.cellGain = s.Parameter("CellGain", l.CellGain, d, op.InitConstant(1), l.Size)
		step.cellBias = s.Parameter("CellBias", l.CellBias, d, op.InitConstant(0), l.Size)
	}
	return step
}

// gates returns what the tokens add to the gates, with the bias.
func (l *LSTM) gates(s *op.Scope, x *sequence.Node, in int) *sequence.Node {
	d := x.DType()
	weight := s.Parameter("InWeight", l.InWeight, d, xavier{in, l.Size}, in, 4*l.Size)
	bias := s.Parameter("Bias", l.Bias, d, forgetBias{}, 4*l.Size)
	if !l.LayerNorm {
		return packedProduct(x, weight, bias)
	}
	gain := s.Parameter("InGain", l.InGain, d, op.InitConstant(1), 4*l.Size)
	return packedProduct(x, weight, nil).Map(func(rows *op.Node) *op.Node { return op.LayerNorm(rows, gain, bias, normEpsilon) })
}

// run returns the h of a step, and its state h, c.
func (t lstmStep) run(gates, mask *op.Node, state []*op.Node) (*op.Node, []*op.Node) {
	before := state[1]
	sum := op.MatMul(masked(state[0], mask), t.weight)
	if t.gain != nil {
		sum = op.LayerNorm(sum, t.gain, op.Zeros(t.gain), normEpsilon)
	}
	sum = op.Add(gates, sum)
	i, f := t.look(op.Slice(sum, 1, 0, t.size), 0, before), t.look(op.Slice(sum, 1, t.size, 2*t.size), 1, before)
	g := op.Tanh(op.Slice(sum, 1, 2*t.size, 3*t.size))
	c := op.Add(op.Mul(op.Sigmoid(f), before), op.Mul(op.Sigmoid(i), g))
	o := op.Sigmoid(t.look(op.Slice(sum, 1, 3*t.size, 4*t.size), 2, c))
	seen := c
	if t.cellGain != nil {
		seen = op.LayerNorm(c, t.cellGain, t.cellBias, normEpsilon)
	}
	h := op.Mul(o, op.Tanh(seen))
	if t.projection != nil {
		h = op.MatMul(h, t.projection)
	}
	return h, []*op.Node{h, c}
}

// look adds to a gate what it sees of a cell through row i of the peepholes, if there are any.
func (t lstmStep) look(gate *op.Node, i op.Dim, cell *op.Node) *op.Node {
	if t.peephole == nil {
		return gate
	}
	return op.Add(gate, op.Mul(cell, op.Slice(t.peephole, 0, i, i+1)))
}

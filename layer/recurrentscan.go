package layer

import (
	"paddle/op"
	"paddle/sequence"
)

// scan runs a step over packed rows of gates from the states init (sequences, …), one a memory. static (sequences, …) may be nil. It
// returns the step's output for every token, and the last states, all in the order of the sequences.
func scan(gates *sequence.Node, init []*op.Node, static *op.Node, reverse bool, step func(gates, static *op.Node, state []*op.Node) (out *op.Node, next []*op.Node)) (h *sequence.Node, last []*op.Node) {
	p := gates.Pack()
	in := op.ScanInputs{Starts: p.Steps, Rows: []*op.Node{p.Rows}, Reverse: reverse}
	for _, x := range init {
		in.Init = append(in.Init, p.Sort(x))
	}
	if static != nil {
		in.Static = []*op.Node{p.Sort(static)}
	}
	outs, states := op.Scan(in, func(s *op.ScanStep) (out, next []*op.Node) {
		var rows *op.Node
		if static != nil {
			rows = s.Static[0]
		}
		y, next := step(s.Rows[0], rows, s.Memory)
		return []*op.Node{y}, next
	})
	for _, x := range states {
		last = append(last, p.Restore(x))
	}
	return p.Of(outs[0]), last
}

// orZeros returns a state, 0 where it is nil.
func orZeros(x *sequence.Node, state *op.Node, width int) *op.Node {
	if state != nil {
		return state
	}
	return x.Graph().Full(x.DType(), 0, x.Len(), op.Dim(width))
}

// masked returns h times the mask, if there is one.
func masked(h, mask *op.Node) *op.Node {
	if mask == nil {
		return h
	}
	return op.Mul(h, mask)
}

// scan runs the layer with an activation that kernels do not know.
func (l *RNN) scan(gates *sequence.Node, weight, mask, init *op.Node) (h *sequence.Node, last *op.Node) {
	states := []*op.Node{orZeros(gates, init, l.Size)}
	h, lasts := scan(gates, states, mask, l.Reverse, func(gates, mask *op.Node, state []*op.Node) (*op.Node, []*op.Node) {
		h := l.Act(op.Add(gates, op.MatMul(masked(state[0], mask), weight)))
		return h, []*op.Node{h}
	})
	return h, lasts[0]
}

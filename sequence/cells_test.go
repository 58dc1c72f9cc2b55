package sequence_test

import (
	"math/cmplx"

	"paddle/op"
	"paddle/sequence"
)

// cells are the recurrent ops and their definitions.
var cells = []*cell{
	{name: "LSTM", gates: 4, states: 2, tokens: 1, weights: [][]int{{hidden, 4 * hidden}}, build: buildLSTM, step: stepLSTM},
	{name: "LSTM with peepholes", gates: 4, states: 2, tokens: 2, weights: [][]int{{hidden, 4 * hidden}, {3, hidden}}, build: buildLSTM, step: stepLSTM},
	{name: "GRU", gates: 3, states: 1, tokens: 1, weights: [][]int{{hidden, 3 * hidden}}, build: buildGRU, step: stepGRU},
	{name: "GRU, reset after", gates: 3, states: 1, tokens: 1, weights: [][]int{{hidden, 3 * hidden}, {hidden}}, build: buildGRU, step: stepGRU},
	rnnCell("RNN", op.NoActivation, func(x complex128) complex128 { return x }),
	rnnCell("tanh RNN", op.ActTanh, cmplx.Tanh),
	rnnCell("sigmoid RNN", op.ActSigmoid, sigmoid),
}

// buildLSTM asks for c of every token where there are peepholes.
func buildLSTM(gates *sequence.Node, o cellNodes) ([]*sequence.Node, []*op.Node) {
	l := sequence.LSTM{Weight: o.weights[0], Mask: o.mask, H: o.state(0), C: o.state(1), Reverse: o.reverse}
	if len(o.weights) == 1 {
		h, last := l.Run(gates)
		return []*sequence.Node{h}, []*op.Node{last.H, last.C}
	}
	l.Peephole = o.weights[1]
	h, c, last := l.Cells(gates)
	return []*sequence.Node{h, c}, []*op.Node{last.H, last.C}
}

func stepLSTM(gates, seen []complex128, state, weights [][]complex128) [][]complex128 {
	sum := rowTimes(seen, weights[0], 4*hidden, 0, 4*hidden)
	h, c := make([]complex128, hidden), make([]complex128, hidden)
	for j := range hidden {
		var pi, pf, po complex128
		if len(weights) == 2 {
			pi, pf, po = weights[1][j], weights[1][hidden+j], weights[1][2*hidden+j]
		}
		before := state[1][j]
		gate := func(i int) complex128 { return gates[i*hidden+j] + sum[i*hidden+j] }
		c[j] = sigmoid(gate(1)+pf*before)*before + sigmoid(gate(0)+pi*before)*cmplx.Tanh(gate(2))
		h[j] = sigmoid(gate(3)+po*c[j]) * cmplx.Tanh(c[j])
	}
	return [][]complex128{h, c}
}

func buildGRU(gates *sequence.Node, o cellNodes) ([]*sequence.Node, []*op.Node) {
	l := sequence.GRU{Weight: o.weights[0], Mask: o.mask, H: o.state(0), Reverse: o.reverse}
	if len(o.weights) == 2 {
		l.Bias, l.ResetAfter = o.weights[1], true
	}
	h, last := l.Run(gates)
	return []*sequence.Node{h}, []*op.Node{last}
}

func stepGRU(gates, seen []complex128, state, weights [][]complex128) [][]complex128 {
	w := weights[0]
	rz := rowTimes(seen, w, 3*hidden, 0, 2*hidden)
	r, z := make([]complex128, hidden), make([]complex128, hidden)
	for j := range hidden {
		r[j], z[j] = sigmoid(gates[j]+rz[j]), sigmoid(gates[hidden+j]+rz[hidden+j])
	}
	var inner []complex128
	if len(weights) == 2 {
		inner = rowTimes(seen, w, 3*hidden, 2*hidden, 3*hidden)
		for j := range inner {
			inner[j] = r[j] * (inner[j] + weights[1][j])
		}
	} else {
		reset := make([]complex128, hidden)
		for j := range reset {
			reset[j] = r[j] * seen[j]
		}
		inner = rowTimes(reset, w, 3*hidden, 2*hidden, 3*hidden)
	}
	h := make([]complex128, hidden)
	for j := range h {
		h[j] = (1-z[j])*cmplx.Tanh(gates[2*hidden+j]+inner[j]) + z[j]*state[0][j]
	}
	return [][]complex128{h}
}

func rnnCell(name string, act op.Activation, f func(complex128) complex128) *cell {
	return &cell{
		name: name, gates: 1, states: 1, tokens: 1, weights: [][]int{{hidden, hidden}},
		build: func(gates *sequence.Node, o cellNodes) ([]*sequence.Node, []*op.Node) {
			h, last := sequence.RNN{Weight: o.weights[0], Act: act, Mask: o.mask, H: o.state(0), Reverse: o.reverse}.Run(gates)
			return []*sequence.Node{h}, []*op.Node{last}
		},
		step: func(gates, seen []complex128, _, weights [][]complex128) [][]complex128 {
			h := rowTimes(seen, weights[0], hidden, 0, hidden)
			for j := range h {
				h[j] = f(gates[j] + h[j])
			}
			return [][]complex128{h}
		},
	}
}

package op_test

import "paddle/op"

// cells are steps of every kind.
var cells = []cell{
	{name: "lstm", rows: 1, init: 2, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		g := op.Add(op.Add(op.MatMul(s.Rows[0], op.Concat(1, w.a, w.b)), op.MatMul(s.Memory[0], op.Concat(1, w.b, w.a))), op.Concat(0, w.bias, w.bias))
		i, f := op.Sigmoid(op.Slice(g, 1, 0, width)), op.Tanh(op.Slice(g, 1, width, 2*width))
		c := op.Add(op.Mul(i, s.Memory[1]), op.Mul(f, op.Sub(i, f)))
		h := op.Mul(op.Tanh(c), i)
		return nodes(h), nodes(h, c)
	}},
	{name: "swap", rows: 2, init: 2, static: 1, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		y := op.Mul(s.Memory[0], s.Static[0])
		return nodes(op.Add(y, s.Rows[1]), s.Rows[0], s.Memory[1]), nodes(s.Memory[1], op.Add(op.MulConst(y, 0.5), op.MatMulT(s.Static[0], w.derived)))
	}},
	{name: "captured", rows: 1, init: 1, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		scale := op.Mean(op.Square(op.MatMul(w.a, w.derived)))
		h := op.Add(op.Mul(s.Memory[0], scale), op.MatMul(op.Mul(s.Rows[0], s.Memory[0]), op.Transpose(op.Exp(w.b))))
		h = op.Sub(op.Div(h, op.AddConst(op.Square(w.bias), 1)), w.bias)
		return nodes(op.Tanh(op.Add(h, op.Mean(w.a, 0)))), nodes(op.Tanh(op.Add(h, w.derived.Graph().Full(op.Float64, 1, 1, width))))
	}},
	{name: "embedding", rows: 1, init: 1, ids: true, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		x := op.Add(op.GatherRows(w.table, s.Rows[1], 2), op.GatherRows(w.table, s.Memory[1], -1))
		h := op.Tanh(op.Add(op.Mul(x, s.Rows[0]), op.MatMul(s.Memory[0], w.a)))
		return nodes(h, op.MatMul(op.MatMulT(h, w.table), w.table)), nodes(h, s.Rows[1])
	}},
	{name: "stream", rows: 1, init: 1, stream: true, streamOut: true, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		words, ranks := s.Streams[0][0], s.Streams[0][1]
		e := op.Tanh(op.Add(op.MatMul(words, w.a), op.MatMul(op.GatherRows(s.Memory[0], ranks, -1), w.b)))
		h := op.Tanh(op.Add(s.Rows[0], segmentSum(op.Mul(e, words), ranks, s.Memory[0])))
		return nodes(h, op.Add(e, w.bias)), nodes(op.Add(h, op.MulConst(s.Memory[0], 0.5)))
	}},
	{name: "attention", rows: 1, init: 1, static: 1, ragged: true, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		enc, seg := s.Ragged[0][0], s.Ragged[0][1]
		e := op.Tanh(op.Add(op.MatMul(enc, w.a), op.MatMul(op.GatherRows(s.Memory[0], seg, -1), w.b)))
		h := op.Tanh(op.Add(op.Add(s.Rows[0], s.Static[0]), segmentSum(op.Mul(e, enc), seg, s.Memory[0])))
		return nodes(h), nodes(h)
	}},
	{name: "ragged memory", rows: 1, init: 1, ragged: true, raggedInit: true, step: func(w weightsOf, s *op.ScanStep) (out, next []*op.Node) {
		enc, seg, state := s.Ragged[0][0], s.Ragged[0][1], s.Memory[1]
		state = op.Tanh(op.Add(op.Mul(state, enc), op.MatMul(op.GatherRows(s.Memory[0], seg, -1), w.b)))
		h := op.Tanh(op.Add(s.Rows[0], segmentSum(op.Mul(state, enc), seg, s.Memory[0])))
		return nodes(h), nodes(op.MatMul(h, w.a), op.Add(state, w.bias))
	}},
}

// segmentSum adds rows to the rows of like that ranks names.
func segmentSum(rows, ranks, like *op.Node) *op.Node {
	return op.Densify(op.SparseRows(append([]op.Dim{like.Dim(0)}, rows.Shape()[1:]...), ranks, rows, -1))
}

func nodes(ns ...*op.Node) []*op.Node { return ns }

package sequence

import "paddle/op"

// AdditiveAttention looks at the rows of each sequence by how well they go with its state (Bahdanau, Cho and Bengio, 2015; Paddle's
// simple_attention, without its parameters):
//
//	scoreₜ = vᵀ·tanh(keyₜ + state)
//	weight = softmax of the scores over the sequence
//	context = Σ weightₜ·valueₜ
//
// keys (tokens, size) are a projection of the sequences, state (sequences, size) one of what looks, v (size), and values (tokens, width) the
// rows themselves. The context is (sequences, width), 0 for a sequence without rows, and weights are (tokens, 1).
func AdditiveAttention(values, keys *Node, state, v *op.Node) (context *op.Node, weights *Node) {
	hidden := Combine(func(rows ...*op.Node) *op.Node { return op.Tanh(op.Add(rows[0], rows[1])) }, keys, Expand(state, keys))
	scores := hidden.Map(func(rows *op.Node) *op.Node { return op.MatMul(rows, column(v)) })
	weights = Softmax(scores)
	weighted := Combine(func(rows ...*op.Node) *op.Node { return op.Mul(rows[0], rows[1]) }, values, weights)
	return Sum(weighted), weights
}

// column returns v (size) as (size, 1).
func column(v *op.Node) *op.Node {
	if v.Err() == nil && v.Rank() != 1 {
		return v.Graph().Fail("v has shape %s, want (size)", v.ShapeString())
	}
	return op.Unsqueeze(v, 1)
}

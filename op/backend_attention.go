package op

// AttentionBackend is the part of Backend that attends.
type AttentionBackend interface {
	// Attention computes, for every sample and head, weights = softmax(s.Scale·Q·Kᵀ) and y = weights·V. in is (batch, length, 3, heads,
	// width), whose three are Q, K and V, y (batch, length, heads, width) and weights (batch, heads, length, length); weights may be nil.
	Attention(s AttentionSpec, in, weights, y Buffer)
	// AttentionGrad computes the gradient of Attention for in, from that of y; dscores (as weights) is computed on the way.
	AttentionGrad(s AttentionSpec, in, weights, dy, din, dscores Buffer)
}

// AttentionSpec holds the sizes of a self-attention, and the factor of its scores. Width is that of one head.
type AttentionSpec struct {
	Batch, Length, Heads, Width int
	Scale                       float64
}

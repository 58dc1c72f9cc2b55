package op

// Count returns the denominator of a mean loss or metric, a scalar: how many rows counted. A node that has none of its own (see
// WithCount) counts the samples of the batch, op.Batch.
func Count(mean *Node) *Node {
	switch {
	case mean.Err() != nil:
		return failedFrom(mean)
	case mean.count != nil:
		return mean.count
	}
	return mean.graph.DimSize(Float32, Batch)
}

// WithCount says that the scalar mean has been divided by the scalar count, and returns mean.
func WithCount(mean, count *Node) *Node {
	if mean.Err() == nil && count.Err() == nil {
		mean.count = count
	}
	return mean
}

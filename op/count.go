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
	mean.count = mean.graph.samples()
	return mean.count
}

// samples returns the batch size as a node; 1 in a graph whose inputs have none.
func (g *Graph) samples() *Node {
	for _, in := range g.root().inputs {
		for _, d := range in.shape {
			if d == Batch {
				return g.DimSize(Float32, Batch)
			}
		}
	}
	return g.Full(Float32, 1)
}

// WithCount says that the scalar mean has been divided by the scalar count, and returns mean.
func WithCount(mean, count *Node) *Node {
	if mean.Err() == nil && count.Err() == nil {
		mean.count = count
	}
	return mean
}

package sequence

import "paddle/op"

// CrossEntropy returns the mean of −log softmax(logits)[label] over all tokens whose label is not op.IgnoreLabel, a scalar: logits (tokens,
// classes), labels (tokens) Int32 or Int64. op.Count of it is the number of tokens that count; where none does, the loss and its gradient
// are 0. Labels may have been fed under a name of their own: their lengths are checked as by Node.As. See op.CrossEntropy.
func CrossEntropy(logits, labels *Node) *op.Node {
	rows, label := aligned(logits, labels)
	losses := op.CrossEntropyRows(rows, label)
	if losses.Err() != nil {
		return losses
	}
	// added up in the caller's order, so that the bits do not depend on the order at hand
	total := op.Sum(logits.of(losses, logits.rows == nil).Rows())
	count := op.Count(losses)
	least := losses.Graph().Full(losses.DType(), 1)
	return op.WithCount(op.Div(total, op.Maximum(op.Cast(count, losses.DType()), least)), count)
}

// Accuracy returns the fraction of all tokens whose greatest score is the label's, a Float32 scalar, for scores (tokens, classes) and labels
// (tokens); see CrossEntropy, and op.Accuracy.
func Accuracy(scores, labels *Node) *op.Node {
	return op.Accuracy(aligned(scores, labels))
}

// aligned returns the rows of x in the order at hand, and those of labels in the same.
func aligned(x, labels *Node) (rows, label *op.Node) {
	if x.Err() != nil {
		n := x.failed().Node()
		return n, n
	}
	labels = labels.As(x)
	switch {
	case labels.Err() != nil:
		return x.Node(), labels.Node()
	case x.rows == nil:
		return x.packed, labels.packedRows()
	}
	return x.rows, labels.Rows()
}

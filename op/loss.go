package op

import "fmt"

// IgnoreLabel marks a row that losses and metrics leave out: it adds nothing and does not count.
const IgnoreLabel = -100

// meanOver returns the sum of rows divided by count (Int64 scalar), or 0 where none counts; count is its denominator (Count).
func meanOver(rows, count *Node) *Node {
	if rows.Err() != nil {
		return failedFrom(rows)
	}
	divisor := Maximum(Cast(count, rows.dtype), rows.graph.Full(rows.dtype, 1))
	return WithCount(Div(Sum(rows), divisor), Cast(count, Float32))
}

// meanOverBatch returns the mean of rows over the first axis and the sum over the others; the size of the first axis is its denominator.
func meanOverBatch(rows *Node) *Node {
	if rows.Err() != nil {
		return failedFrom(rows)
	}
	if rows.Rank() > 1 {
		rows = Sum(rows, axesFrom(1, rows.Rank())...)
	}
	if rows.Err() != nil {
		return rows
	}
	return WithCount(Mean(rows), rows.graph.DimSize(Float32, rows.shape[0]))
}

func axesFrom(from, to int) []int {
	var axes []int
	for a := from; a < to; a++ {
		axes = append(axes, a)
	}
	return axes
}

// likeTarget returns an error unless prediction and target have the same floating-point type and the same shape with at least one
// axis: losses do not broadcast.
func likeTarget(prediction, target *Node) error {
	switch {
	case !prediction.dtype.IsFloat():
		return fmt.Errorf("input %s has type %v, want a floating-point type", quoted(prediction), prediction.dtype)
	case prediction.dtype != target.dtype:
		return fmt.Errorf("input %s has type %v, want %v, as input %s", quoted(target), target.dtype, prediction.dtype, quoted(prediction))
	case !SameShape(prediction.shape, target.shape):
		return fmt.Errorf("input %s has shape %s, want %s, as input %s", quoted(target), target.ShapeString(), prediction.ShapeString(), quoted(prediction))
	case prediction.Rank() == 0:
		return fmt.Errorf("input %s has shape (), want (batch, …)", quoted(prediction))
	}
	return nil
}

// pairLoss builds a loss of a prediction and a target of the same shape.
func pairLoss(prediction, target *Node, build func() *Node) *Node {
	g, err := commonGraph([]*Node{prediction, target})
	if err != nil {
		return g.fail(err)
	}
	for _, n := range []*Node{prediction, target} {
		if n.err != nil {
			return n
		}
	}
	if err := likeTarget(prediction, target); err != nil {
		return g.fail(err)
	}
	return build()
}

// SquareError returns the mean over the batch of the squared distance: 1/batch · Σ (prediction − target)², a scalar. prediction and target
// have the same shape (batch, …). Elements of one sample add up; for their mean see MeanSquareError.
func SquareError(prediction, target *Node) *Node {
	return pairLoss(prediction, target, func() *Node { return meanOverBatch(apply1(squareDifference{}, prediction, target)) })
}

// MeanSquareError returns the mean of (prediction − target)² over all elements, a scalar. prediction and target have the same
// shape (batch, …).
func MeanSquareError(prediction, target *Node) *Node {
	return pairLoss(prediction, target, func() *Node {
		mean := Mean(apply1(squareDifference{}, prediction, target))
		return WithCount(mean, mean.graph.DimSize(Float32, prediction.shape[0]))
	})
}

// squareDifference computes (a − b)².
type squareDifference struct{}

func (squareDifference) Name() string { return "square_difference" }

func (squareDifference) Infer(s *Shapes) ([]Spec, error) { return []Spec{s.In[0]}, s.Arity(2) }

func (squareDifference) Run(e *Env, in, out []Buffer) error {
	e.Binary(BinarySub, in[0], in[1], out[0])
	e.Unary(UnarySquare, 0, 0, out[0], out[0])
	return nil
}

func (squareDifference) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	da := Mul(MulConst(Sub(c.In[0], c.In[1]), 2), dout[0])
	out := make([]*Node, 2)
	if want[0] {
		out[0] = da
	}
	if want[1] {
		out[1] = Neg(da)
	}
	return out
}

func (squareDifference) Traits() Traits {
	return Traits{InPlace: []Pair{{0, 0}, {1, 0}}, Precision: Keep32}
}

func (squareDifference) FLOPs(_, out [][]int) int64 { return 2 * elements(out[0]) }

// BinaryCrossEntropy returns the loss of independent yes-or-no decisions with the probabilities sigmoid(logits): the mean over the batch of
//
//	Σ −target·log(sigmoid(logits)) − (1−target)·log(1−sigmoid(logits))
//
// over the elements of a sample, a scalar. logits and target, whose elements are from 0 to 1, have the same shape (batch, …). It is computed from
// the logits without overflow: however large they are, it is finite and so is the gradient, (sigmoid(logits) − target)/batch.
func BinaryCrossEntropy(logits, target *Node) *Node {
	return pairLoss(logits, target, func() *Node { return meanOverBatch(binaryOf(BinaryLogisticLoss, logits, target)) })
}

// SoftCrossEntropy returns the cross-entropy between distributions: the mean over the batch of −Σ target·log softmax(logits) over the last
// axis, a scalar. logits and target, whose rows are probabilities, have the same shape (batch, classes).
func SoftCrossEntropy(logits, target *Node) *Node {
	return pairLoss(logits, target, func() *Node {
		if logits.Rank() < 2 {
			return logits.graph.fail(fmt.Errorf("input %s has shape %s, want (batch, classes)", quoted(logits), logits.ShapeString()))
		}
		return meanOverBatch(Neg(Mul(target, LogSoftmax(logits))))
	})
}

package paddle

import (
	"fmt"

	"paddle/op"
)

// Accumulate makes one update of every n steps, with the gradient that their batches would have as one: Σ count·g / Σ count, where g is the
// gradient of a batch's mean loss and count is what that is a mean over. So batches of different sizes count as their rows do.
// Steps in between report Applied false. Clipping and decay see the accumulated gradient. A window that an epoch ends in goes on in the
// next one and is part of a checkpoint. Sparse gradients are accumulated as dense ones. Running statistics, such as those of a batch
// norm, follow the last batch of each window.
func Accumulate(n int) op.Pass { return accumulate(n) }

type accumulate int

func (accumulate) Stage() op.Stage { return op.AtReduce }

func (n accumulate) Rewrite(t *op.TrainingGraph) error {
	if n < 1 {
		return fmt.Errorf("paddle.Accumulate: %d steps, want 1 or more", int(n))
	}
	t.Graph.InPhase(op.Update, func() { n.build(t) })
	return nil
}

func (n accumulate) build(t *op.TrainingGraph) {
	g := t.Graph
	always := g.Full(op.Bool, 1)
	steps, count := t.Variable("window.steps", op.Int64, nil), t.Variable("window.count", op.Float64, nil)
	due := op.Equal(steps, g.Full(op.Int64, float64(n-1)))
	total := op.Add(count, op.Cast(t.Count, op.Float64))
	divisor := op.Where(op.Greater(total, op.Zeros(total)), total, op.Ones(total))
	for i, p := range t.Gradients {
		dtype := p.Gradient.DType()
		kept := moment(t, "accumulated", p)
		sum := op.Add(kept, op.Mul(op.Densify(p.Gradient), op.Cast(t.Count, dtype)))
		t.Gradients[i].Gradient = op.Div(sum, op.Cast(divisor, dtype))
		op.Assign(always, kept, op.Where(due, op.Zeros(sum), sum))
	}
	op.Assign(always, steps, op.Where(due, op.Zeros(steps), op.AddConst(steps, 1)))
	op.Assign(always, count, op.Where(due, op.Zeros(total), total))
	t.Require(due)
}

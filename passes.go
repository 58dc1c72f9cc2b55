package paddle

import (
	"errors"
	"fmt"
	"strings"

	"paddle/op"
)

// Track has the trainer compute a scalar metric in every step and in Test, and report it under the given name. Where the metric is a
// mean that knows its count (op.Count), means over several batches are weighted with it, else with the loss's count.
func Track(name string, value *op.Node) op.Pass { return metric{name, value} }

type metric struct {
	name  string
	value *op.Node
}

func (metric) Stage() op.Stage { return op.AtForward }

func (m metric) Roots() []*op.Node { return []*op.Node{m.value} }

func (m metric) Rewrite(t *op.TrainingGraph) error {
	if m.value.Rank() != 0 {
		return fmt.Errorf("metric %q has shape %s, want a scalar ()", m.name, m.value.ShapeString())
	}
	value := t.Find(m.value)
	t.Report(m.name, value, op.Count(value))
	return nil
}

// Only restricts a trainer to the parameters of the given parts of the model: pointers to layers, structs of layers, or parameters.
// In a graph with two losses, such as a GAN, each trainer trains its own part.
func Only(parts ...any) op.Pass { return only{parts} }

type only struct{ parts []any }

func (only) Stage() op.Stage { return op.AtForward }

func (o only) Rewrite(t *op.TrainingGraph) error {
	mine := map[*op.Parameter]bool{}
	for _, part := range o.parts {
		if p, ok := part.(*op.Parameter); ok && p != nil {
			mine[p] = true
			continue
		}
		named, err := op.Walk(part)
		if err != nil {
			return fmt.Errorf("paddle.Only: %w", err)
		}
		for _, n := range named {
			if n.Parameter != nil {
				mine[n.Parameter] = true
			}
		}
	}
	if len(mine) == 0 {
		return fmt.Errorf("paddle.Only: no parameters in what it was given")
	}
	t.Include = func(_ string, p *op.Parameter) bool { return mine[p] }
	return nil
}

// Named gives the trainer a name, under which its state is saved; trainers of one model need different names. The default is "trainer".
func Named(name string) op.Pass { return named(name) }

type named string

func (named) Stage() op.Stage { return op.AtForward }

func (n named) Rewrite(*op.TrainingGraph) error {
	if n == "" || strings.ContainsAny(string(n), "/") {
		return fmt.Errorf("paddle.Named: %q, want a name without a slash", string(n))
	}
	return nil
}

// ClipGlobalNorm scales all gradients by min(1, max/‖g‖), where ‖g‖ is the Euclidean norm of all of them together (Pascanu, Mikolov and
// Bengio, 2013). It acts on the raw gradients, before decay and moments. If one is not finite the step is not applied. The norm is
// reported as "gradient_norm".
func ClipGlobalNorm(max float64) op.Pass { return clipGlobalNorm(max) }

type clipGlobalNorm float64

func (clipGlobalNorm) Stage() op.Stage { return op.AtClip }

func (c clipGlobalNorm) Rewrite(t *op.TrainingGraph) error {
	if !(c > 0) {
		return fmt.Errorf("paddle.ClipGlobalNorm: %v, want a norm above 0", float64(c))
	}
	grads := make([]*op.Node, len(t.Gradients))
	for i, p := range t.Gradients {
		grads[i] = p.Gradient
	}
	t.Graph.InPhase(op.Update, func() {
		clipped, norm, finite := op.ClipByGlobalNorm(grads, float64(c))
		for i, n := range clipped {
			t.Gradients[i].Gradient = n
		}
		t.RequireFinite(finite)
		t.Report("gradient_norm", norm, nil)
	})
	return nil
}

// L2 adds λ·w to the gradient of each parameter w for which exclude is nil or returns false: weight decay inside the gradient. It is another thing
// than AdamW's decay, which the moments do not see (Loshchilov and Hutter, 2019). Sparse gradients get it for their rows only.
func L2(lambda float64, exclude func(name string) bool) op.Pass { return l2{lambda, exclude} }

type l2 struct {
	lambda  float64
	exclude func(name string) bool
}

func (l2) Stage() op.Stage { return op.AtRegularize }

func (l l2) Rewrite(t *op.TrainingGraph) error {
	for i, p := range t.Gradients {
		if l.exclude != nil && l.exclude(p.Name) {
			continue
		}
		t.Graph.InPhase(op.Update, func() { t.Gradients[i].Gradient = l.decayed(p) })
	}
	return nil
}

func (l l2) decayed(p op.ParameterGradient) *op.Node {
	if p.Gradient.Sparse() == nil {
		return op.Add(p.Gradient, op.MulConst(p.Node, l.lambda))
	}
	merged := op.MergeRows(p.Gradient)
	rows := merged.Sparse()
	if rows == nil {
		return merged
	}
	decay := op.MulConst(op.GatherRows(p.Node, rows.IDs, rows.Padding), l.lambda)
	return op.MergedRows(p.Node.Shape(), rows.IDs, op.Add(rows.Values, decay), rows.Padding)
}

// saidBy puts the name of the function that was called before an error, unless that says already where in the user's code the mistake is.
func saidBy(who string, err error) error {
	if at := (*op.Error)(nil); errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("%s: %w", who, err)
}

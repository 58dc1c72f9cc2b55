package gorgop

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"paddle/op"
)

// Gradient implements op.Differentiable: it imports the ops that SymDiff builds.
func (w wrapped) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	out := make([]*op.Node, len(c.In))
	asked, err := w.differentiable(len(c.In), want)
	if err != nil {
		return failAll(out, c.Graph().Fail("%s %w", w.Name(), err))
	}
	if asked == nil {
		return out
	}
	e, err := w.derive(c, dout[0], asked)
	if err != nil {
		return failAll(out, c.Graph().Fail("%w", err))
	}
	args := append(append([]*op.Node{}, c.In...), c.Out[0], dout[0])
	for i, n := range e.nodes(c.Graph(), args) {
		out[i] = shapedLike(n, c.In[i])
	}
	return out
}

func failAll(out []*op.Node, n *op.Node) []*op.Node {
	for i := range out {
		out[i] = n
	}
	return out
}

// shapedLike gives a gradient back the axes of size 1 that Gorgonia dropped or added.
func shapedLike(dx, x *op.Node) *op.Node {
	if dx == nil || dx.Err() != nil || op.SameShape(dx.Shape(), x.Shape()) || !sameButOnes(dx.Shape(), x.Shape()) {
		return dx
	}
	return op.Reshape(dx, x.Shape()...)
}

// differentiable returns the inputs that SymDiff is to be asked for; nil where all wanted gradients are zero.
func (w wrapped) differentiable(inputs int, want []bool) (asked []bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("has no gradient: panic in DiffWRT: %v", r)
		}
	}()
	o := w.expression.first.steps[w.step].op
	sd, ok := o.(gorgonia.SDOp)
	if !ok {
		return nil, fmt.Errorf("has no SymDiff, and so no gradient")
	}
	if reason := refuseGradient(o); reason != "" {
		return nil, fmt.Errorf("has no gradient: %s", reason)
	}
	does := sd.DiffWRT(inputs)
	for i, wanted := range want {
		switch {
		case !wanted:
		case i < len(does) && does[i]:
			if asked == nil {
				asked = make([]bool, inputs)
			}
			asked[i] = true
		case !flat(o, i):
			return nil, fmt.Errorf("has no gradient for input %d, says its DiffWRT", i)
		}
	}
	return asked, nil
}

// derive plans the expression of the gradients of the inputs that are asked for. Its arguments are the inputs, the output, and the
// output's gradient.
func (w wrapped) derive(c *op.Call, dout *op.Node, asked []bool) (*expression, error) {
	n := len(c.In)
	e := &expression{label: "gradient of " + w.Name(), turn: w.expression.turn, keys: w.expression.keys}
	e.build = func(size func(op.Dim) int) (func(gorgonia.Nodes) (gorgonia.Nodes, error), gorgonia.Op, error) {
		o, _, err := w.at(size)
		return func(in gorgonia.Nodes) (gorgonia.Nodes, error) {
			grads, err := o.(gorgonia.SDOp).SymDiff(in[:n:n], in[n], in[n+1])
			if err != nil {
				return nil, err
			}
			return only(o, asked, grads)
		}, o, err
	}
	return e, e.plan(c.Graph(), specs(append(append([]*op.Node{}, c.In...), c.Out[0], dout)))
}

// only returns the gradients that are asked for, nil in the places of others. Where two inputs of a concatenation have one gradient,
// Gorgonia has taken two slices for one.
func only(o gorgonia.Op, asked []bool, grads gorgonia.Nodes) (gorgonia.Nodes, error) {
	out := make(gorgonia.Nodes, len(asked))
	seen := map[*gorgonia.Node]bool{}
	for i, n := range grads[:min(len(asked), len(grads))] {
		if n != nil && seen[n] && stock(o) == "concat" {
			return nil, fmt.Errorf("slices whose bounds differ by a multiple of 256 are equal to Gorgonia (use op.Concat)")
		}
		seen[n] = true
		if asked[i] {
			out[i] = n
		}
	}
	return out, nil
}

package gorgop

import (
	"fmt"
	"slices"
	"sync"

	"gorgonia.org/gorgonia"

	"paddle/op"
)

// Apply applies a Gorgonia op, a stock one or the user's own, and returns its result.
func Apply(o gorgonia.Op, in ...*op.Node) *op.Node { return ApplyShape(nil, o, in...) }

// ApplyShape is Apply for an op whose result has a shape that probing cannot find.
func ApplyShape(shape []op.Dim, o gorgonia.Op, in ...*op.Node) *op.Node {
	e := newExpression(func(in gorgonia.Nodes) (*gorgonia.Node, error) {
		if o == nil {
			return nil, fmt.Errorf("the op is nil")
		}
		return gorgonia.ApplyOp(o, in...)
	})
	if o != nil {
		e.label = nameOf(o)
	}
	e.shape = slices.Clone(shape)
	return e.apply(in)
}

// Import adds what f builds.
func Import(f func(in gorgonia.Nodes) (*gorgonia.Node, error), in ...*op.Node) *op.Node {
	return newExpression(f).apply(in)
}

func newExpression(f func(in gorgonia.Nodes) (*gorgonia.Node, error)) *expression {
	e := &expression{label: "expression", turn: new(sync.Mutex)}
	e.build = func(func(op.Dim) int) (func(gorgonia.Nodes) (gorgonia.Nodes, error), gorgonia.Op, error) {
		return func(in gorgonia.Nodes) (gorgonia.Nodes, error) {
			n, err := f(in)
			if err == nil && n == nil {
				err = fmt.Errorf("no node and no error")
			}
			return gorgonia.Nodes{n}, err
		}, nil, nil
	}
	return e
}

// apply plans the expression and adds its ops to the graph of the inputs.
func (e *expression) apply(in []*op.Node) *op.Node {
	if !related(in) {
		return op.Apply(wrapped{expression: e}, in...)[0]
	}
	args := make([]*op.Node, len(in))
	for i, n := range in {
		args[i] = op.Densify(n)
	}
	if err := e.plan(args[0].Graph(), specs(args)); err != nil {
		return args[0].Graph().Fail("%w", err)
	}
	return e.nodes(args[0].Graph(), args)[0]
}

func specs(nodes []*op.Node) []op.Spec {
	var out []op.Spec
	for _, n := range nodes {
		out = append(out, op.Spec{DType: n.DType(), Shape: n.Shape()})
	}
	return out
}

// related reports whether there are inputs, all of them sound and of one graph and its bodies. If they are not, op.Apply says why.
func related(in []*op.Node) bool {
	for _, n := range in {
		if n.Err() != nil || n.Graph().ApplyFlag() != in[0].Graph().ApplyFlag() {
			return false
		}
	}
	return len(in) > 0
}

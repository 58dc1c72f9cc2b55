package gorgop

import (
	"fmt"
	"slices"
	"sync"

	"gorgonia.org/gorgonia"

	"paddle/op"
)

// Apply applies a Gorgonia op, a stock one or the user's own, and returns its result. It type-checks and infers the shape as
// gorgonia.ApplyOp does. Where sizes are symbols, it does so for several numbers in their place and solves for the result's sizes; the op,
// which is one and the same at all sizes, must not hold any. It fails where the inputs do not fit, the op is refused (see the package), or
// the sizes follow no sum of products of the inputs' sizes. Its gradient comes from SDOp.SymDiff.
func Apply(o gorgonia.Op, in ...*op.Node) *op.Node { return ApplyShape(nil, o, in...) }

// ApplyShape is Apply for an op with a result of the given shape, which Gorgonia's is compared with. It is for sizes that Apply cannot solve
// for, such as quotients (Graph.DivDims).
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

// Import adds the ops of a Gorgonia expression and returns its result. f builds it from nodes that stand for the inputs, in their graph,
// which is thrown away. It is called with several sizes in the place of symbols while the graph is built, and again while a program runs,
// once for each new set of sizes if it makes ops that hold sizes; it has to build the same ops each time, from its arguments and
// constants only. One call is made at a time, from any goroutine; it must not call this package. Import fails as Apply does.
func Import(f func(in gorgonia.Nodes) (*gorgonia.Node, error), in ...*op.Node) *op.Node {
	if f == nil {
		f = func(gorgonia.Nodes) (*gorgonia.Node, error) { return nil, fmt.Errorf("the function is nil") }
	}
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

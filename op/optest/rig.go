package optest

import (
	"fmt"
	"slices"

	"paddle/op"
)

// rig is a case built in one type: its nodes, and those of its gradients.
type rig struct {
	c         *Case
	dtype     op.DType
	graph     *op.Graph
	in        []*op.Node
	out       []*op.Node // what Build returned, sparse values made dense
	dout      []*op.Node // fed; nil for an output without gradient
	wrt       []*op.Node // inputs that want a gradient and parameters; nil for others
	variables []op.Named
	initial   []op.Buffer // of variables; set by the first program
}

// newRig builds the outputs of the case.
func newRig(c *Case, dtype op.DType) (*rig, error) {
	r := &rig{c: c, dtype: dtype}
	build := c.Build
	var model any
	if c.Model != nil {
		model, build = c.Model()
	}
	r.graph = op.NewGraph(model)
	r.in = inputNodes(r.graph, c.In, dtype)
	for i, n := range build(r.in...) {
		switch {
		case n == nil:
			return nil, fmt.Errorf("output %d is nil: a building function must return a node, a failed one after a mistake", i)
		case n.Err() != nil:
			return nil, n.Err()
		}
		r.out = append(r.out, op.Densify(n))
	}
	if err := r.graph.Err(); err != nil {
		return nil, err
	}
	if model != nil {
		named, err := op.Walk(model)
		if err != nil {
			return nil, err
		}
		r.variables = slices.DeleteFunc(named, func(v op.Named) bool { return !v.Variable.Defined() })
	}
	r.wrt = r.differentiable()
	return r, nil
}

func inputNodes(g *op.Graph, in []Input, dtype op.DType) []*op.Node {
	g.Dim("length") // the second symbol of every graph here: Length
	out := make([]*op.Node, len(in))
	for i := range in {
		out[i] = g.Input(in[i].name(i), in[i].dtype(dtype), in[i].Shape...)
	}
	return out
}

func (in *Input) name(i int) string {
	if in.Name != "" {
		return in.Name
	}
	return fmt.Sprintf("x%d", i)
}

// differentiable lists the nodes whose gradients are checked: inputs, then parameters. Those without are nil.
func (r *rig) differentiable() []*op.Node {
	var out []*op.Node
	for i, n := range r.in {
		if !n.DType().IsFloat() || r.c.In[i].NoGradient {
			n = nil
		}
		out = append(out, n)
	}
	for _, v := range r.variables {
		var n *op.Node
		if v.Parameter != nil && v.Parameter.DType().IsFloat() {
			n = r.graph.ReadParameter(v.Parameter)
		}
		out = append(out, n)
	}
	return out
}

// nameOf names input or variable number k.
func (r *rig) nameOf(k int) string {
	if k < len(r.in) {
		return fmt.Sprintf("input %d (%s)", k, r.in[k].Name())
	}
	return "parameter " + r.variables[k-len(r.in)].Name
}

// hasGradient reports whether output i is one that a gradient can come from.
func (r *rig) hasGradient(i int) bool {
	_, counted := r.graph.Symbols(r.out[i].Shape())
	return r.out[i].DType().IsFloat() && !counted
}

// trainable reports whether there is something to differentiate, and something to do it for.
func (r *rig) trainable() bool {
	ys := false
	for i := range r.out {
		ys = ys || r.hasGradient(i)
	}
	return ys && slices.ContainsFunc(r.wrt, func(n *op.Node) bool { return n != nil })
}

// feedDouts makes the inputs that the gradients of the outputs are fed by.
func (r *rig) feedDouts() {
	r.dout = make([]*op.Node, len(r.out))
	for i, y := range r.out {
		if r.hasGradient(i) {
			r.dout[i] = r.graph.Input(fmt.Sprintf("dout%d", i), y.DType(), y.Shape()...)
		}
	}
}

// gradients builds the gradients of r.wrt from the outputs chosen by use, each nil where it is zero.
func (r *rig) gradients(use func(output int) bool) ([]*op.Node, error) {
	var ys, dys, wrt []*op.Node
	for i, y := range r.out {
		if r.dout[i] != nil && use(i) {
			ys, dys = append(ys, y), append(dys, r.dout[i])
		}
	}
	for _, n := range r.wrt {
		if n != nil {
			wrt = append(wrt, n)
		}
	}
	built := op.VJP(ys, dys, wrt)
	out := make([]*op.Node, len(r.wrt))
	for i, n := range r.wrt {
		if n == nil {
			continue
		}
		d := built[0]
		built = built[1:]
		if d == nil {
			continue
		}
		if out[i] = op.Densify(d); out[i].Err() != nil {
			return nil, out[i].Err()
		}
	}
	return out, r.graph.Err()
}

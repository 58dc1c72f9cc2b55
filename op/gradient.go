package op

import (
	"fmt"
	"slices"
)

// Gradient builds the gradient of the scalar loss for each node of wrt, by reverse accumulation, and returns a node for each: nil where
// loss does not depend on it. It builds nothing that wrt does not need. A gradient may be sparse (Node.Sparse).
func Gradient(loss *Node, wrt ...*Node) []*Node {
	out := make([]*Node, len(wrt))
	switch {
	case loss.Err() != nil:
	case loss.Rank() != 0:
		failAll(out, loss.graph.fail(fmt.Errorf("loss %s has shape %s, want a scalar ()", quoted(loss), loss.ShapeString())))
		return out
	case !loss.dtype.IsFloat():
		failAll(out, loss.graph.fail(fmt.Errorf("loss %s has type %v, want a floating-point type", quoted(loss), loss.dtype)))
		return out
	case loss.dtype != Float32 && loss.dtype != Float64:
		failAll(out, loss.graph.fail(fmt.Errorf("loss %s has type %v, want float32 or float64: cast it", quoted(loss), loss.dtype)))
		return out
	}
	if loss.Err() != nil {
		failAll(out, failedFrom(loss))
		return out
	}
	return VJP([]*Node{loss}, nil, wrt)
}

func failAll(out []*Node, n *Node) {
	for i := range out {
		out[i] = n
	}
}

func failedFrom(n *Node) *Node {
	if n == nil {
		return (*Graph)(nil).fail(errNilNode)
	}
	return n
}

// VJP builds the vector-Jacobian product: Σ dys·∂ys/∂w for each w of wrt, nil where no y depends on w. A missing or nil dy stands for
// ones.
func VJP(ys, dys, wrt []*Node) []*Node {
	out := make([]*Node, len(wrt))
	for _, n := range slices.Concat(ys, wrt) {
		if n.Err() != nil {
			failAll(out, failedFrom(n))
			return out
		}
	}
	if len(ys) == 0 {
		return out
	}
	given := slices.DeleteFunc(slices.Clone(dys), func(n *Node) bool { return n == nil })
	for _, n := range given {
		if n.err != nil {
			failAll(out, n)
			return out
		}
	}
	g, err := commonGraph(slices.Concat(ys, given, wrt))
	if err != nil {
		failAll(out, g.fail(err))
		return out
	}
	g = ys[0].graph
	wrt = slices.Clone(wrt)
	for i, w := range wrt {
		wrt[i] = g.standIn(w)
	}
	b := &backward{graph: g, needs: map[*Node]bool{}, grads: map[*Node]*Node{}}
	calls := topological(ys)
	b.mark(calls, wrt)
	g.derive(nil, Backward, func() { b.seed(ys, dys) })
	for i := len(calls) - 1; i >= 0 && b.failed == nil; i-- {
		g.derive(calls[i], Backward, func() { b.visit(calls[i]) })
	}
	for i, w := range wrt {
		if out[i] = b.grads[w]; b.failed != nil {
			out[i] = b.failed
		}
	}
	return out
}

// standIn returns the node that stands for n, a value of an enclosing graph, inside the body g; n where g does not use it.
func (g *Graph) standIn(n *Node) *Node {
	if n.graph == g || !g.within(n.graph) {
		return n
	}
	if c, ok := g.capture[g.parent.standIn(n)]; ok {
		return c
	}
	return n
}

// backward is the state of one reverse accumulation.
type backward struct {
	graph  *Graph
	needs  map[*Node]bool  // nodes on a path from wrt to ys
	grads  map[*Node]*Node // summed so far
	failed *Node
}

// mark finds the nodes through which ys depend on wrt.
func (b *backward) mark(calls []*Call, wrt []*Node) {
	for _, w := range wrt {
		b.needs[w] = true
	}
	for _, c := range calls {
		if _, stops := c.Op.(stopGradient); stops {
			continue
		}
		for _, in := range c.In {
			if !b.needs[in] {
				continue
			}
			for _, o := range c.Out {
				if o.dtype.IsFloat() {
					b.needs[o] = true
				}
			}
			break
		}
	}
}

func (b *backward) seed(ys, dys []*Node) {
	for i, y := range ys {
		if !b.needs[y] {
			continue
		}
		if i < len(dys) && dys[i] != nil {
			b.add(y, dys[i])
		} else {
			b.add(y, Ones(y))
		}
	}
}

func (b *backward) visit(c *Call) {
	dout := make([]*Node, len(c.Out))
	reached := false
	for i, o := range c.Out {
		dout[i] = b.grads[o]
		reached = reached || dout[i] != nil
	}
	want := make([]bool, len(c.In))
	wanted := false
	for i, in := range c.In {
		want[i] = b.needs[in] && in.dtype.IsFloat()
		wanted = wanted || want[i]
	}
	if !reached || !wanted {
		return
	}
	d, ok := c.Op.(Differentiable)
	if !ok {
		b.failed = b.graph.fail(fmt.Errorf("%s has no gradient", c.Op.Name()))
		return
	}
	var dxs []*Node
	if err := guard(func() { dxs = d.Gradient(c, dout, want) }); err != nil {
		b.failed = b.graph.failOp(c.Op, c.origin, fmt.Errorf("gradient: %w", err))
		return
	}
	for i, dx := range dxs {
		switch {
		case dx == nil:
		case i >= len(c.In) && dx.err == nil:
			b.failed = b.graph.failOp(c.Op, c.origin, fmt.Errorf("%d gradients for %d inputs", len(dxs), len(c.In)))
			return
		case dx.err != nil:
			b.failed = dx
			return
		case want[i]:
			b.add(c.In[i], dx)
		}
	}
}

// add adds dx to the gradient of x.
func (b *backward) add(x, dx *Node) {
	switch {
	case dx.Err() != nil:
		b.failed = dx
	case !SameShape(x.shape, dx.shape) || x.dtype != dx.dtype:
		b.failed = b.graph.fail(fmt.Errorf("the gradient of %s is %v %s, want %v %s", quoted(x), dx.dtype, dx.ShapeString(), x.dtype, x.ShapeString()))
	case b.grads[x] == nil:
		b.grads[x] = dx
	default:
		b.grads[x] = sum(b.grads[x], dx)
	}
}

// sum adds two gradients of one node, keeping sparse ones sparse while both are.
func sum(a, b *Node) *Node {
	if a.rows != nil && b.rows != nil && a.rows.Padding == b.rows.Padding {
		return joinRows(a, b)
	}
	return Add(a, b)
}

// topological returns the applications that nodes depend on, each after those it depends on, in ascending order of Call.Order as far
// as dependencies permit.
func topological(nodes []*Node) []*Call {
	var roots []*Call
	for _, n := range nodes {
		for _, m := range n.parts() {
			if m.call != nil {
				roots = append(roots, m.call)
			}
		}
	}
	return Schedule(roots)
}

// parts returns the nodes that hold n's value: n itself, or the ids and values of a sparse node.
func (n *Node) parts() []*Node {
	if n.rows != nil {
		return []*Node{n.rows.IDs, n.rows.Values}
	}
	return []*Node{n}
}

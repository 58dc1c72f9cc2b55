package gorgop

import (
	"fmt"
	"slices"
	"sync"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle/op"
)

// instance is an expression built at some sizes: its ops, children first.
type instance struct {
	steps   []computed
	results []int       // references; none where there is no result
	from    gorgonia.Op // of a gradient: the op that it was derived from
}

// computed is a node of an instance. Inputs are references: i is argument i, or step i − arguments.
type computed struct {
	op    gorgonia.Op
	in    []int
	dtype op.DType
	shape []int
}

const none = -1

// building guards the constants that Gorgonia keeps in package variables and changes whenever it builds with them.
var building sync.Mutex

// newInstance builds e over new inputs of its arguments' types and sizes, in a graph that is thrown away.
func newInstance(e *expression, size func(op.Dim) int) (inst *instance, err error) {
	build, from, err := e.build(size)
	if err != nil {
		return nil, err
	}
	building.Lock()
	defer building.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	c := &collector{graph: gorgonia.NewGraph(), at: map[*gorgonia.Node]int{}, instance: instance{from: from}}
	in, err := c.inputs(e.args, size)
	if err != nil {
		return nil, err
	}
	out, err := build(in)
	if err != nil {
		return nil, err
	}
	c.walk = c.graph.ExactSubgraphRoots(present(out)...)
	for _, n := range out {
		i := none
		if n != nil {
			if i, err = c.visit(n); err != nil {
				return nil, err
			}
		}
		c.results = append(c.results, i)
	}
	built := c.instance // a copy, so that the graph is not kept
	return &built, nil
}

// collector lists the nodes that results are computed from.
type collector struct {
	instance
	graph *gorgonia.ExprGraph
	walk  *gorgonia.ExprGraph // a copy of graph, whose index of nodes is up to date: building may remove nodes
	args  [][]int             // shapes
	at    map[*gorgonia.Node]int
}

// shapes returns the shapes of what references stand for.
func (c *collector) shapes(refs []int) [][]int {
	var out [][]int
	for _, i := range refs {
		if i < len(c.args) {
			out = append(out, c.args[i])
		} else {
			out = append(out, c.steps[i-len(c.args)].shape)
		}
	}
	return out
}

func (c *collector) inputs(args []op.Spec, size func(op.Dim) int) (gorgonia.Nodes, error) {
	var in gorgonia.Nodes
	for i, a := range args {
		t, err := hostType(a.DType)
		if err != nil {
			return nil, fmt.Errorf("input %d has %w", i, err)
		}
		shape := make([]int, len(a.Shape))
		for k, d := range a.Shape {
			shape[k] = size(d)
		}
		c.args = append(c.args, shape)
		n := newInput(c.graph, t, shape, fmt.Sprintf("input %d", i))
		c.at[n] = i
		in = append(in, n)
	}
	return in, nil
}

func newInput(g *gorgonia.ExprGraph, t tensor.Dtype, shape []int, name string) *gorgonia.Node {
	if len(shape) == 0 {
		return gorgonia.NewScalar(g, t, gorgonia.WithName(name))
	}
	return gorgonia.NewTensor(g, t, len(shape), gorgonia.WithShape(shape...), gorgonia.WithName(name))
}

// visit adds n after what it is computed from and returns the reference to it.
func (c *collector) visit(n *gorgonia.Node) (int, error) {
	if i, ok := c.at[n]; ok {
		return i, nil
	}
	if n.Op() == nil || n.Graph() != c.graph {
		return 0, fmt.Errorf("it reads the node %q, which is no argument: pass the value as an input", n.Name())
	}
	s := computed{op: n.Op(), dtype: dtypeOf(n.Dtype()), shape: slices.Clone([]int(n.Shape()))}
	children := c.walk.From(n.ID())
	for children.Next() {
		i, err := c.visit(children.Node().(*gorgonia.Node))
		if err != nil {
			return 0, err
		}
		s.in = append(s.in, i)
	}
	if s.dtype == op.InvalidDType {
		return 0, fmt.Errorf("%v gives type %v, which has no place here", n.Op(), n.Dtype())
	}
	if reason := refuse(s.op, c.shapes(s.in), s.shape); reason != "" {
		return 0, fmt.Errorf("%s is not used: %s", nameOf(s.op), reason)
	}
	c.at[n] = len(c.args) + len(c.steps)
	c.steps = append(c.steps, s)
	return c.at[n], nil
}

// present returns the nodes that are not nil.
func present(nodes gorgonia.Nodes) gorgonia.Nodes {
	return slices.DeleteFunc(slices.Clone(nodes), func(n *gorgonia.Node) bool { return n == nil })
}

package gorgop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gorgonia.org/gorgonia"

	"paddle"
	"paddle/op"
)

// Export returns a Gorgonia graph that computes outs, and its nodes for them: to draw with ToDot, or to run on a TapeMachine and
// compare. It is the graph that paddle.NewPredictor compiles for outs before any fusion: for inference, without dropout.
//
// sizes gives a number for each symbol, such as {op.Batch: 32}; nil will do where there is none. The inputs are nodes under their own names
// (ExprGraph.ByName), to be bound with gorgonia.Let. Parameters and other variables are nodes bound to their own memory, so that a machine
// sees every later change; they get their initial values here if they have none yet. Each op of ours is a gorgonia.Op that runs our kernels;
// an op with several outputs is a node for the first that is used, and a further node for each other one.
//
// It returns an error for the first mistake made in building outs, for a symbol without a number, for types that Gorgonia lacks
// (BFloat16, Float16: cast them), for values without elements, and for sizes that only a run can tell.
func Export(sizes map[op.Dim]int, outs ...*op.Node) (*gorgonia.ExprGraph, gorgonia.Nodes, error) {
	e, nodes, err := newExporter(sizes, outs)
	if err == nil {
		err = e.calls(nodes)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("gorgop.Export: %w", err)
	}
	var out gorgonia.Nodes
	for _, n := range nodes {
		x, err := e.value(n)
		if err != nil {
			return nil, nil, fmt.Errorf("gorgop.Export: %w", err)
		}
		out = append(out, x)
	}
	return e.to, out, nil
}

// exporter is the state of one Export.
type exporter struct {
	from  *op.Graph
	to    *gorgonia.ExprGraph
	sizes *op.Sizes
	made  map[*op.Node]*gorgonia.Node
	names map[string]int
	cuts  *cuts
}

func newExporter(sizes map[op.Dim]int, outs []*op.Node) (*exporter, []*op.Node, error) {
	if _, err := paddle.NewPredictor(outs...); err != nil { // gives the variables their memory
		return nil, nil, err
	}
	g, find := op.Copy(outs[0].Graph(), op.Inference, outs...)
	var nodes []*op.Node
	for _, n := range outs {
		nodes = append(nodes, op.Densify(find(n)))
	}
	e := &exporter{from: g, to: gorgonia.NewGraph(), sizes: g.NewSizes(), made: map[*op.Node]*gorgonia.Node{}, names: map[string]int{}}
	for d, n := range sizes {
		if !g.IsSymbol(d) || n < 1 {
			return nil, nil, fmt.Errorf("size %s is %d, want symbols with numbers from 1 up", g.DimString(d), n)
		}
		e.sizes.Rebind(d, n)
	}
	e.sizes.Update()
	return e, nodes, nil
}

// calls adds what nodes are computed from.
func (e *exporter) calls(nodes []*op.Node) error {
	calls := producers(nodes)
	used := map[*op.Node]bool{}
	for _, n := range nodes {
		used[n] = true
	}
	for _, c := range calls {
		for _, n := range c.In {
			used[n] = true
		}
	}
	var err error
	if e.cuts, err = newCuts(e.from, calls, nodes, e.shape); err != nil {
		return err
	}
	for i, c := range calls {
		if err := e.call(i, c, used); err != nil {
			return fmt.Errorf("%s: %w", c.Name(), err)
		}
	}
	return nil
}

func producers(nodes []*op.Node) []*op.Call {
	var roots []*op.Call
	for _, n := range nodes {
		if c, _ := n.Call(); c != nil {
			roots = append(roots, c)
		}
	}
	return op.Schedule(roots)
}

// call adds an application: its first used output as an op, the others as picks from what that one computed.
func (e *exporter) call(id int, c *op.Call, used map[*op.Node]bool) error {
	outputs := slices.DeleteFunc(slices.Clone(c.Out), func(n *op.Node) bool { return !used[n] })
	if len(outputs) == 0 {
		return nil
	}
	var in gorgonia.Nodes
	for _, n := range c.In {
		x, err := e.value(n)
		if err != nil {
			return err
		}
		in = append(in, x)
	}
	program, err := e.cuts.program(outputs)
	if err != nil {
		return err
	}
	run := &running{program: program, feeds: e.cuts.feeds(), inputs: e.cuts.names(c.In)}
	for i, n := range outputs {
		if i > 0 {
			in = gorgonia.Nodes{e.made[outputs[0]]}
		}
		o, err := e.operation(run, n, i, in)
		if err != nil {
			return err
		}
		o.name, o.id = c.Op.Name(), id
		e.made[n] = gorgonia.NewUniqueNode(gorgonia.In(e.to), gorgonia.WithType(o.result), gorgonia.WithOp(o), gorgonia.WithChildren(in),
			gorgonia.WithShape(o.shape...), gorgonia.WithName(n.Name()))
	}
	return nil
}

// value returns the Gorgonia node of n, which is made if n is no result of an application.
func (e *exporter) value(n *op.Node) (*gorgonia.Node, error) {
	if x, ok := e.made[n]; ok {
		return x, nil
	}
	shape, err := e.shape(n)
	if err != nil {
		return nil, err
	}
	t, ok := n.DType().Dense()
	if !ok {
		return nil, fmt.Errorf("%s has type %v, which Gorgonia does not have: cast it", n.Name(), n.DType())
	}
	x := newInput(e.to, t, shape, e.name(n.Name()))
	switch b, constant := n.Constant(); {
	case n.Variable() != nil:
		gorgonia.WithValue(inPlace(n.Variable().Expose()))(x)
	case constant:
		gorgonia.WithValue(inPlace(b.Clone()))(x)
	case n.IsApply():
		gorgonia.WithValue(gorgonia.NewB(true))(x)
	}
	e.made[n] = x
	return x, nil
}

// name returns a name that no other node has: Gorgonia takes inputs of one name for one.
func (e *exporter) name(name string) string {
	e.names[name]++
	if k := e.names[name]; k > 1 {
		return name + " " + strconv.Itoa(k)
	}
	return name
}

// shape returns the numbers of n's shape.
func (e *exporter) shape(n *op.Node) ([]int, error) {
	symbols, counted := e.from.Symbols(n.Shape())
	if counted {
		return nil, fmt.Errorf("%s has shape %s, which only a run can tell", n.Name(), n.ShapeString())
	}
	var missing []string
	for _, d := range symbols {
		if !e.sizes.IsBound(d) {
			missing = append(missing, e.from.DimString(d))
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s has shape %s, and sizes has no number for %s", n.Name(), n.ShapeString(), strings.Join(missing, ", "))
	}
	shape := make([]int, n.Rank())
	e.sizes.Shape(shape, n.Shape())
	if count(shape) == 0 {
		return nil, fmt.Errorf("%s has shape %v, which has no elements", n.Name(), shape)
	}
	return shape, nil
}

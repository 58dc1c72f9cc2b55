package paddle

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"paddle/internal/exec"
	"paddle/op"
)

// ModelSummary describes a graph: its layers in the order of their use, and what a prediction with it takes. It prints as a table.
type ModelSummary struct {
	Layers     []LayerSummary
	Parameters int            // elements of all parameters, each counted once
	Frozen     int            // elements of those that training leaves alone
	FLOPs      int64          // floating-point operations of a prediction, a multiply-add counting two
	Memory     int            // bytes that a prediction plans for values, parameters not among them
	Sizes      map[string]int // what number stands behind each symbol in FLOPs and Memory

	graph   *op.Graph
	outputs []*op.Node // empty: all that g computes
}

// LayerSummary is a layer of a ModelSummary, or outside of layers a function that was called. A layer that is used twice comes twice;
// its parameters are counted the first time.
type LayerSummary struct {
	Path       string // in the model; empty outside of layers
	Kind       string // such as "layer.FC" or "op.MaxPool2D"
	Output     string // shape, such as "(batch, 10)"
	Parameters int
	FLOPs      int64
}

// Summary describes what the given outputs of a graph are computed with, without outputs all of the graph. FLOPs and memory are those of one
// sample: 1 stands behind every symbol. See At for other sizes. It gives parameters no values. The error is the first mistake made in
// building the graph.
func Summary(g *op.Graph, outputs ...*op.Node) (*ModelSummary, error) {
	s := &ModelSummary{graph: g, outputs: outputs}
	sizes := map[string]int{}
	if g != nil {
		for _, d := range s.symbols() {
			sizes[g.DimString(d)] = 1
		}
	}
	if err := s.measure(sizes); err != nil {
		return nil, saidBy("paddle.Summary", err)
	}
	return s, nil
}

// At returns the same summary for other sizes, such as {"batch": 32}. Symbols that are not named keep theirs. A size under 0 and a name
// that is no symbol of the inputs are errors.
func (s *ModelSummary) At(sizes map[string]int) (*ModelSummary, error) {
	all := maps.Clone(s.Sizes)
	for name, n := range sizes {
		if _, ok := all[name]; !ok {
			return nil, fmt.Errorf("paddle.ModelSummary: the inputs have no size %q; they have %v", name, slices.Sorted(maps.Keys(all)))
		}
		if n < 0 {
			return nil, fmt.Errorf("paddle.ModelSummary: %s is %d, want 0 or more", name, n)
		}
		all[name] = n
	}
	out := &ModelSummary{graph: s.graph, outputs: s.outputs}
	if err := out.measure(all); err != nil {
		return nil, fmt.Errorf("paddle.ModelSummary: %w", err)
	}
	return out, nil
}

// symbols lists the symbols of the inputs.
func (s *ModelSummary) symbols() []op.Dim {
	var out []op.Dim
	for _, in := range s.graph.Inputs() {
		for _, d := range in.Shape() {
			if s.graph.IsSymbol(d) && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// measure fills s for the given sizes.
func (s *ModelSummary) measure(sizes map[string]int) error {
	if s.graph == nil {
		return errors.New("the graph is nil")
	}
	for _, n := range s.outputs {
		if err := n.Err(); err != nil {
			return err
		}
		if n.Graph() != s.graph {
			return fmt.Errorf("%s belongs to another graph", n.Name())
		}
	}
	if err := s.graph.Err(); err != nil {
		return err
	}
	s.Sizes = sizes
	size := func(d op.Dim) int { return sizes[s.graph.DimString(d)] }
	calls := s.calls()
	s.count(calls, size)
	outputs := s.outputs
	if len(outputs) == 0 {
		outputs = results(calls)
	}
	if len(outputs) == 0 {
		return errors.New("the graph computes nothing")
	}
	g, find := op.Copy(s.graph, op.Inference, outputs...)
	nodes := make([]*op.Node, len(outputs))
	for i, n := range outputs {
		nodes[i] = op.Densify(find(n))
	}
	var err error
	s.Memory, err = exec.Memory(g, op.Optimize(g, nodes), size)
	return err
}

// calls returns the applications to describe, in the order in which they were built.
func (s *ModelSummary) calls() []*op.Call {
	all := s.graph.Calls()
	if len(s.outputs) > 0 {
		var roots []*op.Call
		for _, n := range s.outputs {
			if c, _ := op.Densify(n).Call(); c != nil {
				roots = append(roots, c)
			}
		}
		all = op.Schedule(roots)
	}
	return slices.DeleteFunc(slices.Clone(all), func(c *op.Call) bool { return c.Effect() || c.Phase != op.Forward })
}

// results returns what calls compute and none of them reads.
func results(calls []*op.Call) []*op.Node {
	read := map[*op.Node]bool{}
	for _, c := range calls {
		for _, n := range c.In {
			read[n] = true
		}
	}
	var out []*op.Node
	for _, c := range calls {
		for _, n := range c.Out {
			if !read[n] {
				out = append(out, n)
				break // one output has the call run
			}
		}
	}
	return out
}

// count makes the rows of the table.
func (s *ModelSummary) count(calls []*op.Call, size func(op.Dim) int) {
	sizes := s.graph.NewSizes()
	for _, d := range s.symbols() {
		sizes.Rebind(d, size(d))
	}
	sizes.Update()
	seen := map[*op.Parameter]bool{}
	rows := map[*op.Call]int{}
	var last *op.Call
	for _, c := range calls {
		if last == nil || !sameLayer(last, c) {
			s.Layers = append(s.Layers, LayerSummary{Path: c.Layer, Kind: c.Kind()})
		}
		last = c
		rows[c] = len(s.Layers) - 1
		row := &s.Layers[rows[c]]
		if o, ok := c.Op.(op.Costed); ok {
			row.FLOPs += o.FLOPs(shapes(sizes, c.In), shapes(sizes, c.Out))
		}
		for _, n := range c.In {
			if p := n.Parameter(); p != nil && !seen[p] {
				seen[p] = true
				row.Parameters += elements(p.Shape())
				if p.Frozen {
					s.Frozen += elements(p.Shape())
				}
			}
		}
	}
	for _, l := range s.Layers {
		s.Parameters += l.Parameters
		s.FLOPs += l.FLOPs
	}
	s.show(calls, rows)
}

// show sets what each row computes: the last of its values that another row reads, or where none does its last value. So a recurrent layer
// shows its states if these are used, and its last states if only they are.
func (s *ModelSummary) show(calls []*op.Call, rows map[*op.Call]int) {
	read := map[*op.Node]bool{}
	for _, n := range s.outputs {
		read[n] = true
	}
	for _, c := range calls {
		for _, n := range c.In {
			if by, _ := n.Call(); by != nil && rows[by] != rows[c] {
				read[n] = true
			}
		}
	}
	found := make([]bool, len(s.Layers))
	for _, c := range calls {
		row := rows[c]
		if i := slices.IndexFunc(c.Out, func(n *op.Node) bool { return read[n] }); i >= 0 {
			s.Layers[row].Output, found[row] = c.Out[i].ShapeString(), true
		} else if len(c.Out) > 0 && !found[row] {
			s.Layers[row].Output = c.Out[0].ShapeString()
		}
	}
}

// sameLayer reports whether b, built after a, belongs to the same row.
func sameLayer(a, b *op.Call) bool {
	if a.Layer != b.Layer || a.Kind() != b.Kind() {
		return false
	}
	return a.Layer != "" || a.Position() == b.Position()
}

func shapes(sizes *op.Sizes, nodes []*op.Node) [][]int {
	out := make([][]int, len(nodes))
	for i, n := range nodes {
		out[i] = make([]int, n.Rank())
		sizes.Shape(out[i], n.Shape())
	}
	return out
}

func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

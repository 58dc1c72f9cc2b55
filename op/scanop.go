package op

import "slices"

// scan runs its body once a step. Its inputs are the tables of its axes and, for each input of the body, the value over all steps that the
// step takes its own from; its outputs are the values over all steps of the body's results, the first required of which accumulate: memories,
// and sums over the steps. The gradient of a scan is a scan in the other direction.
type scan struct {
	Reverse bool
	Sizes   []Dim // of the axes, for the planner

	axes          []scanAxis
	args, results []role // of the body's inputs and outputs
	required      int    // results that have memory although nobody reads them
	body          *Graph
	outputs       []*Node
}

func (scan) Name() string { return "scan" }

// Body implements Bodied.
func (o scan) Body() (*Graph, []*Node) { return o.body, o.outputs }

// Rows implements Bodied.
func (o scan) Rows() (symbols, most []Dim) {
	for _, a := range o.axes {
		symbols, most = append(symbols, a.symbol), append(most, a.most)
	}
	return symbols, most
}

// WithBody implements Bodied.
func (o scan) WithBody(g *Graph, outputs []*Node, _ func(*Node) *Node) Op {
	o.body, o.outputs = g, o.detached(outputs)
	return o
}

// detached returns outputs with copies in the place of what accumulates and shows memory that the body is given.
func (o scan) detached(outputs []*Node) []*Node {
	out := slices.Clone(outputs)
	for i := range o.required {
		out[i] = detached(out[i])
	}
	return out
}

func (o scan) sizes() []Dim {
	var out []Dim
	for _, a := range o.axes {
		out = append(out, a.total, a.most)
	}
	return out
}

func (o scan) Infer(s *Shapes) ([]Spec, error) {
	steps := s.AddConst(s.In[0].Shape[0], -1)
	if s.In[0].Shape[0] == 0 {
		return nil, s.Wrong(0, "(steps+1,)")
	}
	out := make([]Spec, len(o.outputs))
	for i, n := range o.outputs {
		out[i] = Spec{n.dtype, o.results[i].whole(s.graph.dims, o.axes, steps, n.shape)}
	}
	return out, nil
}

func (o scan) Traits() Traits { return Traits{OptionalOutputs: true, RequiredOutputs: o.required} }

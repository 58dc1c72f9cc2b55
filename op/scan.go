package op

import (
	"fmt"
	"slices"
	"strconv"
)

// Scan runs a step over time, on rows that may end at different times. xs are packed sequences, time-major: step n takes rows
// starts[n] ≤ i < starts[n+1] of each x (rows, …). Widths do not grow with n, and row r of a step continues row r of the step before:
// sequences are sorted by length, the longest first. starts is Int32 (steps+1) from 0 to rows.
//
// init are the memories before the first step (batch, …), one row a sequence; a sequence that no step reaches keeps its row. step builds
// one step from its rows x and the memories left by the step before, and returns the step's outputs and the next memories. It may
// use any value of the enclosing graph, parameters above all: such a value is the same in every step, and its gradient is summed.
//
// Scan returns the outputs of all steps (rows, …) and each sequence's memories after its last step (batch, …).
func Scan(starts *Node, xs, init []*Node, step func(x, memory []*Node) (out, next []*Node)) (outs, last []*Node) {
	all := append(append([]*Node{starts}, xs...), init...)
	g, err := commonGraph(all)
	if err == nil && (len(xs) == 0 || len(init) == 0) {
		err = fmt.Errorf("%d inputs and %d memories, want one of each or more", len(xs), len(init))
	}
	if err == nil && step == nil {
		err = fmt.Errorf("the step is nil")
	}
	if err != nil {
		n := g.fail(err)
		return failed(n), failed(n)
	}
	for _, n := range all {
		if n.err != nil {
			return failed(n), failed(n)
		}
		if n != starts && n.Rank() == 0 {
			bad := g.fail(fmt.Errorf("input %s has shape (), want one whose first axis is rows", quoted(n)))
			return failed(bad), failed(bad)
		}
	}
	return buildScan(g, starts, xs, init, step)
}

func buildScan(g *Graph, starts *Node, xs, init []*Node, step func(x, memory []*Node) (out, next []*Node)) (outs, last []*Node) {
	body := g.newBody()
	rows := g.dims.symbol("scan" + strconv.Itoa(len(g.dims.entries)) + ".rows")
	x, memory := body.rowsOf(xs, rows, "x"), body.rowsOf(init, rows, "memory")
	out, next := step(x, memory)
	if n := body.checkStep(memory, out, next, rows); n != nil {
		return failed(n), failed(n)
	}
	o := scan{body: body, outputs: slices.Concat(out, next), rows: rows, Inputs: len(xs), Memories: len(init)}
	for i, n := range o.outputs {
		o.outputs[i] = detached(body.own(n))
	}
	in := slices.Concat([]*Node{starts}, xs, init)
	for _, c := range body.inputs[len(xs)+len(init):] {
		in = append(in, c.outer)
	}
	results := Apply(o, in...)
	if results[0].err != nil {
		return results, results
	}
	return results[:len(out)], results[len(out) : len(out)+len(next)]
}

// rowsOf makes the inputs of a body that stand for rows of outer values.
func (g *Graph) rowsOf(outer []*Node, rows Dim, name string) []*Node {
	out := make([]*Node, len(outer))
	for i, n := range outer {
		shape := append([]Dim{rows}, n.shape[1:]...)
		out[i] = g.newInput(name+strconv.Itoa(i), n.dtype, shape)
	}
	return out
}

// own returns n as a value of g: itself, or captured.
func (g *Graph) own(n *Node) *Node {
	if n.graph == g {
		return n
	}
	return g.captured(n)
}

// detached returns n, or a copy of it where n is memory that the body was given: results are written while that is still read.
func detached(n *Node) *Node {
	at := n
	for at.call != nil {
		v := traitsOf(at.call.Op).Views
		i := slices.IndexFunc(v, func(p Pair) bool { return p.Out == at.index })
		if i < 0 {
			return n
		}
		at = at.call.In[v[i].In]
	}
	return Duplicate(n)
}

// checkStep returns a failed node unless the results of a step fit its rows and its memories.
func (g *Graph) checkStep(memory, out, next []*Node, rows Dim) *Node {
	for i, n := range slices.Concat(out, next) {
		switch {
		case n.Err() != nil:
			return failedFrom(n)
		case !g.within(n.graph):
			return g.fail(fmt.Errorf("result %d of the step belongs to another graph", i))
		case n.Rank() == 0 || n.shape[0] != rows:
			return g.fail(fmt.Errorf("result %d of the step has shape %s, want (%s, …)", i, n.ShapeString(), g.dims.string(rows)))
		}
	}
	if len(next) != len(memory) {
		return g.fail(fmt.Errorf("the step returns %d memories, want %d", len(next), len(memory)))
	}
	for i, n := range next {
		if !SameShape(n.shape, memory[i].shape) || n.dtype != memory[i].dtype {
			return g.fail(fmt.Errorf("memory %d of the step is %v %s, want %v %s", i, n.dtype, n.ShapeString(), memory[i].dtype, memory[i].ShapeString()))
		}
	}
	return nil
}

// scan runs its body once a step. Its inputs are the starts, the packed inputs, the first memories and the captured values; its outputs the
// packed outputs, the last memories, and for the gradient the memories before each step, packed.
type scan struct {
	Inputs, Memories int

	body    *Graph
	outputs []*Node
	rows    Dim
}

func (scan) Name() string { return "scan" }

// Body implements Bodied.
func (o scan) Body() (*Graph, []*Node) { return o.body, o.outputs }

// Rows implements Bodied.
func (o scan) Rows() Dim { return o.rows }

// WithBody implements Bodied.
func (o scan) WithBody(g *Graph, outputs []*Node, _ func(*Node) *Node) Op {
	o.body, o.outputs = g, outputs
	return o
}

func (o scan) Infer(s *Shapes) ([]Spec, error) {
	starts := s.In[0]
	if starts.DType != Int32 {
		return nil, s.WrongType(0, "int32")
	}
	if len(starts.Shape) != 1 || starts.Shape[0] == 0 {
		return nil, s.Wrong(0, "(steps+1,)")
	}
	rows, batch := s.In[1].Shape[0], s.In[1+o.Inputs].Shape[0]
	for i := range o.Inputs {
		if s.In[1+i].Shape[0] != rows {
			return nil, s.Wrong(1+i, "%s rows, as the first input", s.DimString(rows))
		}
	}
	for i := range o.Memories {
		if s.In[1+o.Inputs+i].Shape[0] != batch {
			return nil, s.Wrong(1+o.Inputs+i, "%s rows, as the first memory", s.DimString(batch))
		}
	}
	var out []Spec
	for i, n := range o.outputs {
		first := rows
		if i >= len(o.outputs)-o.Memories {
			first = batch
		}
		out = append(out, Spec{n.dtype, append([]Dim{first}, n.shape[1:]...)})
	}
	for i := range o.Memories {
		m := s.In[1+o.Inputs+i]
		out = append(out, Spec{m.DType, append([]Dim{rows}, m.Shape[1:]...)})
	}
	return out, nil
}

func (o scan) Traits() Traits { return Traits{OptionalOutputs: true, RequiredOutputs: len(o.outputs)} }

// checkStarts returns an error unless starts describes steps whose widths do not grow, over exactly these rows.
func checkStarts(starts []int32, rows, batch int) error {
	if len(starts) == 0 {
		return fmt.Errorf("starts has no elements, want (steps+1,)")
	}
	if starts[0] != 0 || int(starts[len(starts)-1]) != rows {
		return fmt.Errorf("starts go from %d to %d, want 0 to %d", starts[0], starts[len(starts)-1], rows)
	}
	width := int32(batch)
	for n := range len(starts) - 1 {
		w := starts[n+1] - starts[n]
		if w < 0 || w > width {
			return fmt.Errorf("step %d has %d rows, want 0 to %d: widths do not grow, and the memories have %d rows", n, w, width, batch)
		}
		width = w
	}
	return nil
}

func (o scan) Run(e *Env, in, out []Buffer) error {
	starts, xs, init := in[0].Int32s(), in[1:1+o.Inputs], in[1+o.Inputs:1+o.Inputs+o.Memories]
	if err := checkStarts(starts, xs[0].Shape[0], init[0].Shape[0]); err != nil {
		return err
	}
	steps := len(o.outputs) - o.Memories
	outs, last, before := out[:steps], out[steps:len(o.outputs)], out[len(o.outputs):]
	args, results := e.Body.Args()
	for i, m := range init {
		copy(last[i].Bytes(), m.Bytes())
	}
	copyCaptured(args[o.Inputs+o.Memories:], in[1+o.Inputs+o.Memories:])
	key := e.Key
	defer func() { e.Key = key }()
	for n := range len(starts) - 1 {
		lo, hi := int(starts[n]), int(starts[n+1])
		for i, x := range xs {
			args[i] = x.Rows(lo, hi, args[i].Shape)
		}
		for i, m := range last {
			args[o.Inputs+i] = m.Rows(0, hi-lo, args[o.Inputs+i].Shape)
			if !before[i].IsNil() {
				rows := before[i].Rows(lo, hi, results[steps+i].Shape)
				copy(rows.Bytes(), args[o.Inputs+i].Bytes())
			}
			results[steps+i] = m.Rows(0, hi-lo, results[steps+i].Shape)
		}
		for i, y := range outs {
			results[i] = y.Rows(lo, hi, results[i].Shape)
		}
		e.Key = key.Fold(uint64(n))
		if err := e.Body.Run(e, hi-lo, args, results); err != nil {
			return err
		}
	}
	return nil
}

// copyCaptured passes values that are the same in every step to the body.
func copyCaptured(args, in []Buffer) {
	for i, b := range in {
		copy(args[i].Shape, b.Shape)
		args[i] = b.Reshaped(args[i].Shape)
	}
}

// Fold returns the key of part n of what k is the key of: a step in time.
func (k Key) Fold(n uint64) Key {
	h := k.Seed ^ (n+1)*0x9e3779b97f4a7c15 // the finaliser of SplitMix64 (Steele, Lea and Flood, 2014)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	k.Seed = h ^ h>>31
	return k
}

// EqualSteps returns the starts of a Scan over steps steps of the same number of rows: 0, rows, 2·rows, … (steps+1).
func (g *Graph) EqualSteps(steps, rows Dim) *Node { return g.Apply(equalSteps{steps, rows})[0] }

type equalSteps struct{ Steps, Rows Dim }

func (equalSteps) Name() string { return "equal_steps" }

func (o equalSteps) Infer(s *Shapes) ([]Spec, error) {
	return []Spec{{Int32, []Dim{s.AddConst(o.Steps, 1)}}}, s.Arity(0)
}

func (o equalSteps) Run(e *Env, _, out []Buffer) error {
	rows := int32(e.Size(o.Rows))
	for i := range out[0].Int32s() {
		out[0].Int32s()[i] = int32(i) * rows
	}
	return nil
}

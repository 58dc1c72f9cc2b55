package op

import (
	"fmt"
	"strings"
)

// failedOutputs is how many outputs Apply returns after a mistake, so that taking any of them cannot go wrong.
const failedOutputs = 16

// Apply applies o to nodes of one graph and returns its outputs, each at its place: where an input is nil, failed or of another graph, or
// does not fit, failed nodes, 16 whatever o has. It is how ops are built, those of this package and the user's own. An op
// without inputs is applied with Graph.Apply.
func Apply(o Op, in ...*Node) []*Node {
	g, err := commonGraph(in)
	if err == nil && o == nil {
		err = errNilOp
	}
	if err != nil {
		return failed(g.failOp(o, callers(), err))
	}
	for _, n := range in {
		if n.err != nil {
			return failed(n)
		}
	}
	if g == nil {
		return failed(g.failOp(o, callers(), fmt.Errorf("%s has no inputs: apply it with Graph.Apply", o.Name())))
	}
	return g.Apply(o, in...)
}

// apply1 is Apply for an op with one output.
func apply1(o Op, in ...*Node) *Node { return Apply(o, in...)[0] }

func failed(n *Node) []*Node {
	out := make([]*Node, failedOutputs)
	for i := range out {
		out[i] = n
	}
	return out
}

// commonGraph returns the innermost graph of the inputs, and an error where one is nil or of another graph.
func commonGraph(in []*Node) (*Graph, error) {
	var g *Graph
	for _, n := range in {
		if n == nil || n.graph == nil {
			continue
		}
		switch {
		case g == nil || n.graph.within(g):
			g = n.graph
		case !g.within(n.graph):
			return g, fmt.Errorf("input %s belongs to another graph", quoted(n))
		}
	}
	for i, n := range in {
		if n == nil {
			return g, fmt.Errorf("input %d is nil", i)
		}
	}
	return g, nil
}

// within reports whether g is outer or a body inside it.
func (g *Graph) within(outer *Graph) bool {
	for ; g != nil; g = g.parent {
		if g == outer {
			return true
		}
	}
	return false
}

// Apply applies o in g; values of an enclosing graph are captured. See the function Apply.
func (g *Graph) Apply(o Op, in ...*Node) []*Node {
	if o == nil {
		return failed(g.failAt(callers(), errNilOp))
	}
	g, err := g.home(o)
	if err != nil {
		return failed(g.failOp(o, callers(), err))
	}
	args := make([]*Node, len(in))
	for i, n := range in {
		switch {
		case n == nil:
			return failed(g.failOp(o, callers(), fmt.Errorf("input %d is nil", i)))
		case n.err != nil:
			return failed(n)
		case n.rows != nil:
			n = Densify(n)
		}
		if n.graph != g {
			if !g.within(n.graph) {
				return failed(g.failOp(o, callers(), fmt.Errorf("input %s belongs to another graph", quoted(n))))
			}
			n = g.captured(n)
		}
		args[i] = n
	}
	return g.apply1(o, args)
}

func (g *Graph) apply1(o Op, in []*Node) []*Node {
	s := &Shapes{graph: g, nodes: in}
	for _, n := range in {
		s.In = append(s.In, Spec{n.dtype, n.shape})
	}
	specs, err := g.infer(o, s)
	if err != nil {
		return failed(g.failOp(o, g.positions(), err))
	}
	c := &Call{Op: o, In: in, graph: g, Phase: g.phase, id: *g.nextID, origin: g.positions(), scope: g.scope()}
	*g.nextID++
	c.order = int64(c.id)
	if c.scope != nil {
		c.Layer = c.scope.path
	}
	if g.origin != nil {
		c.Layer, c.scope, c.Segment = g.origin.Layer, g.origin.scope, g.origin.Segment
	}
	if traitsOf(o).Random {
		r := g.root()
		r.randoms++
		c.Seed = r.randoms
	}
	for i, sp := range specs {
		c.Out = append(c.Out, &Node{graph: g, call: c, index: i, dtype: sp.DType, shape: sp.Shape})
	}
	g.calls = append(g.calls, c)
	return c.Out
}

func (g *Graph) positions() []uintptr {
	if g.origin != nil {
		return g.origin.origin
	}
	return callers()
}

func (g *Graph) checkSpecs(o Op, specs []Spec) error {
	for i, sp := range specs {
		if err := g.checkShape(sp.DType, sp.Shape); err != nil {
			return fmt.Errorf("output %d of %s: %w", i, o.Name(), err)
		}
	}
	return nil
}

// captured returns the node that stands for a value of an enclosing graph inside the body g.
func (g *Graph) captured(n *Node) *Node {
	if n.graph != g.parent {
		n = g.parent.captured(n)
	}
	if c, ok := g.capture[n]; ok {
		return c
	}
	c := &Node{graph: g, kind: capturedLeaf, dtype: n.dtype, shape: n.shape, outer: n, phase: n.Phase()}
	g.capture[n] = c
	g.inputs = append(g.inputs, c)
	return c
}

// derive builds nodes with f as belonging to origin: its position, layer and segment.
func (g *Graph) derive(origin *Call, phase Phase, f func()) {
	oldOrigin, oldPhase := g.origin, g.phase
	g.origin, g.phase = origin, phase
	f()
	g.origin, g.phase = oldOrigin, oldPhase
}

// Derive builds nodes with f on behalf of origin: they take its position in the user's code, its layer and its segment, and belong
// to the given phase. It is for passes.
func (g *Graph) Derive(origin *Call, phase Phase, f func()) { g.derive(origin, phase, f) }

// InPhase builds nodes with f that belong to the given phase.
func (g *Graph) InPhase(phase Phase, f func()) { g.derive(g.origin, phase, f) }

// quoted names a node for an error: its name in quotes if it has one of its own.
func quoted(n *Node) string {
	if n == nil {
		return "nil"
	}
	if n.name != "" && n.kind != constantLeaf {
		return fmt.Sprintf("%q", n.name)
	}
	return n.Name()
}

// Shapes gives Op.Infer the inputs' types and shapes, arithmetic on dimensions, and errors that name what did not fit.
type Shapes struct {
	In    []Spec
	graph *Graph
	nodes []*Node
}

// Spec is the type and shape of a value.
type Spec struct {
	DType DType
	Shape []Dim
}

// Wrong returns an error that says what input i is and what it should be.
func (s *Shapes) Wrong(i int, want string, args ...any) error {
	return fmt.Errorf("input %s has shape %s, want %s", s.input(i), s.String(s.In[i].Shape), fmt.Sprintf(want, args...))
}

// WrongType returns an error that says what type input i has and which it should have.
func (s *Shapes) WrongType(i int, want string) error {
	return fmt.Errorf("input %s has type %v, want %s", s.input(i), s.In[i].DType, want)
}

func (s *Shapes) input(i int) string {
	if n := s.nodes[i]; n.name != "" && n.kind != constantLeaf {
		return fmt.Sprintf("%q", n.name)
	}
	return fmt.Sprintf("%d (%s)", i, s.nodes[i].Name())
}

// String returns a shape as text.
func (s *Shapes) String(shape []Dim) string { return s.graph.dims.shapeString(shape) }

// DimString returns a size as text.
func (s *Shapes) DimString(d Dim) string { return s.graph.dims.string(d) }

// Add returns a + b.
func (s *Shapes) Add(a, b Dim) Dim { return s.graph.dims.add(a, b) }

// AddConst returns a + n; n may be negative.
func (s *Shapes) AddConst(a Dim, n int) Dim { return s.graph.dims.addConst(a, n) }

// Mul returns a · b.
func (s *Shapes) Mul(a, b Dim) Dim { return s.graph.dims.mul(a, b) }

// Div returns ⌊a/b⌋.
func (s *Shapes) Div(a, b Dim) Dim { return s.graph.dims.div(a, b) }

// Product returns the number of elements of shape.
func (s *Shapes) Product(shape []Dim) Dim {
	p := Dim(1)
	for _, d := range shape {
		p = s.graph.dims.mul(p, d)
	}
	return p
}

// Count returns a new dimension whose number the op finds while it runs, at most bound.
func (s *Shapes) Count(name string, bound Dim) Dim { return s.graph.dims.count(name, bound) }

// Arity returns an error unless there are n inputs.
func (s *Shapes) Arity(n int) error {
	if len(s.In) != n {
		return fmt.Errorf("%d inputs, want %d", len(s.In), n)
	}
	return nil
}

// Float returns an error unless input i has a floating-point type that can be computed with: Float32 or Float64.
func (s *Shapes) Float(i int) error {
	if !s.In[i].DType.IsFloat() {
		return s.WrongType(i, "a floating-point type")
	}
	return s.computable(i)
}

// Number returns an error unless input i has a type that can be computed with, a floating-point or an integer type.
func (s *Shapes) Number(i int) error {
	if d := s.In[i].DType; !d.IsFloat() && !d.IsInteger() {
		return s.WrongType(i, "a number type")
	}
	return s.computable(i)
}

// computable returns an error if input i has a type that values are only stored in.
func (s *Shapes) computable(i int) error {
	if d := s.In[i].DType; d == BFloat16 || d == Float16 {
		return s.WrongType(i, "float32 or float64 to compute with: cast it")
	}
	return nil
}

// SameType returns an error unless all inputs have the type of the first.
func (s *Shapes) SameType() error {
	for i := range s.In {
		if s.In[i].DType != s.In[0].DType {
			return s.WrongType(i, fmt.Sprintf("%v, as input %s", s.In[0].DType, s.input(0)))
		}
	}
	return nil
}

// Integer returns an error unless input i is Int32 or Int64, the types of ids and labels.
func (s *Shapes) Integer(i int) error {
	if d := s.In[i].DType; d != Int32 && d != Int64 {
		return s.WrongType(i, "int32 or int64")
	}
	return nil
}

// Broadcast returns the shape that shapes broadcast to as in NumPy: aligned at the last axis, a size of 1 stretching. It fails where
// two sizes differ and neither is the number 1.
func (s *Shapes) Broadcast(inputs ...int) ([]Dim, error) {
	rank := 0
	for _, i := range inputs {
		rank = max(rank, len(s.In[i].Shape))
	}
	out := make([]Dim, rank)
	for i := range out {
		out[i] = 1
	}
	for _, i := range inputs {
		shape := s.In[i].Shape
		for k, d := range shape {
			at := &out[rank-len(shape)+k]
			switch {
			case *at == 1:
				*at = d
			case d != 1 && d != *at:
				return nil, s.Wrong(i, "one that broadcasts with %s", s.others(i, inputs))
			}
		}
	}
	return out, nil
}

func (s *Shapes) others(i int, inputs []int) string {
	var parts []string
	for _, j := range inputs {
		if j != i {
			parts = append(parts, s.String(s.In[j].Shape))
		}
	}
	return strings.Join(parts, " and ")
}

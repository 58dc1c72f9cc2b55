package op

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/tensor"
)

// Graph is a computation under construction: nodes, the applications that make them, symbolic dimensions, and the parameters of a
// model. Building never panics and never returns nil; the first mistake is kept (Err). A Graph is built by one goroutine at a time;
// programs compiled from it are independent of it.
//
// NewGraph makes one; the zero value is not ready for use.
type Graph struct {
	// Seed selects the random numbers of everything built from the graph: initial values, dropout, sampling. Set it before the first
	// program is compiled.
	Seed uint64

	err     error
	parent  *Graph // of a body
	calls   []*Call
	inputs  []*Node // in the order of their making; in a body the captured values too
	vars    map[*Variable]*Node
	ordered []*Node // of vars
	sparse  []*Node // all sparse values
	apply   *Node
	dims    *dimTable
	model   *model
	scopes  []*Scope
	capture map[*Node]*Node
	rows    map[Dim]*Graph // sizes of rows in the steps of scans, and the body while a step is being built
	phase   Phase
	origin  *Call // what new applications are derived from, for positions and order
	randoms uint64
	nextID  *int
}

// NewGraph returns an empty graph for the given model: a pointer to a struct of layers, from whose exported fields the parameters get
// their names (or a slice or map of such pointers, as layer.Sequential is), or nil where there is none. Missing *Parameter and *Variable fields are made. The same model may have many
// graphs; they share its parameters.
func NewGraph(net any) *Graph {
	g := newGraph()
	m, err := walkModel(net)
	g.model = m
	if err != nil {
		g.fail(err)
	}
	return g
}

func newGraph() *Graph {
	return &Graph{dims: newDimTable(), vars: map[*Variable]*Node{}, model: &model{}, nextID: new(int)}
}

// newBody returns a graph inside g, which shares its dimensions and captures its values.
func (g *Graph) newBody() *Graph {
	return &Graph{parent: g, dims: g.dims, capture: map[*Node]*Node{}, nextID: g.nextID, vars: map[*Variable]*Node{}, model: g.model}
}

func (g *Graph) root() *Graph {
	for g.parent != nil {
		g = g.parent
	}
	return g
}

// Err returns the first mistake made in building g, nil if there is none.
func (g *Graph) Err() error { return g.root().err }

// Dim returns the symbol of that name: a size that an input binds at run time. Batch is Dim("batch").
func (g *Graph) Dim(name string) Dim { return g.dims.symbol(name) }

// AddDims returns the sum of sizes of g.
func (g *Graph) AddDims(a, b Dim) Dim { return g.combine(a, b, g.dims.add) }

// MulDims returns the product of sizes of g.
func (g *Graph) MulDims(a, b Dim) Dim { return g.combine(a, b, g.dims.mul) }

// DivDims returns the quotient ⌊a/b⌋ of sizes of g, b not 0.
func (g *Graph) DivDims(a, b Dim) Dim {
	if b == 0 {
		g.fail(fmt.Errorf("size %s divided by 0", g.DimString(a)))
		return noDim
	}
	return g.combine(a, b, g.dims.div)
}

// noDim is the size after a mistake: no shape takes it.
const noDim Dim = -1

// combine applies f to sizes that belong to g.
func (g *Graph) combine(a, b Dim, f func(a, b Dim) Dim) Dim {
	for _, d := range []Dim{a, b} {
		if !g.dims.valid(d) {
			g.fail(fmt.Errorf("size %d, want a number from 0 up or a symbol of this graph such as op.Batch", int(d)))
			return noDim
		}
	}
	return f(a, b)
}

// DimString returns a size of g as text.
func (g *Graph) DimString(d Dim) string { return g.dims.string(d) }

// Input returns a node that is fed under that name at every run. Dimensions are numbers or symbols of g. In a step of a Scan the input
// is one of the enclosing graph.
func (g *Graph) Input(name string, dtype DType, shape ...Dim) *Node {
	g = g.root()
	if err := g.checkShape(dtype, shape); err != nil {
		return g.fail(fmt.Errorf("input %q: %w", name, err))
	}
	if name == "" {
		return g.fail(fmt.Errorf("an input needs a name"))
	}
	for _, in := range g.inputs {
		if in.kind == inputLeaf && in.name == name {
			return g.fail(fmt.Errorf("input %q is there already, with shape %s", name, in.ShapeString()))
		}
	}
	return g.newInput(name, dtype, shape)
}

func (g *Graph) newInput(name string, dtype DType, shape []Dim) *Node {
	n := &Node{graph: g, kind: inputLeaf, name: name, dtype: dtype, shape: slices.Clone(shape)}
	g.inputs = append(g.inputs, n)
	return n
}

func (g *Graph) checkShape(dtype DType, shape []Dim) error {
	if dtype == InvalidDType || int(dtype) >= len(dtypes) {
		return fmt.Errorf("%v is no element type", dtype)
	}
	if len(shape) > MaxRank {
		return fmt.Errorf("%d axes, want at most %d", len(shape), MaxRank)
	}
	for i, d := range shape {
		if !g.dims.valid(d) {
			return fmt.Errorf("axis %d has size %d, want a number from 0 up or a symbol of this graph such as op.Batch", i, int(d))
		}
	}
	if leastBytes(dtype, shape) > MaxBytes {
		return fmt.Errorf("shape %s of %v, want one of at most %d bytes", g.dims.shapeString(shape), dtype, MaxBytes)
	}
	return nil
}

// Constant returns a node that always has the value of t, which is copied.
func (g *Graph) Constant(t *tensor.Dense) *Node {
	if t == nil {
		return g.fail(fmt.Errorf("constant: the tensor is nil"))
	}
	b, err := Contiguous(t)
	if err != nil {
		return g.fail(fmt.Errorf("constant: %w", err))
	}
	if len(b.Shape) > MaxRank {
		return g.fail(fmt.Errorf("constant: %d axes, want at most %d", len(b.Shape), MaxRank))
	}
	own := NewBuffer(b.DType, slices.Clone(b.Shape)...)
	copy(own.Bytes(), b.Bytes())
	return g.constant(own)
}

func (g *Graph) constant(b Buffer) *Node {
	shape := make([]Dim, len(b.Shape))
	for i, d := range b.Shape {
		shape[i] = Dim(d)
	}
	return &Node{graph: g, kind: constantLeaf, dtype: b.DType, shape: shape, value: b, name: "constant"}
}

// ApplyFlag returns the condition under which updates take place (a Bool scalar), the last input of every update op. It is true
// unless a pass replaces it, for example by "all gradients are finite".
func (g *Graph) ApplyFlag() *Node {
	r := g.root()
	if r.apply == nil {
		r.apply = &Node{graph: r, kind: applyLeaf, dtype: Bool, shape: []Dim{}, name: "apply"}
	}
	return r.apply
}

// Inputs returns the inputs in the order in which they were made; of a body also the values that it captures.
func (g *Graph) Inputs() []*Node { return g.inputs }

// Calls returns all applications, in the order of creation.
func (g *Graph) Calls() []*Call { return g.calls }

// Variables returns the nodes of all variables that g reads, in the order of their first use.
func (g *Graph) Variables() []*Node { return g.root().ordered }

// Parameters returns the trainable parameters that g reads, in the order of their first use.
func (g *Graph) Parameters() []*Parameter {
	var out []*Parameter
	for _, n := range g.Variables() {
		if n.param != nil {
			out = append(out, n.param)
		}
	}
	return out
}

var errNilVariable = errors.New("the variable is nil: is its field exported, and part of the model that NewGraph was given?")

// Read returns the node that reads v. The variable must have a shape (Variable.Define).
func (g *Graph) Read(v *Variable) *Node { return g.read(v, nil) }

// ReadParameter returns the node that reads p. The parameter must have a shape (Variable.Define).
func (g *Graph) ReadParameter(p *Parameter) *Node {
	if p == nil {
		return g.fail(errNilVariable)
	}
	return g.read(&p.Variable, p)
}

func (g *Graph) read(v *Variable, p *Parameter) *Node {
	if v == nil {
		return g.fail(errNilVariable)
	}
	r := g.root()
	if n, ok := r.vars[v]; ok {
		return n
	}
	if !v.Defined() {
		return g.fail(fmt.Errorf("variable %s has no shape", r.model.name(v)))
	}
	n := &Node{graph: r, kind: variableLeaf, dtype: v.dtype, variable: v, param: p, name: r.model.name(v)}
	for _, d := range v.local {
		n.shape = append(n.shape, Dim(d))
	}
	r.vars[v] = n
	r.ordered = append(r.ordered, n)
	return n
}

// NameOf returns the path of a variable in the model, or the name it was made with.
func (g *Graph) NameOf(v *Variable) string { return g.root().model.name(v) }

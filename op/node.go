package op

// Node is a value in a graph: an input, a variable, a constant, or one output of an op application. It has an element type and a
// shape whose dimensions may be symbols. A Node that a mistake made is failed: it carries the error, everything built from it fails
// with the same error, and compiling reports it.
type Node struct {
	graph *Graph
	call  *Call // nil for leaves and failed nodes
	index int   // which output of call
	kind  leafKind
	dtype DType
	shape []Dim
	name  string
	err   error

	variable *Variable  // of a variable leaf
	param    *Parameter // of a variable leaf that is trainable
	value    Buffer     // of a constant
	outer    *Node      // of a captured value in a body
	rows     *Rows      // of a sparse value, which has no memory of its own
	count    *Node      // denominator of a mean
	phase    Phase
}

type leafKind uint8

const (
	notLeaf leafKind = iota
	inputLeaf
	variableLeaf
	constantLeaf
	applyLeaf    // the condition of updates: true unless a pass replaces it
	capturedLeaf // a value of the enclosing graph, in a body
	sparseLeaf
)

// Rows is a sparse value: rows of a matrix, the others being zero. IDs (count) may name a row more than once: the rows add up.
type Rows struct {
	IDs     *Node // (count) Int32 or Int64
	Values  *Node // (count, width…)
	Padding int64 // this id has no row; negative: none
	Merged  bool  // ids are distinct and ascending
}

// Graph returns the graph that n belongs to; nil for a node that failed before one was known.
func (n *Node) Graph() *Graph {
	if n == nil {
		return nil
	}
	return n.graph
}

// Err returns the mistake that made n or something it was built from; nil for a sound node.
func (n *Node) Err() error {
	if n == nil {
		return errNilNode
	}
	return n.err
}

// DType returns the type of the elements.
func (n *Node) DType() DType {
	if n == nil {
		return InvalidDType
	}
	return n.dtype
}

// Shape returns the size of each axis. The slice must not be changed.
func (n *Node) Shape() []Dim {
	if n == nil {
		return nil
	}
	return n.shape
}

// Rank returns the number of axes.
func (n *Node) Rank() int { return len(n.Shape()) }

// Dim returns the size of an axis; a negative axis counts from the last. It returns 0 for an axis that n does not have.
func (n *Node) Dim(axis int) Dim {
	if axis < 0 {
		axis += n.Rank()
	}
	if axis < 0 || axis >= n.Rank() {
		return 0
	}
	return n.shape[axis]
}

// ShapeString returns the shape as text, such as "(batch, 1, 28, 28)".
func (n *Node) ShapeString() string {
	if n == nil || n.graph == nil {
		return "(failed)"
	}
	return n.graph.dims.shapeString(n.shape)
}

// Call returns the application that computes n and which of its outputs n is; nil for inputs, variables and constants.
func (n *Node) Call() (c *Call, output int) {
	if n == nil {
		return nil, 0
	}
	return n.call, n.index
}

// Name returns the name of an input, the path of a variable, or how n came about, such as "conv1.conv2d".
func (n *Node) Name() string {
	switch {
	case n == nil:
		return "nil"
	case n.name != "":
		return n.name
	case n.call != nil:
		return n.call.Name()
	case n.outer != nil:
		return n.outer.Name()
	}
	return "failed"
}

// WithName gives n a name that errors, drawings and summaries use, and returns n. Inputs and variables keep their own, by which they
// are fed and saved.
func (n *Node) WithName(name string) *Node {
	if n != nil && n.err == nil && n.kind != inputLeaf && n.kind != variableLeaf {
		n.name = name
	}
	return n
}

// Variable returns the variable that n reads, nil where n is something else.
func (n *Node) Variable() *Variable {
	if n == nil {
		return nil
	}
	return n.variable
}

// Parameter returns the trainable parameter that n reads, nil where n is something else.
func (n *Node) Parameter() *Parameter {
	if n == nil {
		return nil
	}
	return n.param
}

// IsInput reports whether n is fed at every run.
func (n *Node) IsInput() bool { return n != nil && n.kind == inputLeaf }

// Constant returns the value of a constant.
func (n *Node) Constant() (value Buffer, ok bool) {
	if n == nil {
		return Buffer{}, false
	}
	return n.value, n.kind == constantLeaf
}

// IsApply reports whether n is the condition of the graph's updates (Graph.ApplyFlag).
func (n *Node) IsApply() bool { return n != nil && n.kind == applyLeaf }

// Captured returns the value of the enclosing graph that n stands for inside a body, nil for other nodes.
func (n *Node) Captured() *Node {
	if n == nil {
		return nil
	}
	return n.outer
}

// Sparse returns the rows of a sparse value, nil for a dense one. Ops that do not know of sparse values get it made dense.
func (n *Node) Sparse() *Rows {
	if n == nil {
		return nil
	}
	return n.rows
}

// Phase tells which part of training n belongs to.
func (n *Node) Phase() Phase {
	if n == nil {
		return Forward
	}
	if n.call != nil {
		return n.call.Phase
	}
	return n.phase
}

// SameShape reports whether two shapes of one graph are equal.
func SameShape(a, b []Dim) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

package sequence

import (
	"fmt"
	"strings"

	"paddle/op"
)

// Node is a batch of sequences in a graph: rows (tokens, …), those of all sequences one after another, and the sequences' lengths. It
// is immutable, and never nil where a function of this package returns one: after a mistake it is a failed Node, as with op.Node.
type Node struct {
	layout *layout
	rows   *op.Node // sample by sample
	packed *op.Node // time-major, see Pack
}

// Input returns sequences that are fed at every run: rows (tokens, width…) under the given name, and lengths (batch) of type Int32
// under the name with ".lengths" added. A Batch feeds both. Without width a row is a single number, such as an id. The lengths add up
// to the number of rows, or the run is an error that names them. The number of rows is the symbol with ".tokens" added to the name: shapes show
// it, and paddle.ModelSummary.At takes it.
func Input(g *op.Graph, name string, dtype op.DType, width ...op.Dim) *Node {
	return inputOf(g, name, dtype, op.Batch, width)
}

func inputOf(g *op.Graph, name string, dtype op.DType, sequences op.Dim, width []op.Dim) *Node {
	if g == nil {
		return failed(g.Fail("the graph of input %q is nil", name))
	}
	rows := g.Input(name, dtype, append([]op.Dim{g.Dim(name + ".tokens")}, width...)...)
	return New(rows, g.Input(name+".lengths", op.Int32, sequences))
}

// New returns the sequences whose rows are rows (tokens, …), one sequence after another, with the given lengths (sequences) of type
// Int32. It is for values that were computed; what is fed comes from Input.
func New(rows, lengths *op.Node) *Node {
	for _, n := range []*op.Node{rows, lengths} {
		if n.Err() != nil {
			return failed(n)
		}
	}
	switch {
	case rows.Rank() == 0:
		return failed(rows.Graph().Fail("rows %s of sequences have shape (), want (tokens, …)", rows.Name()))
	case lengths.DType() != op.Int32 || lengths.Rank() != 1:
		return failed(rows.Graph().Fail("lengths %s of sequences are %v %s, want int32 (sequences,)", lengths.Name(), lengths.DType(), lengths.ShapeString()))
	}
	l := &layout{lengths: lengths, tokens: rows.Dim(0), name: lengths.Name()}
	return &Node{layout: l, rows: rows}
}

// failed returns the Node of a mistake, that of a nil node if n is nil.
func failed(n *op.Node) *Node {
	if n == nil {
		n = (*op.Graph)(nil).Fail("the node is nil")
	}
	return &Node{rows: n}
}

// fail records a mistake in x's graph and returns a failed Node.
func (x *Node) fail(format string, args ...any) *Node {
	return failed(x.Graph().Fail(format, args...))
}

// errNil is the mistake of a nil *Node, which has no graph that could keep it.
var errNil = fmt.Errorf("the sequence is nil")

// Err returns the mistake that made x fail, nil if there is none.
func (x *Node) Err() error {
	if x == nil {
		return errNil
	}
	return x.Node().Err()
}

// Node returns the rows of x in whichever order is at hand: to read their type, width, graph and error, and for op.Enter.
func (x *Node) Node() *op.Node {
	switch {
	case x == nil:
		return nil
	case x.rows != nil:
		return x.rows
	}
	return x.packed
}

// Graph returns the graph that x belongs to.
func (x *Node) Graph() *op.Graph { return x.Node().Graph() }

// DType returns the element type of x.
func (x *Node) DType() op.DType { return x.Node().DType() }

// Shape returns the shape of x's rows: the number of tokens, then what a row is.
func (x *Node) Shape() []op.Dim { return x.Node().Shape() }

// Rank returns the number of axes of x's rows, that of the tokens included.
func (x *Node) Rank() int { return x.Node().Rank() }

// Dim returns the size of an axis of x's rows; a negative axis counts from the end.
func (x *Node) Dim(axis int) op.Dim { return x.Node().Dim(axis) }

// ShapeString returns the shape of x's rows as text.
func (x *Node) ShapeString() string { return x.Node().ShapeString() }

// Name returns the name of x's rows.
func (x *Node) Name() string { return x.Node().Name() }

// Rows returns the rows of x (tokens, …), one sequence after another in the caller's order.
func (x *Node) Rows() *op.Node {
	if x.Node() == nil {
		return nil
	}
	if x.rows == nil {
		p := x.layout.pack()
		x.rows = permute(x.packed, p.Place, p.Index).WithName(strings.TrimSuffix(x.packed.Name(), timeMajor))
	}
	return x.rows
}

// Lengths returns the lengths of the sequences (sequences) as Int32.
func (x *Node) Lengths() *op.Node {
	if x.Err() != nil {
		return x.Node()
	}
	return x.layout.lengths
}

// Starts returns where each sequence begins in Rows, and where the last one ends (sequences+1), as Int32. A run in which a length is
// negative, or the lengths do not add up to the number of rows, is an error there.
func (x *Node) Starts() *op.Node {
	if x.Err() != nil {
		return x.Node()
	}
	return x.layout.starts()
}

// Len returns how many sequences x has: op.Batch for what is fed.
func (x *Node) Len() op.Dim {
	if x.Err() != nil {
		return 0
	}
	return x.layout.sequences()
}

// SameLengths reports whether x and y are known to have the same lengths: because both were computed row by row from the same
// sequences, or with As.
func (x *Node) SameLengths(y *Node) bool {
	return x.Err() == nil && y.Err() == nil && x.layout == y.layout
}

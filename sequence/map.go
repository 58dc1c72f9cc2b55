package sequence

import "paddle/op"

// Map returns f of x's rows as sequences of the same lengths. f works row by row: it maps (tokens, …) to (tokens, …), such as
// the Forward of a layer, and must not depend on the order of the rows, which may be that of Rows or of Pack.
func (x *Node) Map(f func(rows *op.Node) *op.Node) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	if f == nil {
		return x.fail("the function of Map is nil")
	}
	return x.of(f(x.Node()), x.rows == nil)
}

// failed returns x as a failed Node, also where it is nil.
func (x *Node) failed() *Node {
	if x == nil {
		return failed((*op.Graph)(nil).Fail("the sequence is nil"))
	}
	return failed(x.Node())
}

// of returns rows as sequences of x's lengths, in the order of Pack or of Rows.
func (x *Node) of(rows *op.Node, packed bool) *Node {
	switch {
	case rows.Err() != nil:
		return failed(rows)
	case rows.Rank() == 0 || rows.Dim(0) != x.layout.tokens:
		g := rows.Graph()
		return failed(g.Fail("rows have shape %s, want (%s, …): as many as the sequences have", rows.ShapeString(), g.DimString(x.layout.tokens)))
	case packed:
		return &Node{layout: x.layout, packed: rows}
	}
	return &Node{layout: x.layout, rows: rows}
}

// Of returns rows (tokens, …), in the order of x.Rows, as sequences of x's lengths.
func (x *Node) Of(rows *op.Node) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	return x.of(rows, false)
}

// Combine returns f of the rows of several sequences of the same lengths, row by row as with Map: sums, concatenations of features,
// losses per token. Sequences that were fed under different names are not known to have the same lengths: see As.
func Combine(f func(rows ...*op.Node) *op.Node, xs ...*Node) *Node {
	rows, packed, bad := together(xs)
	if bad != nil {
		return bad
	}
	if f == nil {
		return xs[0].fail("the function of Combine is nil")
	}
	return xs[0].of(f(rows...), packed)
}

// together returns the rows of sequences of equal lengths in one order, that of Pack if most have that form at hand, or what is wrong.
func together(xs []*Node) (rows []*op.Node, packed bool, bad *Node) {
	if len(xs) == 0 {
		return nil, false, failed((*op.Graph)(nil).Fail("no sequences, want one or more"))
	}
	have := 0
	for _, x := range xs {
		if x.Err() != nil {
			return nil, false, x.failed()
		}
		if x.packed != nil {
			have++
		}
		if x.rows != nil {
			have--
		}
	}
	for _, x := range xs[1:] {
		if x.layout != xs[0].layout {
			return nil, false, xs[0].fail("sequences %s (lengths %s) and %s (lengths %s) are not known to have the same lengths: see sequence.Node.As",
				xs[0].Name(), xs[0].layout.name, x.Name(), x.layout.name)
		}
	}
	packed = have > 0
	rows = make([]*op.Node, len(xs))
	for i, x := range xs {
		if packed {
			rows[i] = x.packedRows()
		} else {
			rows[i] = x.Rows()
		}
	}
	return rows, packed, nil
}

// As returns x as sequences of y's lengths, so that the two can be combined: labels of words, fed beside the words. That the lengths
// are the same is checked in every run; where they are not, the run is an error that names both and the first sequence that differs.
func (x *Node) As(y *Node) *Node {
	switch {
	case x.Err() != nil:
		return x.failed()
	case y.Err() != nil:
		return y.failed()
	case x.layout == y.layout:
		return x
	}
	rows := op.Apply(sameLengths{Tokens: y.layout.tokens, Got: x.layout.name, Want: y.layout.name}, x.Rows(), x.layout.lengths, y.layout.lengths)[0]
	return y.of(rows.WithName(x.Name()), false)
}

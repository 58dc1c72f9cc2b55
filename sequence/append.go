package sequence

import "paddle/op"

// Append returns all sequences of xs[0], then all of xs[1], …, as one batch: several inputs can then go through one layer at once, and Split
// divides what comes out. Rows have one type and shape.
func Append(xs ...*Node) *Node {
	if bad := joinable(xs); bad != nil {
		return bad
	}
	rows := make([]*op.Node, len(xs))
	for i, x := range xs {
		rows[i] = x.Rows()
	}
	return &Node{layout: appended(xs), rows: op.Concat(0, rows...)}
}

// appended returns the layout of the sequences of xs one after another.
func appended(xs []*Node) *layout {
	l := &layout{name: xs[0].layout.name}
	lengths := make([]*op.Node, len(xs))
	for i, x := range xs {
		lengths[i] = x.layout.lengths
		l.tokens = x.Graph().AddDims(l.tokens, x.layout.tokens)
	}
	l.lengths = op.Concat(0, lengths...).WithName(l.name)
	return l
}

// Split divides a batch among as many batches as Append joined: element i has the sequences that like[i] brought. Rows of x are of any type and
// shape. Where x has other lengths than like together, the run is an error that names the first sequence that differs.
func Split(x *Node, like ...*Node) []*Node {
	out := make([]*Node, len(like))
	bad := func(n *Node) []*Node {
		for i := range out {
			out[i] = n
		}
		return out
	}
	for _, n := range append([]*Node{x}, like...) {
		if n.Err() != nil {
			return bad(n.failed())
		}
	}
	if len(like) == 0 {
		return out
	}
	whole := &Node{layout: appended(like), rows: x.Rows()}
	rows, from := x.As(whole).Rows(), op.Dim(0)
	for i, n := range like {
		to := n.Graph().AddDims(from, n.layout.tokens)
		out[i] = n.of(op.Slice(rows, 0, from, to), false)
		from = to
	}
	return out
}

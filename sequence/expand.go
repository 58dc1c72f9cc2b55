package sequence

import "paddle/op"

// Expand returns row i of rows (sequences, …), any type, as every row of sequence i of like: (tokens, …) with like's lengths. The gradient of
// a row is the sum over its sequence; a sequence without rows gives none.
//
// For two-level sequences x, Expand to x.Inner() takes one row a sub-sequence, and Expand to x.Flat() one row a sample.
func Expand(rows *op.Node, like *Node) *Node {
	switch {
	case like.Err() != nil:
		return like.failed()
	case rows.Err() != nil:
		return failed(rows)
	case rows.Rank() == 0 || rows.Dim(0) != like.Len():
		return like.fail("rows have shape %s, want (%s, …): one a sequence of %s", rows.ShapeString(), like.Graph().DimString(like.Len()), like.Name())
	}
	packed := like.rows == nil
	o := segmentSpread{op.SegmentSum, packed, like.layout.tokens}
	return like.of(spread(o, rows, like.layout.order(packed), nil), packed)
}

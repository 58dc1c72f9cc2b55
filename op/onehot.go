package op

import "math"

// OneHot returns, for each id (Int32 or Int64, any shape), a row of the given type and number of classes with 1 at the id and 0
// elsewhere: the shape of ids followed by classes. An id outside of [0, classes), such as IgnoreLabel, gives a row of zeros.
func OneHot(ids *Node, classes int, dtype DType) *Node { return Cast(oneOf(ids, classes), dtype) }

// oneOf is OneHot as Bool.
func oneOf(ids *Node, classes int) *Node {
	switch {
	case ids.Err() != nil:
		return failedFrom(ids)
	case ids.dtype != Int32 && ids.dtype != Int64:
		return ids.graph.Fail("input %s has type %v, want int32 or int64", quoted(ids), ids.dtype)
	case classes < 1:
		return ids.graph.Fail("%d classes, want 1 or more", classes)
	case classes > math.MaxInt32:
		return ids.graph.Fail("%d classes, want at most %d", classes, math.MaxInt32)
	}
	return Equal(Unsqueeze(ids, -1), ids.graph.numbers(ids.dtype, classes))
}

// numbers returns the constant 0, 1, …, n−1.
func (g *Graph) numbers(dtype DType, n int) *Node {
	b := NewBuffer(dtype, n)
	for i := range b.Int32s() {
		b.Int32s()[i] = int32(i)
	}
	for i := range b.Int64s() {
		b.Int64s()[i] = int64(i)
	}
	return g.constant(b)
}

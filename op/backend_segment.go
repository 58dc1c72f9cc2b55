package op

// SegmentBackend is the arithmetic of matrices whose rows form segments, such as the sequences of a batch, one after another: segment s has the
// rows starts[s] to starts[s+1]. Starts ascend from 0 to the number of rows and have one entry more than there are segments; a segment may be
// empty.
//
// Rows may lie in another order than that in which the segments count them: with an index, row i of the segments is row index[i] of the
// matrix. Index is nil or an order of all rows. Rows are the first axis; every column is on its own.
//
// The result for a segment depends on its own rows only: its bits are those of the segment alone, in any order of the matrix.
type SegmentBackend interface {
	// SegmentReduce computes y[s] = f(rows of segment s) for x (rows, width…) and y (segments, width…), and y[s] = empty where a segment has
	// no rows. For SegmentMax, arg (Int32, shape of y; may be nil) gets which row the greatest element stands in, −1 without rows. For
	// SegmentPick, arg is read. SegmentFirst and SegmentLast take any type.
	SegmentReduce(f SegmentFunc, empty float64, starts, index []int32, x, y, arg Buffer)
	// SegmentSpread is the transpose of SegmentReduce, and so its gradient: it computes each row of y (rows, width…) from that of its
	// segment in x (segments, width…). SegmentMax and SegmentPick read arg. SegmentSum, which copies, SegmentFirst and SegmentLast take any type.
	SegmentSpread(f SegmentFunc, starts, index []int32, x, arg, y Buffer)
	// SegmentSoftmax computes the softmax over the rows of each segment, as Softmax; y may be x.
	SegmentSoftmax(starts, index []int32, x, y Buffer)
	// SegmentSoftmaxGrad is the gradient of SegmentSoftmax, from its result y; dx may be dy.
	SegmentSoftmaxGrad(starts, index []int32, y, dy, dx Buffer)

	// SegmentConv computes yᵢ = Σⱼ wⱼ⊙xᵢ₊ₛ₊ⱼ over the rows that lie in i's segment, where s is first: x and y (rows, width), w (length, width).
	// With flip wⱼ is row length−1−j of w.
	SegmentConv(first int, flip bool, starts, index []int32, x, w, y Buffer)
	// SegmentConvGradWeight computes dwⱼ = Σᵢ xᵢ₊ₛ₊ⱼ⊙dyᵢ, the gradient of SegmentConv without flip for w.
	SegmentConvGradWeight(first int, starts, index []int32, x, dy, dw Buffer)

	// GatherMatMul computes y = x·w, where row i of x is rows ids[i, 0], ids[i, 1], … of table (rows, width) side by side: ids (n, length)
	// Int32, w (length·width, columns), y (n, columns). Rows of the padding id are zero. An id outside of the table is a *RangeError.
	GatherMatMul(padding int64, table, ids, w, y Buffer) error
	// GatherMatMulGradTable computes the gradient of GatherMatMul for table, from that of y.
	GatherMatMulGradTable(padding int64, ids, w, dy, dtable Buffer)
	// GatherMatMulGradWeight computes the gradient of GatherMatMul for w, from that of y.
	GatherMatMulGradWeight(padding int64, table, ids, dy, dw Buffer) error
}

// SegmentFunc names a function of the rows of a segment.
type SegmentFunc uint8

// The functions of the n rows of a segment, and what SegmentSpread gives each of its rows. Sums are accumulated in float64.
const (
	SegmentSum      SegmentFunc = iota // Σ x; the row itself
	SegmentMean                        // Σ x/n; the row over n
	SegmentRootMean                    // Σ x/√n; the row over √n
	SegmentMax                         // the first of the greatest, NaN wins; as SegmentPick
	SegmentPick                        // the element in row arg; the row where it is arg, else 0
	SegmentFirst                       // the first row; the row for the first, else 0
	SegmentLast                        // the last row; the row for the last, else 0
)

package sequence

import "paddle/op"

// Pooling is a way to make one row of the rows x₁ … xₙ of a sequence, every column on its own.
type Pooling uint8

// The ways of pooling. They are linear in the rows, but for PoolMax, whose gradient goes to the first of the greatest elements. A
// NaN stays in its own sequence and column.
const (
	PoolMax      Pooling = iota // the greatest element; NaN is greater than numbers
	PoolMean                    // Σ x/n
	PoolSum                     // Σ x
	PoolRootMean                // Σ x/√n
	PoolLast                    // xₙ
	PoolFirst                   // x₁
)

// String returns the name, such as "root mean".
func (p Pooling) String() string {
	if int(p) < len(poolNames) {
		return poolNames[p]
	}
	return "unknown pooling"
}

var poolNames = [...]string{"max", "mean", "sum", "root mean", "last", "first"}

// poolFuncs are the functions of segments that poolings are.
var poolFuncs = [...]op.SegmentFunc{op.SegmentMax, op.SegmentMean, op.SegmentSum, op.SegmentRootMean, op.SegmentLast, op.SegmentFirst}

// Max returns the greatest element of each column over the rows of each sequence, (sequences, …); see Pool.
func Max(x *Node) *op.Node { return Pool(PoolMax, x, 0) }

// Mean returns the mean of the rows of each sequence, (sequences, …); see Pool.
func Mean(x *Node) *op.Node { return Pool(PoolMean, x, 0) }

// Sum returns the sum of the rows of each sequence, (sequences, …); see Pool.
func Sum(x *Node) *op.Node { return Pool(PoolSum, x, 0) }

// RootMean returns the sum of the n rows of each sequence over √n, (sequences, …), whose variance does not depend on n; see Pool.
func RootMean(x *Node) *op.Node { return Pool(PoolRootMean, x, 0) }

// Last returns the last row of each sequence, (sequences, …); see Pool.
func Last(x *Node) *op.Node { return Pool(PoolLast, x, 0) }

// First returns the first row of each sequence, (sequences, …); see Pool.
func First(x *Node) *op.Node { return Pool(PoolFirst, x, 0) }

// Pool makes one row of the rows of each sequence: x (tokens, …) becomes (sequences, …). A sequence without rows gets empty in
// every column, and no gradient. Rows are Float32 or Float64, for PoolLast and PoolFirst of any type.
//
// Of two-level sequences, Pool of Inner gives one row a sub-sequence, which Outer turns into a sequence a sample; Pool of Flat gives one
// row a sample.
func Pool(p Pooling, x *Node, empty float64) *op.Node {
	if x.Err() != nil {
		return x.failed().Node()
	}
	if int(p) >= len(poolFuncs) {
		return x.fail("pooling %d, want PoolMax to PoolFirst", p).Node()
	}
	packed := x.rows == nil
	o := segmentReduce{Func: poolFuncs[p], Empty: empty, Packed: packed}
	return op.Apply(o, append([]*op.Node{x.Node()}, x.layout.order(packed)...)...)[0]
}

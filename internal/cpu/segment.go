package cpu

import (
	"math"

	"paddle/internal/kernel"
	"paddle/op"
)

// segmentTasks are the tasks of SegmentReduce, SegmentSpread, and the softmax and the convolution over segments.
type segmentTasks struct {
	segments         segmentTask
	segmentSoftmax32 segmentSoftmaxTask[float32]
	segmentSoftmax64 segmentSoftmaxTask[float64]
	segmentConv32    segmentConvTask[float32]
	segmentConv64    segmentConvTask[float64]
	gatherBlocks     gatherBlocks
}

// segmentTask reduces rows to one a segment, or spreads one a segment to rows.
type segmentTask struct {
	f         op.SegmentFunc
	spread    bool
	empty     float64
	x, y, arg op.Buffer
	plan      segmentPlan
}

// SegmentReduce implements op.Backend.
func (b *Backend) SegmentReduce(f op.SegmentFunc, empty float64, starts, index []int32, x, y, arg op.Buffer) {
	if !x.DType.IsFloat() || x.DType.Size() == 2 {
		b.Fill(y, empty) // the kernels that copy do not know what their elements mean
	}
	b.segmentRun(segmentTask{f: f, empty: empty, x: x, y: y, arg: arg}, starts, index)
}

// SegmentSpread implements op.Backend.
func (b *Backend) SegmentSpread(f op.SegmentFunc, starts, index []int32, x, arg, y op.Buffer) {
	b.segmentRun(segmentTask{f: f, spread: true, x: x, y: y, arg: arg}, starts, index)
}

func (b *Backend) segmentRun(t segmentTask, starts, index []int32) {
	t.plan.set(starts, index, rowWidth(t.x), lightGrain)
	b.segments = t
	b.run(t.plan.parts(), &b.segments)
	b.segments = segmentTask{}
}

// Do computes one part.
func (t *segmentTask) Do(part int) {
	switch t.x.DType {
	case op.Float32:
		segmentFloats[float32](t, part)
	case op.Float64:
		segmentFloats[float64](t, part)
	case op.Int32:
		segmentCopies[int32](t, part)
	case op.Int64:
		segmentCopies[int64](t, part)
	case op.BFloat16, op.Float16:
		segmentCopies[uint16](t, part)
	default:
		segmentCopies[uint8](t, part)
	}
}

func segmentFloats[T kernel.Float](t *segmentTask, part int) {
	x, y, arg := elements[T](t.x), elements[T](t.y), elements[int32](t.arg)
	w := t.plan.walk(part)
	for w.next() {
		one, at := w.one(), w.at
		switch {
		case !t.spread:
			reduceSegment(t, at, x, y[one.lo:one.hi], columnsOf(arg, one))
		case at.Len() > 0:
			spreadSegment(t, at, x[one.lo:one.hi], columnsOf(arg, one), y)
		}
	}
}

// columnsOf returns the columns of arg, which may be nil.
func columnsOf(arg []int32, r extent) []int32 {
	if arg == nil {
		return nil
	}
	return arg[r.lo:r.hi]
}

func reduceSegment[T kernel.Float](t *segmentTask, at kernel.Segment, x, y []T, arg []int32) {
	if at.Len() == 0 {
		kernel.Fill(y, T(t.empty))
		if t.f == op.SegmentMax {
			kernel.Fill(arg, -1)
		}
		return
	}
	switch t.f {
	case op.SegmentSum, op.SegmentMean, op.SegmentRootMean:
		kernel.SegmentSum(at, divisor(t.f, at.Len()), x, y)
	case op.SegmentMax:
		kernel.SegmentMax(at, x, y, arg)
	case op.SegmentPick:
		kernel.SegmentPick(at, x, arg, y)
	case op.SegmentFirst:
		copy(y, kernel.Row(&at, x, at.From))
	case op.SegmentLast:
		copy(y, kernel.Row(&at, x, at.To-1))
	}
}

func spreadSegment[T kernel.Float](t *segmentTask, at kernel.Segment, x []T, arg []int32, y []T) {
	switch t.f {
	case op.SegmentMean, op.SegmentRootMean:
		kernel.SegmentScale(at, divisor(t.f, at.Len()), x, y)
	case op.SegmentMax, op.SegmentPick:
		kernel.SegmentPlace(at, x, arg, y)
	default:
		copySegment(t.f, at, x, y)
	}
}

// divisor returns what a sum of n rows is divided by.
func divisor(f op.SegmentFunc, n int) float64 {
	switch f {
	case op.SegmentMean:
		return float64(n)
	case op.SegmentRootMean:
		return math.Sqrt(float64(n))
	}
	return 1
}

// copySegment gives the rows that f takes from a segment the row x, and 0 to the others.
func copySegment[T any](f op.SegmentFunc, at kernel.Segment, x, y []T) {
	all, row := at, at
	switch f {
	case op.SegmentFirst:
		row.To, all.From = at.From+1, at.From+1
	case op.SegmentLast:
		row.From, all.To = at.To-1, at.To-1
	default:
		all.To = all.From
	}
	kernel.SegmentClear(all, y)
	kernel.SegmentCopy(row, x, y)
}

// segmentCopies is segmentFloats for the functions that only copy, and for any type.
func segmentCopies[T any](t *segmentTask, part int) {
	x, y := elements[T](t.x), elements[T](t.y)
	w := t.plan.walk(part)
	for w.next() {
		one, at := w.one(), w.at
		switch {
		case at.Len() == 0:
		case t.spread:
			copySegment(t.f, at, x[one.lo:one.hi], y)
		case t.f == op.SegmentFirst:
			copy(y[one.lo:one.hi], kernel.Row(&at, x, at.From))
		case t.f == op.SegmentLast:
			copy(y[one.lo:one.hi], kernel.Row(&at, x, at.To-1))
		}
	}
}

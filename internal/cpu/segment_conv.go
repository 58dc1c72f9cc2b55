package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// segmentConvTask convolves segments with a weight for each row of a window and each column, or with sums computes the gradient for the
// weights: one sum for each group of segments, which are then added in their order.
type segmentConvTask[T kernel.Float] struct {
	tap     kernel.Tap
	x, w, y []T // for the gradient, y is that of the result
	sums    []float64
	plan    segmentPlan
	memory  []float64
}

// SegmentConv implements op.Backend.
func (b *Backend) SegmentConv(first int, flip bool, starts, index []int32, x, w, y op.Buffer) {
	tap := kernel.Tap{First: first, Length: w.Shape[0], Flip: flip}
	if x.DType == op.Float32 {
		segmentConv(b, &b.segmentConv32, tap, starts, index, x, w, y)
	} else {
		segmentConv(b, &b.segmentConv64, tap, starts, index, x, w, y)
	}
}

// SegmentConvGradWeight implements op.Backend.
func (b *Backend) SegmentConvGradWeight(first int, starts, index []int32, x, dy, dw op.Buffer) {
	tap := kernel.Tap{First: first, Length: dw.Shape[0]}
	if x.DType == op.Float32 {
		segmentConvGrad(b, &b.segmentConv32, tap, starts, index, x, dy, dw)
	} else {
		segmentConvGrad(b, &b.segmentConv64, tap, starts, index, x, dy, dw)
	}
}

func segmentConv[T kernel.Float](b *Backend, t *segmentConvTask[T], tap kernel.Tap, starts, index []int32, x, w, y op.Buffer) {
	t.plan.set(starts, index, rowWidth(x), lightGrain)
	t.tap, t.x, t.w, t.y = tap, elements[T](x), elements[T](w), elements[T](y)
	t.run(b)
}

func segmentConvGrad[T kernel.Float](b *Backend, t *segmentConvTask[T], tap kernel.Tap, starts, index []int32, x, dy, dw op.Buffer) {
	const mostGroups = 16 // each has sums of its own
	t.plan.set(starts, index, rowWidth(x), max(lightGrain, ceilDiv(x.Len(), mostGroups)))
	t.tap, t.x, t.y = tap, elements[T](x), elements[T](dy)
	size := tap.Length * t.plan.width
	t.sums = kernel.Grow(&t.memory, t.plan.groups*size)
	clear(t.sums)
	t.run(b)
	total := t.sums[:size]
	for g := 1; g < t.plan.groups; g++ {
		kernel.SumInto(t.sums[g*size:][:size], total)
	}
	t.write(total, elements[T](dw))
	t.sums = nil
}

// write puts the sums, block of columns after block of columns, to their places.
func (t *segmentConvTask[T]) write(sums []float64, dw []T) {
	for block := range t.plan.blocks {
		first, last := t.plan.columns(block)
		for j := range t.tap.Length {
			n := last - first
			kernel.Convert(sums[first*t.tap.Length+j*n:][:n], dw[j*t.plan.width+first:][:n])
		}
	}
}

func (t *segmentConvTask[T]) run(b *Backend) {
	b.run(t.plan.parts(), t)
	t.plan.starts, t.plan.index, t.x, t.w, t.y = nil, nil, nil, nil, nil
}

// Do computes one part.
func (t *segmentConvTask[T]) Do(part int) {
	w := t.plan.walk(part)
	var sums []float64
	if t.sums != nil {
		size := t.tap.Length * t.plan.width
		at := part/t.plan.blocks*size + w.at.First*t.tap.Length
		sums = t.sums[at:][:t.tap.Length*(w.at.Last-w.at.First)]
	}
	for w.next() {
		if t.sums != nil {
			kernel.SegmentConvGradWeight(w.at, t.tap, t.x, t.y, sums)
		} else {
			kernel.SegmentConv(w.at, t.tap, t.x, t.w, t.y)
		}
	}
}

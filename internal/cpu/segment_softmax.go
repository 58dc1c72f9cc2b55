package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// segmentSoftmaxTask computes the softmax over segments, or with grad its gradient dx from the result x.
type segmentSoftmaxTask[T kernel.Float] struct {
	grad     bool
	x, dy, y []T
	plan     segmentPlan
	scratch  kernel.Scratch[kernel.SegmentSpace[T]]
}

// SegmentSoftmax implements op.Backend.
func (b *Backend) SegmentSoftmax(starts, index []int32, x, y op.Buffer) {
	if x.DType == op.Float32 {
		segmentSoftmax(b, &b.segmentSoftmax32, starts, index, x, op.Buffer{}, y)
	} else {
		segmentSoftmax(b, &b.segmentSoftmax64, starts, index, x, op.Buffer{}, y)
	}
}

// SegmentSoftmaxGrad implements op.Backend.
func (b *Backend) SegmentSoftmaxGrad(starts, index []int32, y, dy, dx op.Buffer) {
	if y.DType == op.Float32 {
		segmentSoftmax(b, &b.segmentSoftmax32, starts, index, y, dy, dx)
	} else {
		segmentSoftmax(b, &b.segmentSoftmax64, starts, index, y, dy, dx)
	}
}

func segmentSoftmax[T kernel.Float](b *Backend, t *segmentSoftmaxTask[T], starts, index []int32, x, dy, y op.Buffer) {
	t.plan.set(starts, index, rowWidth(x), heavyGrain)
	t.x, t.dy, t.y, t.grad = elements[T](x), elements[T](dy), elements[T](y), dy.Bytes() != nil
	t.scratch.Prepare(b.threads, t.size)
	b.run(t.plan.parts(), t)
	t.plan, t.x, t.dy, t.y = segmentPlan{}, nil, nil, nil
}

// size lets the memory of a part grow.
func (t *segmentSoftmaxTask[T]) size(w *kernel.SegmentSpace[T]) {
	if t.plan.width == 1 {
		w.Grow(t.plan.longest)
	}
}

// Do computes one part.
func (t *segmentSoftmaxTask[T]) Do(part int) {
	number, space := t.scratch.Take()
	defer t.scratch.Release(number)
	w := t.plan.walk(part)
	for w.next() {
		if t.grad {
			kernel.SegmentSoftmaxGrad(space, w.at, t.x, t.dy, t.y)
		} else {
			kernel.SegmentSoftmax(space, w.at, t.x, t.y)
		}
	}
}

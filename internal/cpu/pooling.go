package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// poolTasks are the tasks of poolings.
type poolTasks struct{ pool poolTask }

// poolTask works on planes, some of them in each part.
type poolTask struct {
	compute func(t *poolTask, first, end int)
	shape   kernel.PoolShape
	planes  int
	grain   int // planes of a part
	// image has the shape of x or dx, pooled that of y or dy.
	image, pooled, index op.Buffer
}

// poolGrain is the elements of images that a part should have.
const poolGrain = 4096

// MaxPool2D implements op.Backend.
func (b *Backend) MaxPool2D(p op.PoolSpec, x, y, index op.Buffer) {
	b.runPool(p, x, y, index, maxPool[float32], maxPool[float64])
}

// MaxPool2DGrad implements op.Backend.
func (b *Backend) MaxPool2DGrad(p op.PoolSpec, index, dy, dx op.Buffer) {
	b.runPool(p, dx, dy, index, maxPoolGrad[float32], maxPoolGrad[float64])
}

// AvgPool2D implements op.Backend.
func (b *Backend) AvgPool2D(p op.PoolSpec, x, y op.Buffer) {
	b.runPool(p, x, y, op.Buffer{}, avgPool[float32], avgPool[float64])
}

// AvgPool2DGrad implements op.Backend.
func (b *Backend) AvgPool2DGrad(p op.PoolSpec, dy, dx op.Buffer) {
	b.runPool(p, dx, dy, op.Buffer{}, avgPoolGrad[float32], avgPoolGrad[float64])
}

func (b *Backend) runPool(p op.PoolSpec, image, pooled, index op.Buffer, single, double func(t *poolTask, first, end int)) {
	compute := single
	if image.DType == op.Float64 {
		compute = double
	}
	t := &b.pool
	*t = poolTask{
		compute: compute, shape: poolShape(&p), planes: p.Batch * p.Channels,
		grain: max(1, poolGrain/max(1, p.Height*p.Width)),
		image: image, pooled: pooled, index: index,
	}
	b.run(ceilDiv(t.planes, t.grain), t)
	*t = poolTask{}
}

// Do computes one part.
func (t *poolTask) Do(part int) {
	first := part * t.grain
	t.compute(t, first, min(first+t.grain, t.planes))
}

// poolPlanes are the elements of a task's buffers.
type poolPlanes[T kernel.Float] struct {
	images, pooleds []T
	indices         []int32 // nil if there is no index
	size, pooled    int     // elements of a plane
}

func planes[T kernel.Float](t *poolTask) poolPlanes[T] {
	return poolPlanes[T]{
		elements[T](t.image), elements[T](t.pooled), t.index.Int32s(),
		t.shape.Height * t.shape.Width, t.shape.OutHeight * t.shape.OutWidth,
	}
}

// plane returns plane i of the image, of the pooled image, and of the index where there is one.
func (p *poolPlanes[T]) plane(i int) (image, pooled []T, index []int32) {
	if p.indices != nil {
		index = p.indices[i*p.pooled : (i+1)*p.pooled]
	}
	return p.images[i*p.size : (i+1)*p.size], p.pooleds[i*p.pooled : (i+1)*p.pooled], index
}

func maxPool[T kernel.Float](t *poolTask, first, end int) {
	p := planes[T](t)
	for i := first; i < end; i++ {
		x, y, index := p.plane(i)
		kernel.MaxPool2D(&t.shape, x, y, index)
	}
}

func maxPoolGrad[T kernel.Float](t *poolTask, first, end int) {
	p := planes[T](t)
	for i := first; i < end; i++ {
		dx, dy, index := p.plane(i)
		kernel.MaxPool2DGrad(index, dy, dx)
	}
}

func avgPool[T kernel.Float](t *poolTask, first, end int) {
	p := planes[T](t)
	for i := first; i < end; i++ {
		x, y, _ := p.plane(i)
		kernel.AvgPool2D(&t.shape, x, y)
	}
}

func avgPoolGrad[T kernel.Float](t *poolTask, first, end int) {
	p := planes[T](t)
	for i := first; i < end; i++ {
		dx, dy, _ := p.plane(i)
		kernel.AvgPool2DGrad(&t.shape, dy, dx)
	}
}

// poolShape returns the sizes that the kernels want.
func poolShape(p *op.PoolSpec) kernel.PoolShape {
	return kernel.PoolShape{
		Height: p.Height, Width: p.Width, OutHeight: p.OutHeight, OutWidth: p.OutWidth,
		KernelHeight: p.KernelHeight, KernelWidth: p.KernelWidth,
		StrideHeight: p.StrideHeight, StrideWidth: p.StrideWidth,
		PadTop: p.PadTop, PadBottom: p.PadBottom, PadLeft: p.PadLeft, PadRight: p.PadRight,
		CountPadding: p.CountPadding,
	}
}

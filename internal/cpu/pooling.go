package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// poolTasks are the tasks of poolings.
type poolTasks struct{ pool poolTask }

// poolTask works on planes, some of them in each part.
type poolTask struct {
	compute func(t *poolTask, plane int)
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

func (b *Backend) runPool(p op.PoolSpec, image, pooled, index op.Buffer, single, double func(*poolTask, int)) {
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
	for plane := first; plane < min(first+t.grain, t.planes); plane++ {
		t.compute(t, plane)
	}
}

// plane returns plane i of the image, of the pooled image, and of the index where there is one.
func plane[T kernel.Float](t *poolTask, i int) (image, pooled []T, index []int32) {
	n, m := t.shape.Height*t.shape.Width, t.shape.OutHeight*t.shape.OutWidth
	if !t.index.IsNil() {
		index = t.index.Int32s()[i*m : (i+1)*m]
	}
	return elements[T](t.image)[i*n : (i+1)*n], elements[T](t.pooled)[i*m : (i+1)*m], index
}

func maxPool[T kernel.Float](t *poolTask, i int) {
	x, y, index := plane[T](t, i)
	kernel.MaxPool2D(&t.shape, x, y, index)
}

func maxPoolGrad[T kernel.Float](t *poolTask, i int) {
	dx, dy, index := plane[T](t, i)
	kernel.MaxPool2DGrad(index, dy, dx)
}

func avgPool[T kernel.Float](t *poolTask, i int) {
	x, y, _ := plane[T](t, i)
	kernel.AvgPool2D(&t.shape, x, y)
}

func avgPoolGrad[T kernel.Float](t *poolTask, i int) {
	dx, dy, _ := plane[T](t, i)
	kernel.AvgPool2DGrad(&t.shape, dy, dx)
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

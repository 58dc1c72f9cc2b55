package cpu

import (
	"runtime"
	"testing"

	"paddle/op"
)

// lenet is LeNet on images of 28 × 28: two convolutions of 5 × 5 with 20 and 50 filters, ReLU and pooling by 2, and two layers of 500
// and 10.
type lenet struct {
	conv1, conv2                             op.ConvSpec
	pool1, pool2                             op.PoolSpec
	x, w1, b1, w2, b2, w3, b3, w4, b4, label op.Buffer
	y1, p1, i1, y2, p2, i2, h, logits        op.Buffer
	loss, lse                                op.Buffer
	dw1, db1, dw2, db2, dw3, db3, dw4, db4   op.Buffer
	dlogits, dh, dp2, dy2, dp1, dy1          op.Buffer
}

func newLeNet(batch int) *lenet {
	r := newRand(1)
	float := func(shape ...int) op.Buffer { return random(r, op.Float32, shape...) }
	conv := func(channels, size, filters int) op.ConvSpec {
		return op.ConvSpec{
			Batch: batch, Channels: channels, Height: size, Width: size, Filters: filters, OutHeight: size - 4, OutWidth: size - 4,
			KernelHeight: 5, KernelWidth: 5, StrideHeight: 1, StrideWidth: 1, DilationHeight: 1, DilationWidth: 1, Groups: 1, Act: op.ActReLU,
		}
	}
	pool := func(channels, size int) op.PoolSpec {
		return op.PoolSpec{
			Batch: batch, Channels: channels, Height: size, Width: size, OutHeight: size / 2, OutWidth: size / 2,
			KernelHeight: 2, KernelWidth: 2, StrideHeight: 2, StrideWidth: 2,
		}
	}
	n := &lenet{
		conv1: conv(1, 28, 20), conv2: conv(20, 12, 50), pool1: pool(20, 24), pool2: pool(50, 8),
		x: float(batch, 1, 28, 28), w1: float(20, 1, 5, 5), b1: float(20), w2: float(50, 20, 5, 5), b2: float(50),
		w3: float(800, 500), b3: float(500), w4: float(500, 10), b4: float(10), label: op.NewBuffer(op.Int32, batch),
		y1: float(batch, 20, 24, 24), p1: float(batch, 20, 12, 12), i1: op.NewBuffer(op.Int32, batch, 20, 12, 12),
		y2: float(batch, 50, 8, 8), p2: float(batch, 50, 4, 4), i2: op.NewBuffer(op.Int32, batch, 50, 4, 4),
		h: float(batch, 500), logits: float(batch, 10), loss: float(batch), lse: float(batch),
	}
	for _, p := range []struct{ of, grad *op.Buffer }{
		{&n.w1, &n.dw1}, {&n.b1, &n.db1}, {&n.w2, &n.dw2}, {&n.b2, &n.db2}, {&n.w3, &n.dw3}, {&n.b3, &n.db3}, {&n.w4, &n.dw4}, {&n.b4, &n.db4},
		{&n.logits, &n.dlogits}, {&n.h, &n.dh}, {&n.p2, &n.dp2}, {&n.y2, &n.dy2}, {&n.p1, &n.dp1}, {&n.y1, &n.dy1},
	} {
		*p.grad = op.NewBuffer(op.Float32, p.of.Shape...)
	}
	return n
}

func (n *lenet) forward(b *Backend) {
	batch := n.conv1.Batch
	b.Conv2D(n.conv1, n.x, n.w1, n.b1, n.y1)
	b.MaxPool2D(n.pool1, n.y1, n.p1, n.i1)
	b.Conv2D(n.conv2, n.p1, n.w2, n.b2, n.y2)
	b.MaxPool2D(n.pool2, n.y2, n.p2, n.i2)
	b.MatMul(op.MatMulSpec{M: batch, N: 500, K: 800, Batch: 1, Act: op.ActReLU}, n.p2, n.w3, n.b3, n.h)
	b.MatMul(op.MatMulSpec{M: batch, N: 10, K: 500, Batch: 1}, n.h, n.w4, n.b4, n.logits)
}

func (n *lenet) backward(b *Backend) {
	batch := n.conv1.Batch
	b.CrossEntropyGrad(-1, 1/float64(batch), n.logits, n.label, n.lse, op.Buffer{}, n.dlogits)
	b.Reduce(op.ReduceSum, 1, n.dlogits, n.db4)
	b.MatMul(op.MatMulSpec{M: 500, N: 10, K: batch, Batch: 1, TransA: true}, n.h, n.dlogits, op.Buffer{}, n.dw4)
	b.MatMul(op.MatMulSpec{M: batch, N: 500, K: 10, Batch: 1, TransB: true}, n.dlogits, n.w4, op.Buffer{}, n.dh)
	b.UnaryGrad(op.UnaryReLU, 0, 0, op.Buffer{}, n.h, n.dh, n.dh)
	b.Reduce(op.ReduceSum, 1, n.dh, n.db3)
	b.MatMul(op.MatMulSpec{M: 800, N: 500, K: batch, Batch: 1, TransA: true}, n.p2, n.dh, op.Buffer{}, n.dw3)
	b.MatMul(op.MatMulSpec{M: batch, N: 800, K: 500, Batch: 1, TransB: true}, n.dh, n.w3, op.Buffer{}, n.dp2)
	b.MaxPool2DGrad(n.pool2, n.i2, n.dp2, n.dy2)
	b.UnaryGrad(op.UnaryReLU, 0, 0, op.Buffer{}, n.y2, n.dy2, n.dy2)
	b.Reduce(op.ReduceSum, 0b1101, n.dy2, n.db2)
	b.Conv2DGradFilter(n.conv2, n.p1, n.dy2, n.dw2)
	b.Conv2DGradInput(n.conv2, n.w2, n.dy2, n.dp1)
	b.MaxPool2DGrad(n.pool1, n.i1, n.dp1, n.dy1)
	b.UnaryGrad(op.UnaryReLU, 0, 0, op.Buffer{}, n.y1, n.dy1, n.dy1)
	b.Reduce(op.ReduceSum, 0b1101, n.dy1, n.db1)
	b.Conv2DGradFilter(n.conv1, n.x, n.dy1, n.dw1)
}

func BenchmarkLeNet(b *testing.B) {
	n := newLeNet(64)
	backend := New()
	backend.SetThreads(runtime.GOMAXPROCS(0))
	b.ResetTimer()
	for range b.N {
		n.forward(backend)
		if _, err := backend.CrossEntropy(-1, n.logits, n.label, n.loss, n.lse); err != nil {
			b.Fatal(err)
		}
		n.backward(backend)
	}
}

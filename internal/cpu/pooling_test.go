package cpu

import (
	"math"
	"slices"
	"testing"

	"paddle/op"
)

// overlapping is a pooling of two planes of 3 × 4 whose windows of 2 × 3 overlap, with a column of padding on the left.
var overlapping = op.PoolSpec{
	Batch: 1, Channels: 2, Height: 3, Width: 4, OutHeight: 2, OutWidth: 2,
	KernelHeight: 2, KernelWidth: 3, StrideHeight: 1, StrideWidth: 2, PadLeft: 1,
}

func TestMaxPool2D(t *testing.T) {
	nan := math.NaN()
	b := New()
	b.SetThreads(2)
	for _, d := range bothFloats {
		x := buffer(d,
			-1, -2, -3, -4,
			-5, -1, -7, -8,
			-9, -9, -6, nan,
			1, 2, 3, 4,
			5, 6, 7, 8,
			9, 10, 11, 12)
		y, index := garbage(d, 8), garbage(op.Int32, 8)
		b.MaxPool2D(overlapping, x, y, index)
		check(t, "MaxPool2D", y, []float64{-1, -1, -1, nan, 6, 8, 10, 12}, 0)
		if want := []int32{0, 5, 5, 11, 5, 7, 9, 11}; !slices.Equal(index.Int32s(), want) {
			t.Errorf("MaxPool2D of %v: index is %v, want %v", d, index.Int32s(), want)
		}
		only := garbage(d, 8)
		b.MaxPool2D(overlapping, x, only, op.Buffer{})
		check(t, "MaxPool2D without index", only, values(y), 0)
		dx := garbage(d, 24)
		b.MaxPool2DGrad(overlapping, index, buffer(d, 1, 2, 3, 4, 5, 6, 7, 8), dx)
		check(t, "MaxPool2DGrad", dx, []float64{1, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 5, 0, 6, 0, 7, 0, 8}, 0)
	}
}

func TestAvgPool2D(t *testing.T) {
	b := New()
	b.SetThreads(2)
	for _, d := range bothFloats {
		x := buffer(d, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6)
		y, dx := garbage(d, 8), garbage(d, 24)
		b.AvgPool2D(overlapping, x, y)
		check(t, "AvgPool2D", y, []float64{3.5, 5, 7.5, 9, 0, 0, 0, 1}, tolerance(d))
		dy := buffer(d, 4, 6, 8, 12, 0, 0, 0, 18)
		b.AvgPool2DGrad(overlapping, dy, dx)
		check(t, "AvgPool2DGrad", dx, []float64{1, 2, 1, 1, 3, 6, 3, 3, 2, 4, 2, 2, 0, 0, 0, 0, 0, 3, 3, 3, 0, 3, 3, 3}, tolerance(d))
		p := overlapping
		p.CountPadding = true
		b.AvgPool2D(p, x, y)
		check(t, "AvgPool2D with padding", y, []float64{14. / 6, 5, 30. / 6, 9, 0, 0, 0, 1}, tolerance(d))
	}
}

func TestPoolingIsSteady(t *testing.T) {
	p := op.PoolSpec{
		Batch: 13, Channels: 7, Height: 24, Width: 23, OutHeight: 12, OutWidth: 12,
		KernelHeight: 3, KernelWidth: 3, StrideHeight: 2, StrideWidth: 2, PadTop: 1, PadLeft: 1, PadRight: 1,
	}
	r := newRand(1)
	b := New()
	for _, d := range bothFloats {
		x, y, index := random(r, d, 13, 7, 24, 23), garbage(d, 13, 7, 12, 12), garbage(op.Int32, 13, 7, 12, 12)
		steady(t, "MaxPool2D", b, func() { b.MaxPool2D(p, x, y, index) }, y)
		steady(t, "MaxPool2DGrad", b, func() { b.MaxPool2DGrad(p, index, y, x) }, x)
		steady(t, "AvgPool2D", b, func() { b.AvgPool2D(p, x, y) }, y)
		steady(t, "AvgPool2DGrad", b, func() { b.AvgPool2DGrad(p, y, x) }, x)
	}
}

package cpu

import (
	"bytes"
	"testing"

	"paddle/op"
)

// threeByThree is a convolution for which transformed patches pay.
var threeByThree = op.ConvSpec{
	Batch: 10, Channels: 24, Height: 10, Width: 9, Filters: 40, OutHeight: 9, OutWidth: 10, KernelHeight: 3, KernelWidth: 3,
	StrideHeight: 1, StrideWidth: 1, DilationHeight: 1, DilationWidth: 1, PadTop: 1, PadBottom: 0, PadLeft: 2, PadRight: 1, Groups: 2,
}

func TestConv2DOfThreeByThree(t *testing.T) {
	if shape := convShape(&threeByThree); !shape.IsWinogradGradFilter() {
		t.Fatal("the convolution is not computed from transformed patches")
	}
	c, b := threeByThree, New()
	x, w, bias, dy := convBuffers(c, op.Float32)
	y, dx, dw := like(dy), like(x), like(w)
	wantY, wantX, wantW := make([]float64, y.Len()), make([]float64, x.Len()), make([]float64, w.Len())
	for i := range wantY {
		wantY[i] = get(bias, i/(c.OutHeight*c.OutWidth)%c.Filters)
	}
	eachProduct(c, func(i, j, k int) {
		wantY[k] += get(x, i) * get(w, j)
		wantX[i] += get(dy, k) * get(w, j)
		wantW[j] += get(dy, k) * get(x, i)
	})
	b.Conv2D(c, x, w, bias, y)
	check(t, "Conv2D", y, wantY, 30*tolerance(op.Float32))
	b.Conv2DGradInput(c, w, dy, dx)
	check(t, "Conv2DGradInput", dx, wantX, 30*tolerance(op.Float32))
	b.Conv2DGradFilter(c, x, dy, dw)
	check(t, "Conv2DGradFilter", dw, wantW, 100*tolerance(op.Float32))
}

// Filters give the same bits transformed before as they are, and after they have changed; once they are transformed they are not read.
func TestConv2DKeepsTransformedFilters(t *testing.T) {
	c, b := threeByThree, New()
	x, _, bias, dy := convBuffers(c, op.Float32)
	v, w := newWeight(t, op.Float32, c.Filters, c.Channels/c.Groups, 3, 3)
	for range 2 {
		want, got := like(dy), like(dy)
		b.Conv2D(c, x, v.Memory(), bias, want)
		for range 3 {
			if b.Conv2D(c, x, w, bias, got); !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Fatal("other bits than with the filters alone")
			}
		}
		clear(w.Bytes()) // without a lock, so that nobody knows
		if b.Conv2D(c, x, w, bias, got); !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatal("the filters are read again")
		}
		if err := v.Assign(random(newRand(9), op.Float32, c.Filters, c.Channels/c.Groups, 3, 3)); err != nil {
			t.Fatal(err)
		}
	}
}

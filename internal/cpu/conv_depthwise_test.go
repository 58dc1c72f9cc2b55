package cpu

import (
	"bytes"
	"testing"

	"paddle/op"
)

// depthwiseSpecs are convolutions of single channels, with all kinds of strides, padding and dilation.
func depthwiseSpecs() (specs []op.ConvSpec) {
	r := newRand(5)
	for range 60 {
		c := op.ConvSpec{
			Batch: 1 + r.IntN(3), Channels: 1 + r.IntN(4), Height: 1 + r.IntN(12), Width: 1 + r.IntN(40), KernelHeight: 1 + r.IntN(3), KernelWidth: 1 + r.IntN(3),
			StrideHeight: 1 + r.IntN(3), StrideWidth: 1 + r.IntN(3), DilationHeight: 1 + r.IntN(2), DilationWidth: 1 + r.IntN(2),
			PadTop: r.IntN(3), PadBottom: r.IntN(3), PadLeft: r.IntN(3), PadRight: r.IntN(3),
		}
		c.Groups, c.Filters = c.Channels, c.Channels
		high := c.Height + c.PadTop + c.PadBottom - (c.KernelHeight-1)*c.DilationHeight - 1
		wide := c.Width + c.PadLeft + c.PadRight - (c.KernelWidth-1)*c.DilationWidth - 1
		if c.OutHeight, c.OutWidth = high/c.StrideHeight+1, wide/c.StrideWidth+1; high >= 0 && wide >= 0 {
			specs = append(specs, c)
		}
	}
	return specs
}

func TestDepthwise(t *testing.T) {
	b := New()
	for i, c := range depthwiseSpecs() {
		if s := convShape(&c); !s.IsDepthwise() {
			t.Fatalf("%v is not depthwise", c)
		}
		b.SetThreads(1 + i%3)
		for _, d := range bothFloats {
			x, w, bias, dy := convBuffers(c, d)
			y, dx, dw := like(dy), like(x), like(w)
			wantY, wantX, wantW := make([]float64, y.Len()), make([]float64, x.Len()), make([]float64, w.Len())
			eachProduct(c, func(i, j, k int) {
				wantY[k] += get(x, i) * get(w, j)
				wantX[i] += get(dy, k) * get(w, j)
				wantW[j] += get(dy, k) * get(x, i)
			})
			b.Conv2D(c, x, w, op.Buffer{}, y)
			check(t, name("Conv2D for ", c), y, wantY, 30*tolerance(d))
			b.Conv2DGradInput(c, w, dy, dx)
			check(t, name("Conv2DGradInput for ", c), dx, wantX, 30*tolerance(d))
			b.Conv2DGradFilter(c, x, dy, dw)
			check(t, name("Conv2DGradFilter for ", c), dw, wantW, 30*tolerance(d))
			plain, pixels := values(y), c.OutHeight*c.OutWidth
			for i := range plain {
				plain[i] = max(plain[i]+get(bias, i/pixels%c.Filters), 0)
			}
			c.Act = op.ActReLU
			b.Conv2D(c, x, w, bias, y)
			check(t, "Conv2D with bias and ReLU", y, plain, tolerance(d))
			c.Act = op.NoActivation
		}
	}
}

func TestDepthwiseIsSteady(t *testing.T) {
	b := New()
	c := op.ConvSpec{
		Batch: 5, Channels: 20, Filters: 20, Groups: 20, Height: 31, Width: 29, OutHeight: 31, OutWidth: 29, KernelHeight: 3, KernelWidth: 3,
		StrideHeight: 1, StrideWidth: 1, DilationHeight: 1, DilationWidth: 1, PadTop: 1, PadBottom: 1, PadLeft: 1, PadRight: 1, Act: op.ActTanh,
	}
	for _, d := range bothFloats {
		x, w, bias, dy := convBuffers(c, d)
		y, dx, dw := like(dy), like(x), like(w)
		steady(t, "Conv2D", b, func() { b.Conv2D(c, x, w, bias, y) }, y)
		steady(t, "Conv2DGradInput", b, func() { b.Conv2DGradInput(c, w, dy, dx) }, dx)
		steady(t, "Conv2DGradFilter", b, func() { b.Conv2DGradFilter(c, x, dy, dw) }, dw)
		fused := bytes.Clone(y.Bytes())
		c.Act = op.NoActivation
		b.Conv2D(c, x, w, bias, y)
		b.Unary(op.UnaryTanh, 0, 0, y, y)
		if !bytes.Equal(fused, y.Bytes()) {
			t.Errorf("%v: the activation in the convolution gives other bits than after it", d)
		}
		c.Act = op.ActTanh
	}
}

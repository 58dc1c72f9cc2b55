package cpu

import (
	"bytes"
	"testing"

	"paddle/op"
)

// testConv has a different number in each field.
var testConv = op.ConvSpec{
	Batch: 3, Channels: 4, Height: 17, Width: 14, Filters: 6, OutHeight: 8, OutWidth: 5, KernelHeight: 3, KernelWidth: 2,
	StrideHeight: 2, StrideWidth: 3, DilationHeight: 2, DilationWidth: 4, PadTop: 1, PadBottom: 2, PadLeft: 0, PadRight: 3, Groups: 2,
}

// eachProduct calls f with the places in x, w and y of every product that Conv2D adds up.
func eachProduct(c op.ConvSpec, f func(x, w, y int)) {
	channels, filters := c.Channels/c.Groups, c.Filters/c.Groups
	positions([]int{c.Batch, c.Filters, c.OutHeight, c.OutWidth}, func(y int, out []int) {
		positions([]int{channels, c.KernelHeight, c.KernelWidth}, func(tap int, in []int) {
			h := out[2]*c.StrideHeight + in[1]*c.DilationHeight - c.PadTop
			w := out[3]*c.StrideWidth + in[2]*c.DilationWidth - c.PadLeft
			if h < 0 || h >= c.Height || w < 0 || w >= c.Width {
				return
			}
			channel := out[1]/filters*channels + in[0]
			f(((out[0]*c.Channels+channel)*c.Height+h)*c.Width+w, out[1]*channels*c.KernelHeight*c.KernelWidth+tap, y)
		})
	})
}

// convBuffers returns x, w, bias and dy of a convolution.
func convBuffers(c op.ConvSpec, d op.DType) (x, w, bias, dy op.Buffer) {
	r := newRand(1)
	return random(r, d, c.Batch, c.Channels, c.Height, c.Width), random(r, d, c.Filters, c.Channels/c.Groups, c.KernelHeight, c.KernelWidth),
		random(r, d, c.Filters), random(r, d, c.Batch, c.Filters, c.OutHeight, c.OutWidth)
}

func TestConv2D(t *testing.T) {
	b := New()
	b.SetThreads(2)
	for _, d := range bothFloats {
		x, w, bias, dy := convBuffers(testConv, d)
		y, dx, dw := like(dy), like(x), like(w)
		wantY, wantX, wantW := make([]float64, y.Len()), make([]float64, x.Len()), make([]float64, w.Len())
		eachProduct(testConv, func(i, j, k int) {
			wantY[k] += get(x, i) * get(w, j)
			wantX[i] += get(dy, k) * get(w, j)
			wantW[j] += get(dy, k) * get(x, i)
		})
		b.Conv2D(testConv, x, w, op.Buffer{}, y)
		check(t, "Conv2D", y, wantY, 30*tolerance(d))
		b.Conv2DGradInput(testConv, w, dy, dx)
		check(t, "Conv2DGradInput", dx, wantX, 30*tolerance(d))
		b.Conv2DGradFilter(testConv, x, dy, dw)
		check(t, "Conv2DGradFilter", dw, wantW, 100*tolerance(d))
		for i := range wantY {
			wantY[i] += get(bias, i/(testConv.OutHeight*testConv.OutWidth)%testConv.Filters)
		}
		b.Conv2D(testConv, x, w, bias, y)
		check(t, "Conv2D with bias", y, wantY, 30*tolerance(d))
	}
}

func TestConv2DActivation(t *testing.T) {
	b := New()
	for _, d := range bothFloats {
		for act, f := range map[op.Activation]op.UnaryFunc{op.ActReLU: op.UnaryReLU, op.ActSigmoid: op.UnarySigmoid, op.ActTanh: op.UnaryTanh} {
			c := testConv
			x, w, bias, y := convBuffers(c, d)
			want := like(y)
			b.Conv2D(c, x, w, bias, want)
			b.Unary(f, 0, 0, want, want)
			c.Act = act
			b.Conv2D(c, x, w, bias, y)
			if !bytes.Equal(y.Bytes(), want.Bytes()) {
				t.Errorf("Conv2D of %v with activation %d gives other bits than UnaryFunc %d afterwards", d, act, f)
			}
		}
	}
}

func TestConv2DIsSteady(t *testing.T) {
	b := New()
	for _, d := range bothFloats {
		x, w, bias, y := convBuffers(testConv, d)
		dx, dw := like(x), like(w)
		steady(t, "Conv2DGradInput", b, func() { b.Conv2DGradInput(testConv, w, y, dx) }, dx)
		steady(t, "Conv2DGradFilter", b, func() { b.Conv2DGradFilter(testConv, x, y, dw) }, dw)
		c := testConv
		c.Act = op.ActTanh
		steady(t, "Conv2D", b, func() { b.Conv2D(c, x, w, bias, y) }, y)
	}
}

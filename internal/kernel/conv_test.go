package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// convolution is a random convolution.
type convolution[T Float] struct {
	ConvShape
	x, w, bias, dy []T
	relu           bool
	act            Unary[T]
}

func (c *convolution[T]) String() string {
	return fmt.Sprintf("%T %+v bias %v relu %v act %v", T(0), c.ConvShape, c.bias != nil, c.relu, c.act != nil)
}

// outSize sets the sizes of the output; ok is false where there is none.
func outSize(s *ConvShape) (ok bool) {
	h := s.Height + s.PadTop + s.PadBottom - (s.KernelHeight-1)*s.DilationHeight - 1
	w := s.Width + s.PadLeft + s.PadRight - (s.KernelWidth-1)*s.DilationWidth - 1
	s.OutHeight, s.OutWidth = h/s.StrideHeight+1, w/s.StrideWidth+1
	return h >= 0 && w >= 0
}

func newConvolution[T Float](r *rand.Rand, s ConvShape) *convolution[T] {
	if !outSize(&s) {
		return nil
	}
	c := &convolution[T]{ConvShape: s}
	c.x = random[T](r, s.Batch*s.Channels*s.Height*s.Width)
	c.w = random[T](r, s.Filters*s.depth())
	c.dy = random[T](r, s.Batch*s.Filters*s.pixels())
	if r.IntN(2) == 0 {
		c.bias = random[T](r, s.Filters)
	}
	switch r.IntN(3) {
	case 0:
		c.relu = true
	case 1:
		c.act = Square[T]
	}
	return c
}

// eachTap calls f for every pair of an element of y and an element of x that a tap joins, with their places and the tap's.
func (s *ConvShape) eachTap(f func(y, x, w int)) {
	channels, filters := s.group()
	for y := range s.Batch * s.Filters * s.pixels() {
		j, i := y%s.OutWidth, y/s.OutWidth%s.OutHeight
		filter, n := y/s.pixels()%s.Filters, y/s.pixels()/s.Filters
		for t := range s.depth() {
			kx, ky, c := t%s.KernelWidth, t/s.KernelWidth%s.KernelHeight, t/s.taps()+filter/filters*channels
			row := i*s.StrideHeight + ky*s.DilationHeight - s.PadTop
			col := j*s.StrideWidth + kx*s.DilationWidth - s.PadLeft
			if row >= 0 && row < s.Height && col >= 0 && col < s.Width {
				f(y, ((n*s.Channels+c)*s.Height+row)*s.Width+col, filter*s.depth()+t)
			}
		}
	}
}

// sums are sums of products in float64, with the sums of their absolute values and the number of terms.
type sums struct{ sum, scale, terms []float64 }

func newSums(n int) sums { return sums{make([]float64, n), make([]float64, n), make([]float64, n)} }

func (s *sums) add(i int, v float64) {
	s.sum[i] += v
	s.scale[i] += math.Abs(v)
	s.terms[i]++
}

func checkSums[T Float](t *testing.T, what fmt.Stringer, name string, got []T, want sums) {
	t.Helper()
	for i, v := range got {
		if err := math.Abs(float64(v) - want.sum[i]); !(err <= epsilon[T]()*(want.terms[i]+4)*want.scale[i]) {
			t.Fatalf("%v: %s[%d] is %v, want %v (error %.3g)", what, name, i, v, want.sum[i], err)
		}
	}
}

// convKernels are used for one convolution after another, as a program does.
type convKernels[T Float] struct {
	y  Conv[T]
	dx ConvGradInput[T]
	dw ConvGradFilter[T]
}

func (k *convKernels[T]) forward(c *convolution[T], threads int) []T {
	k.y.ConvShape, k.y.X, k.y.W, k.y.Bias, k.y.ReLU, k.y.Act = c.ConvShape, c.x, c.w, c.bias, c.relu, c.act
	k.y.Y = slices.Repeat([]T{T(math.NaN())}, len(c.dy))
	k.y.Run(Workers(), threads)
	return k.y.Y
}

func (k *convKernels[T]) gradInput(c *convolution[T], threads int) []T {
	k.dx.ConvShape, k.dx.W, k.dx.DY = c.ConvShape, c.w, c.dy
	k.dx.DX = slices.Repeat([]T{T(math.NaN())}, len(c.x))
	k.dx.Run(Workers(), threads)
	return k.dx.DX
}

func (k *convKernels[T]) gradFilter(c *convolution[T], threads int) []T {
	k.dw.ConvShape, k.dw.X, k.dw.DY = c.ConvShape, c.x, c.dy
	k.dw.DW = slices.Repeat([]T{T(math.NaN())}, len(c.w))
	k.dw.Run(Workers(), threads)
	return k.dw.DW
}

func (c *convolution[T]) check(t *testing.T, k *convKernels[T]) {
	t.Helper()
	y, dx, dw := newSums(len(c.dy)), newSums(len(c.x)), newSums(len(c.w))
	c.eachTap(func(i, j, tap int) {
		y.add(i, float64(c.w[tap])*float64(c.x[j]))
		dx.add(j, float64(c.w[tap])*float64(c.dy[i]))
		dw.add(tap, float64(c.x[j])*float64(c.dy[i]))
	})
	for i := range y.sum {
		if c.bias != nil {
			y.add(i, float64(c.bias[i/c.pixels()%c.Filters]))
		}
		if c.relu {
			y.sum[i] = max(y.sum[i], 0)
		}
		if c.act != nil {
			y.sum[i], y.scale[i] = y.sum[i]*y.sum[i], 2*math.Abs(y.sum[i])*y.scale[i]
		}
	}
	checkSums(t, c, "y", k.forward(c, 1), y)
	checkSums(t, c, "dx", k.gradInput(c, 1), dx)
	checkSums(t, c, "dw", k.gradFilter(c, 1), dw)
}

// randomShape draws sizes up to most.
func randomShape(r *rand.Rand, most int) ConvShape {
	n := func(lo, hi int) int { return lo + r.IntN(hi-lo+1) }
	g := n(1, 3)
	return ConvShape{
		Batch: n(1, 4), Channels: g * n(1, most), Height: n(1, 2*most), Width: n(1, 4*most), Filters: g * n(1, 2*most), Groups: g,
		KernelHeight: n(1, 4), KernelWidth: n(1, 5), StrideHeight: n(1, 3), StrideWidth: n(1, 3),
		DilationHeight: n(1, 2), DilationWidth: n(1, 3), PadTop: n(0, 2), PadBottom: n(0, 3), PadLeft: n(0, 3), PadRight: n(0, 2),
	}
}

// simpleShape is a square convolution without dilation.
func simpleShape(batch, channels, size, filters, kernel, stride, pad, groups int) ConvShape {
	return ConvShape{
		Batch: batch, Channels: channels, Height: size, Width: size, Filters: filters, Groups: groups,
		KernelHeight: kernel, KernelWidth: kernel, StrideHeight: stride, StrideWidth: stride, DilationHeight: 1, DilationWidth: 1,
		PadTop: pad, PadBottom: pad, PadLeft: pad, PadRight: pad,
	}
}

// convShapes are shapes that take each way through the kernels.
var convShapes = []ConvShape{
	simpleShape(5, 1, 28, 20, 5, 1, 0, 1),  // one channel
	simpleShape(3, 20, 12, 50, 5, 1, 0, 1), // depth over one block of K
	simpleShape(2, 3, 50, 7, 3, 2, 1, 1),   // several bands
	simpleShape(2, 6, 9, 6, 3, 1, 1, 6),    // a filter for each channel
	simpleShape(3, 17, 7, 190, 1, 1, 0, 1), // 1×1, more filters than a block of rows
	simpleShape(2, 40, 5, 30, 3, 1, 1, 1),  // many images in one step
	simpleShape(1, 2, 90, 3, 3, 1, 1, 1),   // rows of one image divided
	simpleShape(1, 3, 6, 400, 3, 1, 1, 1),  // more filters than a block of K
	simpleShape(70, 1, 3, 2, 2, 1, 0, 1),   // more units than parts
	simpleShape(2, 2, 5, 3, 3, 1, 4, 1),    // windows that see padding only
	simpleShape(2, 2, 9, 3, 2, 4, 0, 1),    // columns that no window sees
	simpleShape(0, 2, 9, 3, 2, 1, 0, 1),    // no image
	simpleShape(2, 0, 4, 3, 2, 1, 0, 1),    // no channel: the bias alone
	simpleShape(2, 2, 4, 0, 2, 1, 0, 1),    // no filter
	simpleShape(1, 4, 200, 2, 3, 1, 0, 1),  // a long row
	simpleShape(3, 17, 4, 9, 1, 1, 0, 1),   // 1×1, read where it is, rows shorter than a vector
	simpleShape(2, 6, 16, 4, 1, 1, 0, 2),   // the same in groups, many images in one step
	simpleShape(2, 80, 48, 40, 1, 1, 0, 1), // the same, rows divided
	{ // rows of padding under the image that are a step of their own
		Batch: 2, Channels: 2, Height: 2, Width: 300, Filters: 3, Groups: 1, KernelHeight: 1, KernelWidth: 1, StrideHeight: 1, StrideWidth: 1,
		DilationHeight: 1, DilationWidth: 1, PadTop: 3, PadBottom: 4,
	},
}

func TestConv(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		t.Run("float32", testConv[float32])
		t.Run("float64", testConv[float64])
	})
}

func testConv[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var k convKernels[T]
	for _, s := range convShapes {
		newConvolution[T](r, s).check(t, &k)
	}
	for i := range 300 {
		if c := newConvolution[T](r, randomShape(r, 2+i/60)); c != nil {
			c.check(t, &k)
		}
	}
}

func TestConvBitsDoNotDependOnThreads(t *testing.T) {
	withProcs(t, 8)
	withKernels(t, func(t *testing.T) {
		t.Run("float32", testConvThreads[float32])
		t.Run("float64", testConvThreads[float64])
	})
}

func testConvThreads[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var k convKernels[T]
	for _, s := range convShapes {
		c := newConvolution[T](r, s)
		y, dx, dw := k.forward(c, 1), k.gradInput(c, 1), k.gradFilter(c, 1)
		for _, threads := range []int{2, 3, 8} {
			if !sameBits(k.forward(c, threads), y) || !sameBits(k.gradInput(c, threads), dx) || !sameBits(k.gradFilter(c, threads), dw) {
				t.Errorf("%v: %d threads give other bits than one", c, threads)
			}
		}
	}
}

// An image gives the same bits alone and in a batch.
func TestConvBitsOfAnImage(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		c := newConvolution[float32](r, simpleShape(5, 20, 14, 50, 5, 1, 2, 1))
		var k convKernels[float32]
		y, dx := k.forward(c, 1), k.gradInput(c, 1)
		one := *c
		one.Batch, one.x, one.dy = 1, c.x[:len(c.x)/5], c.dy[:len(c.dy)/5]
		if !sameBits(k.forward(&one, 1), y[:len(y)/5]) || !sameBits(k.gradInput(&one, 1), dx[:len(dx)/5]) {
			t.Error("an image gives other bits alone than in a batch")
		}
	})
}

func TestConvAllocatesNothing(t *testing.T) {
	withProcs(t, 2)
	r := rand.New(rand.NewPCG(7, 8))
	var k convKernels[float32]
	var cs []*convolution[float32]
	for _, s := range convShapes[:6] {
		cs = append(cs, newConvolution[float32](r, s))
	}
	y := make([]float32, 1<<20)
	run := func() {
		for _, c := range cs {
			k.y.ConvShape, k.y.X, k.y.W, k.y.Y = c.ConvShape, c.x, c.w, y[:len(c.dy)]
			k.dx.ConvShape, k.dx.W, k.dx.DY, k.dx.DX = c.ConvShape, c.w, c.dy, y[:len(c.x)]
			k.dw.ConvShape, k.dw.X, k.dw.DY, k.dw.DW = c.ConvShape, c.x, c.dy, y[:len(c.w)]
			k.y.Run(Workers(), 2)
			k.dx.Run(Workers(), 2)
			k.dw.Run(Workers(), 2)
		}
	}
	if n := allocations(5, run); n != 0 {
		t.Errorf("5 rounds allocate %d times", n)
	}
}

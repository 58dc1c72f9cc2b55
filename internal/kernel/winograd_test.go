package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// winogradKernels are used for one convolution after another, as a program does.
type winogradKernels struct {
	y, dx Winograd
	dw    WinogradGradFilter
}

func (k *winogradKernels) forward(c *convolution[float32], threads int) []float32 {
	k.y.ConvShape, k.y.X, k.y.W, k.y.Bias, k.y.ReLU, k.y.Act = c.ConvShape, c.x, c.w, c.bias, c.relu, c.act
	k.y.Y = slices.Repeat([]float32{nan32}, len(c.dy))
	k.y.Run(Workers(), threads)
	return k.y.Y
}

func (k *winogradKernels) gradInput(c *convolution[float32], threads int) []float32 {
	k.dx.ConvShape, k.dx.X, k.dx.W, k.dx.GradInput = c.ConvShape, c.dy, c.w, true
	k.dx.Y = slices.Repeat([]float32{nan32}, len(c.x))
	k.dx.Run(Workers(), threads)
	return k.dx.Y
}

func (k *winogradKernels) gradFilter(c *convolution[float32], threads int) []float32 {
	k.dw.ConvShape, k.dw.X, k.dw.DY = c.ConvShape, c.x, c.dy
	k.dw.DW = slices.Repeat([]float32{nan32}, len(c.w))
	k.dw.Run(Workers(), threads)
	return k.dw.DW
}

var nan32 = float32(math.NaN())

// randomThree draws the shape of a convolution of 3 × 3 filters and stride 1.
func randomThree(r *rand.Rand, most int) ConvShape {
	n := func(lo, hi int) int { return lo + r.IntN(hi-lo+1) }
	g := n(1, 2)
	return ConvShape{
		Batch: n(1, 5), Channels: g * n(1, most), Height: n(1, 2*most), Width: n(1, 4*most), Filters: g * n(1, 2*most), Groups: g,
		KernelHeight: 3, KernelWidth: 3, StrideHeight: 1, StrideWidth: 1, DilationHeight: 1, DilationWidth: 1,
		PadTop: n(0, 2), PadBottom: n(0, 2), PadLeft: n(0, 2), PadRight: n(0, 2),
	}
}

// randomLong draws one whose rows are so long that blocks of tiles are pieces of them.
func randomLong(r *rand.Rand) ConvShape {
	s := randomThree(r, 1)
	s.Batch, s.Height, s.Width = 1, 1+r.IntN(4), 2*longRow*256+r.IntN(300)
	return s
}

// wholeNumbers replaces the operands by small integers, those of the filters divisible by four: then all transforms are exact.
func (c *convolution[T]) wholeNumbers(r *rand.Rand) {
	for _, s := range [][]T{c.x, c.dy, c.bias} {
		for i := range s {
			s[i] = T(r.IntN(9) - 4)
		}
	}
	for i := range c.w {
		c.w[i] = T(4 * (r.IntN(5) - 2))
	}
}

// TestWinogradIsExactOnIntegers holds the convolution and its gradients, on integers, to the sums of products: they are equal.
func TestWinogradIsExactOnIntegers(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(51, 52))
		var k winogradKernels
		for i := range 212 {
			s := randomThree(r, 6)
			if i < 12 {
				s = randomLong(r)
			}
			c := newConvolution[float32](r, s)
			if c == nil {
				continue
			}
			c.wholeNumbers(r)
			y, dx, dw := make([]float64, len(c.dy)), make([]float64, len(c.x)), make([]float64, len(c.w))
			c.eachTap(func(i, j, tap int) {
				y[i] += float64(c.w[tap]) * float64(c.x[j])
				dx[j] += float64(c.w[tap]) * float64(c.dy[i])
				dw[tap] += float64(c.x[j]) * float64(c.dy[i])
			})
			for i := range y {
				if c.bias != nil {
					y[i] += float64(c.bias[i/c.pixels()%c.Filters])
				}
				if c.relu {
					y[i] = max(y[i], 0)
				}
				if c.act != nil {
					y[i] *= y[i]
				}
			}
			checkEqual(t, c, "y", k.forward(c, 1), y)
			checkEqual(t, c, "dx", k.gradInput(c, 1), dx)
			checkEqual(t, c, "dw", k.gradFilter(c, 1), dw)
		}
	})
}

func checkEqual(t *testing.T, c *convolution[float32], name string, got []float32, want []float64) {
	t.Helper()
	for i, v := range got {
		if float64(v) != want[i] {
			t.Fatalf("%v: %s[%d] is %v, want %v", c, name, i, v, want[i])
		}
	}
}

// TestWinogradBitsDoNotDependOnThreads includes that an image gives the same bits alone and in a batch.
func TestWinogradBitsDoNotDependOnThreads(t *testing.T) {
	withProcs(t, 8)
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(53, 54))
		var k winogradKernels
		for _, s := range []ConvShape{
			simpleShape(5, 20, 13, 50, 3, 1, 1, 1),
			simpleShape(9, 64, 7, 70, 3, 1, 1, 2),
			simpleShape(1, 330, 8, 40, 3, 1, 0, 1),
			simpleShape(2, 12, 60, 24, 3, 1, 2, 1),
			randomLong(r),
		} {
			c := newConvolution[float32](r, s)
			y, dx, dw := k.forward(c, 1), k.gradInput(c, 1), k.gradFilter(c, 1)
			for _, threads := range []int{2, 3, 8} {
				if !sameBits(k.forward(c, threads), y) || !sameBits(k.gradInput(c, threads), dx) || !sameBits(k.gradFilter(c, threads), dw) {
					t.Errorf("%v: %d threads give other bits than one", c, threads)
				}
			}
			one := *c
			one.Batch, one.x, one.dy = 1, c.x[:len(c.x)/c.Batch], c.dy[:len(c.dy)/c.Batch]
			if !sameBits(k.forward(&one, 1), y[:len(one.dy)]) || !sameBits(k.gradInput(&one, 1), dx[:len(one.x)]) {
				t.Errorf("%v: an image gives other bits alone than in a batch", c)
			}
		}
	})
}

// TestWinogradError holds the rounding errors to those of the sums of products, whose terms are the same: the mean square of all elements is at
// most six times as large, and the largest error four times.
func TestWinogradError(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(55, 56))
		var k winogradKernels
		var direct convKernels[float32]
		for _, s := range []ConvShape{simpleShape(2, 64, 14, 32, 3, 1, 1, 1), simpleShape(3, 8, 20, 8, 3, 1, 0, 1)} {
			c := newConvolution[float32](r, s)
			c.bias, c.relu, c.act = nil, false, nil
			y, dx, dw := make([]float64, len(c.dy)), make([]float64, len(c.x)), make([]float64, len(c.w))
			c.eachTap(func(i, j, tap int) {
				y[i] += float64(c.w[tap]) * float64(c.x[j])
				dx[j] += float64(c.w[tap]) * float64(c.dy[i])
				dw[tap] += float64(c.x[j]) * float64(c.dy[i])
			})
			for _, g := range []struct {
				name        string
				got, direct []float32
				want        []float64
			}{
				{"y", k.forward(c, 1), direct.forward(c, 1), y},
				{"dx", k.gradInput(c, 1), direct.gradInput(c, 1), dx},
				{"dw", k.gradFilter(c, 1), direct.gradFilter(c, 1), dw},
			} {
				square, most := differences(g.got, g.want)
				squareDirect, mostDirect := differences(g.direct, g.want)
				t.Logf("%s: mean square %.2f, largest %.2f of the sum of products'", g.name, square/squareDirect, most/mostDirect)
				if square > 6*squareDirect || most > 4*mostDirect {
					t.Errorf("%v: %s has errors of mean square %.3g, at most %.3g; the sum of products %.3g, %.3g", c, g.name, square, most, squareDirect, mostDirect)
				}
			}
		}
	})
}

// differences returns the mean square and the largest of the differences.
func differences(got []float32, want []float64) (square, most float64) {
	for i, v := range got {
		e := math.Abs(float64(v) - want[i])
		square += e * e / float64(len(got))
		most = max(most, e)
	}
	return square, most
}

func TestWinogradAllocatesNothing(t *testing.T) {
	withProcs(t, 2)
	r := rand.New(rand.NewPCG(59, 60))
	var k winogradKernels
	var cs []*convolution[float32]
	for _, s := range []ConvShape{simpleShape(5, 20, 13, 50, 3, 1, 1, 1), simpleShape(9, 64, 7, 70, 3, 1, 1, 2), simpleShape(2, 12, 60, 24, 3, 1, 2, 1)} {
		cs = append(cs, newConvolution[float32](r, s))
	}
	y := make([]float32, 1<<20)
	run := func() {
		for _, c := range cs {
			k.y.ConvShape, k.y.X, k.y.W, k.y.Y = c.ConvShape, c.x, c.w, y[:len(c.dy)]
			k.dx.ConvShape, k.dx.W, k.dx.X, k.dx.Y, k.dx.GradInput = c.ConvShape, c.w, c.dy, y[:len(c.x)], true
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

// TestWinogradOfLongRows holds the tiles of a block to a bound, for its patches and products lie in memory at a time.
func TestWinogradOfLongRows(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		k := kernels[float32]()
		for _, width := range []int{100, 1000, 2100, 5000, 1 << 20} {
			s := simpleShape(1, 64, 6, 64, 3, 1, 1, 1)
			s.Width = width
			outSize(&s)
			tiling := s.tiling()
			forward, grad := cutWinograd(k, &s, &tiling).tileCut, cutWinogradGrad(k, &s, &tiling).tileCut
			for _, c := range []tileCut{forward, grad} {
				tiles := 0
				for i := range c.blocks() {
					b := c.block(&tiling, i)
					if tiles += b.tiles(); b.tiles() > longRow*k.kBlock {
						t.Fatalf("width %d: block %d has %d tiles, want at most %d", width, i, b.tiles(), longRow*k.kBlock)
					}
				}
				if tiles != tiling.pixels() {
					t.Errorf("width %d: blocks of %d tiles, want %d", width, tiles, tiling.pixels())
				}
			}
		}
	})
}

// TestIsWinograd says which convolutions are computed from transformed patches.
func TestIsWinograd(t *testing.T) {
	change := func(f func(s *ConvShape)) ConvShape {
		s := simpleShape(1, 16, 12, 16, 3, 1, 1, 1)
		f(&s)
		return s
	}
	for _, c := range []struct {
		what string
		s    ConvShape
		want bool
	}{
		{"3 × 3", change(func(s *ConvShape) {}), true},
		{"few channels", change(func(s *ConvShape) { s.Channels, s.Filters = 7, 64 }), false},
		{"few filters", change(func(s *ConvShape) { s.Filters = 4 }), true},
		{"a filter for each channel", change(func(s *ConvShape) { s.Groups = 16 }), false},
		{"stride 2", change(func(s *ConvShape) { s.StrideHeight = 2 }), false},
		{"dilation 2", change(func(s *ConvShape) { s.DilationWidth = 2 }), false},
		{"3 × 2", change(func(s *ConvShape) { s.KernelWidth = 2 }), false},
		{"wide padding", change(func(s *ConvShape) { s.PadLeft = 3 }), false},
		{"a small image", change(func(s *ConvShape) { s.Height = 2 }), false},
		{"no image", change(func(s *ConvShape) { s.Batch = 0 }), false},
	} {
		if outSize(&c.s); c.s.IsWinograd() != c.want {
			t.Errorf("%s: %v, want %v", c.what, !c.want, c.want)
		}
	}
	for images, want := range map[int]bool{1: false, 8: false, 32: true} {
		s := simpleShape(images, 512, 7, 512, 3, 1, 1, 1)
		if outSize(&s); !s.IsWinograd() || s.IsWinogradGradFilter() != want {
			t.Errorf("the gradient for the filters from %d images of 7 × 7: %v, want %v", images, !want, want)
		}
	}
}

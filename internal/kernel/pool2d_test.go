package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// eachWindow calls f for every element of every window, in order, with the number of elements of the window in the image and in the
// padded image.
func (s *PoolShape) eachWindow(f func(y, x, inside, padded int)) {
	for i := range s.OutHeight {
		for j := range s.OutWidth {
			var places []int
			padded := 0
			for h := i*s.StrideHeight - s.PadTop; h < i*s.StrideHeight-s.PadTop+s.KernelHeight; h++ {
				for w := j*s.StrideWidth - s.PadLeft; w < j*s.StrideWidth-s.PadLeft+s.KernelWidth; w++ {
					if h < s.Height+s.PadBottom && w < s.Width+s.PadRight {
						padded++
					}
					if h >= 0 && h < s.Height && w >= 0 && w < s.Width {
						places = append(places, h*s.Width+w)
					}
				}
			}
			for _, x := range places {
				f(i*s.OutWidth+j, x, len(places), padded)
			}
		}
	}
}

// eachPool calls f with random shapes, some of one window for the whole plane; rounding up, a last window may reach beyond the padding.
func eachPool(f func(s *PoolShape, r *rand.Rand)) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s := PoolShape{KernelHeight: 1 + r.IntN(4), KernelWidth: 1 + r.IntN(4), StrideHeight: 1 + r.IntN(3), StrideWidth: 1 + r.IntN(3)}
		s.PadTop, s.PadBottom = r.IntN(s.KernelHeight), r.IntN(s.KernelHeight)
		s.PadLeft, s.PadRight = r.IntN(s.KernelWidth), r.IntN(s.KernelWidth)
		s.Height, s.Width = s.KernelHeight+r.IntN(8), s.KernelWidth+r.IntN(90)
		s.OutHeight = outCount(r, s.Height, s.KernelHeight, s.StrideHeight, s.PadTop, s.PadBottom)
		s.OutWidth = outCount(r, s.Width, s.KernelWidth, s.StrideWidth, s.PadLeft, s.PadRight)
		s.CountPadding = r.IntN(2) == 0
		f(&s, r)
		high, wide := 1+r.IntN(9), 1+r.IntN(20)
		f(&PoolShape{Height: high, Width: wide, OutHeight: 1, OutWidth: 1, KernelHeight: high, KernelWidth: wide, StrideHeight: high, StrideWidth: wide}, r)
	}
}

func outCount(r *rand.Rand, size, kernel, stride, before, after int) int {
	n := (size+before+after-kernel)/stride + 1
	if r.IntN(2) == 0 && n*stride < size+before {
		n++
	}
	return n
}

func TestMaxPool2D(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		eachPool(func(s *PoolShape, r *rand.Rand) {
			testMaxPool2D[float32](t, s, r)
			testMaxPool2D[float64](t, s, r)
		})
	})
}

func testMaxPool2D[T Float](t *testing.T, s *PoolShape, r *rand.Rand) {
	x := make([]T, s.Height*s.Width)
	for i := range x {
		x[i] = T(r.IntN(7) - 9) // few numbers, so that there are equals
		if r.IntN(20) == 0 {
			x[i] = T(math.NaN())
		}
	}
	n := s.OutHeight * s.OutWidth
	want := slices.Repeat([]int32{-1}, n)
	s.eachWindow(func(y, at, _, _ int) {
		if w := want[y]; w < 0 || x[w] == x[w] && !(x[at] <= x[w]) {
			want[y] = int32(at)
		}
	})
	y, index := make([]T, n), make([]int32, n)
	MaxPool2D(s, x, y, index)
	if !slices.Equal(index, want) {
		t.Fatalf("%T %+v of %v: index %v, want %v", T(0), *s, x, index, want)
	}
	only := make([]T, n)
	MaxPool2D(s, x, only, nil)
	for i, at := range want {
		same := y[i] == x[at] || x[at] != x[at] && y[i] != y[i]
		if !same || math.Float64bits(float64(only[i])) != math.Float64bits(float64(y[i])) {
			t.Fatalf("%T %+v: y[%d] is %v, without index %v, want %v", T(0), *s, i, y[i], only[i], x[at])
		}
	}
	testMaxPool2DGrad[T](t, s, want, r)
}

func testMaxPool2DGrad[T Float](t *testing.T, s *PoolShape, index []int32, r *rand.Rand) {
	dy := make([]T, len(index))
	want := make([]T, s.Height*s.Width)
	for i, at := range index {
		dy[i] = T(r.IntN(100)) // sums are exact
		want[at] += dy[i]
	}
	dx := random[T](r, len(want))
	MaxPool2DGrad(index, dy, dx)
	if !slices.Equal(dx, want) {
		t.Fatalf("%T %+v: dx is %v, want %v", T(0), *s, dx, want)
	}
}

type poolName struct{ *PoolShape }

func (p poolName) String() string { return fmt.Sprintf("%+v", *p.PoolShape) }

func TestAvgPool2D(t *testing.T) {
	eachPool(func(s *PoolShape, r *rand.Rand) {
		testAvgPool2D[float32](t, s, r)
		testAvgPool2D[float64](t, s, r)
	})
}

func testAvgPool2D[T Float](t *testing.T, s *PoolShape, r *rand.Rand) {
	x, dy := random[T](r, s.Height*s.Width), random[T](r, s.OutHeight*s.OutWidth)
	y, dx := newSums(len(dy)), newSums(len(x))
	s.eachWindow(func(i, at, inside, padded int) {
		n := inside
		if s.CountPadding {
			n = padded
		}
		y.add(i, float64(x[at])/float64(n))
		dx.add(at, float64(dy[i])/float64(n))
	})
	got := random[T](r, len(dy))
	AvgPool2D(s, x, got)
	checkSums(t, poolName{s}, "y", got, y)
	got = random[T](r, len(x))
	AvgPool2DGrad(s, dy, got)
	checkSums(t, poolName{s}, "dx", got, dx)
}

func BenchmarkMaxPool2D(b *testing.B) {
	s := PoolShape{Height: 24, Width: 24, OutHeight: 12, OutWidth: 12, KernelHeight: 2, KernelWidth: 2, StrideHeight: 2, StrideWidth: 2}
	x := random[float32](rand.New(rand.NewPCG(1, 2)), 24*24)
	y, index := make([]float32, 144), make([]int32, 144)
	for range b.N {
		MaxPool2D(&s, x, y, index)
	}
}

package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// norms are normalisations with each activation.
func norms[T Float]() []Norm[T] {
	negative := T(math.Copysign(0, -1))
	return []Norm[T]{
		{Mean: 0.25, Scale: 1.5, Shift: -0.125},
		{Mean: 0.25, Scale: 1.5, Shift: -0.125, Act: NormReLU},
		{Mean: 0, Scale: -1, Shift: negative, Act: NormReLU}, // −0 where x is 0
		{Mean: 0.25, Scale: 1.5, Shift: -0.125, Act: NormClip, Low: 0, High: 0.5},
		{Mean: 0, Scale: -1, Shift: negative, Act: NormClip, Low: 0, High: 6},
		{Mean: 0, Scale: -1, Shift: negative, Act: NormClip, Low: negative, High: 6},
		{Mean: 0, Scale: -1, Shift: negative, Act: NormClip, Low: -0.5, High: 0.5},
	}
}

// channelOf returns n elements, some of them 0 and, if asked, infinite or NaN.
func channelOf[T Float](r *rand.Rand, n int, special bool) []T {
	x := random[T](r, n)
	for i := range x {
		switch k := r.IntN(20); {
		case k == 0:
			x[i] = 0
		case k == 1 && special:
			x[i] = T(math.NaN())
		case k == 2 && special:
			x[i] = T(math.Inf(1 - 2*r.IntN(2)))
		}
	}
	return x
}

// separately computes a Norm's result and what its activation lets through of dy by the functions that do one thing.
func (n *Norm[T]) separately(x, dy []T) (y, d []T) {
	v, y, d := make([]T, len(x)), make([]T, len(x)), slices.Clone(dy)
	Normalize(x, v, n.Mean, n.Scale, n.Shift)
	copy(y, v)
	switch n.Act {
	case NormReLU:
		ReLU(v, y, 0, 0)
		ReLUGrad(y, dy, d, 0, 0)
	case NormClip:
		Clip(v, y, float64(n.Low), float64(n.High))
		ClipGrad(v, dy, d, float64(n.Low), float64(n.High))
	}
	return y, d
}

func sameBitsOrNaN[T Float](a, b []T) bool {
	return slices.EqualFunc(a, b, func(v, w T) bool {
		return math.Float64bits(float64(v)) == math.Float64bits(float64(w)) || v != v && w != w
	})
}

// A Norm gives the bits of its functions one after the other.
func TestNormBits(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testNormBits[float32](t)
		testNormBits[float64](t)
	})
}

func testNormBits[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	for i, n := range norms[T]() {
		for range 60 {
			x := channelOf[T](r, r.IntN(70), true)
			dy, got := random[T](r, len(x)), make([]T, len(x))
			y, d := n.separately(x, dy)
			if n.Output(x, got); !sameBitsOrNaN(got, y) {
				t.Fatalf("%T: norm %d of %v is %v, want %v", T(0), i, x, got, y)
			}
			want := make([]T, len(x))
			NormalizeGrad(x, d, want, n.Mean, n.Scale, 0.75, -0.5)
			if n.Gradient(x, dy, dy, 0.75, -0.5); !sameBitsOrNaN(dy, want) {
				t.Fatalf("%T: the gradient of norm %d at %v is %v, want %v", T(0), i, x, dy, want)
			}
		}
	}
}

// The sums of a Norm are those of float64 but for rounding.
func TestNormSums(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testNormSums[float32](t)
		testNormSums[float64](t)
	})
}

func testNormSums[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	for i, n := range norms[T]() {
		for range 60 {
			x := channelOf[T](r, r.IntN(90), false)
			dy := random[T](r, len(x))
			_, d := n.separately(x, dy)
			want := newSums(4)
			for j, v := range x {
				want.add(0, float64(d[j]))
				want.add(1, float64(d[j])*float64(v-n.Mean))
				want.add(2, float64(v-n.Mean))
				want.add(3, float64(v-n.Mean)*float64(v-n.Mean))
			}
			sum, products := n.Products(x, dy)
			first, squares := MomentsAround(x, n.Mean)
			checkSums(t, normName(i), "sums", []T{T(sum), T(products), T(first), T(squares)}, want)
		}
	}
}

type normName int

func (n normName) String() string { return fmt.Sprintf("norm %d", int(n)) }

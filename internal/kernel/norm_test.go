package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// normOf is a Norm with the constants of one of its channels.
type normOf[T Float] struct {
	Norm[T]
	NormChannel[T]
}

// norms are normalisations with each activation.
func norms[T Float]() []normOf[T] {
	negative := T(math.Copysign(0, -1))
	k, zero := NormChannel[T]{0.25, 1.5, -0.125, 0.75, -0.5}, NormChannel[T]{0, -1, negative, 0.75, -0.5} // the second gives −0 for 0
	return []normOf[T]{
		{Norm[T]{}, k},
		{Norm[T]{Act: NormReLU}, k},
		{Norm[T]{Act: NormReLU}, zero},
		{Norm[T]{Act: NormClip, Low: 0, High: 0.5}, k},
		{Norm[T]{Act: NormClip, Low: 0, High: 6}, zero},
		{Norm[T]{Act: NormClip, Low: negative, High: 6}, zero},
		{Norm[T]{Act: NormClip, Low: -0.5, High: 0.5}, zero},
	}
}

// channels returns up to four channels that are not alike, and sets the size of a plane: now and then one in pieces.
func (n *normOf[T]) channels(r *rand.Rand) []NormChannel[T] {
	n.Inner = r.IntN(40)
	if r.IntN(20) == 0 {
		n.Inner = normPiece + r.IntN(3000)
	}
	c := make([]NormChannel[T], r.IntN(5))
	for i := range c {
		c[i] = n.NormChannel
		c[i].Slope += T(i)
		if n.Shift != 0 {
			c[i].Shift, c[i].Scale = n.Shift+T(i)/8, n.Scale-T(i)/4
		}
	}
	return c
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

// separately computes the result for a plane of channel k, and what the activation lets through of dy, by the functions that do one thing.
func (n *normOf[T]) separately(k NormChannel[T], x, dy []T) (y, d []T) {
	v, y, d := make([]T, len(x)), make([]T, len(x)), slices.Clone(dy)
	Normalize(x, v, k.Mean, k.Scale, k.Shift)
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
			c := n.channels(r)
			x := channelOf[T](r, len(c)*n.Inner, true)
			dy := random[T](r, len(x))
			y, dx := make([]T, len(x)), slices.Clone(dy)
			n.Output(c, x, y)
			n.Gradient(c, x, dx, dx)
			for j, k := range c {
				lo, hi := j*n.Inner, (j+1)*n.Inner
				want, d := n.separately(k, x[lo:hi], dy[lo:hi])
				if !sameBitsOrNaN(y[lo:hi], want) {
					t.Fatalf("%T: norm %d of %v is %v, want %v", T(0), i, x[lo:hi], y[lo:hi], want)
				}
				NormalizeGrad(x[lo:hi], d, want, k.Mean, k.Scale, k.Slope, k.Base)
				if !sameBitsOrNaN(dx[lo:hi], want) {
					t.Fatalf("%T: the gradient of norm %d at %v is %v, want %v", T(0), i, x[lo:hi], dx[lo:hi], want)
				}
			}
		}
	}
}

// The sums of a Norm are those of float64 but for rounding, and are added to what is there.
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
			c := n.channels(r)
			x := channelOf[T](r, len(c)*n.Inner, false)
			dy := random[T](r, len(x))
			want, got := newSums(4*len(c)), make([]float64, 4*len(c))
			for j, k := range c {
				lo, hi := j*n.Inner, (j+1)*n.Inner
				_, d := n.separately(k, x[lo:hi], dy[lo:hi])
				for part := range 4 {
					got[part*len(c)+j] = 1
					want.add(part*len(c)+j, 1)
				}
				for l, v := range x[lo:hi] {
					want.add(j, float64(d[l]))
					want.add(len(c)+j, float64(d[l])*float64(v-k.Mean))
					want.add(2*len(c)+j, float64(v-k.Shift))
					want.add(3*len(c)+j, float64(v-k.Shift)*float64(v-k.Shift))
				}
			}
			m := len(c)
			n.Products(c, x, dy, got[:m:m], got[m:2*m:2*m])
			n.Moments(c, x, got[2*m:3*m:3*m], got[3*m:])
			rounded := make([]T, len(got))
			Convert(got, rounded)
			checkSums(t, normName(i), "sums", rounded, want)
		}
	}
}

type normName int

func (n normName) String() string { return fmt.Sprintf("norm %d", int(n)) }

package kernel

import "math"

// Norm is the normalisation of planes of Inner elements, which follow one another and have a channel each: y = act((x − Mean)·Scale + Shift).
type Norm[T Float] struct {
	Inner     int
	Act       NormAct
	Low, High T    // of NormClip
	Wide      bool // sums are added up in float64 from the first element on
}

// NormChannel holds the constants of a channel.
type NormChannel[T Float] struct {
	Mean, Scale, Shift T
	Slope, Base        T // of the gradient
}

// NormAct is an activation in a Norm.
type NormAct uint8

// The activations.
const (
	NormPlain NormAct = iota // none
	NormReLU
	NormClip // min(max(v, Low), High), where High is not 0
)

// normPiece is the most elements whose sums may be added up in their own type, before they are added to a float64, unless a Norm is Wide. Then
// sums do not overflow where those of float64 do not.
const normPiece = 2048

// normTable holds the assembly of Norm: for planes of inner elements, with the constants of the first at k.
type normTable[T Float] struct {
	moments      func(planes, inner int, x []T, k *T, sum, squares []float64)
	clamp        func(planes, inner int, x, y []T, k *T, low, high, zero T)
	products     func(planes, inner int, x, dy []T, k *T, sum, products []float64)
	productsReLU func(planes, inner int, x, dy []T, k *T, sum, products []float64)
	productsClip func(planes, inner int, x, dy []T, k *T, sum, products []float64, low, high T)
	grad         func(planes, inner int, x, dy, dx []T, k *T)
	gradReLU     func(planes, inner int, x, dy, dx []T, k *T)
	gradClip     func(planes, inner int, x, dy, dx []T, k *T, low, high T)
}

// inPieces calls do for planes that are short enough, or else for pieces of one: of the channels and of the elements from lo to hi.
func (n *Norm[T]) inPieces(channels int, do func(first, planes, inner, lo, hi int)) {
	if n.Inner <= normPiece {
		do(0, channels, n.Inner, 0, channels*n.Inner)
		return
	}
	for c := range channels {
		for lo := c * n.Inner; lo < (c+1)*n.Inner; lo += normPiece {
			hi := min(lo+normPiece, (c+1)*n.Inner)
			do(c, 1, hi-lo, lo, hi)
		}
	}
}

// Moments adds Σ (x − Shift) and Σ (x − Shift)² of each plane to the sums of its channel.
func (n *Norm[T]) Moments(c []NormChannel[T], x []T, sum, squares []float64) {
	f := planes[T]().norm.moments
	n.inPieces(len(c), func(first, planes, inner, lo, hi int) {
		if f != nil && hi > lo && !n.Wide {
			f(planes, inner, x[lo:hi], &c[first].Mean, sum[first:], squares[first:])
			return
		}
		for i, v := range x[lo:hi] {
			at := first + i/inner
			d := float64(v - c[at].Shift)
			sum[at] += d
			squares[at] += float64(d * d)
		}
	})
}

// Output computes y; it may be x.
func (n *Norm[T]) Output(c []NormChannel[T], x, y []T) {
	x, y = x[:len(c)*n.Inner], y[:len(c)*n.Inner]
	low, high, zero := n.bounds()
	if f := planes[T]().norm.clamp; f != nil && len(x) > 0 {
		f(len(c), n.Inner, x, y, &c[0].Mean, low, high, zero)
		return
	}
	for i, k := range c {
		lo, hi := i*n.Inner, (i+1)*n.Inner
		Normalize(x[lo:hi], y[lo:hi], k.Mean, k.Scale, k.Shift)
		for j, v := range y[lo:hi] {
			y[lo+j] = min(max(v, low), high)
		}
	}
}

// bounds returns the activation as a clip, and what added to max(v, low) makes 0 of −0 where low is 0 but changes nothing else: −0 otherwise.
func (n *Norm[T]) bounds() (low, high, zero T) {
	switch n.Act {
	case NormPlain:
		low, high = T(math.Inf(-1)), T(math.Inf(1))
	case NormReLU:
		low, high = 0, T(math.Inf(1))
	default:
		low, high = n.Low, n.High
	}
	if low != 0 || math.Signbit(float64(low)) {
		zero = T(math.Copysign(0, -1))
	}
	return low, high, zero
}

// through returns what the activation lets through of dy.
func (n *Norm[T]) through(k *NormChannel[T], x, dy T) T {
	switch v := T((x-k.Mean)*k.Scale) + k.Shift; {
	case n.Act == NormReLU && v <= 0, n.Act == NormClip && !(v >= n.Low && v <= n.High):
		return 0
	}
	return dy
}

// Products adds Σ d and Σ d·(x − Mean) of each plane to the sums of its channel, for what the activation lets through of dy, d.
func (n *Norm[T]) Products(c []NormChannel[T], x, dy []T, sum, products []float64) {
	t := &planes[T]().norm
	n.inPieces(len(c), func(first, planes, inner, lo, hi int) {
		x, dy, sum, products := x[lo:hi], dy[lo:hi], sum[first:], products[first:]
		switch {
		case t.products == nil || lo == hi || n.Wide:
			for i, v := range dy {
				at := first + i/inner
				d := float64(n.through(&c[at], x[i], v))
				sum[at-first] += d
				products[at-first] += float64(d * float64(x[i]-c[at].Mean))
			}
		case n.Act == NormReLU:
			t.productsReLU(planes, inner, x, dy, &c[first].Mean, sum, products)
		case n.Act == NormClip:
			t.productsClip(planes, inner, x, dy, &c[first].Mean, sum, products, n.Low, n.High)
		default:
			t.products(planes, inner, x, dy, &c[first].Mean, sum, products)
		}
	})
}

// Gradient computes dx = d·Scale + (x − Mean)·Slope + Base for what the activation lets through of dy, d; dx may be dy.
func (n *Norm[T]) Gradient(c []NormChannel[T], x, dy, dx []T) {
	size := len(c) * n.Inner
	x, dy, dx = x[:size], dy[:size], dx[:size]
	t := &planes[T]().norm
	switch {
	case t.grad == nil || size == 0:
		for i, v := range x {
			k := &c[i/n.Inner]
			dx[i] = T(n.through(k, v, dy[i])*k.Scale) + T((v-k.Mean)*k.Slope) + k.Base
		}
	case n.Act == NormReLU:
		t.gradReLU(len(c), n.Inner, x, dy, dx, &c[0].Mean)
	case n.Act == NormClip:
		t.gradClip(len(c), n.Inner, x, dy, dx, &c[0].Mean, n.Low, n.High)
	default:
		t.grad(len(c), n.Inner, x, dy, dx, &c[0].Mean)
	}
}

package kernel

import "math"

// Norm is the normalisation of a channel, y = act((x − Mean)·Scale + Shift), in pieces of the channel. Its sums may be added up in T, so
// pieces should be short, and their sums are to be added in float64.
type Norm[T Float] struct {
	Mean, Scale, Shift T
	Act                NormAct
	Low, High          T // of NormClip
}

// NormAct is an activation in a Norm.
type NormAct uint8

// The activations.
const (
	NormPlain NormAct = iota // none
	NormReLU
	NormClip // min(max(v, Low), High), where High is not 0
)

// normTable holds the assembly of Norm.
type normTable[T Float] struct {
	moments      func(x []T, shift T) (sum, products float64)
	clamp        func(x, y []T, mean, scale, shift, low, high, zero T)
	products     func(x, dy []T, mean T) (sum, products float64)
	productsReLU func(x, dy []T, mean, scale, shift T) (sum, products float64)
	productsClip func(x, dy []T, mean, scale, shift, low, high T) (sum, products float64)
	gradReLU     func(x, dy, dx []T, mean, scale, shift, slope, base T)
	gradClip     func(x, dy, dx []T, mean, scale, shift, low, high, slope, base T)
}

// MomentsAround returns Σ (x − shift) and Σ (x − shift)².
func MomentsAround[T Float](x []T, shift T) (sum, squares float64) {
	if f := planes[T]().norm.moments; f != nil {
		return f(x, shift)
	}
	for _, v := range x {
		d := float64(v - shift)
		sum += d
		squares += float64(d * d)
	}
	return sum, squares
}

// Output computes y; it may be x.
func (n *Norm[T]) Output(x, y []T) {
	y = y[:len(x)]
	if n.Act == NormPlain {
		Normalize(x, y, n.Mean, n.Scale, n.Shift)
		return
	}
	low, high, zero := n.bounds()
	if f := planes[T]().norm.clamp; f != nil {
		f(x, y, n.Mean, n.Scale, n.Shift, low, high, zero)
		return
	}
	for i, v := range x {
		y[i] = min(max(n.at(v), low), high)
	}
}

// at computes the argument of the activation.
func (n *Norm[T]) at(x T) T { return T((x-n.Mean)*n.Scale) + n.Shift }

// bounds returns the activation as a clip, and what added to max(v, low) makes 0 of −0 where low is 0 but changes nothing else: −0 otherwise.
func (n *Norm[T]) bounds() (low, high, zero T) {
	low, high = n.Low, n.High
	if n.Act == NormReLU {
		low, high = 0, T(math.Inf(1))
	}
	if low != 0 || math.Signbit(float64(low)) {
		zero = T(math.Copysign(0, -1))
	}
	return low, high, zero
}

// through returns what the activation lets through of dy.
func (n *Norm[T]) through(x, dy T) T {
	switch v := n.at(x); {
	case n.Act == NormReLU && v <= 0, n.Act == NormClip && !(v >= n.Low && v <= n.High):
		return 0
	}
	return dy
}

// Products returns Σ d and Σ d·(x − Mean) for what the activation lets through of dy, d.
func (n *Norm[T]) Products(x, dy []T) (sum, products float64) {
	x = x[:len(dy)]
	t := &planes[T]().norm
	switch {
	case t.products == nil:
		return n.plainProducts(x, dy)
	case n.Act == NormReLU:
		return t.productsReLU(x, dy, n.Mean, n.Scale, n.Shift)
	case n.Act == NormClip:
		return t.productsClip(x, dy, n.Mean, n.Scale, n.Shift, n.Low, n.High)
	}
	return t.products(x, dy, n.Mean)
}

// plainProducts is Products without assembly.
func (n *Norm[T]) plainProducts(x, dy []T) (sum, products float64) {
	for i, v := range dy {
		d := float64(n.through(x[i], v))
		sum += d
		products += float64(d * float64(x[i]-n.Mean))
	}
	return sum, products
}

// Gradient computes dx = d·Scale + (x − Mean)·slope + base for what the activation lets through of dy, d; dx may be dy.
func (n *Norm[T]) Gradient(x, dy, dx []T, slope, base T) {
	dy, dx = dy[:len(x)], dx[:len(x)]
	t := &planes[T]().norm
	switch {
	case n.Act == NormPlain:
		NormalizeGrad(x, dy, dx, n.Mean, n.Scale, slope, base)
	case t.gradReLU != nil && n.Act == NormReLU:
		t.gradReLU(x, dy, dx, n.Mean, n.Scale, n.Shift, slope, base)
	case t.gradClip != nil:
		t.gradClip(x, dy, dx, n.Mean, n.Scale, n.Shift, n.Low, n.High, slope, base)
	default:
		for i, v := range x {
			dx[i] = T(n.through(v, dy[i])*n.Scale) + T((v-n.Mean)*slope) + base
		}
	}
}

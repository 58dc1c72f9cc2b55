package main

import "math"

// normalTerms are the coefficients of (a+4)·Φ(−a)·e^(a²/2) as a polynomial in 1/(a+4), minimax for 0 ≤ a ≤ 13.6 to 2⁻²⁶ relative; what
// lies beyond is less than the least float32.
var normalTerms = []float64{0.3989974625907906, 1.5914559787376372, 6.1262771796891515, 18.197789152618626, 91.30906235812574, 33.77024879833043,
	550.2662983450094, 3141.4533145678965, -16060.149284400753, 17099.12199431003}

// bell32 computes a = min(|x|, 15), beyond which Φ(−a) is 0 in float32, e^(−a²/2)·lift, and the tail Φ(−a)·e^(a²/2). What is lost in rounding a² and
// 1/(a+4) is made up for to the first order, of the latter with a slope that is near that of the tail.
func bell32(x vec) (a, bell, tail vec) {
	e := float32s
	a = e.atMost(15, e.bitAnd(x, e.magnitudes()))
	q := e.over(e.number(1), e.plus(a, e.number(4)))
	tail = e.times(q, e.polynomial(q, normalTerms...))
	off := e.fused(q, e.number(-4), e.number(1))
	e.subProduct(off, q, a)
	slope := e.fused(e.times(tail, q), e.number(9), tail)
	e.addProduct(tail, slope, off)
	square := e.times(a, a)
	lost := e.copied(square, len(a))
	e.inPlace(e.fmaMinus, lost, a, a)
	w := e.power(e.times(square, e.number(-0.5)))
	s := e.two(e.exponent(w.n), e.number(lift))
	e.mulAdd(w.p, s, s)
	half := e.times(w.p, e.number(0.5))
	e.subProduct(w.p, half, lost)
	return a, w.p, tail
}

// gelu32 computes x·Φ(x), within 6 units in the last place on both tails: −a·Φ(−a) where x is negative, else x − a·Φ(−a).
func gelu32(x vec) vec {
	e := float32s
	a, bell, tail := bell32(x)
	g := e.times(e.times(e.times(a, tail), bell), e.number(drop))
	return e.where(x, e.bitXor(g, e.signs()), e.minus(x, g)) // by the sign of x
}

// geluGrad32 computes Φ(x) + x·φ(x).
func geluGrad32(x vec) vec {
	e := float32s
	a, bell, tail := bell32(x)
	e.subProduct(tail, a, e.number(1/(math.Sqrt2*math.SqrtPi)))
	m := e.times(e.times(tail, bell), e.number(drop))
	return e.where(x, m, e.minus(e.number(1), m)) // by the sign of x
}

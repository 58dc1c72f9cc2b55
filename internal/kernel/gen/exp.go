package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
)

// ln2High has so few bits that its product with an exponent of float32 is exact; ln2High + ln2Low is ln 2.
const (
	ln2High = 0.693145751953125
	ln2Low  = 1.4286068203094173e-06
)

// expTerms are the coefficients of (eʳ−1−r)/r² for float32 and of (eʳ−1)/r for float64, minimax on |r| ≤ ½·ln 2, to 2⁻²⁸ and 2⁻³² of eʳ.
var (
	expTerms32 = []float64{0.4999999403953552, 0.16666516661643982, 0.041668105870485306, 0.008369140326976776, 0.0013836713042110205}
	expTerms64 = []float64{1, 0.50000000471460574, 0.16666666719028935, 0.041666352771112211, 0.0083332984698005894,
		0.0013941118895837001, 0.00019899285575896282}
)

// shifter is a number that rounds to an integer what is added to it; the integer then stands in the low bits.
func (e element) shifter() float64 { return math.Ldexp(1.5, e.mantissa) }

// power is eˣ = (1 + p)·2ⁿ.
type power struct {
	p vec
	n vec // the low bits are those of the integer
}

// power computes eˣ but for the last step, for arguments whose n is in the range of exponents: x = n·ln 2 + r, |r| ≤ ½·ln 2.
func (e element) power(x vec) power {
	t := e.fused(x, e.number(math.Log2E), e.number(e.shifter()))
	n := e.minus(t, e.number(e.shifter()))
	if e.size == 8 {
		r := e.remainder(x, n, e.number(math.Ln2))
		return power{e.times(r, e.polynomial(r, expTerms64...)), t}
	}
	r := e.remainder(x, n, e.number(ln2High))
	e.subProduct(r, n, e.number(ln2Low))
	p := e.polynomial(r, expTerms32...)
	for i := range p { // one by one, for squares of all would want too many registers
		e.mulAdd(p[i:i+1], e.times(r[i:i+1], r[i:i+1]), r[i:i+1])
	}
	return power{p, t}
}

// exponent returns the integer of a power in the place of an exponent. Where it is negative, so is this.
func (e element) exponent(n vec) vec {
	r := registers(len(n))
	for i := range r {
		e.shiftLeft(Imm(uint64(e.mantissa)), n[i], r[i])
	}
	return r
}

// two computes 2ⁿ·c from the exponent of a power, for a c that is a power of two.
func (e element) two(exponent, c vec) vec { return e.apply(e.addInts, exponent, c) }

// exp computes eˣ for x that are in the range of power.
func (e element) exp(x vec) vec {
	w := e.power(x)
	s := e.two(e.exponent(w.n), e.number(1))
	e.mulAdd(w.p, s, s)
	return w.p
}

// lift keeps results below 2⁻¹²⁶ precise: (1+p)·2ⁿ·lift is not that small, and the product with drop is the only one that is rounded.
const lift, drop = 0x1p64, 0x1p-64

// expNegative computes eˣ for x ≤ 0 of float32, and a little above.
func expNegative(x vec) vec {
	return float32s.times(expLifted(float32s.atLeast(-104, x)), float32s.number(drop))
}

// expLifted computes eˣ·lift for the same x down to −120.
func expLifted(x vec) vec {
	e := float32s
	w := e.power(x)
	s := e.two(e.exponent(w.n), e.number(lift))
	e.mulAdd(w.p, s, s)
	return w.p
}

// expFull computes eˣ for all x of float32. Great results are smaller by a quarter, so that those beyond the greatest number become
// infinite at last.
func expFull(x vec) vec {
	e := float32s
	w := e.power(e.atMost(89, e.atLeast(-104, x)))
	n := e.exponent(w.n)
	s := e.two(n, e.where(n, e.number(lift), e.number(0.25)))
	e.mulAdd(w.p, s, s)
	return e.times(w.p, e.where(n, e.number(drop), e.number(4)))
}

// logistic computes y/(c·(1+e⁻ˣ)) of float32, as y/(2ⁿ·c + (p·2ⁿ·c + c)): 1 is added to the small part of the power, so that what is
// rounded last is all that matters. c is a power of two that keeps 2ⁿ·c finite.
func logistic(x, y, c vec) vec {
	e := float32s
	w := e.power(e.bitXor(e.atLeast(-125, e.atMost(30, x)), e.signs()))
	s := e.two(e.exponent(w.n), c)
	e.mulAdd(w.p, s, c)
	return e.over(y, e.plus(w.p, s))
}

// sigmoid32 computes 1/(1+e⁻ˣ).
func sigmoid32(x vec) vec {
	c := float32s.loaded(float32s.number(drop))
	return logistic(x, c, c)
}

// silu32 computes x/(1+e⁻ˣ). Small x must not be dropped further: they may be subnormal.
func silu32(x vec) vec {
	e := float32s
	x = e.atLeast(-120, x)
	c := e.where(e.is(less, x, e.number(-64)), e.number(drop), e.number(1))
	return logistic(x, e.times(x, c), c)
}

// tanhTerms are the coefficients of q in tanh32.
var tanhTerms = []float64{-0.3333294689655304, 0.1332072913646698, -0.05267200991511345, 0.01643787883222103}

// siluGrad32 computes s·(1 + x·(1−s)) with s = σ(x), of which both s and 1−s are precise: with E = e^−|x| one is 1/(1+E) and the other E/(1+E).
func siluGrad32(x vec) vec {
	e := float32s
	x = e.atMost(120, e.atLeast(-120, x))
	power := expLifted(e.bitOr(x, e.signs()))
	greater := e.over(e.number(1), e.fused(power, e.number(drop), e.number(1)))
	lesser := e.times(power, greater)                                                  // times lift
	r := e.fused(e.where(x, greater, e.times(lesser, e.number(drop))), x, e.number(1)) // by the sign of x
	return e.where(x, e.times(e.times(lesser, r), e.number(drop)), e.times(greater, r))
}

// tanh32 computes tanh |x| as |x| + |x|³·q(x²) below 0.55, where q is minimax to 2⁻²⁴ relative, and as 1 − 2/(1+e^2|x|) above, and gives it
// the sign of x.
func tanh32(x vec) vec {
	e := float32s
	a := e.bitAnd(x, e.magnitudes())
	w := e.power(e.atMost(40, e.plus(a, a)))
	s := e.two(e.exponent(w.n), e.number(1))
	e.mulAdd(w.p, s, e.plus(s, e.number(1)))
	far := e.minus(e.number(1), e.over(e.number(2), w.p))
	t := e.times(a, a)
	near := e.polynomial(t, tanhTerms...)
	e.mulAdd(near, e.times(a, t), a)
	return e.bitOr(e.where(e.is(less, a, e.number(0.55)), near, far), e.bitAnd(x, e.signs()))
}

// singles writes the functions that are computed in float32, as many vectors at a time as there are registers for.
func singles() {
	for _, f := range []struct {
		name, doc string
		f         func(x vec) vec
		most      int
	}{
		{"exp", "y = eˣ", expFull, 4},
		{"sigmoid", "y = 1/(1+e⁻ˣ)", sigmoid32, 4},
		{"tanh", "y = tanh x", tanh32, 3},
		{"silu", "y = x/(1+e⁻ˣ)", silu32, 3},
		{"log", "y = log x", log32, 2},
		{"rsqrt", "y = 1/√x", func(x vec) vec { return float32s.over(float32s.number(1), float32s.root(x)) }, 2},
	} {
		unary(float32s, f.name, f.doc+", within 2 units in the last place", func(w *walk) func(vec) vec {
			w.most = f.most
			return f.f
		})
	}
	unary(float32s, "halfPower", "y = x to the power of ½: 0 for −0, infinity for −∞", plain(func(x vec) vec {
		e := float32s
		r := e.root(e.plus(x, e.zero()))
		return e.where(e.is(equal, x, e.number(math.Inf(-1))), e.number(math.Inf(1)), r)
	}))
	unary(float32s, "gelu", "y = x·Φ(x), within 6 units in the last place", plain(gelu32))
	gradient(float32s, "softplus", "dy·σ(v)", plainly(func(v, d vec) vec { return float32s.times(d, sigmoid32(v)) }))
	gradient(float32s, "silu", "dy·s·(1 + v·(1−s)) with s = σ(v)", plainly(func(v, d vec) vec { return float32s.times(d, siluGrad32(v)) }))
	gradient(float32s, "gelu", "dy·(Φ(v) + v·φ(v))", func(w *walk) func(v, d vec) vec {
		w.most = 1
		return func(v, d vec) vec { return float32s.times(d, geluGrad32(v)) }
	})
}

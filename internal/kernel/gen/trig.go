package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
)

// The functions of this file compute in float64, like those of double.go.

// pi2High + pi2Low is π/2 to 2⁻¹⁰⁷.
const (
	pi2High = 1.5707963267948966
	pi2Low  = 6.123233995736766e-17
)

// sineTerms and cosineTerms are the coefficients of sin(r)/r and cos r in r².
var (
	sineTerms   = []float64{1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800}
	cosineTerms = []float64{1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800}
)

// sine computes sin (x + quarter·π/2) for |x| up to 2⁴⁰: x = n·π/2 + r with |r| ≤ π/4.
func sine(x vec, quarter int64) vec {
	e := float64s
	t := e.fused(x, e.number(2/math.Pi), e.number(e.shifter()))
	n := e.minus(t, e.number(e.shifter()))
	r := e.remainder(x, n, e.number(pi2High))
	e.subProduct(r, n, e.number(pi2Low))
	sin, cos := circle(r)
	return turned(sin, cos, t, quarter)
}

// circle computes sin r and cos r for |r| ≤ π/4 by their Taylor series, to 2⁻³³.
func circle(r vec) (sin, cos vec) {
	e := float64s
	z := e.times(r, r)
	sin = e.times(r, e.polynomial(z, sineTerms...))
	return sin, e.polynomial(z, cosineTerms...)
}

// turned returns the sine that is n + quarter quarters of a turn further on than that whose sine and cosine it is given; n stands in the low
// bits of t.
func turned(sin, cos, t vec, quarter int64) vec {
	e := float64s
	if quarter != 0 {
		t = e.apply(e.addInts, t, e.word(quarter))
	}
	odd, half := registers(len(t)), registers(len(t)) // the last bits of n in the place of the sign
	for i := range t {
		e.shiftLeft(shift(63), t[i], odd[i])
		e.shiftLeft(shift(62), t[i], half[i])
	}
	return e.bitXor(e.where(odd, cos, sin), e.bitAnd(half, e.signs()))
}

// power64 computes xᵃ for numbers that load and exponent bring into registers; odd and fractional tell which negative x have which sign, or
// none. All are loaded when they are wanted, because the registers between are needed for the logarithm.
func power64(load, exponent, odd, fractional func() vec) vec {
	e := float64s
	m := e.bitAnd(load(), e.magnitudes())
	l := logSpecial(e, m, log64(m))
	p := exp64(e.times(l, exponent()))
	x := load()
	p = e.bitOr(p, e.bitAnd(x, e.bitAnd(odd(), e.signs())))
	negative := e.bitAnd(e.is(less, x, e.number(0)), e.is(greater, x, e.number(math.Inf(-1))))
	return e.bitOr(p, e.bitAnd(negative, fractional())) // a number whose bits are all set is NaN
}

// constantPower is power64 for an exponent that is a constant; the parameter kind tells about it.
func constantPower(load, exponent func() vec) vec {
	e := float64s
	is := func(kind float64) func() vec {
		return func() vec { return e.is(equal, everywhere("kind"), e.number(kind)) }
	}
	return power64(load, exponent, is(1), is(0))
}

// anyPower is power64 for exponents that are numbers of float32.
func anyPower(load, exponent func() vec) vec {
	e := float64s
	fraction := func(a vec) vec { return e.minus(a, e.rounded(roundDown, a)) }
	return power64(load, exponent, func() vec {
		return e.is(equal, fraction(e.times(exponent(), e.number(0.5))), e.number(0.5))
	}, func() vec { return e.is(notEqual, fraction(exponent()), e.number(0)) })
}

// unlimited makes the greatest number that exp64 gives infinite, and the least 0.
func unlimited(x vec) vec {
	e := float64s
	return e.times(e.times(e.times(x, e.number(0x1p100)), e.number(0x1p-200)), e.number(0x1p100))
}

// trigonometric writes the sine and the cosine, and powers. The parameter kind of these is 0 where the exponent is no integer, 1 where it
// is odd and 2 where it is even.
func trigonometric() {
	e := float64s
	doubly("sin", "y = sin x for |x| up to 2⁴⁰", always(func(x vec) vec { return sine(x, 0) }))
	doubly("cos", "y = cos x for |x| up to 2⁴⁰", always(func(x vec) vec { return sine(x, 1) }))
	doublyGrad("sin", "cos v", always(func(v vec) vec { return sine(v, 1) }))
	doublyGrad("cos", "−sin v", always(func(v vec) vec { return sine(v, 2) }))
	pairs("powConst", "x, y", "a, kind float64", "y = xᵃ, in float64", func(w *pairWalk) func() {
		x, a := func() vec { return w.load("x") }, func() vec { return everywhere("a") }
		return func() { w.store(constantPower(x, a), "y") }
	})
	pairs("powConstGrad", "v, dy, dx", "a, kind float64", "dx = dy·a·vᵃ⁻¹, in float64; kind is that of a − 1", func(w *pairWalk) func() {
		v, less1 := func() vec { return w.load("v") }, func() vec { return e.minus(everywhere("a"), e.number(1)) }
		return func() {
			w.store(e.times(e.times(unlimited(constantPower(v, less1)), everywhere("a")), w.load("dy")), "dx")
		}
	})
}

// powers writes the power of two numbers.
func powers() {
	TEXT("pow_"+float32s.bits, NOSPLIT, "func(a, b, y []float32)")
	Doc("pow_" + float32s.bits + " computes y = aᵇ, in float64, for exponents that are finite and not 0.")
	Pragma("noescape")
	w := newPairWalk(float32s, []string{"a", "b", "y"}, nil)
	w.run(length("y"), func() {
		w.store(anyPower(func() vec { return w.load("a") }, func() vec { return w.load("b") }), "y")
	})
	end()
}

package main

import "math"

// The functions of this file compute in float32 what those of exp.go and log.go do, by the same steps.

// shifter is a number that rounds to an integer what is added to it; the integer then stands in the low bits.
func (e typed) shifter() float64 { return math.Ldexp(1.5, e.mantissa()) }

// power computes eˣ = (1 + p)·2ⁿ for arguments whose n is in the range of exponents; the integer stands in the low bits of n.
func (e typed) power(x quads) (p, n quads) {
	t := e.fused(x, e.number(math.Log2E), e.number(e.shifter()))
	n = e.minus(t, e.number(e.shifter()))
	if e.size == 8 {
		r := e.remainder(x, n, e.number(math.Ln2))
		return e.times(r, e.polynomial(r, expTerms64...)), t
	}
	r := e.remainder(x, n, e.number(ln2High))
	e.subProduct(r, n, e.number(ln2Low))
	return e.fused(e.polynomial(r, expTerms32...), e.times(r, r), r), t
}

// exponent returns the integer of a power in the place of an exponent. Where it is negative, so is this.
func (e typed) exponent(n quads) quads { return e.shifted("shl", e.mantissa(), n) }

// scale computes 2ⁿ·c from the exponent of a power, for a c that is a power of two.
func (e typed) scale(exponent quads, c float64) quads { return e.addInts(exponent, e.number(c)) }

// exp computes eˣ for x that are in the range of power.
func (e typed) exp(x quads) quads {
	p, n := e.power(x)
	s := e.scale(e.exponent(n), 1)
	return e.fused(p, s, s)
}

// expNegative computes eˣ for x ≤ 0, and a little above.
func (e typed) expNegative(x quads) quads {
	p, n := e.power(e.atLeast(-104, x))
	s := e.scale(e.exponent(n), lift)
	return e.times(e.fused(p, s, s), e.number(drop))
}

// expFull computes eˣ; see its namesake.
func (e typed) expFull(x quads) quads {
	p, n := e.power(e.atMost(89, e.atLeast(-104, x)))
	n = e.exponent(n)
	negative := e.shifted("sshr", 31, n)
	s := e.addInts(n, e.where(negative, e.number(lift), e.number(0.25)))
	return e.times(e.fused(p, s, s), e.where(negative, e.number(drop), e.number(4)))
}

// logistic computes y/(c·(1+e⁻ˣ)); see its namesake.
func (e typed) logistic(x, y, c quads) quads {
	p, n := e.power(e.negate(e.atLeast(-125, e.atMost(30, x))))
	s := e.addInts(e.exponent(n), c)
	return e.over(y, e.plus(e.fused(p, s, c), s))
}

// sigmoid computes 1/(1+e⁻ˣ).
func (e typed) sigmoid(x quads) quads { return e.logistic(x, e.number(drop), e.number(drop)) }

// silu computes x/(1+e⁻ˣ). Small x must not be dropped further: they may be subnormal.
func (e typed) silu(x quads) quads {
	x = e.atLeast(-120, x)
	c := e.where(e.less(x, e.number(-64)), e.number(drop), e.number(1))
	return e.logistic(x, e.times(x, c), c)
}

// tanh computes tanh x; see tanh32.
func (e typed) tanh(x quads) quads {
	a := e.and(x, e.magnitudes())
	p, n := e.power(e.atMost(40, e.plus(a, a)))
	s := e.scale(e.exponent(n), 1)
	far := e.minus(e.number(1), e.over(e.number(2), e.fused(p, s, e.plus(s, e.number(1)))))
	t := e.times(a, a)
	near := e.fused(e.polynomial(t, tanhTerms...), e.times(a, t), a)
	return e.or(e.where(e.less(a, e.number(0.55)), near, far), e.and(x, e.signs()))
}

// log computes log x; see log32.
func (e typed) log(x quads) quads {
	small := e.less(x, e.number(leastNormal))
	y := e.where(small, e.times(x, e.number(raise)), x)
	root := e.word(uint64(math.Float32bits(math.Sqrt2 / 2)))
	u := e.subInts(y, root)
	f := e.minus(e.addInts(e.and(u, e.word(1<<23-1)), root), e.number(1))
	k := e.each(two("scvtf", e.size), e.shifted("sshr", 23, u))
	k = e.minus(k, e.and(small, e.number(23)))
	p := e.fused(e.evenOdd(f, logTerms...), f, e.number(-0.5))
	r := e.times(k, e.number(ln2LogLow))
	e.addProduct(r, p, e.times(f, f))
	r = e.plus(r, f)
	e.addProduct(r, k, e.number(ln2LogHigh))
	return e.logSpecial(x, r)
}

// logSpecial returns the logarithm r of x, but −Inf of 0, NaN of negative numbers, and x where that is NaN or infinite.
func (e typed) logSpecial(x, r quads) quads {
	r = e.where(e.less(x, e.number(math.Inf(1))), r, x)
	r = e.where(e.equal(x, e.number(0)), e.number(math.Inf(-1)), r)
	return e.or(r, e.less(x, e.number(0))) // a number whose bits are all set is NaN
}

// quickTanh computes tanh x; see its namesake.
func (e typed) quickTanh(x quads) quads {
	x = e.atLeast(-tanhLimit, e.atMost(tanhLimit, x))
	t := e.times(x, x)
	p := e.times(x, e.polynomial(t, tanhNumerator...))
	return e.atLeast(-1, e.atMost(1, e.over(p, e.polynomial(t, tanhDenominator...))))
}

// neonSingles writes the functions that are computed in float32, as many registers at a time as there is room for.
func neonSingles(f *neonFile) {
	for _, s := range []struct {
		name, doc string
		f         func(e typed, x quads) quads
		most      int
	}{
		{"exp", "y = eˣ", typed.expFull, 4},
		{"sigmoid", "y = 1/(1+e⁻ˣ)", typed.sigmoid, 4},
		{"tanh", "y = tanh x", typed.tanh, 4},
		{"silu", "y = x/(1+e⁻ˣ)", typed.silu, 4},
		{"log", "y = log x", typed.log, 4},
		{"rsqrt", "y = 1/√x", func(e typed, x quads) quads { return e.over(e.number(1), e.root(x)) }, 2},
	} {
		f.unary(4, s.name, s.doc+", within 2 units in the last place", func(w *sweep, e typed) func(quads) quads {
			w.most = s.most
			return func(x quads) quads { return s.f(e, x) }
		})
	}
	f.unary(4, "halfPower", "y = x to the power of ½: 0 for −0, infinity for −∞", simple(func(e typed, x quads) quads {
		return e.where(e.equal(x, e.number(math.Inf(-1))), e.number(math.Inf(1)), e.root(e.plus(x, e.number(0))))
	}))
}

package main

import "math"

// The functions of this file compute in float64 what those of double.go do, by the same steps.

// exp64 computes eˣ; 0 and infinity are numbers that float32 rounds to these.
func (e typed) exp64(x quads) quads { return e.exp(e.limited(expRange, x)) }

// limited returns x within ±limit.
func (e typed) limited(limit float64, x quads) quads { return e.atMost(limit, e.atLeast(-limit, x)) }

// magnitude returns |x|.
func (e typed) magnitude(x quads) quads { return e.and(x, e.magnitudes()) }

// expm1 computes eˣ−1.
func (e typed) expm1(x quads) quads {
	p, n := e.power(e.limited(expRange, x))
	s := e.scale(e.exponent(n), 1)
	return e.or(e.fused(p, s, e.minus(s, e.number(1))), e.and(x, e.signs()))
}

// gated computes y/(1+e⁻ˣ).
func (e typed) gated(y, x quads) quads { return e.over(y, e.plus(e.exp64(e.negate(x)), e.number(1))) }

// sigmoid64 computes 1/(1+e⁻ˣ).
func (e typed) sigmoid64(x quads) quads { return e.gated(e.number(1), x) }

// tanh64 computes tanh x.
func (e typed) tanh64(x quads) quads {
	x = e.limited(20, x)
	t := e.expm1(e.plus(x, x))
	return e.over(t, e.plus(t, e.number(2)))
}

// log64 computes log x of a positive, normal float64.
func (e typed) log64(x quads) quads {
	root := e.word(math.Float64bits(math.Sqrt2 / 2))
	u := e.subInts(x, root)
	f := e.minus(e.addInts(e.and(u, e.word(1<<52-1)), root), e.number(1))
	k := e.each(two("scvtf", 8), e.shifted("sshr", 52, u))
	s := e.over(f, e.plus(f, e.number(2)))
	p := e.times(e.polynomial(e.times(s, s), artanhTerms...), s)
	e.addProduct(p, k, e.number(math.Ln2))
	return p
}

// log1p computes log(1+x).
func (e typed) log1p(x quads) quads {
	u := e.plus(x, e.number(1))
	r := e.logSpecial(u, e.log64(u))
	return e.where(e.less(e.magnitude(x), e.number(0x1p-27)), x, r)
}

// softplus computes log(1+eˣ) as max(x, 0) + log(1+e^−|x|).
func (e typed) softplus(x quads) quads { return e.plus(e.greater(x, e.number(0)), e.logOnePlusExp(x)) }

// logOnePlusExp computes log(1+e^−|x|).
func (e typed) logOnePlusExp(x quads) quads {
	z := e.exp64(e.or(x, e.signs()))
	return e.where(e.less(z, e.number(0x1p-27)), z, e.log64(e.plus(z, e.number(1))))
}

// erfcTail computes (1 − erf x)·e^x² for x ≥ 1; see its namesake.
func (e typed) erfcTail(x quads) quads {
	x = e.atMost(30, x)
	a, b := e.plus(x, e.number(2)), e.plus(e.plus(x, x), e.number(1))
	inverse := e.over(e.number(1), e.times(a, b))
	s := e.times(e.times(e.minus(x, e.number(2)), b), inverse)
	return e.times(e.polynomial(s, erfcTerms...), e.times(a, inverse))
}

// erf computes the error function.
func (e typed) erf(x quads) quads {
	tail := e.erfcTail(e.magnitude(x))
	tail = e.times(tail, e.exp64(e.negate(e.times(x, x))))
	far := e.or(e.minus(e.number(1), tail), e.and(x, e.signs()))
	near := e.times(x, e.polynomial(e.times(x, x), erfTerms...))
	return e.where(e.less(e.magnitude(x), e.number(1)), near, far)
}

// normal computes Φ(x), the standard normal distribution, and e^(−x²/2).
func (e typed) normal(x quads) (r, bell quads) {
	a := e.atMost(37, e.magnitude(x))
	q := e.over(e.number(1), e.plus(a, e.number(4)))
	tail := e.times(q, e.polynomial(q, normalTerms...))
	bell = e.exp(e.times(e.times(a, a), e.number(-0.5)))
	tail = e.times(tail, bell)
	return e.where(e.shifted("sshr", 63, x), tail, e.minus(e.number(1), tail)), bell
}

// gelu computes x·Φ(x), and geluGrad Φ(x) + x·φ(x).
func (e typed) gelu(x quads) quads {
	x = e.atLeast(-37, x) // so that 0 is not multiplied by infinity
	r, _ := e.normal(x)
	return e.times(x, r)
}

func (e typed) geluGrad(x quads) quads {
	x = e.limited(40, x)
	r, bell := e.normal(x)
	return e.fused(e.times(x, bell), e.number(1/(math.Sqrt2*math.SqrtPi)), r)
}

// geluTanh computes x·σ(2u) with u = √(2/π)·(x + 0.044715x³), and geluTanhGrad its derivative.
func (e typed) geluTanh(x quads) quads {
	x = e.atLeast(-40, x)
	slope := e.fused(e.times(x, x), e.number(geluCubic*geluSlope), e.number(geluSlope))
	return e.gated(x, e.times(x, slope))
}

func (e typed) geluTanhGrad(x quads) quads {
	x = e.limited(40, x)
	t := e.times(x, x)
	s := e.sigmoid64(e.times(x, e.fused(t, e.number(geluCubic*geluSlope), e.number(geluSlope))))
	slope := e.fused(t, e.number(3*geluCubic*geluSlope), e.number(geluSlope))
	return e.fused(e.times(x, slope), e.times(s, e.minus(e.number(1), s)), s)
}

// siluGrad computes s·(1 + x·(1−s)) with s = σ(x).
func (e typed) siluGrad(x quads) quads {
	x = e.limited(expRange, x)
	s := e.sigmoid64(x)
	return e.times(s, e.fused(x, e.minus(e.number(1), s), e.number(1)))
}

// neonDoubles writes the functions of float32 that compute in float64, and their gradients.
func neonDoubles(f *neonFile) {
	f.doubly("expm1", "y = eˣ−1", without(typed.expm1))
	f.doubly("log1p", "y = log(1+x)", without(typed.log1p))
	f.doubly("softplus", "y = log(1+eˣ)", without(typed.softplus))
	f.doubly("erf", "y = erf x", without(typed.erf))
	f.doubly("gelu", "y = x·Φ(x)", without(typed.gelu))
	f.doubly("geluTanh", "GELUTanh", without(typed.geluTanh))
	f.doubly("elu", "y = x, or a·(eˣ−1) where x < 0", func(e typed) func(quads) quads {
		a := e.fillDouble("a")
		return func(x quads) quads { return e.where(e.less(x, e.number(0)), e.times(a, e.expm1(x)), x) }
	})
	f.doubly("stanh", "y = a·tanh(b·x)", func(e typed) func(quads) quads {
		a, b := e.fillDouble("a"), e.fillDouble("b")
		return func(x quads) quads { return e.times(a, e.tanh64(e.times(b, x))) }
	})
	f.doubly("softsign", "y = x/(1+|x|)", without(func(e typed, x quads) quads {
		x = e.limited(0x1p200, x) // infinite numbers become finite ones that are no less beyond float32
		return e.over(x, e.plus(e.magnitude(x), e.number(1)))
	}))
	f.doubly("cube", "y = x³", without(func(e typed, x quads) quads { return e.times(e.times(x, x), x) }))
	f.doublyGrad("cube", "3v²", without(func(e typed, v quads) quads { return e.times(e.times(v, v), e.number(3)) }))
	f.doubled("logisticLoss", "x, t, y", "", "y = max(x, 0) − x·t + log(1+e^−|x|)", func(w *sweep, e typed) func() {
		return func() {
			x := w.loadDouble("x")
			linear := e.remainder(e.greater(x, e.number(0)), x, w.loadDouble("t"))
			w.storeDouble(e.plus(linear, e.logOnePlusExp(x)), "y")
		}
	})
	f.doubled("logisticSlope", "x, t, y", "", "y = σ(x) − t", func(w *sweep, e typed) func() {
		return func() {
			x, t := w.loadDouble("x"), w.loadDouble("t")
			z, negative := e.exp64(e.or(x, e.signs())), e.shifted("sshr", 63, x)
			own := e.where(negative, z, e.number(1)) // σ(x) is own/(1+z) and σ(−x) other/(1+z), by the sign of x
			other := e.where(negative, e.number(1), z)
			slope := e.remainder(e.times(own, e.minus(e.number(1), t)), t, other)
			w.storeDouble(e.over(slope, e.plus(z, e.number(1))), "y")
		}
	})
	f.doublyGrad("stanh", "b/a·(a−v)·(a+v)", func(e typed) func(quads) quads {
		a, b := e.fillDouble("a"), e.fillDouble("b")
		ratio := e.over(b, a)
		return func(v quads) quads { return e.times(ratio, e.times(e.minus(a, v), e.plus(v, a))) }
	})
	f.doublyGrad("softsign", "1/(1+|v|)²", without(func(e typed, v quads) quads {
		r := e.over(e.number(1), e.plus(e.magnitude(v), e.number(1)))
		return e.times(r, r)
	}))
	f.doublyGrad("rsqrt", "−½v³", without(func(e typed, v quads) quads { return e.times(e.times(e.times(v, v), v), e.number(-0.5)) }))
	f.doublyGrad("reciprocal", "−v²", without(func(e typed, v quads) quads { return e.negate(e.times(v, v)) }))
	f.doublyGrad("erf", "2/√π·e^−v²", without(func(e typed, v quads) quads {
		return e.times(e.exp64(e.negate(e.times(v, v))), e.number(2/math.SqrtPi))
	}))
	f.doublyGrad("gelu", "Φ(v) + v·φ(v)", without(typed.geluGrad))
	f.doublyGrad("geluTanh", "the derivative of GELUTanh", without(typed.geluTanhGrad))
	f.doublyGrad("silu", "s·(1 + v·(1−s)) with s = σ(v)", without(typed.siluGrad))
	f.doublyGrad("softplus", "σ(v)", without(typed.sigmoid64))
	f.doublyGrad("elu", "1, or a·eᵛ where v < 0", func(e typed) func(quads) quads {
		a := e.fillDouble("a")
		return func(v quads) quads { return e.where(e.less(v, e.number(0)), e.times(a, e.exp64(v)), e.number(1)) }
	})
}

// without is what doubly begins with for a function that has no constants.
func without(f func(e typed, x quads) quads) func(e typed) func(quads) quads {
	return func(e typed) func(quads) quads { return func(x quads) quads { return f(e, x) } }
}

// doubly writes the function y = f(x) of float32, computed in float64, with constants a and b.
func (f *neonFile) doubly(name, doc string, begin func(e typed) func(x quads) quads) {
	f.doubled(name, "x, y", "a, b float32", doc+", in float64", func(w *sweep, e typed) func() {
		f := begin(e)
		return func() { w.storeDouble(f(w.loadDouble("x")), "y") }
	})
}

// doublyGrad writes the gradient dx = dy·f(v) of float32, computed in float64, with constants a and b.
func (f *neonFile) doublyGrad(name, doc string, begin func(e typed) func(v quads) quads) {
	f.doubled(name+"Grad", "v, dy, dx", "a, b float32", "dx = dy·("+doc+"), in float64", func(w *sweep, e typed) func() {
		f := begin(e)
		return func() { w.storeDouble(e.times(f(w.loadDouble("v")), w.loadDouble("dy")), "dx") }
	})
}

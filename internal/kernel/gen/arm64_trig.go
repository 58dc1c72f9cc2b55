package main

import "math"

// sine computes sin (x + quarter·π/2) for |x| up to 2⁴⁰; see its namesake.
func (e typed) sine(x quads, quarter uint64) quads {
	t := e.fused(x, e.number(2/math.Pi), e.number(e.shifter()))
	n := e.minus(t, e.number(e.shifter()))
	r := e.remainder(x, n, e.number(pi2High))
	e.subProduct(r, n, e.number(pi2Low))
	sin, cos := e.circle(r)
	return e.turned(sin, cos, t, quarter)
}

// circle computes sin r and cos r for |r| ≤ π/4.
func (e typed) circle(r quads) (sin, cos quads) {
	z := e.times(r, r)
	return e.times(r, e.polynomial(z, sineTerms...)), e.polynomial(z, cosineTerms...)
}

// turned returns the sine that is n + quarter quarters of a turn further on than that whose sine and cosine it is given; n stands in the low
// bits of t.
func (e typed) turned(sin, cos, t quads, quarter uint64) quads {
	if quarter != 0 {
		t = e.addInts(t, e.word(quarter))
	}
	odd := e.shifted("sshr", 63, e.shifted("shl", 63, t))
	return e.xor(e.where(odd, cos, sin), e.and(e.shifted("shl", 62, t), e.signs()))
}

// powerOf computes xᵃ, for the kinds of a that the parameter kind tells.
func (e typed) powerOf(x, a, kind quads) quads {
	return e.powerFor(x, a, e.equal(kind, e.number(1)), e.greaterOrEqual(kind, e.number(1)))
}

// powerFor computes xᵃ, where masks tell which a are odd and which are integers.
func (e typed) powerFor(x, a, odd, whole quads) quads {
	m := e.magnitude(x)
	p := e.exp64(e.times(e.logSpecial(m, e.log64(m)), a))
	p = e.or(p, e.and(x, e.and(odd, e.signs())))
	negative := e.and(e.less(x, e.number(0)), e.less(e.number(math.Inf(-1)), x))
	return e.or(p, e.without(negative, whole)) // a number whose bits are all set is NaN
}

// neonTrigonometric writes the sine and the cosine, and powers; see trigonometric.
func neonTrigonometric(f *neonFile) {
	sine := func(quarter uint64) func(e typed) func(quads) quads {
		return without(func(e typed, x quads) quads { return e.sine(x, quarter) })
	}
	f.doubly("sin", "y = sin x for |x| up to 2⁴⁰", sine(0))
	f.doubly("cos", "y = cos x for |x| up to 2⁴⁰", sine(1))
	f.doublyGrad("sin", "cos v", sine(1))
	f.doublyGrad("cos", "−sin v", sine(2))
	f.doubled("powConst", "x, y", "a, kind float64", "y = xᵃ, in float64", func(w *sweep, e typed) func() {
		w.most = 1
		a, kind := w.fill("a"), w.fill("kind")
		return func() { w.storeDouble(e.powerOf(w.loadDouble("x"), a, kind), "y") }
	})
	f.doubled("powConstGrad", "v, dy, dx", "a, kind float64", "dx = dy·a·vᵃ⁻¹, in float64; kind is that of a − 1", func(w *sweep, e typed) func() {
		w.most = 1
		a, kind := w.fill("a"), w.fill("kind")
		less1 := e.minus(a, e.number(1))
		return func() {
			p := e.powerOf(w.loadDouble("v"), less1, kind)
			for _, scale := range []float64{0x1p100, 0x1p-200, 0x1p100} { // the greatest number becomes infinite, and the least 0
				p = e.times(p, e.number(scale))
			}
			w.storeDouble(e.times(e.times(p, a), w.loadDouble("dy")), "dx")
		}
	})
}

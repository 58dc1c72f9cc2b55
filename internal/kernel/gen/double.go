package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
)

// The functions of this file compute in float64, as those of plain Go do, for what float32 is not precise enough: their results are within
// 0.6 units in the last place of float32. Arguments are float32 numbers, so that cubes of them are finite.

// expRange is where power and the number that it computes are in the range of float64, and beyond which eˣ is 0 or infinite in float32.
const expRange = 700

// exp64 computes eˣ; 0 and infinity are numbers that float32 rounds to these.
func exp64(x vec) vec { return float64s.exp(limited(x)) }

// limited limits x to the range of exp.
func limited(x vec) vec { return float64s.atMost(expRange, float64s.atLeast(-expRange, x)) }

// limited32 makes infinite numbers finite ones that are no less beyond float32.
func limited32(x vec) vec { return float64s.atMost(0x1p200, float64s.atLeast(-0x1p200, x)) }

// expm164 computes eˣ−1 = 2ⁿ·p + (2ⁿ−1), with the sign of x where that is 0.
func expm164(x vec) vec {
	e := float64s
	w := e.power(limited(x))
	s := e.two(e.exponent(w.n), e.number(1))
	e.mulAdd(w.p, s, e.minus(s, e.number(1)))
	return e.bitOr(w.p, e.bitAnd(x, e.signs()))
}

// sigmoid64 computes 1/(1+e⁻ˣ).
func sigmoid64(x vec) vec { return gated64(float64s.number(1), x) }

// gated64 computes y/(1+e⁻ˣ).
func gated64(y, x vec) vec {
	e := float64s
	return e.over(y, e.plus(exp64(e.bitXor(x, e.signs())), e.number(1)))
}

// tanh64 computes tanh x as t/(t+2) with t = e²ˣ−1.
func tanh64(x vec) vec {
	e := float64s
	x = e.atMost(20, e.atLeast(-20, x))
	t := expm164(e.plus(x, x))
	return e.over(t, e.plus(t, e.number(2)))
}

// log1p64 computes log(1+x); below 2⁻²⁷ it is x in float32.
func log1p64(x vec) vec {
	e := float64s
	u := e.plus(x, e.number(1))
	r := logSpecial(e, u, log64(u))
	return e.where(e.is(less, e.bitAnd(x, e.magnitudes()), e.number(0x1p-27)), x, r)
}

// softplus64 computes log(1+eˣ) = max(x, 0) + log(1+z) with z = e^−|x|.
func softplus64(x vec) vec {
	return float64s.plus(float64s.apply(float64s.max, float64s.zero(), x), logOnePlusExp(x))
}

// logOnePlusExp computes log(1+e^−|x|).
func logOnePlusExp(x vec) vec {
	e := float64s
	z := exp64(e.bitOr(x, e.signs()))
	l := log64(e.plus(z, e.number(1)))
	return e.where(e.is(less, z, e.number(0x1p-27)), z, l)
}

// erfTerms are the coefficients of erf(x)/x in x² for x² ≤ 1, to 2⁻³⁴ relative.
var erfTerms = []float64{1.1283791670615434, -0.3761263846802871, 0.11283782495236845, -0.026865430727670243,
	0.0052210318078580228, -0.00084840804055351063, 0.00011265959025606609, -9.6670445714869964e-6}

// erfRatio computes erf(x)/x from t = x² ≤ 1.
func erfRatio(t vec) vec { return float64s.polynomial(t, erfTerms...) }

// erfcTerms are the coefficients of the polynomial in erfcTail.
var erfcTerms = []float64{1.2769783815661955, -0.092763826930913183, -0.16603040027664702, 0.16405131902096808, -0.054219957406951163,
	-0.0080352042128213479, 0.0087239557995457473, 0.0012837932000417803, -0.0014872823887328056, -0.00048025981267648834, 0.00036067165490977499}

// erfcTail computes (1 − erf x)·e^x² for x ≥ 1, to 2⁻³⁴ relative: (1+2x) times this is a polynomial in (x−2)/(x+2) (after Shepherd and
// Laframboise, 1981). The two divisions are one.
func erfcTail(x vec) vec {
	e := float64s
	x = e.atMost(30, x)
	a, b := e.plus(x, e.number(2)), e.plus(e.plus(x, x), e.number(1))
	inverse := e.over(e.number(1), e.times(a, b))
	s := e.times(e.times(e.minus(x, e.number(2)), b), inverse)
	scale := e.times(a, inverse) // 1/(1+2x)
	p := e.polynomial(s, erfcTerms...)
	return e.times(p, scale)
}

// erf64 computes the error function.
func erf64(x vec) vec {
	e := float64s
	tail := erfcTail(e.bitAnd(x, e.magnitudes()))
	tail = e.times(tail, exp64(e.bitXor(e.times(x, x), e.signs())))
	far := e.bitOr(e.minus(e.number(1), tail), e.bitAnd(x, e.signs()))
	near := e.times(x, erfRatio(e.times(x, x)))
	return e.where(e.is(less, e.bitAnd(x, e.magnitudes()), e.number(1)), near, far)
}

// within40 limits x to ±40, beyond which the gradients of gates are constant.
func within40(x vec) vec { return float64s.atMost(40, float64s.atLeast(-40, x)) }

const (
	geluCubic = 0.044715
	geluSlope = 2 * math.Sqrt2 / math.SqrtPi
)

// geluTanh64 computes x·σ(2u) with u = √(2/π)·(x + 0.044715x³).
func geluTanh64(x vec) vec {
	e := float64s
	x = e.atLeast(-40, x)
	slope := e.fused(e.times(x, x), e.number(geluCubic*geluSlope), e.number(geluSlope))
	return gated64(x, e.times(x, slope))
}

// geluTanhGrad64 computes s + x·s·(1−s)·2u' with s = σ(2u).
func geluTanhGrad64(x vec) vec {
	e := float64s
	x = within40(x)
	t := e.times(x, x)
	s := sigmoid64(e.times(x, e.fused(t, e.number(geluCubic*geluSlope), e.number(geluSlope))))
	slope := e.fused(t, e.number(3*geluCubic*geluSlope), e.number(geluSlope))
	return e.fused(e.times(x, slope), e.times(s, e.minus(e.number(1), s)), s)
}

// doubles writes the functions of float32 that compute in float64, and their gradients.
func doubles() {
	e := float64s
	doubly("expm1", "y = eˣ−1", always(expm164))
	doubly("log1p", "y = log(1+x)", always(log1p64))
	doubly("softplus", "y = log(1+eˣ)", always(softplus64))
	doubly("erf", "y = erf x", always(erf64))
	doubly("geluTanh", "GELUTanh", always(geluTanh64))
	doubly("elu", "y = x, or a·(eˣ−1) where x < 0", func() func(x vec) vec {
		a := widened("a")
		return func(x vec) vec { return e.where(e.is(less, x, e.number(0)), e.times(a, expm164(x)), x) }
	})
	doubly("stanh", "y = a·tanh(b·x)", func() func(x vec) vec {
		a, b := widened("a"), widened("b")
		return func(x vec) vec { return e.times(a, tanh64(e.times(b, x))) }
	})
	pairs("logisticLoss", "x, t, y", "", "y = max(x, 0) − x·t + log(1+e^−|x|)", func(w *pairWalk) func() {
		return func() {
			l := logOnePlusExp(w.load("x"))
			x := w.load("x")
			linear := e.remainder(e.apply(e.max, e.zero(), x), x, w.load("t"))
			w.store(e.plus(linear, l), "y")
		}
	})
	pairs("logisticSlope", "x, t, y", "", "y = σ(x) − t", func(w *pairWalk) func() {
		return func() {
			x := w.load("x")
			z := exp64(e.bitOr(x, e.signs()))
			own := e.where(x, z, e.number(1)) // σ(x) is own/(1+z) and σ(−x) other/(1+z), by the sign of x
			other := e.where(x, e.number(1), z)
			t := w.load("t")
			r := e.remainder(e.times(own, e.minus(e.number(1), t)), t, other)
			w.store(e.over(r, e.plus(z, e.number(1))), "y")
		}
	})
	doubly("softsign", "y = x/(1+|x|)", always(func(x vec) vec {
		x = limited32(x)
		return e.over(x, e.plus(e.bitAnd(x, e.magnitudes()), e.number(1)))
	}))
	doublyGrad("stanh", "b/a·(a−v)·(a+v)", func() func(v vec) vec {
		a, b := widened("a"), widened("b")
		ratio := e.over(b, a)
		return func(v vec) vec { return e.times(ratio, e.times(e.minus(a, v), e.plus(v, a))) }
	})
	doubly("cube", "y = x³", always(func(x vec) vec { return e.times(e.times(x, x), x) }))
	doublyGrad("cube", "3v²", always(func(v vec) vec { return e.times(e.times(v, v), e.number(3)) }))
	doublyGrad("softsign", "1/(1+|v|)²", always(func(v vec) vec {
		r := e.over(e.number(1), e.plus(e.bitAnd(v, e.magnitudes()), e.number(1)))
		return e.times(r, r)
	}))
	doublyGrad("rsqrt", "−½v³", always(func(v vec) vec { return e.times(e.times(e.times(v, v), v), e.number(-0.5)) }))
	doublyGrad("reciprocal", "−v²", always(func(v vec) vec { return e.bitXor(e.times(v, v), e.signs()) }))
	doublyGrad("erf", "2/√π·e^−v²", always(func(v vec) vec {
		return e.times(exp64(e.bitXor(e.times(v, v), e.signs())), e.number(2/math.SqrtPi))
	}))
	doublyGrad("geluTanh", "the derivative of GELUTanh", always(geluTanhGrad64))
	doublyGrad("elu", "1, or a·eᵛ where v < 0", func() func(v vec) vec {
		a := widened("a")
		return func(v vec) vec { return e.where(e.is(less, v, e.number(0)), e.times(a, exp64(v)), e.number(1)) }
	})
}

// always is what doubly begins with for a function that has no constants.
func always(f func(x vec) vec) func() func(vec) vec { return func() func(vec) vec { return f } }

// doubly writes the function y = f(x) of float32, computed in float64, with constants a and b.
func doubly(name, doc string, begin func() (f func(x vec) vec)) {
	pairs(name, "x, y", "a, b float32", doc+", in float64", func(w *pairWalk) func() {
		f := begin()
		return func() { w.store(f(w.load("x")), "y") }
	})
}

// doublyGrad writes the gradient dx = dy·f(v) of float32, computed in float64, with constants a and b.
func doublyGrad(name, doc string, begin func() (f func(v vec) vec)) {
	pairs(name+"Grad", "v, dy, dx", "a, b float32", "dx = dy·("+doc+"), in float64", func(w *pairWalk) func() {
		f := begin()
		return func() { w.store(float64s.times(f(w.load("v")), w.load("dy")), "dx") }
	})
}

// pairs writes a function over slices of float32 with constants of a type, or without, which computes in float64.
func pairs(name, slices, constants, doc string, begin func(w *pairWalk) (body func())) {
	name += "_" + float32s.bits
	signature := slices + " []float32"
	if constants != "" {
		signature += ", " + constants
	}
	TEXT(name, NOSPLIT, "func("+signature+")")
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	all := names(slices)
	w := newPairWalk(float32s, all, nil)
	body := begin(w)
	w.run(length(all[len(all)-1]), body)
	end()
}

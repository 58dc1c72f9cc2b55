package main

// How VROUND rounds, without an exception for inexact results.
const (
	roundNearest = 8
	roundDown    = 9
	roundUp      = 10
)

// unary writes the function y = f(x) with constants a and b.
func unary(e element, name, doc string, begin func(w *walk) (f func(x vec) vec)) {
	elementwise(e, name, "x, y", "a, b", doc, func(w *walk) func() {
		f := begin(w)
		return func() { w.store(f(w.load("x")), "y") }
	})
}

// plain is what unary begins with for a function that has no constants.
func plain(f func(x vec) vec) func(*walk) func(vec) vec {
	return func(*walk) func(vec) vec { return f }
}

// unaries writes the functions of one number that are a few instructions.
func unaries(e element) {
	one, none := e.number(1), e.number(0)
	unary(e, "neg", "y = −x", plain(func(x vec) vec { return e.bitXor(x, e.signs()) }))
	unary(e, "abs", "y = |x|", plain(func(x vec) vec { return e.bitAnd(x, e.magnitudes()) }))
	unary(e, "sign", "y = −1, 0 or 1", plain(func(x vec) vec {
		return e.where(e.is(greater, x, none), one, e.where(e.is(less, x, none), e.number(-1), x))
	}))
	unary(e, "square", "y = x²", plain(func(x vec) vec { return e.times(x, x) }))
	unary(e, "sqrt", "y = √x", plain(func(x vec) vec { return e.root(x) }))
	unary(e, "reciprocal", "y = 1/x", plain(func(x vec) vec { return e.over(one, x) }))
	unary(e, "addConst", "y = x + a", func(w *walk) func(vec) vec {
		a := w.constant("a")
		return func(x vec) vec { return e.plus(x, a) }
	})
	unary(e, "mulConst", "y = a·x", func(w *walk) func(vec) vec {
		a := w.constant("a")
		return func(x vec) vec { return e.times(a, x) }
	})
	unary(e, "clip", "y = min(max(x, a), b)", func(w *walk) func(vec) vec {
		a, b := w.constant("a"), w.constant("b")
		return func(x vec) vec { return e.least(e.greatest(x, a), b) }
	})
	unary(e, "floor", "y = x rounded down", plain(func(x vec) vec { return e.rounded(roundDown, x) }))
	unary(e, "ceil", "y = x rounded up", plain(func(x vec) vec { return e.rounded(roundUp, x) }))
	unary(e, "round", "y = x rounded to the nearest integer, halves to the even one", plain(func(x vec) vec { return e.rounded(roundNearest, x) }))
	unary(e, "relu", "y = max(x, 0)", plain(func(x vec) vec { return e.positive(x) }))
	unary(e, "leakyReLU", "y = x, or a·x where x < 0", func(w *walk) func(vec) vec {
		a := w.constant("a")
		return func(x vec) vec { return e.where(e.is(less, x, none), e.times(a, x), x) }
	})
}

// positive computes max(x, 0): the instruction gives x if that is NaN or if both are 0; adding 0 then makes 0 of −0.
func (e element) positive(x vec) vec {
	zero := e.zero()
	return e.plus(e.apply(e.max, zero, x), zero)
}

// gradient writes the function dx = dy·f'(v) with constants a and b.
func gradient(e element, name, doc string, begin func(w *walk) (f func(v, d vec) vec)) {
	elementwise(e, name+"Grad", "v, dy, dx", "a, b", "dx = "+doc, func(w *walk) func() {
		f := begin(w)
		return func() { w.store(f(w.load("v"), w.load("dy")), "dx") }
	})
}

// plainly is what gradient begins with for a function that has no constants.
func plainly(f func(v, d vec) vec) func(*walk) func(v, d vec) vec {
	return func(*walk) func(v, d vec) vec { return f }
}

// gradients writes the gradients that are a few instructions.
func gradients(e element) {
	one, half, none := e.number(1), e.number(0.5), e.number(0)
	gradient(e, "relu", "dy, or 0 where v ≤ 0", plainly(func(v, d vec) vec {
		return e.without(d, e.is(lessOrEqual, v, none))
	}))
	gradient(e, "leakyReLU", "dy, or a·dy where v ≤ 0", func(w *walk) func(v, d vec) vec {
		a := w.constant("a")
		return func(v, d vec) vec { return e.where(e.is(lessOrEqual, v, none), e.times(a, d), d) }
	})
	gradient(e, "sigmoid", "dy·v·(1 − v)", plainly(func(v, d vec) vec {
		return e.times(d, e.times(v, e.minus(one, v)))
	}))
	gradient(e, "tanh", "dy·(1 − v)·(1 + v)", plainly(func(v, d vec) vec {
		return e.times(d, e.times(e.minus(one, v), e.plus(v, one)))
	}))
	gradient(e, "abs", "dy with the sign of v, 0 where that is 0", plainly(func(v, d vec) vec {
		return e.bitAnd(e.is(notEqual, v, none), e.bitXor(d, e.bitAnd(v, e.signs())))
	}))
	gradient(e, "square", "dy·2v", plainly(func(v, d vec) vec { return e.times(d, e.plus(v, v)) }))
	gradient(e, "sqrt", "dy·½/v", plainly(func(v, d vec) vec { return e.times(d, e.over(half, v)) }))
	gradient(e, "expm1", "dy·(v + 1)", plainly(func(v, d vec) vec { return e.times(d, e.plus(v, one)) }))
	gradient(e, "log1p", "dy/(1 + v)", plainly(func(v, d vec) vec { return e.over(d, e.plus(v, one)) }))
	gradient(e, "clip", "dy, or 0 where v is not in [a, b]", func(w *walk) func(v, d vec) vec {
		a, b := w.constant("a"), w.constant("b")
		return func(v, d vec) vec {
			return e.bitAnd(e.bitAnd(e.is(greaterOrEqual, v, a), e.is(lessOrEqual, v, b)), d)
		}
	})
}

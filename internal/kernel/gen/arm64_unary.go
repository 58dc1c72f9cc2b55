package main

import "fmt"

// unary writes the function y = f(x) with constants a and b.
func (f *neonFile) unary(size int, name, doc string, begin func(w *sweep, e typed) (f func(x quads) quads)) {
	f.elementwise(size, name, "x, y", "a, b", doc, func(w *sweep, e typed) func() {
		f := begin(w, e)
		return func() { w.store(f(w.load("x")), "y") }
	})
}

// simple is what unary begins with for a function that has no constants.
func simple(f func(e typed, x quads) quads) func(*sweep, typed) func(quads) quads {
	return func(_ *sweep, e typed) func(quads) quads { return func(x quads) quads { return f(e, x) } }
}

// binary writes the function y = f(a, b) whose operands are as long as y or single elements.
func (f *neonFile) binary(size int, name, doc string, g func(e typed, a, b quads) quads) {
	doc = fmt.Sprintf("computes %s. One of a and b may have a single element, which stands for all", doc)
	f.function(fmt.Sprintf("%s_%d", name, 8*size), fmt.Sprintf("func(a, b, y []%s)", typeName(size)), doc, func(r *routine) {
		w, e, n := r.newSweep(size, []string{"a", "b", "y"}, nil), typed{r, size}, r.length("y")
		r.emit("CMP $1, %v", r.length("a"))
		r.branch("BEQ", "singleA")
		r.emit("CMP $1, %v", r.length("b"))
		r.branch("BEQ", "singleB")
		w.run(n, func() { w.store(g(e, w.load("a"), w.load("b")), "y") })
		r.emit("RET")
		r.label("singleA")
		a := e.fillFrom(w.base["a"])
		w.run(n, func() { w.store(g(e, a, w.load("b")), "y") })
		r.emit("RET")
		r.label("singleB")
		b := e.fillFrom(w.base["b"])
		w.run(n, func() { w.store(g(e, w.load("a"), b), "y") })
	})
}

// neonBinaries writes the functions of two numbers.
func neonBinaries(f *neonFile, size int) {
	f.binary(size, "add", "a + b", typed.plus)
	f.binary(size, "sub", "a − b", typed.minus)
	f.binary(size, "mul", "a·b", typed.times)
	f.binary(size, "div", "a/b", typed.over)
	f.binary(size, "max", "max(a, b)", typed.greater)
	f.binary(size, "min", "min(a, b)", typed.lesser)
}

// neonUnaries writes the functions of one number that are a few instructions.
func neonUnaries(f *neonFile, size int) {
	f.unary(size, "neg", "y = −x", simple(typed.negate))
	f.unary(size, "abs", "y = |x|", simple(func(e typed, x quads) quads { return e.each(two("fabs", e.size), x) }))
	f.unary(size, "sign", "y = −1, 0 or 1", simple(func(e typed, x quads) quads {
		return e.where(e.less(e.number(0), x), e.number(1), e.where(e.less(x, e.number(0)), e.number(-1), x))
	}))
	f.unary(size, "square", "y = x²", simple(func(e typed, x quads) quads { return e.times(x, x) }))
	f.unary(size, "sqrt", "y = √x", simple(typed.root))
	f.unary(size, "reciprocal", "y = 1/x", simple(func(e typed, x quads) quads { return e.over(e.number(1), x) }))
	f.unary(size, "addConst", "y = x + a", func(w *sweep, e typed) func(quads) quads {
		a := w.fill("a")
		return func(x quads) quads { return e.plus(x, a) }
	})
	f.unary(size, "mulConst", "y = a·x", func(w *sweep, e typed) func(quads) quads {
		a := w.fill("a")
		return func(x quads) quads { return e.times(a, x) }
	})
	f.unary(size, "clip", "y = min(max(x, a), b)", func(w *sweep, e typed) func(quads) quads {
		a, b := w.fill("a"), w.fill("b")
		return func(x quads) quads { return e.lesser(e.greater(x, a), b) }
	})
	f.unary(size, "floor", "y = x rounded down", simple(func(e typed, x quads) quads { return e.rounded("frintm", x) }))
	f.unary(size, "ceil", "y = x rounded up", simple(func(e typed, x quads) quads { return e.rounded("frintp", x) }))
	f.unary(size, "round", "y = x rounded to the nearest integer, halves to the even one", simple(func(e typed, x quads) quads {
		return e.rounded("frintn", x)
	}))
	f.unary(size, "relu", "y = max(x, 0)", simple(func(e typed, x quads) quads { return e.greater(x, e.number(0)) }))
	f.unary(size, "leakyReLU", "y = x, or a·x where x < 0", func(w *sweep, e typed) func(quads) quads {
		a := w.fill("a")
		return func(x quads) quads { return e.where(e.less(x, e.number(0)), e.times(a, x), x) }
	})
}

// gradient writes the function dx = dy·f'(v) with constants a and b.
func (f *neonFile) gradient(size int, name, doc string, begin func(w *sweep, e typed) (f func(v, d quads) quads)) {
	f.elementwise(size, name+"Grad", "v, dy, dx", "a, b", "dx = "+doc, func(w *sweep, e typed) func() {
		f := begin(w, e)
		return func() { w.store(f(w.load("v"), w.load("dy")), "dx") }
	})
}

// simply is what gradient begins with for a function that has no constants.
func simply(f func(e typed, v, d quads) quads) func(*sweep, typed) func(v, d quads) quads {
	return func(_ *sweep, e typed) func(v, d quads) quads { return func(v, d quads) quads { return f(e, v, d) } }
}

// neonGradients writes the gradients that are a few instructions.
func neonGradients(f *neonFile, size int) {
	one, none := func(e typed) quads { return e.number(1) }, func(e typed) quads { return e.number(0) }
	f.gradient(size, "relu", "dy, or 0 where v ≤ 0", simply(func(e typed, v, d quads) quads {
		return e.without(d, e.lessOrEqual(v, none(e)))
	}))
	f.gradient(size, "leakyReLU", "dy, or a·dy where v ≤ 0", func(w *sweep, e typed) func(v, d quads) quads {
		a := w.fill("a")
		return func(v, d quads) quads { return e.where(e.lessOrEqual(v, none(e)), e.times(a, d), d) }
	})
	f.gradient(size, "sigmoid", "dy·v·(1 − v)", simply(func(e typed, v, d quads) quads {
		return e.times(d, e.times(v, e.minus(one(e), v)))
	}))
	f.gradient(size, "tanh", "dy·(1 − v)·(1 + v)", simply(func(e typed, v, d quads) quads {
		return e.times(d, e.times(e.minus(one(e), v), e.plus(v, one(e))))
	}))
	f.gradient(size, "abs", "dy with the sign of v, 0 where that is 0", simply(func(e typed, v, d quads) quads {
		return e.and(e.xor(d, e.and(v, e.signs())), e.less(none(e), e.and(v, e.magnitudes())))
	}))
	f.gradient(size, "square", "dy·2v", simply(func(e typed, v, d quads) quads { return e.times(d, e.plus(v, v)) }))
	f.gradient(size, "sqrt", "dy·½/v", simply(func(e typed, v, d quads) quads { return e.times(d, e.over(e.number(0.5), v)) }))
	f.gradient(size, "expm1", "dy·(v + 1)", simply(func(e typed, v, d quads) quads { return e.times(d, e.plus(v, one(e))) }))
	f.gradient(size, "log1p", "dy/(1 + v)", simply(func(e typed, v, d quads) quads { return e.over(d, e.plus(v, one(e))) }))
	f.gradient(size, "clip", "dy, or 0 where v is not in [a, b]", func(w *sweep, e typed) func(v, d quads) quads {
		a, b := w.fill("a"), w.fill("b")
		return func(v, d quads) quads {
			return e.and(e.and(e.greaterOrEqual(v, a), e.lessOrEqual(v, b)), d)
		}
	})
}

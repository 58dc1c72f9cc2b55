package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// softmaxes writes the functions that softmax and its logarithm are made of, for rows of float32.
func softmaxes() {
	e := float32s
	sumOfPowers("sumExp", "x", "Σ e^(x−m)")
	sumOfPowers("expSum", "x, y", "y = e^(x−m) and its sum")
	elementwise(e, "scaledExp", "x, y", "shift, scale", "y = e^(x−shift)·scale", func(w *walk) func() {
		w.most = 4
		shift, scale := w.constant("shift"), w.constant("scale")
		return func() { w.store(e.times(expNegative(e.minus(w.load("x"), shift)), scale), "y") }
	})
	elementwise(e, "logSoftmaxGrad", "v, dy, dx", "sum", "dx = dy − eᵛ·sum", func(w *walk) func() {
		w.most = 3
		sum := w.constant("sum")
		return func() { w.store(e.remainder(w.load("dy"), expNegative(w.load("v")), sum), "dx") }
	})
	pairs("logSoftmax", "x, y", "m, l float64", "y = (x − m) − l", func(w *pairWalk) func() {
		m, l := everywhere("m"), everywhere("l")
		return func() { w.store(float64s.minus(float64s.minus(w.load("x"), m), l), "y") }
	})
	pairs("softmaxGrad", "v, dy, dx", "dot float64", "dx = v·(dy − dot)", func(w *pairWalk) func() {
		dot := everywhere("dot")
		return func() { w.store(float64s.times(w.load("v"), float64s.minus(w.load("dy"), dot)), "dx") }
	})
}

// sumOfPowers writes a function that adds up e^(x−m) in eight lanes of float64 and, with a slice y, stores it.
func sumOfPowers(name, slices, doc string) {
	e := float32s
	name += "_" + float32s.bits
	TEXT(name, NOSPLIT, "func("+slices+" []float32, m float32) (sum float64)")
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	w := newWalk(e, names(slices)...)
	w.most = 3
	m, sum := w.constant("m"), sums()
	w.run("", length("x"), func() {
		p := expNegative(e.minus(w.load("x"), m))
		if w.mask != nil {
			p = e.bitAnd(p, vec{w.mask})
		}
		if w.first["y"] != nil {
			w.store(p, "y")
		}
		for i := range p {
			accumulate(e.widen(p[i:i+1]), sum)
		}
	})
	result("sum", sum)
	end()
}

// widen returns the elements of a vector as float64.
func (e element) widen(x vec) vec {
	lower := x[0].(reg.VecVirtual)
	if !wide() {
		return widenEight(lower)
	}
	upper := YMM()
	VEXTRACTF64X4(Imm(1), lower, upper)
	return append(widenEight(lowHalf(lower)), widenEight(upper)...)
}

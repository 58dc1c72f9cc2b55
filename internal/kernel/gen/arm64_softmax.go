package main

import "strings"

// neonSoftmaxes writes the functions that softmax and its logarithm are made of, for rows of float32.
func neonSoftmaxes(f *neonFile) {
	f.sumOfPowers("sumExp", "x", "Σ e^(x−m)")
	f.sumOfPowers("expSum", "x, y", "y = e^(x−m) and its sum")
	f.elementwise(4, "scaledExp", "x, y", "shift, scale", "y = e^(x−shift)·scale", func(w *sweep, e typed) func() {
		w.most = 4
		shift, scale := w.fill("shift"), w.fill("scale")
		return func() { w.store(e.times(e.expNegative(e.minus(w.load("x"), shift)), scale), "y") }
	})
	f.elementwise(4, "logSoftmaxGrad", "v, dy, dx", "sum", "dx = dy − eᵛ·sum", func(w *sweep, e typed) func() {
		w.most = 3
		sum := w.fill("sum")
		return func() { w.store(e.remainder(w.load("dy"), e.expNegative(w.load("v")), sum), "dx") }
	})
	f.doubled("logSoftmax", "x, y", "m, l float64", "y = (x − m) − l", func(w *sweep, e typed) func() {
		m, l := w.fill("m"), w.fill("l")
		return func() { w.storeDouble(e.minus(e.minus(w.loadDouble("x"), m), l), "y") }
	})
	f.doubled("softmaxGrad", "v, dy, dx", "dot float64", "dx = v·(dy − dot)", func(w *sweep, e typed) func() {
		dot := w.fill("dot")
		return func() { w.storeDouble(e.times(w.loadDouble("v"), e.minus(w.loadDouble("dy"), dot)), "dx") }
	})
}

// sumOfPowers writes a function that adds up e^(x−m) in eight lanes of float64 and, with a slice y, stores it.
func (f *neonFile) sumOfPowers(name, slices, doc string) {
	f.function(name+"_32", "func("+slices+" []float32, m float32) (sum float64)", "computes "+doc, func(r *routine) {
		w, e := r.newSums(4, strings.Split(slices, ", ")...), r.singles()
		w.most = 2
		m, sums := r.fill("m"), r.zeros()
		w.run(r.length("x"), func() {
			p := e.expNegative(e.minus(w.load("x"), m))
			if w.base["y"] != nil {
				w.store(p, "y")
			}
			wide := r.widened(p)
			for ; len(wide) > 4; wide = wide[4:] {
				w.accumulate(wide[:4], sums)
			}
			w.accumulate(w.keep(wide), sums)
		})
		w.result("sum", sums)
	})
}

// doubled writes a function over slices of float32 with constants of a type, which computes in float64.
func (f *neonFile) doubled(name, slices, constants, doc string, begin func(w *sweep, e typed) (body func())) {
	signature := "func(" + slices + " []float32"
	if constants != "" {
		signature += ", " + constants
	}
	f.function(name+"_32", signature+")", "computes "+doc, func(r *routine) {
		all := strings.Split(slices, ", ")
		w := r.newSweep(4, all, nil)
		body := begin(w, r.doubles())
		w.run(r.length(all[len(all)-1]), body)
	})
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// updates writes the steps of the optimizers. They round after each operation, as plain Go does, so that both give the same bits.
func updates(e element) {
	elementwise(e, "sgd", "w, g", "rate", "w −= rate·g", func(w *walk) func() {
		rate := w.constant("rate")
		return func() { w.step("w", w.times(rate, w.in("g"))) }
	})
	elementwise(e, "momentum", "w, g, v", "rate, mu", "v = mu·v + g and w −= rate·v", func(w *walk) func() {
		rate, mu := w.constant("rate"), w.constant("mu")
		return func() {
			v := w.plus(w.times(mu, w.in("v")), w.in("g"))
			w.store(v, "v")
			w.step("w", w.times(rate, v))
		}
	})
	elementwise(e, "nesterov", "w, g, v", "rate, mu", "v = mu·v + g and w −= rate·(g + mu·v)", func(w *walk) func() {
		rate, mu := w.constant("rate"), w.constant("mu")
		return func() {
			g := w.load("g")
			v := w.plus(w.times(mu, w.in("v")), g)
			w.store(v, "v")
			w.step("w", w.times(rate, w.plus(g, w.times(mu, v))))
		}
	})
	elementwise(e, "adagrad", "w, g, s", "rate, epsilon", "s += g² and w −= rate·g/(√s + epsilon)", func(w *walk) func() {
		rate, epsilon := w.constant("rate"), w.constant("epsilon")
		return func() {
			g := w.load("g")
			s := w.plus(w.times(g, g), w.in("s"))
			w.store(s, "s")
			w.step("w", w.over(w.times(rate, g), w.plus(w.root(s), epsilon)))
		}
	})
	adam(e)
}

// step subtracts from the elements of a slice.
func (w *walk) step(name string, x vec) { w.store(w.minus(w.load(name), x), name) }

// adam writes a step of Adam, whose constants are those of kernel.Adam, in the order of its fields.
func adam(e element) {
	name := "adam_" + e.bits
	TEXT(name, NOSPLIT, "func(w, g, m, v []"+e.name+", c *"+e.name+")")
	Doc(name + " computes UpdateAdam. c points to the first field of an Adam.")
	Pragma("noescape")
	w := newWalk(e, "w", "g", "m", "v")
	w.most = 1
	c := param("c")
	var k [8]vec
	for i := range k {
		k[i] = e.fill(Mem{Base: c, Disp: i * e.size})
	}
	beta1, beta2, rest1, rest2, rate, root, epsilon, decay := k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
	w.run("", length("g"), func() {
		g := w.load("g")
		m := w.plus(w.times(beta1, w.in("m")), w.times(rest1, g))
		v := w.plus(w.times(beta2, w.in("v")), w.times(rest2, w.times(g, g)))
		w.store(m, "m")
		w.store(v, "v")
		change := w.over(w.times(rate, m), w.plus(w.times(w.root(v), root), epsilon))
		x := w.load("w")
		w.store(w.minus(x, w.plus(change, w.times(decay, x))), "w")
	})
	end()
}

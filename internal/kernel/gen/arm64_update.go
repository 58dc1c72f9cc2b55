package main

import "fmt"

// neonUpdates writes the steps of the optimizers. They round after each operation, as plain Go does, so that both give the same bits.
func neonUpdates(f *neonFile, size int) {
	f.elementwise(size, "sgd", "w, g", "rate", "w −= rate·g", func(w *sweep, e typed) func() {
		rate := w.fill("rate")
		return func() { w.step(e, e.times(rate, w.load("g"))) }
	})
	f.elementwise(size, "momentum", "w, g, v", "rate, mu", "v = mu·v + g and w −= rate·v", func(w *sweep, e typed) func() {
		rate, mu := w.fill("rate"), w.fill("mu")
		return func() {
			v := e.plus(e.times(mu, w.load("v")), w.load("g"))
			w.store(v, "v")
			w.step(e, e.times(rate, v))
		}
	})
	f.elementwise(size, "nesterov", "w, g, v", "rate, mu", "v = mu·v + g and w −= rate·(g + mu·v)", func(w *sweep, e typed) func() {
		rate, mu := w.fill("rate"), w.fill("mu")
		return func() {
			g := w.load("g")
			v := e.plus(e.times(mu, w.load("v")), g)
			w.store(v, "v")
			w.step(e, e.times(rate, e.plus(g, e.times(mu, v))))
		}
	})
	f.elementwise(size, "adagrad", "w, g, s", "rate, epsilon", "s += g² and w −= rate·g/(√s + epsilon)", func(w *sweep, e typed) func() {
		rate, epsilon := w.fill("rate"), w.fill("epsilon")
		return func() {
			g := w.load("g")
			s := e.plus(e.times(g, g), w.load("s"))
			w.store(s, "s")
			w.step(e, e.over(e.times(rate, g), e.plus(e.root(s), epsilon)))
		}
	})
	neonAdam(f, size)
}

// step subtracts from the weights.
func (w *sweep) step(e typed, x quads) { w.store(e.minus(w.load("w"), x), "w") }

// neonAdam writes a step of Adam, whose constants are those of kernel.Adam, in the order of its fields.
func neonAdam(f *neonFile, size int) {
	signature := fmt.Sprintf("func(w, g, m, v []%[1]s, c *%[1]s)", typeName(size))
	f.function(fmt.Sprint("adam_", 8*size), signature, "computes UpdateAdam. c points to the first field of an Adam", func(r *routine) {
		w, e, c := r.newSweep(size, []string{"w", "g", "m", "v"}, nil), typed{r, size}, r.param("c")
		var k [8]quads
		for i := range k {
			k[i] = e.fillFrom(c)
			r.emit("ADD $%d, %v, %v", size, c, c)
		}
		beta1, beta2, rest1, rest2, rate, root, epsilon, decay := k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
		w.run(r.length("g"), func() {
			g := w.load("g")
			m := e.plus(e.times(beta1, w.load("m")), e.times(rest1, g))
			v := e.plus(e.times(beta2, w.load("v")), e.times(rest2, e.times(g, g)))
			w.store(m, "m")
			w.store(v, "v")
			change := e.over(e.times(rate, m), e.plus(e.times(e.root(v), root), epsilon))
			x := w.load("w")
			w.store(e.minus(x, e.plus(change, e.times(decay, x))), "w")
		})
	})
}

// neonNormalizations writes the functions that normalise the elements of a channel, those of a row that has one element of each channel, and
// a row whose elements have a weight and a bias each.
func neonNormalizations(f *neonFile, size int) {
	f.elementwise(size, "normalize", "x, y", "mean, scale, shift", "Normalize", func(w *sweep, e typed) func() {
		mean, scale, shift := w.fill("mean"), w.fill("scale"), w.fill("shift")
		return func() { w.store(e.plus(e.times(e.minus(w.load("x"), mean), scale), shift), "y") }
	})
	f.elementwise(size, "normalizeColumns", "x, y, mean, scale, shift", "", "NormalizeColumns", func(w *sweep, e typed) func() {
		return func() {
			centred := e.minus(w.load("x"), w.load("mean"))
			w.store(e.plus(e.times(centred, w.load("scale")), w.load("shift")), "y")
		}
	})
	f.elementwise(size, "normalizeGrad", "x, dy, dx", "mean, scale, slope, shift", "NormalizeGrad", func(w *sweep, e typed) func() {
		mean, scale, slope, shift := w.fill("mean"), w.fill("scale"), w.fill("slope"), w.fill("shift")
		return func() {
			centred := e.minus(w.load("x"), mean)
			w.store(e.plus(e.plus(e.times(scale, w.load("dy")), e.times(centred, slope)), shift), "dx")
		}
	})
	f.elementwise(size, "normalizeGradColumns", "x, dy, dx, mean, scale, slope, shift", "", "NormalizeGradColumns", func(w *sweep, e typed) func() {
		return func() {
			centred := e.minus(w.load("x"), w.load("mean"))
			sum := e.plus(e.times(w.load("dy"), w.load("scale")), e.times(centred, w.load("slope")))
			w.store(e.plus(sum, w.load("shift")), "dx")
		}
	})
	f.elementwise(size, "normalizeRow", "x, weight, bias, y", "mean, scale", "NormalizeRow", func(w *sweep, e typed) func() {
		mean, scale := w.fill("mean"), w.fill("scale")
		return func() {
			normal := e.times(e.minus(w.load("x"), mean), scale)
			w.store(e.plus(e.times(normal, w.load("weight")), w.load("bias")), "y")
		}
	})
	f.elementwise(size, "normalizeRowGrad", "x, dy, weight, dx", "mean, scale, slope, shift", "NormalizeRowGrad", func(w *sweep, e typed) func() {
		mean, scale, slope, shift := w.fill("mean"), w.fill("scale"), w.fill("slope"), w.fill("shift")
		return func() {
			g := e.times(w.load("dy"), w.load("weight"))
			sum := e.plus(e.times(g, scale), e.times(e.minus(w.load("x"), mean), slope))
			w.store(e.plus(sum, shift), "dx")
		}
	})
}

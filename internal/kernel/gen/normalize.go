package main

// normalizations writes the functions that normalise the elements of a channel, and those of a row that has one element of each channel.
func normalizations(e element) {
	elementwise(e, "normalize", "x, y", "mean, scale, shift", "Normalize", func(w *walk) func() {
		mean, scale, shift := w.constant("mean"), w.constant("scale"), w.constant("shift")
		return func() { w.store(w.plus(w.times(w.minus(w.load("x"), mean), scale), shift), "y") }
	})
	elementwise(e, "normalizeColumns", "x, y, mean, scale, shift", "", "NormalizeColumns", func(w *walk) func() {
		return func() {
			centred := w.minus(w.load("x"), w.in("mean"))
			w.store(w.plus(w.times(centred, w.in("scale")), w.in("shift")), "y")
		}
	})
	elementwise(e, "normalizeGrad", "x, dy, dx", "mean, scale, slope, shift", "NormalizeGrad", func(w *walk) func() {
		mean, scale, slope, shift := w.constant("mean"), w.constant("scale"), w.constant("slope"), w.constant("shift")
		return func() {
			centred := w.minus(w.load("x"), mean)
			sum := w.plus(w.times(scale, w.in("dy")), w.times(centred, slope))
			w.store(w.plus(sum, shift), "dx")
		}
	})
	elementwise(e, "normalizeGradColumns", "x, dy, dx, mean, scale, slope, shift", "", "NormalizeGradColumns", func(w *walk) func() {
		return func() {
			centred := w.minus(w.load("x"), w.in("mean"))
			sum := w.plus(w.times(w.load("dy"), w.in("scale")), w.times(centred, w.in("slope")))
			w.store(w.plus(sum, w.in("shift")), "dx")
		}
	})
}

package main

// vectors writes the element-wise functions.
func vectors() {
	singles()
	doubles()
	softmaxes()
	randoms()
	bfloat16s()
	prefetchRows(32)
	prefetchRows(64)
	for _, e := range []element{float32s, float64s} {
		binaries(e)
		unaries(e)
		gradients(e)
		reductions(e)
		sumProducts(e)
		greatestOf(e)
		columnSums(e)
		normalizations(e)
		updates(e)
		layerNorms(e)
		sumRows(e)
		turn(e, 1)
		turn(e, 2)
	}
}

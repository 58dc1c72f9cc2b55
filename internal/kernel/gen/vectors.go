package main

// vectors writes the element-wise functions.
func vectors() {
	singles()
	doubles()
	softmaxes()
	randoms()
	bfloat16s()
	float16s()
	trigonometric()
	prefetchRows(32)
	prefetchRows(64)
	for _, e := range []element{float32s, float64s} {
		binaries(e)
		unaries(e)
		gradients(e)
		reductions(e)
		sumProducts(e)
		extremeOf(e, "greatest", "Greatest", e.max)
		extremeOf(e, "least", "Least", e.min)
		columnExtremes(e)
		columnSums(e)
		normalizations(e)
		updates(e)
		layerNorms(e)
		sumRows(e)
		turn(e, 1)
		turn(e, 2)
	}
}

package main

// vectors writes the element-wise functions.
func vectors() {
	singles()
	doubles()
	softmaxes()
	randoms()
	bfloat16s()
	float16s()
	comparisons()
	choose(float32s)
	choose(float64s)
	casts()
	trigonometric()
	powers()
	prefetchRows(32)
	prefetchRows(64)
	for _, e := range []element{float32s, float64s} {
		loops(e)
		turn(e, 1)
		turn(e, 2)
	}
}

// wideVectors writes them for AVX-512, but for those that only move elements.
func wideVectors() {
	widen()
	singles()
	doubles()
	softmaxes()
	randoms()
	bfloat16s()
	float16s()
	trigonometric()
	loops(float32s)
	loops(float64s)
}

// loops writes the functions that both types have.
func loops(e element) {
	binaries(e)
	unaries(e)
	gradients(e)
	reductions(e)
	sumProducts(e)
	extremeOf(e, "greatest", "Greatest", e.max)
	extremeOf(e, "least", "Least", e.min)
	columnSums(e)
	normalizations(e)
	updates(e)
	layerNorms(e)
}

package main

// neonVectors writes the element-wise functions.
func neonVectors(f *neonFile) {
	neonSingles(f)
	neonSoftmaxes(f)
	neonDoubles(f)
	neonTrigonometric(f)
	neonRandoms(f)
	for _, size := range []int{4, 8} {
		neonBinaries(f, size)
		neonUnaries(f, size)
		neonGradients(f, size)
		neonReductions(f, size)
		neonColumns(f, size)
		neonSumNormalized(f, size)
		neonNormalizations(f, size)
		neonUpdates(f, size)
	}
}

//go:build !purego

package kernel

// The assembly for rows is called by its names and not from a table, so that the compiler sees that its arguments, which may lie on the stack,
// do not escape. Where haveVectors is true, the functions of this file choose between AVX2 and AVX-512, which give the same bits.

func sumInto32(x []float32, acc []float64) {
	if haveAVX512 {
		sumInto_32_avx512(x, acc)
	} else {
		sumInto_32(x, acc)
	}
}

func sumInto64(x []float64, acc []float64) {
	if haveAVX512 {
		sumInto_64_avx512(x, acc)
	} else {
		sumInto_64(x, acc)
	}
}

func sumRows32(rows int, x []float32, row int, acc []float64) {
	if haveAVX512 {
		sumRows_32_avx512(rows, x, row, acc)
	} else {
		sumRows_32(rows, x, row, acc)
	}
}

func sumRows64(rows int, x []float64, row int, acc []float64) {
	if haveAVX512 {
		sumRows_64_avx512(rows, x, row, acc)
	} else {
		sumRows_64(rows, x, row, acc)
	}
}

func greatestInto32(x []float32, acc []float64) {
	if haveAVX512 {
		greatestInto_32_avx512(x, acc)
	} else {
		greatestInto_32(x, acc)
	}
}

func greatestInto64(x []float64, acc []float64) {
	if haveAVX512 {
		greatestInto_64_avx512(x, acc)
	} else {
		greatestInto_64(x, acc)
	}
}

func leastInto32(x []float32, acc []float64) {
	if haveAVX512 {
		leastInto_32_avx512(x, acc)
	} else {
		leastInto_32(x, acc)
	}
}

func leastInto64(x []float64, acc []float64) {
	if haveAVX512 {
		leastInto_64_avx512(x, acc)
	} else {
		leastInto_64(x, acc)
	}
}

func sumFourInto32(x, x1, x2, x3 []float32, acc []float64) {
	if haveAVX512 {
		sumFourInto_32_avx512(x, x1, x2, x3, acc)
	} else {
		sumFourInto_32(x, x1, x2, x3, acc)
	}
}

func sumFourInto64(x, x1, x2, x3 []float64, acc []float64) {
	if haveAVX512 {
		sumFourInto_64_avx512(x, x1, x2, x3, acc)
	} else {
		sumFourInto_64(x, x1, x2, x3, acc)
	}
}

func greaterInto32(x, y []float32, arg []int32, row int32) {
	if haveAVX512 {
		greaterInto_32_avx512(x, y, arg, row)
	} else {
		greaterInto_32(x, y, arg, row)
	}
}

func greaterInto64(x, y []float64, arg []int64, row int64) {
	if haveAVX512 {
		greaterInto_64_avx512(x, y, arg, row)
	} else {
		greaterInto_64(x, y, arg, row)
	}
}

func greaterFourInto32(x, x1, x2, x3, y []float32, arg []int32, row int32) {
	if haveAVX512 {
		greaterFourInto_32_avx512(x, x1, x2, x3, y, arg, row)
	} else {
		greaterFourInto_32(x, x1, x2, x3, y, arg, row)
	}
}

func greaterFourInto64(x, x1, x2, x3, y []float64, arg []int64, row int64) {
	if haveAVX512 {
		greaterFourInto_64_avx512(x, x1, x2, x3, y, arg, row)
	} else {
		greaterFourInto_64(x, x1, x2, x3, y, arg, row)
	}
}

func productsInto32(x, y []float32, acc []float64) {
	if haveAVX512 {
		productsInto_32_avx512(x, y, acc)
	} else {
		productsInto_32(x, y, acc)
	}
}

func productsInto64(x, y []float64, acc []float64) {
	if haveAVX512 {
		productsInto_64_avx512(x, y, acc)
	} else {
		productsInto_64(x, y, acc)
	}
}

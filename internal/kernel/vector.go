package kernel

import "unsafe"

// vectorTable holds the element-wise assembly for slices of T: functions over slices of the length of their last one. Where there is none
// stands nil, and plain Go does the work. An element is the same bits wherever it lies in a slice. All functions give the bits of plain Go but
// those under near.
type vectorTable[T Number] struct {
	near nearTable[T]

	add, sub, mul, div, max, min func(a, b, y []T) // see Binary; not for two single operands

	neg, abs, sign, square, sqrt, reciprocal, addConst, mulConst, clip, floor, ceil, round, relu, leakyReLU vectorUnary[T]

	reluGrad, leakyReLUGrad, sigmoidGrad, tanhGrad, absGrad, squareGrad, sqrtGrad, expm1Grad, log1pGrad, clipGrad vectorGrad[T]

	greatest, least   func(x []T) T // of zeros, any
	sum, sumSquares   func(x []T) (sum float64)
	sumDeviations     func(x []T, mean float64) (sum float64)
	dot               func(x, y []T) (sum float64)
	sumProducts       func(x, dy []T, mean float64) (sum, products float64)
	sumDeviationsInto func(x []T, mean, acc []float64)
	sumProductsInto   func(x, dy []T, mean, sum, products []float64)

	normalize            func(x, y []T, mean, scale, shift T)
	normalizeColumns     func(x, y, mean, scale, shift []T)
	normalizeGrad        func(x, dy, dx []T, mean, scale, slope, shift T)
	normalizeGradColumns func(x, dy, dx, mean, scale, slope, shift []T)

	normalizeRow     func(x, weight, bias, y []T, mean, scale T)
	normalizeRowGrad func(x, dy, weight, dx []T, mean, scale, slope, shift T)
	sumWeighted      func(x, dy, weight []T, mean float64) (sum, products float64)
	sumNormalized    func(x, dy []T, mean, scale float64, dweight, dbias []float64)

	logSoftmax  func(x, y []T, m, l float64) // y = (x − m) − l
	softmaxGrad func(y, dy, dx []T, dot float64)

	// For a multiple of wordsAtOnce elements. A word that is at most last drops its element.
	words   func(key, high, block uint64, y []T) // as bits, for float32
	uniform func(key, high, block uint64, lo, width float64, last T, y []T)
	dropout func(key, high, block uint64, x, y []T, last uint32, scale T)

	sgd                func(w, g []T, rate T)
	momentum, nesterov func(w, g, v []T, rate, mu T)
	adagrad            func(w, g, s []T, rate, epsilon T)
	adam               func(w, g, m, v []T, c *T)
}

// nearTable holds functions that give other bits than plain Go, for float32 only.
type nearTable[T Number] struct {
	// within 2 units in the last place of the true value
	rsqrt, exp, log, sigmoid, tanh, silu vectorUnary[T]
	// within 6 units, the gradients of the greater of their two terms
	gelu                             vectorUnary[T]
	geluGrad, siluGrad, softplusGrad vectorGrad[T]

	// in float64, as plain Go: within 0.6 units but for the rounding of the constants a and b to float32
	expm1, log1p, softplus, erf, geluTanh, elu, stanh, softsign, cube, halfPower                 vectorUnary[T]
	sin, cos                                                                                     vectorUnary[T] // for |x| up to sineLimit
	rsqrtGrad, reciprocalGrad, erfGrad, geluTanhGrad, eluGrad, stanhGrad, softsignGrad, cubeGrad vectorGrad[T]
	sinGrad, cosGrad                                                                             vectorGrad[T] // for |x| up to sineLimit

	logisticLoss, logisticSlope func(x, t, y []T)
	boxMuller                   func(y []T, mean, deviation float64) // of random words in their place, for a multiple of wordsAtOnce

	// of the exponent and its integerKind; for the gradient that of a − 1
	powConst     func(x, y []T, a, kind float64)
	powConstGrad func(v, dy, dx []T, a, kind float64)

	sumExp         func(x []T, m T) (sum float64)    // Σ e^(x−m) for a m that is not less than x, in lanes as Sum
	expSum         func(x, y []T, m T) (sum float64) // and y = e^(x−m)
	scaledExp      func(x, y []T, shift, scale T)    // y = e^(x−shift)·scale for a shift that is not much less than x
	logSoftmaxGrad func(y, dy, dx []T, sum T)
}

// vectorUnary is the assembly of a Unary, and vectorGrad that of a UnaryGrad.
type (
	vectorUnary[T Number] func(x, y []T, a, b T)
	vectorGrad[T Number]  func(v, dy, dx []T, a, b T)
)

// run computes y = f(x), or reports that there is no assembly.
func (f vectorUnary[T]) run(x, y []T, a, b float64) bool {
	if f != nil {
		f(x, y[:len(x)], T(a), T(b))
	}
	return f != nil
}

// run computes dx = dy·f'(v), or reports that there is no assembly.
func (f vectorGrad[T]) run(v, dy, dx []T, a, b float64) bool {
	if f != nil {
		f(v[:len(dy)], dy, dx[:len(dy)], T(a), T(b))
	}
	return f != nil
}

// Functions whose arguments may lie on the stack are called by their names and not from a table, so that the compiler sees that they do
// not escape: sumInto and the like, and the conversions of 16-bit numbers.

// noVectors is the table of all types but float32 and float64, and of processors without assembly.
var noVectors vectorTable[uint8]

// vectors returns the table for T on this CPU.
func vectors[T Number]() *vectorTable[T] {
	t := unsafe.Pointer(&noVectors) // functions have one size, whatever their types
	if haveVectors {
		switch any(*new(T)).(type) {
		case float32:
			t = unsafe.Pointer(&vectors32)
			if haveAVX512 {
				t = unsafe.Pointer(&wideVectors32)
			}
		case float64:
			t = unsafe.Pointer(&vectors64)
			if haveAVX512 {
				t = unsafe.Pointer(&wideVectors64)
			}
		}
	}
	return (*vectorTable[T])(t)
}

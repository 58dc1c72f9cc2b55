package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// logTerms are the coefficients of (log(1+f) − f + ½f²)/f³ for float32, minimax on √½ ≤ 1+f < √2 to 2⁻²⁸ of the logarithm.
var logTerms = []float64{0.3333331346511841, -0.2500016689300537, 0.20002222061157227, -0.1665937304496765, 0.1420963704586029,
	-0.125493586063385, 0.12109126895666122, -0.10917509347200394, 0.05333011597394943}

const (
	ln2LogHigh = 0.693359375 // of 9 bits, so that its product with an exponent is exact
	ln2LogLow  = -0.00021219444005469057

	leastNormal = 0x1p-126
	raise       = 0x1p23 // makes subnormal numbers normal
)

// log32 computes log x = k·ln 2 + log(1+f), where x = 2ᵏ·(1+f).
func log32(x vec) vec {
	e := float32s
	small := e.is(less, x, e.number(leastNormal))
	y := e.where(small, e.times(x, e.number(raise)), x)
	root := e.word(int64(math.Float32bits(math.Sqrt2 / 2)))
	u := e.apply(VPSUBD, y, root)
	f := e.minus(e.apply(VPADDD, e.bitAnd(u, e.word(1<<23-1)), root), e.number(1))
	k := registers(len(x))
	for i := range k {
		VPSRAD(Imm(23), u[i], k[i])
		VCVTDQ2PS(k[i], k[i])
	}
	k = e.minus(k, e.bitAnd(small, e.number(23)))
	p := e.evenOdd(f, logTerms...)
	e.mulAdd(p, f, e.number(-0.5))
	f2 := e.times(f, f)
	r := e.times(k, e.number(ln2LogLow))
	e.addProduct(r, p, f2)
	r = e.plus(r, f)
	e.addProduct(r, k, e.number(ln2LogHigh))
	return logSpecial(e, x, r)
}

// logSpecial returns the logarithm r of x, but −Inf of 0, NaN of negative numbers, and x where that is NaN or infinite.
func logSpecial(e element, x, r vec) vec {
	r = e.where(e.is(less, x, e.number(math.Inf(1))), r, x)
	r = e.where(e.is(equal, x, e.number(0)), e.number(math.Inf(-1)), r)
	return e.bitOr(r, e.is(less, x, e.number(0))) // a number whose bits are all set is NaN
}

// artanhTerms are the coefficients of 2·artanh(s)/s in s² for log64.
var artanhTerms = []float64{2, 0.66666666554451646, 0.40000121876972001, 0.28550816599711549, 0.23330581938241894}

// log64 computes log x of a positive, normal float64, to 2⁻³⁵ relative: with s = f/(2+f), log(1+f) = 2·artanh s.
func log64(x vec) vec {
	e := float64s
	root := e.word(int64(math.Float64bits(math.Sqrt2 / 2)))
	u := e.apply(VPSUBQ, x, root)
	f := e.minus(e.apply(VPADDQ, e.bitAnd(u, e.word(1<<52-1)), root), e.number(1))
	const offset = 1024 // makes k positive
	k := e.apply(VPADDQ, u, e.word(offset<<52))
	for i := range k {
		VPSRLQ(Imm(52), k[i], k[i])
	}
	k = e.minus(e.bitOr(k, e.number(1<<52)), e.number(1<<52+offset)) // the bits of k as a number
	s := e.over(f, e.plus(f, e.number(2)))
	z := e.times(s, s)
	p := e.polynomial(z, artanhTerms...)
	p = e.times(p, s)
	e.addProduct(p, k, e.number(math.Ln2))
	return p
}

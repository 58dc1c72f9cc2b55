package kernel

import "math"

// The functions of this file that end in Short take and give float64 and are exact to about 2⁻³³ relative, which rounding to float32
// hides. Their polynomials are Chebyshev interpolations of the named function, computed with 40 digits.

const (
	expLimit = 700.0    // beyond ±expLimit, eˣ is Inf or 0 in float32, and 2ⁿ is near the edge in float64
	shifter  = 0x1.8p52 // adding it rounds to an integer, which then stands in the low bits
)

// expm1Poly computes eʳ−1 for |r| ≤ ½·ln 2, to 2⁻³² relative.
func expm1Poly(r float64) float64 {
	s := r * r
	odd := 0.50000000471460574 + s*(0.041666352771112211+s*0.0013941118895837001)
	even := 1 + s*(0.16666666719028935+s*(0.0083332984698005894+s*0.00019899285575896282))
	return r * (even + r*odd)
}

// expShort computes eˣ = 2ⁿ·eʳ with n = round(x/ln 2).
func expShort(x float64) float64 {
	if !(x > -expLimit && x < expLimit) {
		return expFar(x)
	}
	t := x*math.Log2E + shifter
	r := x - (t-shifter)*math.Ln2
	return (1 + expm1Poly(r)) * math.Float64frombits((math.Float64bits(t)+1023)<<52)
}

// expFar is expShort for arguments that are out of range or NaN.
func expFar(x float64) float64 {
	switch {
	case x > 0:
		return math.Inf(1)
	case x < 0:
		return 0
	}
	return x
}

// expm1Short computes eˣ−1 = 2ⁿ·(eʳ−1) + (2ⁿ−1), with the sign of x where that is 0.
func expm1Short(x float64) float64 {
	if !(x > -expLimit && x < expLimit) {
		return expFar(x) - 1
	}
	t := x*math.Log2E + shifter
	r := x - (t-shifter)*math.Ln2
	scale := math.Float64frombits((math.Float64bits(t) + 1023) << 52)
	return math.Copysign(scale*expm1Poly(r)+(scale-1), x)
}

// exp computes eˣ as precisely as T wants it.
func exp[T Float](x float64) float64 {
	if single[T]() {
		return expShort(x)
	}
	return math.Exp(x)
}

// expm1 computes eˣ−1 as precisely as T wants it.
func expm1[T Float](x float64) float64 {
	if single[T]() {
		return expm1Short(x)
	}
	return math.Expm1(x)
}

// sigmoid computes 1/(1+e⁻ˣ) as precisely as T wants it.
func sigmoid[T Float](x float64) float64 {
	if single[T]() {
		return 1 / (1 + expShort(-x))
	}
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// tanh computes the hyperbolic tangent as precisely as T wants it.
func tanh[T Float](x float64) float64 {
	if !single[T]() {
		return math.Tanh(x)
	}
	if x > 20 || x < -20 {
		return math.Copysign(1, x)
	}
	e := expm1Short(2 * x)
	return e / (e + 2)
}

// Exp computes eˣ.
func Exp[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.exp.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(exp[T](float64(v))) })
	}
}

// Expm1 computes eˣ−1, precisely near 0 too.
func Expm1[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.expm1.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(expm1[T](float64(v))) })
	}
}

// Sigmoid computes 1/(1+e⁻ˣ).
func Sigmoid[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.sigmoid.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(sigmoid[T](float64(v))) })
	}
}

// Tanh computes the hyperbolic tangent.
func Tanh[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.tanh.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(tanh[T](float64(v))) })
	}
}

// STanh computes a·tanh(b·x).
func STanh[T Float](x, y []T, a, b float64) {
	if !vectors[T]().near.stanh.run(x, y, a, b) {
		each(x, y, func(v T) T { return T(a * tanh[T](b*float64(v))) })
	}
}

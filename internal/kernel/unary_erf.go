package kernel

import "math"

// erfPoly computes erf(x)/x from t = x² ≤ 1, to 2⁻³⁴ relative.
func erfPoly(t float64) float64 {
	s := t * t
	even := 1.1283791670615434 + s*(0.11283782495236845+s*(0.0052210318078580228+s*0.00011265959025606609))
	odd := -0.3761263846802871 + s*(-0.026865430727670243+s*(-0.00084840804055351063-s*9.6670445714869964e-6))
	return even + t*odd
}

// erfcTail computes 1 − erf x for x ≥ 1, to 2⁻³⁴ relative: (1+2x)·e^(x²)·erfc x is a polynomial in s = (x−2)/(x+2) (after Shepherd and
// Laframboise, 1981). It is 0 from 11 on, where float32 has no number left.
func erfcTail(x float64) float64 {
	if x > 11 {
		return 0
	}
	s := (x - 2) / (x + 2)
	p := 0.00036067165490977499
	p = p*s - 0.00048025981267648834
	p = p*s - 0.0014872823887328056
	p = p*s + 0.0012837932000417803
	p = p*s + 0.0087239557995457473
	p = p*s - 0.0080352042128213479
	p = p*s - 0.054219957406951163
	p = p*s + 0.16405131902096808
	p = p*s - 0.16603040027664702
	p = p*s - 0.092763826930913183
	p = p*s + 1.2769783815661955
	return expShort(-x*x) * p / (1 + 2*x)
}

// erf computes the error function as precisely as T wants it.
func erf[T Float](x float64) float64 {
	if !single[T]() {
		return math.Erf(x)
	}
	a := math.Abs(x)
	if a < 1 {
		return x * erfPoly(x*x)
	}
	return math.Copysign(1-erfcTail(a), x)
}

// normal computes Φ(x), the standard normal distribution, as precisely as T wants it, on both tails.
func normal[T Float](x float64) float64 {
	z := x / math.Sqrt2
	if !single[T]() {
		return 0.5 * math.Erfc(-z)
	}
	a := math.Abs(z)
	if a < 1 {
		return 0.5 + 0.5*z*erfPoly(z*z)
	}
	tail := 0.5 * erfcTail(a)
	if x < 0 {
		return tail
	}
	return 1 - tail
}

// density computes φ(x) = e^(−x²/2)/√(2π), the derivative of Φ.
func density[T Float](x float64) float64 {
	return exp[T](-0.5*x*x) * (1 / (math.Sqrt2 * math.SqrtPi))
}

// Erf computes the error function.
func Erf[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.erf.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(erf[T](float64(v))) })
	}
}

// GELU computes x·Φ(x) (Hendrycks and Gimpel, 2016), by the complementary error function where x is negative, so that the small values
// there are as precise as the others.
func GELU[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.gelu.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(gated(float64(v), normal[T](float64(v)))) })
	}
}

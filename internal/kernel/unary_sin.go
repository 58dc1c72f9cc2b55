package kernel

import "math"

// sineLimit is the greatest angle whose sine the assembly computes: what lies beyond is the business of package math.
const sineLimit = 1 << 40

// Sin computes the sine of an angle in radians.
func Sin[T Float](x, y []T, _, _ float64) {
	circular(vectors[T]().near.sin, math.Sin, x, y)
}

// Cos computes the cosine of an angle in radians.
func Cos[T Float](x, y []T, _, _ float64) {
	circular(vectors[T]().near.cos, math.Cos, x, y)
}

// circular computes y = f(x) for angles, by assembly where there is some.
func circular[T Float](assembly vectorUnary[T], f func(float64) float64, x, y []T) {
	for len(x) > 0 {
		n := 0
		if assembly != nil {
			n = usual(x)
			assembly(x[:n], y[:n], 0, 0)
		}
		for ; n < len(x) && (assembly == nil || !inSineRange(x[n])); n++ {
			y[n] = T(f(float64(x[n])))
		}
		x, y = x[n:], y[n:]
	}
}

// inSineRange reports whether the assembly computes the sine of v, be it a number or not.
func inSineRange[T Float](v T) bool { return !(v > sineLimit || v < -sineLimit) }

// usual returns how many of the first elements of x are within the limit.
func usual[T Float](x []T) int {
	for i, v := range x {
		if !inSineRange(v) {
			return i
		}
	}
	return len(x)
}

// SinGrad is the gradient of Sin, from x.
func SinGrad[T Float](x, dy, dx []T, _, _ float64) {
	circularGrad(vectors[T]().near.sinGrad, math.Cos, x, dy, dx)
}

// CosGrad is the gradient of Cos, from x.
func CosGrad[T Float](x, dy, dx []T, _, _ float64) {
	circularGrad(vectors[T]().near.cosGrad, func(v float64) float64 { return -math.Sin(v) }, x, dy, dx)
}

// circularGrad computes dx = dy·slope(x) for angles, by assembly where there is some.
func circularGrad[T Float](assembly vectorGrad[T], slope func(float64) float64, x, dy, dx []T) {
	for x = x[:len(dy)]; len(x) > 0; {
		n := 0
		if assembly != nil {
			n = usual(x)
			assembly(x[:n], dy[:n], dx[:n], 0, 0)
		}
		for ; n < len(x) && (assembly == nil || !inSineRange(x[n])); n++ {
			dx[n] = T(float64(dy[n]) * slope(float64(x[n])))
		}
		x, dy, dx = x[n:], dy[n:], dx[n:]
	}
}

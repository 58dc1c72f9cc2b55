package kernel

import "math"

// sineLimit is the greatest angle whose sine the assembly computes: what lies beyond is the business of package math.
const sineLimit = 1 << 40

// angleBlock is how many angles are looked through at a time for those beyond the limit.
const angleBlock = 256

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
	if assembly == nil {
		each(x, y, func(v T) T { return T(f(float64(v))) })
		return
	}
	var from [angleBlock]T // y may be x
	for len(x) > 0 {
		n := copy(from[:], x)
		assembly(from[:n], y[:n], 0, 0)
		for i, v := range from[:n] {
			if v > sineLimit || v < -sineLimit {
				y[i] = T(f(float64(v)))
			}
		}
		x, y = x[n:], y[n:]
	}
}

// SinGrad is the gradient of Sin, from x.
func SinGrad[T Float](x, dy, dx []T, _, _ float64) {
	circularGrad(Cos[T], math.Cos, 1, x, dy, dx)
}

// CosGrad is the gradient of Cos, from x.
func CosGrad[T Float](x, dy, dx []T, _, _ float64) {
	circularGrad(Sin[T], math.Sin, -1, x, dy, dx)
}

// circularGrad computes dx = sign·dy·f(x) for angles, for float32 by the kernel of f.
func circularGrad[T Float](kernel Unary[T], f func(float64) float64, sign T, x, dy, dx []T) {
	if vectors[T]().near.sin == nil {
		slopes(x, dy, dx, func(v float64) float64 { return float64(sign) * f(v) })
		return
	}
	var slope [angleBlock]T
	for len(dy) > 0 {
		n := min(len(slope), len(dy))
		kernel(x[:n], slope[:n], 0, 0)
		MulConst(slope[:n], slope[:n], float64(sign), 0)
		Mul(slope[:n], dy[:n], dx[:n])
		x, dy, dx = x[n:], dy[n:], dx[n:]
	}
}

package kernel

// UnaryGrad is a kernel that computes dx[i] = dy[i]·f'(x[i]). v is x, or y = f(x) where the function takes its derivative from the
// result, or anything where the derivative is constant; it has as many elements as dy, and dx at least as many; dx may be dy.
type UnaryGrad[T Float] func(v, dy, dx []T, a, b float64)

// pairs calls f for every element of v and dy. It is inlined with f.
func pairs[T Float](v, dy, dx []T, f func(v, d T) T) {
	v, dx = v[:len(dy)], dx[:len(dy)]
	for i, d := range dy {
		dx[i] = f(v[i], d)
	}
}

// slopes computes dx = dy·f(v) in float64. It is inlined with f.
func slopes[T Float](v, dy, dx []T, f func(v float64) float64) {
	v, dx = v[:len(dy)], dx[:len(dy)]
	for i, d := range dy {
		dx[i] = T(float64(d) * f(float64(v[i])))
	}
}

// ZeroGrad is the gradient of the functions that are constant almost everywhere.
func ZeroGrad[T Float](_, dy, dx []T, _, _ float64) { clear(dx[:len(dy)]) }

// NegGrad is the gradient of Neg.
func NegGrad[T Float](_, dy, dx []T, _, _ float64) { Neg(dy, dx, 0, 0) }

// AddConstGrad is the gradient of AddConst.
func AddConstGrad[T Float](_, dy, dx []T, _, _ float64) { copy(dx, dy) }

// MulConstGrad is the gradient of MulConst.
func MulConstGrad[T Float](_, dy, dx []T, a, _ float64) { MulConst(dy, dx, a, 0) }

// AbsGrad is the gradient of Abs, from x: 0 at 0.
func AbsGrad[T Float](x, dy, dx []T, _, _ float64) {
	if !vectors[T]().absGrad.run(x, dy, dx, 0, 0) {
		pairs(x, dy, dx, func(v, d T) T { return pick(v > 0, d, pick(v < 0, -d, 0)) })
	}
}

// SquareGrad is the gradient of Square, from x.
func SquareGrad[T Float](x, dy, dx []T, _, _ float64) {
	if !vectors[T]().squareGrad.run(x, dy, dx, 0, 0) {
		pairs(x, dy, dx, func(v, d T) T { return d * (2 * v) })
	}
}

// SqrtGrad is the gradient of Sqrt, from y.
func SqrtGrad[T Float](y, dy, dx []T, _, _ float64) {
	if !vectors[T]().sqrtGrad.run(y, dy, dx, 0, 0) {
		pairs(y, dy, dx, func(v, d T) T { return d * (0.5 / v) })
	}
}

// RsqrtGrad is the gradient of Rsqrt, from y.
func RsqrtGrad[T Float](y, dy, dx []T, _, _ float64) {
	if !vectors[T]().near.rsqrtGrad.run(y, dy, dx, 0, 0) {
		slopes(y, dy, dx, func(v float64) float64 { return -0.5 * v * v * v })
	}
}

// ReciprocalGrad is the gradient of Reciprocal, from y.
func ReciprocalGrad[T Float](y, dy, dx []T, _, _ float64) {
	if !vectors[T]().near.reciprocalGrad.run(y, dy, dx, 0, 0) {
		slopes(y, dy, dx, func(v float64) float64 { return -v * v })
	}
}

// ExpGrad is the gradient of Exp, from y.
func ExpGrad[T Float](y, dy, dx []T, _, _ float64) {
	Mul(dy, y[:len(dy)], dx[:len(dy)])
}

// Expm1Grad is the gradient of Expm1, from y.
func Expm1Grad[T Float](y, dy, dx []T, _, _ float64) {
	if !vectors[T]().expm1Grad.run(y, dy, dx, 0, 0) {
		pairs(y, dy, dx, func(v, d T) T { return d * (v + 1) })
	}
}

// LogGrad is the gradient of Log, from x.
func LogGrad[T Float](x, dy, dx []T, _, _ float64) {
	Div(dy, x[:len(dy)], dx[:len(dy)])
}

// Log1pGrad is the gradient of Log1p, from x.
func Log1pGrad[T Float](x, dy, dx []T, _, _ float64) {
	if !vectors[T]().log1pGrad.run(x, dy, dx, 0, 0) {
		pairs(x, dy, dx, func(v, d T) T { return d / (1 + v) })
	}
}

// PowConstGrad is the gradient of PowConst, from x: a·x^(a−1), and 0 where a is 0.
func PowConstGrad[T Float](x, dy, dx []T, a, _ float64) {
	switch a {
	case 0:
		clear(dx[:len(dy)])
	case 1:
		copy(dx, dy)
	case 2:
		SquareGrad(x, dy, dx, 0, 0)
	default:
		if a == 3 && vectors[T]().near.cubeGrad.run(x, dy, dx, 0, 0) {
			return
		}
		if f := vectors[T]().near.powConstGrad; f != nil && ordinary(a) {
			f(x[:len(dy)], dy, dx[:len(dy)], a, integerKind(a-1))
			return
		}
		slopes(x, dy, dx, func(v float64) float64 { return a * pow[T](v, a-1) })
	}
}

// ClipGrad is the gradient of Clip, from x: 1 on [a, b].
func ClipGrad[T Float](x, dy, dx []T, a, b float64) {
	if vectors[T]().clipGrad.run(x, dy, dx, a, b) {
		return
	}
	lo, hi := T(a), T(b)
	pairs(x, dy, dx, func(v, d T) T { return pick(v >= lo, pick(v <= hi, d, 0), 0) })
}

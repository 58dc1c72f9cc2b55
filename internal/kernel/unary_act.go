package kernel

import "math"

// gated computes x·gate; a shut gate gives 0 for an infinite x too.
func gated(x, gate float64) float64 {
	if gate == 0 {
		return math.Copysign(0, x)
	}
	return x * gate
}

// ReLU computes max(x, 0); NaN stays NaN, and −0 becomes 0.
func ReLU[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().relu.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return max(v, 0) })
	}
}

// LeakyReLU computes a·x where x is negative, else x.
func LeakyReLU[T Float](x, y []T, a, _ float64) {
	if vectors[T]().leakyReLU.run(x, y, a, 0) {
		return
	}
	c := T(a)
	each(x, y, func(v T) T { return pick(v < 0, c*v, v) })
}

// ELU computes a·(eˣ−1) where x is negative, else x (Clevert, Unterthiner and Hochreiter, 2015).
func ELU[T Float](x, y []T, a, _ float64) {
	if vectors[T]().near.elu.run(x, y, a, 0) {
		return
	}
	each(x, y, func(v T) T {
		if v < 0 {
			return T(a * expm1[T](float64(v)))
		}
		return v
	})
}

// SiLU computes x·σ(x).
func SiLU[T Float](x, y []T, _, _ float64) {
	if vectors[T]().near.silu.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T { return T(gated(float64(v), sigmoid[T](float64(v)))) })
}

const (
	geluCubic = 0.044715
	geluSlope = 2 * math.Sqrt2 / math.SqrtPi // 2·√(2/π)
)

// GELUTanh computes x/2·(1 + tanh u) with u = √(2/π)·(x + 0.044715x³), as x·σ(2u), which loses nothing where x is negative.
func GELUTanh[T Float](x, y []T, _, _ float64) {
	if vectors[T]().near.geluTanh.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T {
		f := float64(v)
		return T(gated(f, sigmoid[T](geluSlope*(f+geluCubic*f*f*f))))
	})
}

// softplus computes log(1+eˣ) as max(x, 0) + log(1+e^−|x|).
func softplus[T Float](x float64) float64 {
	return max(x, 0) + log1p[T](exp[T](-math.Abs(x)))
}

// Softplus computes log(1+eˣ), without overflow.
func Softplus[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.softplus.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(softplus[T](float64(v))) })
	}
}

// softsign computes x/(1+|x|).
func softsign(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(1, x)
	}
	return x / (1 + math.Abs(x))
}

// Softsign computes x/(1+|x|).
func Softsign[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.softsign.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(softsign(float64(v))) })
	}
}

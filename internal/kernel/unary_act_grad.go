package kernel

import "math"

// ReLUGrad is the gradient of ReLU, from y: 0 at 0; where y is NaN, dy goes through.
func ReLUGrad[T Float](y, dy, dx []T, _, _ float64) {
	if !vectors[T]().reluGrad.run(y, dy, dx, 0, 0) {
		pairs(y, dy, dx, func(v, d T) T { return pick(v <= 0, 0, d) })
	}
}

// LeakyReLUGrad is the gradient of LeakyReLU, from x: a at 0.
func LeakyReLUGrad[T Float](x, dy, dx []T, a, _ float64) {
	if vectors[T]().leakyReLUGrad.run(x, dy, dx, a, 0) {
		return
	}
	c := T(a)
	pairs(x, dy, dx, func(v, d T) T { return pick(v <= 0, c*d, d) })
}

// SigmoidGrad is the gradient of Sigmoid, from y.
func SigmoidGrad[T Float](y, dy, dx []T, _, _ float64) {
	if !vectors[T]().sigmoidGrad.run(y, dy, dx, 0, 0) {
		pairs(y, dy, dx, func(v, d T) T { return d * (v * (1 - v)) })
	}
}

// TanhGrad is the gradient of Tanh, from y, as (1−y)(1+y), which is precise near ±1.
func TanhGrad[T Float](y, dy, dx []T, _, _ float64) {
	if !vectors[T]().tanhGrad.run(y, dy, dx, 0, 0) {
		pairs(y, dy, dx, func(v, d T) T { return d * ((1 - v) * (1 + v)) })
	}
}

// STanhGrad is the gradient of STanh, from y: a·b·(1 − (y/a)²), and 0 where a is 0.
func STanhGrad[T Float](y, dy, dx []T, a, b float64) {
	if a == 0 {
		clear(dx[:len(dy)])
		return
	}
	if vectors[T]().near.stanhGrad.run(y, dy, dx, a, b) {
		return
	}
	slopes(y, dy, dx, func(v float64) float64 { return b / a * ((a - v) * (a + v)) })
}

// ELUGrad is the gradient of ELU, from x: 1 at 0.
func ELUGrad[T Float](x, dy, dx []T, a, _ float64) {
	if vectors[T]().near.eluGrad.run(x, dy, dx, a, 0) {
		return
	}
	slopes(x, dy, dx, func(v float64) float64 {
		if v < 0 {
			return a * exp[T](v)
		}
		return 1
	})
}

// ErfGrad is the gradient of Erf, from x.
func ErfGrad[T Float](x, dy, dx []T, _, _ float64) {
	if !vectors[T]().near.erfGrad.run(x, dy, dx, 0, 0) {
		slopes(x, dy, dx, func(v float64) float64 { return 2 / math.SqrtPi * exp[T](-v*v) })
	}
}

// within clips x to ±limit and keeps NaN; the derivatives below are constant beyond their limits, where x·0 would not be 0.
func within(x, limit float64) float64 { return min(max(x, -limit), limit) }

// GELUGrad is the gradient of GELU, from x: Φ(x) + x·φ(x).
func GELUGrad[T Float](x, dy, dx []T, _, _ float64) {
	if vectors[T]().near.geluGrad.run(x, dy, dx, 0, 0) {
		return
	}
	slopes(x, dy, dx, func(v float64) float64 {
		v = within(v, 40)
		return normal[T](v) + v*density[T](v)
	})
}

// GELUTanhGrad is the gradient of GELUTanh, from x: with s = σ(2u), s + x·s·(1−s)·2u'.
func GELUTanhGrad[T Float](x, dy, dx []T, _, _ float64) {
	if vectors[T]().near.geluTanhGrad.run(x, dy, dx, 0, 0) {
		return
	}
	slopes(x, dy, dx, func(v float64) float64 {
		v = within(v, 40)
		s := sigmoid[T](geluSlope * (v + geluCubic*v*v*v))
		return s + v*s*(1-s)*geluSlope*(1+3*geluCubic*v*v)
	})
}

// SiLUGrad is the gradient of SiLU, from x: with s = σ(x), s·(1 + x·(1−s)).
func SiLUGrad[T Float](x, dy, dx []T, _, _ float64) {
	if vectors[T]().near.siluGrad.run(x, dy, dx, 0, 0) {
		return
	}
	slopes(x, dy, dx, func(v float64) float64 {
		v = within(v, 800)
		s := sigmoid[T](v)
		return s * (1 + v*(1-s))
	})
}

// SoftplusGrad is the gradient of Softplus, from x: σ(x).
func SoftplusGrad[T Float](x, dy, dx []T, _, _ float64) {
	if !vectors[T]().near.softplusGrad.run(x, dy, dx, 0, 0) {
		slopes(x, dy, dx, sigmoid[T])
	}
}

// SoftsignGrad is the gradient of Softsign, from x: 1/(1+|x|)².
func SoftsignGrad[T Float](x, dy, dx []T, _, _ float64) {
	if vectors[T]().near.softsignGrad.run(x, dy, dx, 0, 0) {
		return
	}
	slopes(x, dy, dx, func(v float64) float64 {
		r := 1 / (1 + math.Abs(v))
		return r * r
	})
}

package kernel

import (
	"math"
	"unsafe"
)

// Integer is the type of the elements that count.
type Integer interface{ int32 | int64 | uint8 }

// Number is the type of the elements that have arithmetic.
type Number interface{ Float | Integer }

// Unary is a kernel that computes y[i] = f(x[i]) for the elements of x; y has at least as many and may be x. a and b are the
// function's constants; most functions have none.
//
// The float32 kernels of plain Go compute in float64, with polynomials where package math would be needlessly precise, and round once at
// the end: they are within 0.6 units in the last place of the true value. The assembly gives the same bits for functions of a few
// operations, and otherwise results within 2 units, GELU 6; see vectorTable. Both over- and underflow gradually like the true value, and keep NaN,
// infinities and signed zeros as IEEE 754 functions do. The float64 kernels use package math.
type Unary[T Number] func(x, y []T, a, b float64)

// each calls f for every element. It is small enough to be inlined with f, so that the loop holds no call.
func each[T, U any](x []T, y []U, f func(T) U) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] = f(v)
	}
}

// single reports whether T is float32. The compiler decides it.
func single[T Float]() bool { return unsafe.Sizeof(*new(T)) == 4 }

// pick returns p if c is true, else q, without a branch that the processor would have to guess.
func pick[T Float](c bool, p, q T) T {
	m := 0
	if c {
		m = 1
	}
	if single[T]() {
		u, v := math.Float32bits(float32(p)), math.Float32bits(float32(q))
		return T(math.Float32frombits(v ^ (u^v)&-uint32(m)))
	}
	u, v := math.Float64bits(float64(p)), math.Float64bits(float64(q))
	return T(math.Float64frombits(v ^ (u^v)&-uint64(m)))
}

// Neg computes −x.
func Neg[T Number](x, y []T, _, _ float64) {
	if !vectors[T]().neg.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return -v })
	}
}

// Abs computes |x|.
func Abs[T Number](x, y []T, _, _ float64) {
	if vectors[T]().abs.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T {
		if v <= 0 {
			return 0 - v // +0 for −0
		}
		return v
	})
}

// Sign computes −1, 0 or 1; NaN and −0 stay as they are.
func Sign[T Number](x, y []T, _, _ float64) {
	if vectors[T]().sign.run(x, y, 0, 0) {
		return
	}
	one := T(1)
	each(x, y, func(v T) T {
		if v > 0 {
			return one
		}
		if v < 0 {
			return -one
		}
		return v
	})
}

// Square computes x².
func Square[T Number](x, y []T, _, _ float64) {
	if !vectors[T]().square.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return v * v })
	}
}

// Sqrt computes √x.
func Sqrt[T Float](x, y []T, _, _ float64) {
	if vectors[T]().sqrt.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T { return T(math.Sqrt(float64(v))) })
}

// Rsqrt computes 1/√x.
func Rsqrt[T Float](x, y []T, _, _ float64) {
	if vectors[T]().near.rsqrt.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T { return T(1 / math.Sqrt(float64(v))) })
}

// Reciprocal computes 1/x.
func Reciprocal[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().reciprocal.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return 1 / v })
	}
}

// AddConst computes x + a; for integers, a is truncated.
func AddConst[T Number](x, y []T, a, _ float64) {
	if vectors[T]().addConst.run(x, y, a, 0) {
		return
	}
	c := FromFloat[T](a)
	each(x, y, func(v T) T { return v + c })
}

// MulConst computes a·x; for integers, a is truncated.
func MulConst[T Number](x, y []T, a, _ float64) {
	if vectors[T]().mulConst.run(x, y, a, 0) {
		return
	}
	c := FromFloat[T](a)
	each(x, y, func(v T) T { return c * v })
}

// Clip computes min(max(x, a), b).
func Clip[T Number](x, y []T, a, b float64) {
	if vectors[T]().clip.run(x, y, a, b) {
		return
	}
	lo, hi := FromFloat[T](a), FromFloat[T](b)
	each(x, y, func(v T) T { return min(max(v, lo), hi) })
}

// Floor rounds down.
func Floor[T Float](x, y []T, _, _ float64) {
	if vectors[T]().floor.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T { return T(math.Floor(float64(v))) })
}

// Ceil rounds up.
func Ceil[T Float](x, y []T, _, _ float64) {
	if vectors[T]().ceil.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T { return T(math.Ceil(float64(v))) })
}

// Round rounds to the nearest integer, halves to the even one.
func Round[T Float](x, y []T, _, _ float64) {
	if vectors[T]().round.run(x, y, 0, 0) {
		return
	}
	each(x, y, func(v T) T { return T(math.RoundToEven(float64(v))) })
}

// IsFinite computes whether x is neither infinite nor NaN.
func IsFinite[T Float](x []T, y []bool) {
	if n := len(x) / boolsAtOnce * boolsAtOnce; n > 0 && haveVectors {
		if v, ok := any(x[:n]).([]float32); ok {
			isFinite_32(v, y[:n])
		} else {
			isFinite_64(any(x[:n]).([]float64), y[:n])
		}
		x, y = x[n:], y[n:]
	}
	each(x, y, func(v T) bool { return v-v == 0 })
}

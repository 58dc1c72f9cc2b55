package kernel

import "math"

// The kernels of this file and of entropy.go work on one row of scores, shifted by its greatest element, so that no exponential
// overflows. Sums are float64 for both types; exponents are as well in plain Go, and float32 ones of float32 in assembly.

// greatest returns the greatest element of x, −Inf where there is none.
func greatest[T Float](x []T) float64 {
	if len(x) == 0 {
		return math.Inf(-1)
	}
	return float64(Greatest(x))
}

// shifted gives the greatest element m of x and Σ exp(x − m); 1 for the sum where all are −Inf.
func shifted[T Float](x []T) (m, sum float64) {
	if m = greatest(x); math.IsInf(m, -1) {
		return m, 1
	}
	if f := vectors[T]().near.sumExp; f != nil {
		return m, f(x, T(m))
	}
	for _, v := range x {
		sum += exp[T](float64(v) - m)
	}
	return m, sum
}

// LogSumExp returns log Σ exp(x) of the elements of x: −Inf where there are none or all are −Inf, +Inf where one is +Inf.
func LogSumExp[T Float](x []T) T {
	m, sum := shifted(x)
	if math.IsInf(m, 0) {
		return T(m)
	}
	return T(m + math.Log(sum))
}

// Softmax computes y = exp(x)/Σ exp(x); y may be x. Where all elements are −Inf, which means that none is allowed, it gives zeros.
func Softmax[T Float](x, y []T) {
	y = y[:len(x)]
	m := greatest(x)
	if math.IsInf(m, -1) {
		clear(y)
		return
	}
	if f := vectors[T]().near.expSum; f != nil {
		MulConst(y, y, 1/f(x, y, T(m)), 0)
		return
	}
	sum := 0.0
	for i, v := range x {
		e := exp[T](float64(v) - m)
		sum += e
		y[i] = T(e)
	}
	scale := 1 / sum
	for i, v := range y {
		y[i] = T(float64(v) * scale)
	}
}

// LogSoftmax computes y = x − log Σ exp(x); y may be x. Where all elements are −Inf they stay so.
func LogSoftmax[T Float](x, y []T) {
	y = y[:len(x)]
	m, sum := shifted(x)
	if math.IsInf(m, -1) {
		Fill(y, T(m))
		return
	}
	l := math.Log(sum)
	if f := vectors[T]().logSoftmax; f != nil {
		f(x, y, m, l)
		return
	}
	each(x, y, func(v T) T { return logProbability(v, m, l) })
}

// logProbability computes x − m − l, in the same order wherever a loss or a logarithm of a softmax is computed, so that the bits agree.
func logProbability[T Float](x T, m, l float64) T { return T(float64(float64(x)-m) - l) }

// SoftmaxGrad computes dx = y·(dy − Σ y·dy), from the result y of Softmax; dx may be dy.
func SoftmaxGrad[T Float](y, dy, dx []T) {
	y, dx = y[:len(dy)], dx[:len(dy)]
	dot := Dot(y, dy)
	if f := vectors[T]().softmaxGrad; f != nil {
		f(y, dy, dx, dot)
		return
	}
	for i, d := range dy {
		dx[i] = T(float64(y[i]) * (float64(d) - dot))
	}
}

// LogSoftmaxGrad computes dx = dy − exp(y)·Σ dy, from the result y of LogSoftmax; dx may be dy. It is 0 where all y are −Inf.
func LogSoftmaxGrad[T Float](y, dy, dx []T) {
	y, dx = y[:len(dy)], dx[:len(dy)]
	if math.IsInf(greatest(y), -1) {
		clear(dx)
		return
	}
	sum := Sum[T, float64](dy)
	if f := vectors[T]().near.logSoftmaxGrad; f != nil {
		f(y, dy, dx, T(sum))
		return
	}
	for i, d := range dy {
		dx[i] = T(float64(d) - float64(exp[T](float64(y[i]))*sum))
	}
}

package kernel

import "math"

// LogisticLoss computes −t·log σ(x) − (1−t)·log(1−σ(x)), the loss of a decision with the logit x and the target t from 0 to 1, as
// max(x, 0) − x·t + log(1+e^−|x|), which neither overflows nor loses what is small.
func LogisticLoss[T Float](x, t, y []T) {
	if f := vectors[T]().near.logisticLoss; f != nil && len(x) >= len(y) && len(t) >= len(y) {
		f(x, t, y)
		return
	}
	zip(x, t, y, func(p, q T) T { return T(logisticLoss[T](float64(p), float64(q))) })
}

// logisticLoss computes one element of LogisticLoss.
func logisticLoss[T Float](x, t float64) float64 {
	return max(x, 0) - float64(x*t) + log1p[T](exp[T](-math.Abs(x)))
}

// LogisticSlope computes σ(x) − t, the derivative of LogisticLoss for x, as (1−t)·σ(x) − t·σ(−x), which loses nothing where σ(x) is nearly t = 1.
func LogisticSlope[T Float](x, t, y []T) {
	if f := vectors[T]().near.logisticSlope; f != nil && len(x) >= len(y) && len(t) >= len(y) {
		f(x, t, y)
		return
	}
	zip(x, t, y, func(p, q T) T { return T(logisticSlope[T](float64(p), float64(q))) })
}

// logisticSlope computes one element of LogisticSlope.
func logisticSlope[T Float](x, t float64) float64 {
	z := exp[T](-math.Abs(x))
	own, other := 1.0, z
	if x < 0 {
		own, other = z, 1
	}
	return (float64((1-t)*own) - float64(t*other)) / (1 + z)
}

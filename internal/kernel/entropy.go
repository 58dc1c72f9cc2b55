package kernel

import "math"

// CrossEntropy returns the loss of a row of logits, logsumexp(logits) − logits[label], and the row's log-sum-exp. The loss has the bits
// of −LogSoftmax(logits)[label]; it is rounded only once, so that it is as good for logits that are all large. Without a label
// (label < 0) the loss is 0.
func CrossEntropy[T Float](logits []T, label int) (loss, lse T) {
	m, sum := shifted(logits)
	l := math.Log(sum)
	if lse = T(m); !math.IsInf(m, 0) {
		lse = T(m + l)
	}
	switch {
	case label < 0:
		return 0, lse
	case math.IsInf(m, -1):
		return T(math.Inf(1)), lse
	}
	return 0 - logProbability(logits[label], m, l), lse
}

// CrossEntropyGrad computes dx[j] = (exp(logits[j] − lse) − [j = label])·scale; dx may be logits. It is 0 without a label (label < 0)
// and for logits that are all −Inf.
func CrossEntropyGrad[T Float](logits []T, lse T, label int, scale float64, dx []T) {
	dx = dx[:len(logits)]
	shift := float64(lse)
	if label < 0 || math.IsInf(shift, -1) {
		clear(dx)
		return
	}
	hit := float64(logits[label])
	if f := vectors[T]().near.scaledExp; f != nil {
		f(logits, dx, lse, T(scale))
	} else {
		each(logits, dx, func(v T) T { return T(exp[T](float64(v)-shift) * scale) })
	}
	dx[label] = T((exp[T](hit-shift) - 1) * scale)
}

// NLL returns the loss of a row of log-probabilities, −logp[label], or 0 without a label (label < 0).
func NLL[T Float](logp []T, label int) T {
	if label < 0 {
		return 0
	}
	return 0 - logp[label] // not −logp[label], which is −0 for 0
}

// NLLGrad computes dx[j] = −[j = label]·scale; without a label (label < 0) zeros.
func NLLGrad[T Float](label int, scale float64, dx []T) {
	clear(dx)
	if label >= 0 {
		dx[label] = T(-scale)
	}
}

package kernel

import "math"

// Each update changes the elements that g has, in the arithmetic of their type; the constants are computed in float64 first.

// UpdateSGD computes w ← w − lr·g for the elements of g.
func UpdateSGD[T Float](w, g []T, rate float64) {
	w, lr := w[:len(g)], T(rate)
	for i, d := range g {
		w[i] -= lr * d
	}
}

// UpdateMomentum computes v ← μ·v + g and w ← w − lr·v.
func UpdateMomentum[T Float](w, g, v []T, rate, momentum float64) {
	w, v = w[:len(g)], v[:len(g)]
	lr, mu := T(rate), T(momentum)
	for i, d := range g {
		v[i] = mu*v[i] + d
		w[i] -= lr * v[i]
	}
}

// UpdateNesterov computes v ← μ·v + g and w ← w − lr·(g + μ·v) (Sutskever, Martens, Dahl and Hinton, 2013).
func UpdateNesterov[T Float](w, g, v []T, rate, momentum float64) {
	w, v = w[:len(g)], v[:len(g)]
	lr, mu := T(rate), T(momentum)
	for i, d := range g {
		v[i] = mu*v[i] + d
		w[i] -= lr * (d + mu*v[i])
	}
}

// Adam holds the constants of UpdateAdam.
type Adam[T Float] struct {
	beta1, beta2, rest1, rest2 T // β and 1−β
	rate, root                 T // lr/(1−β₁ᵗ), 1/√(1−β₂ᵗ)
	epsilon, decay             T // ε, lr·decay
}

// NewAdam returns the constants of step t, 1 in the first step.
func NewAdam[T Float](rate, beta1, beta2, epsilon, decay float64, t int64) Adam[T] {
	return Adam[T]{
		beta1: T(beta1), beta2: T(beta2), rest1: T(1 - beta1), rest2: T(1 - beta2),
		rate: T(rate / (1 - math.Pow(beta1, float64(t)))), root: T(1 / math.Sqrt(1-math.Pow(beta2, float64(t)))),
		epsilon: T(epsilon), decay: T(rate * decay),
	}
}

// UpdateAdam computes m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g² and w ← w − lr·(m̂/(√v̂ + ε) + decay·w) with m̂ = m/(1−β₁ᵗ) and
// v̂ = v/(1−β₂ᵗ) (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
func UpdateAdam[T Float](c *Adam[T], w, g, m, v []T) {
	w, m, v = w[:len(g)], m[:len(g)], v[:len(g)]
	for i, d := range g {
		m[i] = c.beta1*m[i] + c.rest1*d
		v[i] = c.beta2*v[i] + c.rest2*(d*d)
		w[i] -= c.rate*m[i]/(T(math.Sqrt(float64(v[i])))*c.root+c.epsilon) + c.decay*w[i]
	}
}

// UpdateAdaGrad computes a ← a + g² and w ← w − lr·g/(√a + ε) for the elements of g.
func UpdateAdaGrad[T Float](w, g, a []T, rate, epsilon float64) {
	w, a = w[:len(g)], a[:len(g)]
	lr, eps := T(rate), T(epsilon)
	for i, d := range g {
		a[i] += d * d
		w[i] -= lr * d / (T(math.Sqrt(float64(a[i]))) + eps)
	}
}

package kernel

import "math"

// Each update changes the elements that g has, in the arithmetic of their type, rounding after each operation; the constants are computed
// in float64 first.

// UpdateSGD computes w ← w − lr·g for the elements of g.
func UpdateSGD[T Float](w, g []T, rate float64) {
	w, lr := w[:len(g)], T(rate)
	if f := vectors[T]().sgd; f != nil {
		f(w, g, lr)
		return
	}
	for i, d := range g {
		w[i] -= T(lr * d)
	}
}

// UpdateMomentum computes v ← μ·v + g and w ← w − lr·v.
func UpdateMomentum[T Float](w, g, v []T, rate, momentum float64) {
	w, v = w[:len(g)], v[:len(g)]
	lr, mu := T(rate), T(momentum)
	if f := vectors[T]().momentum; f != nil {
		f(w, g, v, lr, mu)
		return
	}
	for i, d := range g {
		v[i] = T(mu*v[i]) + d
		w[i] -= T(lr * v[i])
	}
}

// UpdateNesterov computes v ← μ·v + g and w ← w − lr·(g + μ·v) (Sutskever, Martens, Dahl and Hinton, 2013).
func UpdateNesterov[T Float](w, g, v []T, rate, momentum float64) {
	w, v = w[:len(g)], v[:len(g)]
	lr, mu := T(rate), T(momentum)
	if f := vectors[T]().nesterov; f != nil {
		f(w, g, v, lr, mu)
		return
	}
	for i, d := range g {
		v[i] = T(mu*v[i]) + d
		w[i] -= T(lr * (d + T(mu*v[i])))
	}
}

// Adam holds the constants of UpdateAdam. The assembly reads them in the order of the fields.
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
	if f := vectors[T]().adam; f != nil {
		f(w, g, m, v, &c.beta1)
		return
	}
	for i, d := range g {
		m[i] = T(c.beta1*m[i]) + T(c.rest1*d)
		v[i] = T(c.beta2*v[i]) + T(c.rest2*T(d*d))
		root := T(math.Sqrt(float64(v[i])))
		w[i] -= c.rate*m[i]/(T(root*c.root)+c.epsilon) + T(c.decay*w[i])
	}
}

// UpdateAdaGrad computes a ← a + g² and w ← w − lr·g/(√a + ε) for the elements of g.
func UpdateAdaGrad[T Float](w, g, a []T, rate, epsilon float64) {
	w, a = w[:len(g)], a[:len(g)]
	lr, eps := T(rate), T(epsilon)
	if f := vectors[T]().adagrad; f != nil {
		f(w, g, a, lr, eps)
		return
	}
	for i, d := range g {
		a[i] += T(d * d)
		w[i] -= lr * d / (T(math.Sqrt(float64(a[i]))) + eps)
	}
}

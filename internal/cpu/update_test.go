package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

func TestAdamByHand(t *testing.T) {
	b := New()
	for _, d := range bothFloats {
		w, g, m, v := buffer(d, 1), buffer(d, 1), buffer(d, 0), buffer(d, 0)
		for step, want := range []float64{0.9, 0.8} { // with equal gradients each step is the learning rate
			b.UpdateAdam(w, op.Buffer{}, g, m, v, op.AdamSpec{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Step: int64(step + 1)})
			check(t, "Adam", w, []float64{want}, 1e-6)
		}
		w, m, v = buffer(d, 1), buffer(d, 0), buffer(d, 0)
		b.UpdateAdam(w, op.Buffer{}, buffer(d, 0), m, v, op.AdamSpec{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: 0.1, Step: 1})
		check(t, "decay alone", w, []float64{0.99}, 1e-7)
	}
}

func TestMomentumByHand(t *testing.T) {
	b := New()
	for _, d := range bothFloats {
		w, g, v := buffer(d, 0), buffer(d, 2), buffer(d, 0)
		for i, want := range []float64{-0.2, -0.35} {
			b.UpdateMomentum(w, op.Buffer{}, g, v, op.MomentumSpec{LearningRate: []float64{0.1, 0.05}[i], Momentum: 0.5})
			check(t, "momentum", w, []float64{want}, 1e-7)
		}
		w, v = buffer(d, 0), buffer(d, 0)
		for _, want := range []float64{-0.3, -0.65} { // v = 2, 3; w −= 0.1·(2 + v/2)
			b.UpdateMomentum(w, op.Buffer{}, g, v, op.MomentumSpec{LearningRate: 0.1, Momentum: 0.5, Nesterov: true})
			check(t, "Nesterov momentum", w, []float64{want}, 1e-7)
		}
	}
}

func TestSGDAndAdaGradByHand(t *testing.T) {
	b := New()
	for _, d := range bothFloats {
		w := buffer(d, 1, 2)
		b.UpdateSGD(w, op.Buffer{}, buffer(d, 4, -2), 0.25)
		check(t, "SGD", w, []float64{0, 2.5}, 0)
		w, a := buffer(d, 0), buffer(d, 0)
		b.UpdateAdaGrad(w, op.Buffer{}, buffer(d, 3), a, 1, 1e-6)
		check(t, "AdaGrad", w, []float64{-1}, 1e-5)
		check(t, "AdaGrad's sum", a, []float64{9}, 0)
	}
}

// TestUpdatesAgainstReference follows several steps of each rule in float64.
func TestUpdatesAgainstReference(t *testing.T) {
	r, b := newRand(1), New()
	const n, lr, mu, beta1, beta2, epsilon, decay = lightGrain + 7, 0.01, 0.9, 0.8, 0.95, 1e-3, 0.02
	for _, d := range bothFloats {
		b.SetThreads(2)
		start := random(r, d, n)
		var w [4]op.Buffer
		var want [4][]float64
		for i := range w {
			w[i], want[i] = clone(start), values(start)
		}
		zero := func() op.Buffer { return op.NewBuffer(d, n) }
		v, m, s, a := zero(), zero(), zero(), zero()
		rv, rm, rs, ra := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for step := 1; step <= 4; step++ {
			g := random(r, d, n)
			b.UpdateSGD(w[0], op.Buffer{}, g, lr)
			b.UpdateMomentum(w[1], op.Buffer{}, g, v, op.MomentumSpec{LearningRate: lr, Momentum: mu, Nesterov: true})
			b.UpdateAdam(w[2], op.Buffer{}, g, m, s, op.AdamSpec{LearningRate: lr, Beta1: beta1, Beta2: beta2, Epsilon: epsilon, Decay: decay, Step: int64(step)})
			b.UpdateAdaGrad(w[3], op.Buffer{}, g, a, lr, epsilon)
			for i, x := range values(g) {
				want[0][i] -= lr * x
				rv[i] = mu*rv[i] + x
				want[1][i] -= lr * (x + mu*rv[i])
				rm[i], rs[i] = beta1*rm[i]+(1-beta1)*x, beta2*rs[i]+(1-beta2)*x*x
				mHat, vHat := rm[i]/(1-math.Pow(beta1, float64(step))), rs[i]/(1-math.Pow(beta2, float64(step)))
				want[2][i] -= lr * (mHat/(math.Sqrt(vHat)+epsilon) + decay*want[2][i])
				ra[i] += x * x
				want[3][i] -= lr * x / (math.Sqrt(ra[i]) + epsilon)
			}
		}
		for i, rule := range []string{"SGD", "Nesterov", "Adam", "AdaGrad"} {
			check(t, rule, w[i], want[i], 5*tolerance(d))
		}
	}
}

// TestSparseUpdates: with ids, the named rows change as they would alone, bit for bit, and the others not at all.
func TestSparseUpdates(t *testing.T) {
	r, b := newRand(2), New()
	const rows, width = 900, 20
	adam := op.AdamSpec{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Decay: 0.01, Step: 3}
	rules := map[string]func(w, ids, g, m, v op.Buffer){
		"SGD": func(w, ids, g, m, v op.Buffer) { b.UpdateSGD(w, ids, g, 0.1) },
		"momentum": func(w, ids, g, m, v op.Buffer) {
			b.UpdateMomentum(w, ids, g, m, op.MomentumSpec{LearningRate: 0.1, Momentum: 0.9})
		},
		"Nesterov": func(w, ids, g, m, v op.Buffer) {
			b.UpdateMomentum(w, ids, g, m, op.MomentumSpec{LearningRate: 0.1, Momentum: 0.9, Nesterov: true})
		},
		"Adam":    func(w, ids, g, m, v op.Buffer) { b.UpdateAdam(w, ids, g, m, v, adam) },
		"AdaGrad": func(w, ids, g, m, v op.Buffer) { b.UpdateAdaGrad(w, ids, g, v, 0.1, 1e-6) },
	}
	for rule, update := range rules {
		for _, d := range bothFloats {
			for _, ints := range idTypes {
				b.SetThreads(2)
				w, m, v := random(r, d, rows, width), random(r, d, rows, width), random(r, d, rows, width)
				b.Unary(op.UnarySquare, 0, 0, v, v)
				names := r.Perm(rows)[:rows/2]
				ids, g, dense := op.NewBuffer(ints, len(names)), random(r, d, len(names), width), op.NewBuffer(d, rows, width)
				for i, id := range names {
					set(ids, i, float64(id))
				}
				b.ScatterAdd(-1, ids, g, dense)
				before := [3]op.Buffer{clone(w), clone(m), clone(v)}
				want := [3]op.Buffer{clone(w), clone(m), clone(v)}
				update(want[0], op.Buffer{}, dense, want[1], want[2])
				update(w, ids, g, m, v)
				for k, got := range [3]op.Buffer{w, m, v} {
					named := map[int]bool{}
					for _, id := range names {
						named[id] = true
					}
					for i := range rows * width {
						ref := before[k]
						if named[i/width] {
							ref = want[k]
						}
						if get(got, i) != get(ref, i) {
							t.Fatalf("%s, buffer %d: element %d is %g, want %g", rule, k, i, get(got, i), get(ref, i))
						}
					}
				}
			}
		}
	}
	none := op.NewBuffer(op.Int32, 0)
	w := random(r, op.Float32, 3, 2)
	want := values(w)
	b.UpdateSGD(w, none, op.NewBuffer(op.Float32, 0, 2), 1)
	check(t, "no rows", w, want, 0)
}

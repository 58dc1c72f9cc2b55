package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

// layerNormReference computes LayerNorm and its gradients by definition, in float64.
type layerNormReference struct {
	mean, variance, y, dx, dweight, dbias []float64
}

func newLayerNormReference(width int, epsilon float64, x, weight, bias, dy []float64) (r layerNormReference) {
	r.dweight, r.dbias = make([]float64, width), make([]float64, width)
	for at := 0; at < len(x); at += width {
		n, mean, variance := float64(width), 0.0, 0.0
		for _, v := range x[at : at+width] {
			mean += v / n
		}
		for _, v := range x[at : at+width] {
			variance += (v - mean) * (v - mean) / n
		}
		scale, sum, products := 1/math.Sqrt(variance+epsilon), 0.0, 0.0
		for i, v := range x[at : at+width] {
			normal, d := (v-mean)*scale, dy[at+i]
			r.y = append(r.y, normal*weight[i]+bias[i])
			r.dweight[i] += d * normal
			r.dbias[i] += d
			sum += d * weight[i]
			products += d * weight[i] * normal
		}
		for i, v := range x[at : at+width] {
			r.dx = append(r.dx, scale*(dy[at+i]*weight[i]-sum/n-(v-mean)*scale*products/n))
		}
		r.mean, r.variance = append(r.mean, mean), append(r.variance, variance)
	}
	return r
}

func TestLayerNorm(t *testing.T) {
	r, b := newRand(1), New()
	const epsilon = 1e-3
	for round, shape := range [][]int{{1, 1}, {3, 7}, {2, 3, 10}, {0, 4}, {5, 3000}, {20000, 3}, {9}, {300, 257}} {
		b.SetThreads(1 + round%3)
		for _, d := range bothFloats {
			x, dy := random(r, d, shape...), random(r, d, shape...)
			rows, width := lastAxis(x)
			weight, bias := random(r, d, width), random(r, d, width)
			want := newLayerNormReference(width, epsilon, values(x), values(weight), values(bias), values(dy))
			mean, variance, y, dx, dweight, dbias := garbage(d, rows), garbage(d, rows), like(x), like(x), like(weight), like(weight)
			tol := 30 * tolerance(d)
			b.LayerNorm(epsilon, x, weight, bias, y, mean, variance)
			check(t, name("mean of ", shape), mean, want.mean, tol)
			check(t, name("variance of ", shape), variance, want.variance, tol)
			check(t, name("LayerNorm of ", shape), y, want.y, tol)
			b.LayerNormGrad(epsilon, x, mean, variance, weight, dy, dx, dweight, dbias)
			check(t, name("dx of ", shape), dx, want.dx, 5*tol)
			check(t, name("dweight of ", shape), dweight, want.dweight, 20*tol)
			check(t, name("dbias of ", shape), dbias, want.dbias, 20*tol)
			alone, in := like(weight), clone(x)
			b.LayerNormGrad(epsilon, x, mean, variance, weight, dy, op.Buffer{}, op.Buffer{}, alone)
			check(t, "dbias alone", alone, values(dbias), 0)
			b.LayerNormGrad(epsilon, x, mean, variance, weight, dy, dy, dweight, op.Buffer{})
			check(t, "dx in the place of dy", dy, values(dx), 0)
			b.LayerNorm(epsilon, in, weight, bias, in, op.Buffer{}, op.Buffer{})
			check(t, "LayerNorm in place", in, values(y), 0)
		}
	}
}

func TestLayerNormIsSteady(t *testing.T) {
	r, b := newRand(2), New()
	for _, d := range bothFloats {
		x, dy := random(r, d, 900, 101), random(r, d, 900, 101)
		weight, bias := random(r, d, 101), random(r, d, 101)
		mean, variance, y, dx, dweight := garbage(d, 900), garbage(d, 900), like(x), like(x), like(weight)
		steady(t, "LayerNorm", b, func() { b.LayerNorm(1e-5, x, weight, bias, y, mean, variance) }, y)
		grad := func() { b.LayerNormGrad(1e-5, x, mean, variance, weight, dy, dx, dweight, op.Buffer{}) }
		steady(t, "dx", b, grad, dx)
		steady(t, "dweight", b, grad, dweight)
	}
}

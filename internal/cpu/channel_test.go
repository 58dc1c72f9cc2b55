package cpu

import (
	"bytes"
	"math"
	"testing"

	"paddle/op"
)

var channelSpecs = []op.ChannelSpec{
	{Outer: 1, Channels: 1, Inner: 3}, {Outer: 5, Channels: 1, Inner: 1}, {Outer: 7, Channels: 3, Inner: 1}, {Outer: 4, Channels: 5, Inner: 6},
	{Outer: 1, Channels: 40, Inner: 33}, {Outer: 3, Channels: 300, Inner: 1}, {Outer: 9000, Channels: 3, Inner: 1},
	{Outer: 40, Channels: 2, Inner: 1000}, {Outer: 3, Channels: 1, Inner: 20000}, {Outer: 2, Channels: 0, Inner: 4}, {Outer: 1, Channels: 4, Inner: 1},
	{Outer: 3, Channels: 20, Inner: 5}, {Outer: 2, Channels: 9, Inner: 4999},
}

// channelReference computes Moments, Normalize and NormalizeGrad by definition, in float64.
type channelReference struct {
	mean, variance, y, dx, dgamma, dbeta []float64
}

func newChannelReference(c op.ChannelSpec, epsilon float64, x, gamma, beta, dy []float64) (r channelReference) {
	r = channelReference{make([]float64, c.Channels), make([]float64, c.Channels), make([]float64, len(x)), make([]float64, len(x)),
		make([]float64, c.Channels), make([]float64, c.Channels)}
	n := float64(c.Outer * c.Inner)
	each := func(f func(i, k int)) {
		for i := range x {
			f(i, i/c.Inner%c.Channels)
		}
	}
	each(func(i, k int) { r.mean[k] += x[i] / n })
	each(func(i, k int) { r.variance[k] += (x[i] - r.mean[k]) * (x[i] - r.mean[k]) / n })
	normal := func(i, k int) float64 { return (x[i] - r.mean[k]) / math.Sqrt(r.variance[k]+epsilon) }
	each(func(i, k int) {
		r.y[i] = normal(i, k)*gamma[k] + beta[k]
		r.dbeta[k] += dy[i]
		r.dgamma[k] += dy[i] * normal(i, k)
	})
	each(func(i, k int) {
		r.dx[i] = gamma[k] / math.Sqrt(r.variance[k]+epsilon) * (dy[i] - r.dbeta[k]/n - normal(i, k)*r.dgamma[k]/n)
	})
	return r
}

func TestChannels(t *testing.T) {
	r, b := newRand(1), New()
	const epsilon = 1e-5
	for i, c := range channelSpecs {
		b.SetThreads(1 + i%3)
		for _, d := range bothFloats {
			x, dy := random(r, d, c.Outer, c.Channels, c.Inner), random(r, d, c.Outer, c.Channels, c.Inner)
			gamma, beta := random(r, d, c.Channels), random(r, d, c.Channels)
			want := newChannelReference(c, epsilon, values(x), values(gamma), values(beta), values(dy))
			mean, variance, y, dx, dgamma, dbeta := like(gamma), like(gamma), like(x), like(x), like(gamma), like(gamma)
			tol := 30 * tolerance(d)
			b.moments(c, x, mean, variance)
			check(t, name("mean for ", c), mean, want.mean, tol)
			check(t, name("variance for ", c), variance, want.variance, tol)
			b.Normalize(op.NormSpec{ChannelSpec: c, Epsilon: epsilon}, x, mean, variance, gamma, beta, y)
			check(t, name("Normalize for ", c), y, want.y, tol)
			b.BatchNorm(op.NormSpec{ChannelSpec: c, Epsilon: epsilon}, x, gamma, beta, mean, variance, y)
			check(t, name("BatchNorm for ", c), y, want.y, tol)
			b.NormalizeGrad(op.NormSpec{ChannelSpec: c, Epsilon: epsilon}, x, mean, variance, gamma, beta, dy, dx, dgamma, dbeta)
			check(t, name("dgamma for ", c), dgamma, want.dgamma, tol)
			check(t, name("dbeta for ", c), dbeta, want.dbeta, tol)
			check(t, name("dx for ", c), dx, want.dx, tol)

			ones, zeros := make([]float64, c.Channels), make([]float64, c.Channels)
			for i := range ones {
				ones[i] = 1
			}
			plain := newChannelReference(c, epsilon, values(x), ones, zeros, values(dy))
			b.NormalizeGrad(op.NormSpec{ChannelSpec: c, Epsilon: epsilon}, x, mean, variance, op.Buffer{}, op.Buffer{}, dy, dy, op.Buffer{}, op.Buffer{})
			check(t, name("dx without gamma, in place, for ", c), dy, plain.dx, tol)
			b.Normalize(op.NormSpec{ChannelSpec: c, Epsilon: epsilon}, x, mean, variance, op.Buffer{}, op.Buffer{}, x)
			check(t, name("Normalize in place for ", c), x, plain.y, tol)
		}
	}
}

// An activation in a batch norm gives the bits of the two one after the other, and so does its gradient, in place too, or where the gradient for x
// is not wanted.
func TestNormActivations(t *testing.T) {
	r, b := newRand(3), New()
	for _, c := range []op.ChannelSpec{{Outer: 3, Channels: 20, Inner: 5}, {Outer: 2, Channels: 9, Inner: 4999}, {Outer: 7, Channels: 3, Inner: 1}} {
		for _, d := range bothFloats {
			for _, act := range []op.NormAct{{Kind: op.NormReLU}, {Kind: op.NormClip, Low: -0.25, High: 0.5}, {Kind: op.NormClip, High: 6}} {
				f := op.UnaryReLU
				if act.Kind == op.NormClip {
					f = op.UnaryClip
				}
				x, dy := random(r, d, c.Outer, c.Channels, c.Inner), random(r, d, c.Outer, c.Channels, c.Inner)
				gamma, beta := random(r, d, c.Channels), random(r, d, c.Channels)
				plain, joined := op.NormSpec{ChannelSpec: c, Epsilon: 1e-5}, op.NormSpec{ChannelSpec: c, Epsilon: 1e-5, Act: act}
				mean, variance, v, y, through := like(gamma), like(gamma), like(x), like(x), like(x)
				b.BatchNorm(joined, x, gamma, beta, mean, variance, y)
				got := [][]byte{bytes.Clone(y.Bytes())}
				b.Normalize(joined, x, mean, variance, gamma, beta, y)
				got = append(got, bytes.Clone(y.Bytes()))
				b.Normalize(plain, x, mean, variance, gamma, beta, v)
				b.Unary(f, act.Low, act.High, v, y)
				b.UnaryGrad(f, act.Low, act.High, v, y, dy, through)
				want := newChannelReference(c, 1e-5, values(x), values(gamma), values(beta), values(through))
				for i, bits := range got {
					if !bytes.Equal(bits, y.Bytes()) {
						t.Errorf("%v %v: result %d with %v in it is not what one gives after the other", c, d, i, act)
					}
				}
				dx, dgamma, dbeta, alone := like(x), like(gamma), like(gamma), like(gamma)
				b.NormalizeGrad(joined, x, mean, variance, gamma, beta, dy, op.Buffer{}, alone, op.Buffer{})
				b.NormalizeGrad(joined, x, mean, variance, gamma, beta, dy, dx, dgamma, dbeta)
				check(t, name("dx for ", c), dx, want.dx, 30*tolerance(d))
				check(t, name("dgamma for ", c), dgamma, want.dgamma, 30*tolerance(d))
				check(t, name("dbeta for ", c), dbeta, want.dbeta, 30*tolerance(d))
				b.NormalizeGrad(joined, x, mean, variance, gamma, beta, dy, dy, dgamma, dbeta)
				if !bytes.Equal(dx.Bytes(), dy.Bytes()) || !bytes.Equal(alone.Bytes(), dgamma.Bytes()) {
					t.Errorf("%v %v: the gradients in place, or of dgamma alone, have other bits", c, d)
				}
			}
		}
	}
}

// TestNormalizeGradByHand: the values were computed by hand from the formula; a gradient without the terms of the mean and the variance
// would be [0.801784, 0, 0].
func TestNormalizeGradByHand(t *testing.T) {
	b := New()
	for _, d := range bothFloats {
		for _, c := range []op.ChannelSpec{{Outer: 1, Channels: 1, Inner: 3}, {Outer: 3, Channels: 1, Inner: 1}} {
			x, dy, gamma := buffer(d, 1, 2, 4), buffer(d, 1, 0, 0), buffer(d, 1)
			mean, variance, dx, dgamma, dbeta := like(gamma), like(gamma), like(x), like(gamma), like(gamma)
			b.moments(c, x, mean, variance)
			b.NormalizeGrad(op.NormSpec{ChannelSpec: c}, x, mean, variance, gamma, op.Buffer{}, dy, dx, dgamma, dbeta)
			check(t, "dx", dx, []float64{0.229081, -0.343622, 0.114541}, 1e-6)
			check(t, "dgamma", dgamma, []float64{-1.069045}, 1e-6)
			check(t, "dbeta", dbeta, []float64{1}, 1e-6)
		}
	}
}

// TestMomentsDoNotCancel: E[x²] − E[x]² in float32 would give a variance of 0 or 8.
func TestMomentsDoNotCancel(t *testing.T) {
	r, b := newRand(2), New()
	for _, c := range []op.ChannelSpec{{Outer: 50000, Channels: 2, Inner: 1}, {Outer: 50, Channels: 2, Inner: 1000}} {
		x := random(r, op.Float32, c.Outer, c.Channels, c.Inner)
		for i := range x.Float32s() {
			x.Float32s()[i] += 1e4
		}
		zeros := make([]float64, x.Len())
		want := newChannelReference(c, 0, values(x), zeros, zeros, zeros)
		mean, variance := op.NewBuffer(op.Float32, 2), op.NewBuffer(op.Float32, 2)
		b.BatchNorm(op.NormSpec{ChannelSpec: c}, x, op.Buffer{}, op.Buffer{}, mean, variance, like(x))
		check(t, "mean", mean, want.mean, 1e-7)
		check(t, "variance", variance, want.variance, 1e-6)
		if v := want.variance[0]; math.Abs(v-1) > 0.05 {
			t.Errorf("variance is %g, want about 1", v)
		}
	}
}

func TestMomentsOfNothing(t *testing.T) {
	b := New()
	mean, variance := garbage(op.Float32, 3), garbage(op.Float32, 3)
	b.moments(op.ChannelSpec{Channels: 3, Inner: 4}, op.NewBuffer(op.Float32, 0, 3, 4), mean, variance)
	check(t, "mean", mean, []float64{0, 0, 0}, 0)
	check(t, "variance", variance, []float64{0, 0, 0}, 0)
}

// Squares whose sum is beyond float32 are no reason for an infinite variance.
func TestSumsBeyondFloat32(t *testing.T) {
	r, b := newRand(4), New()
	c := op.ChannelSpec{Outer: 3, Channels: 2, Inner: 5000}
	x, dy := random(r, op.Float32, c.Outer, c.Channels, c.Inner), random(r, op.Float32, c.Outer, c.Channels, c.Inner)
	for i := range x.Len() {
		set(x, i, 8e18*get(x, i))
	}
	gamma, beta := random(r, op.Float32, c.Channels), random(r, op.Float32, c.Channels)
	want := newChannelReference(c, 1e-5, values(x), values(gamma), values(beta), values(dy))
	mean, variance, y, dx, dgamma, dbeta := like(gamma), like(gamma), like(x), like(x), like(gamma), like(gamma)
	n := op.NormSpec{ChannelSpec: c, Epsilon: 1e-5}
	b.BatchNorm(n, x, gamma, beta, mean, variance, y)
	b.NormalizeGrad(n, x, mean, variance, gamma, beta, dy, dx, dgamma, dbeta)
	check(t, "y", y, want.y, 30*tolerance(op.Float32))
	check(t, "dgamma", dgamma, want.dgamma, 30*tolerance(op.Float32))
	check(t, "dbeta", dbeta, want.dbeta, 30*tolerance(op.Float32))
}

package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// normalizeTask computes y = (x − mean)·scale + shift, or with a gradient dx = dy·scale + (x − mean)·slope + shift, for constants of
// each channel. Its units are runs of one channel, or, where a channel has one element after the other channels', rows.
type normalizeTask struct {
	channels, inner int
	x, dy, y        op.Buffer // dy is nil for Normalize
	columns         bool
	span            span // of runs or rows
	floats          [4][]float32
	doubles         [4][]float64
}

// The places of the constants in the task.
const (
	atMean = iota
	atScale
	atShift
	atSlope
)

// BatchNorm implements op.Backend.
func (b *Backend) BatchNorm(n op.NormSpec, x, gamma, beta, mean, variance, y op.Buffer) {
	if inPlanes(&n) {
		if t := b.startPlanes(n, x, op.Buffer{}, y); x.DType == op.Float32 {
			planeForward(b, t.singles, gamma, beta, mean, variance)
		} else {
			planeForward(b, t.doubles, gamma, beta, mean, variance)
		}
		b.endPlanes()
		return
	}
	b.moments(n.ChannelSpec, x, mean, variance)
	b.Normalize(n, x, mean, variance, gamma, beta, y)
}

// Normalize implements op.Backend.
func (b *Backend) Normalize(n op.NormSpec, x, mean, variance, gamma, beta, y op.Buffer) {
	c := n.ChannelSpec
	if inPlanes(&n) {
		if t := b.startPlanes(n, x, op.Buffer{}, y); x.DType == op.Float32 {
			loadChannels(t, t.singles, mean, variance, gamma, beta)
		} else {
			loadChannels(t, t.doubles, mean, variance, gamma, beta)
		}
		b.pass(planeOutput)
		b.endPlanes()
		return
	}
	k := b.channelConstants(c.Channels)
	loadFloats(mean, k[atMean])
	loadFloats(variance, k[atScale])
	inverseDeviation(k[atScale], n.Epsilon)
	if !gamma.IsNil() {
		loadFloats(gamma, k[atShift])
		kernel.Mul(k[atScale], k[atShift], k[atScale])
	}
	if !beta.IsNil() {
		loadFloats(beta, k[atShift])
	} else {
		clear(k[atShift])
	}
	b.normalizeWith(c, normalizeTask{x: x, y: y}, k)
}

// NormalizeGrad implements op.Backend: with x̂ = (x − mean)/√(variance + ε) and n elements in a channel,
//
//	dbeta = Σ dy,  dgamma = Σ dy·x̂,  dx = gamma/√(variance + ε) · (dy − dbeta/n − x̂·dgamma/n),
//
// where with an activation dy·act'(x̂·gamma + beta) takes the place of dy.
func (b *Backend) NormalizeGrad(s op.NormSpec, x, mean, variance, gamma, beta, dy, dx, dgamma, dbeta op.Buffer) {
	c := s.ChannelSpec
	if inPlanes(&s) {
		if t := b.startPlanes(s, x, dy, dx); x.DType == op.Float32 {
			planeBackward(b, t.singles, mean, variance, gamma, beta, dgamma, dbeta)
		} else {
			planeBackward(b, t.doubles, mean, variance, gamma, beta, dgamma, dbeta)
		}
		b.endPlanes()
		return
	}
	k := b.channelConstants(c.Channels)
	sum, products := b.channelFloats(2, c.Channels), b.channelFloats(3, c.Channels)
	loadFloats(mean, k[atMean])
	loadFloats(variance, k[atScale])
	inverseDeviation(k[atScale], s.Epsilon)
	b.channelSum(sumProducts, c, x, dy, k[atMean], sum, products)
	for i, inverse := range k[atScale] {
		products[i] *= inverse // Σ dy·x̂
	}
	storeFloats(dbeta, sum)
	storeFloats(dgamma, products)
	if dx.IsNil() {
		return
	}
	gammas := k[atShift]
	if !gamma.IsNil() {
		loadFloats(gamma, gammas)
	} else {
		kernel.Fill(gammas, 1)
	}
	n := float64(c.Outer * c.Inner)
	for i, inverse := range k[atScale] {
		scale := inverse * gammas[i]
		k[atScale][i], k[atShift][i], k[atSlope][i] = scale, -scale*(sum[i]/n), -scale*inverse*(products[i]/n)
	}
	b.normalizeWith(c, normalizeTask{x: x, dy: dy, y: dx}, k)
}

// channelConstants returns memory for the constants of n channels.
func (b *Backend) channelConstants(n int) (k [4][]float64) {
	for i := range k {
		k[i] = kernel.Grow(&b.constants64[i], n)
	}
	return k
}

// normalizeWith runs a task with the constants k, rounded to its type.
func (b *Backend) normalizeWith(c op.ChannelSpec, t normalizeTask, k [4][]float64) {
	t.channels, t.inner = c.Channels, c.Inner
	t.columns = c.Inner == 1 && c.Channels > 1
	t.span = rowSpan(c.Outer*c.Channels, c.Inner, lightGrain)
	switch {
	case t.columns:
		t.span = rowSpan(c.Outer, c.Channels, lightGrain)
	case c.Channels == 1: // one long run, in pieces
		t.inner = min(lightGrain, max(1, c.Outer*c.Inner))
		t.span = span{ceilDiv(c.Outer*c.Inner, t.inner), 1}
	}
	t.doubles = k
	if t.x.DType == op.Float32 {
		for i, v := range k {
			t.floats[i] = kernel.Grow(&b.constants32[i], len(v))
			kernel.Convert(v, t.floats[i])
		}
	}
	b.normalize = t
	b.run(t.span.parts(), &b.normalize)
	b.normalize = normalizeTask{}
}

// Do computes one part.
func (t *normalizeTask) Do(part int) {
	lo, hi := t.span.bounds(part)
	if t.x.DType == op.Float32 {
		normalizePart(t, lo, hi, t.floats)
	} else {
		normalizePart(t, lo, hi, t.doubles)
	}
}

func normalizePart[T kernel.Float](t *normalizeTask, lo, hi int, k [4][]T) {
	x, dy, y := elements[T](t.x), elements[T](t.dy), elements[T](t.y)
	width := t.inner
	if t.columns {
		width = t.channels
	}
	for i := lo; i < hi; i++ {
		from, to := i*width, min(i*width+width, len(x))
		c := i % t.channels
		switch {
		case t.columns && dy == nil:
			kernel.NormalizeColumns(x[from:to], y[from:to], k[atMean], k[atScale], k[atShift])
		case t.columns:
			kernel.NormalizeGradColumns(x[from:to], dy[from:to], y[from:to], k[atMean], k[atScale], k[atSlope], k[atShift])
		case dy == nil:
			kernel.Normalize(x[from:to], y[from:to], k[atMean][c], k[atScale][c], k[atShift][c])
		default:
			kernel.NormalizeGrad(x[from:to], dy[from:to], y[from:to], k[atMean][c], k[atScale][c], k[atSlope][c], k[atShift][c])
		}
	}
}

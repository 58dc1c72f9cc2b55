package cpu

import (
	"math"

	"paddle/internal/kernel"
	"paddle/op"
)

// normGroups computes BatchNorm, or where dy is not nil its gradients, some channels at a time: the second cache holds what a channel has in
// all images from the first pass over it to the last. Two or three passes cost hardly more than one then.
type normGroups struct {
	spec                           op.NormSpec
	each                           int // channels of a part
	x, gamma, beta, mean, variance op.Buffer
	y, dy, dx, dgamma, dbeta       op.Buffer
	spaces                         kernel.Scratch[normSpace]
}

// normSpace is what one part needs for itself.
type normSpace struct {
	first, second []float64 // sums of each channel
	constants     []normConstants
	floats        []float32 // a piece of a plane, of the element type in use
	doubles       []float64
}

const (
	// groupRun is the bytes that should follow one another in memory: the fewest for which a group of channels is not made larger.
	groupRun = 2048
	// groupParts is how many parts there should be, unless there are fewer channels.
	groupParts = 16
	// normPiece is the elements of a plane that are worked on at a time, so that they stay in the first cache.
	normPiece = 2048
)

// inGroups reports whether normGroups computes a normalisation: where single channels are parts enough and have runs of elements. An activation
// is for normGroups only.
func inGroups(n *op.NormSpec) bool {
	return n.Outer*n.Inner > 0 && (n.Act.On || n.Inner > 1 && n.Channels >= groupParts/2)
}

// runGroups runs t.
func (b *Backend) runGroups(t normGroups) {
	size, c := t.x.DType.Size(), t.spec.ChannelSpec
	t.each = max(1, min(ceilDiv(groupRun, c.Inner*size), ceilDiv(c.Channels, groupParts)))
	t.spaces = b.groups.spaces
	b.groups = t
	parts := ceilDiv(c.Channels, t.each)
	b.groups.spaces.Prepare(min(b.threads, parts), b.groups.size)
	b.run(parts, &b.groups)
	b.groups = normGroups{spaces: b.groups.spaces}
}

// size lets a part's memory grow to what it needs.
func (t *normGroups) size(s *normSpace) {
	kernel.Grow(&s.first, t.each)
	kernel.Grow(&s.second, t.each)
	kernel.Grow(&s.constants, t.each)
	kernel.Grow(&s.floats, normPiece)
	kernel.Grow(&s.doubles, normPiece)
}

// Do computes one part.
func (t *normGroups) Do(part int) {
	number, s := t.spaces.Take()
	defer t.spaces.Release(number)
	g := group{part * t.each, min(part*t.each+t.each, t.spec.Channels)}
	first, second := s.first[:g.end-g.from], s.second[:g.end-g.from]
	k := s.constants[:len(first)]
	clear(first)
	clear(second)
	switch {
	case t.dy.IsNil() && t.x.DType == op.Float32:
		normGroup(t, g, first, second, k, unary32[t.spec.Act.Func])
	case t.dy.IsNil():
		normGroup(t, g, first, second, k, unary64[t.spec.Act.Func])
	case t.x.DType == op.Float32:
		gradGroup[float32]{normGroups: t, group: g, k: k, piece: s.floats, act: unary32[t.spec.Act.Func], actGrad: unaryGrad32[t.spec.Act.Func]}.run(first, second)
	default:
		gradGroup[float64]{normGroups: t, group: g, k: k, piece: s.doubles, act: unary64[t.spec.Act.Func], actGrad: unaryGrad64[t.spec.Act.Func]}.run(first, second)
	}
}

// group is the channels of a part.
type group struct{ from, end int }

// plane returns where channel c of image n lies.
func (t *normGroups) plane(n, c int) (lo, hi int) {
	lo = (n*t.spec.Channels + c) * t.spec.Inner
	return lo, lo + t.spec.Inner
}

// normGroup computes the moments of a group and normalises it.
func normGroup[T kernel.Float](t *normGroups, g group, center, spread []float64, ks []normConstants, act kernel.Unary[T]) {
	x, y, count := elements[T](t.x), elements[T](t.y), float64(t.spec.Outer*t.spec.Inner)
	for n := range t.spec.Outer {
		for i := range center {
			lo, hi := t.plane(n, g.from+i)
			center[i] += kernel.Sum[T, float64](x[lo:hi])
		}
	}
	for i := range center {
		center[i] /= count
	}
	for n := range t.spec.Outer {
		for i, mean := range center {
			lo, hi := t.plane(n, g.from+i)
			spread[i] += kernel.SumSquaredDeviations(x[lo:hi], mean)
		}
	}
	for i, v := range spread {
		elements[T](t.mean)[g.from+i], elements[T](t.variance)[g.from+i] = T(center[i]), T(v/count)
	}
	loadConstants[T](t, g, ks)
	for n := range t.spec.Outer {
		for i, k := range ks {
			lo, hi := t.plane(n, g.from+i)
			kernel.Normalize(x[lo:hi], y[lo:hi], T(k.mean), T(k.scale), T(k.shift))
			if t.spec.Act.On {
				act(y[lo:hi], y[lo:hi], t.spec.Act.A, t.spec.Act.B)
			}
		}
	}
}

// normConstants are those of a channel: y = (x − mean)·scale + shift.
type normConstants struct {
	mean, scale, shift float64
	inverse, gamma     float64 // 1/√(variance + ε), γ
}

// loadConstants sets the constants of a group's channels.
func loadConstants[T kernel.Float](t *normGroups, g group, k []normConstants) {
	mean, variance, gamma, beta := elements[T](t.mean), elements[T](t.variance), elements[T](t.gamma), elements[T](t.beta)
	for i := range k {
		c := g.from + i
		k[i] = normConstants{mean: float64(mean[c]), inverse: 1 / math.Sqrt(float64(variance[c])+t.spec.Epsilon), gamma: 1}
		if gamma != nil {
			k[i].gamma = float64(gamma[c])
		}
		if beta != nil {
			k[i].shift = float64(beta[c])
		}
		k[i].scale = k[i].inverse * k[i].gamma
	}
}

// gradGroup is the part of a task that computes the gradients of a group.
type gradGroup[T kernel.Float] struct {
	*normGroups
	group
	k            []normConstants
	xs, dys, dxs []T
	piece        []T
	act          kernel.Unary[T]
	actGrad      kernel.UnaryGrad[T]
}

// run computes the gradients.
func (g gradGroup[T]) run(sum, products []float64) {
	g.xs, g.dys, g.dxs = elements[T](g.x), elements[T](g.dy), elements[T](g.dx)
	loadConstants[T](g.normGroups, g.group, g.k)
	g.sums(sum, products)
	for i := range sum {
		c := g.from + i
		products[i] *= g.k[i].inverse // Σ dy·x̂
		if !g.dbeta.IsNil() {
			elements[T](g.dbeta)[c] = T(sum[i])
		}
		if !g.dgamma.IsNil() {
			elements[T](g.dgamma)[c] = T(products[i])
		}
	}
	if g.dxs != nil {
		g.gradInput(sum, products)
	}
}

// sums computes Σ dy and Σ dy·(x − mean), of what the activation lets through of dy.
func (g *gradGroup[T]) sums(sum, products []float64) {
	for n := range g.spec.Outer {
		for i := range g.k {
			k := &g.k[i]
			lo, hi := g.plane(n, g.from+i)
			for ; lo < hi; lo += normPiece {
				end := min(lo+normPiece, hi)
				s, p := kernel.SumProducts(g.xs[lo:end], g.through(k, lo, end), k.mean)
				sum[i], products[i] = sum[i]+s, products[i]+p
			}
		}
	}
}

// through returns what the activation lets through of some elements of dy. It lies in dx, where it is read again, or if there is none in the
// piece.
func (g *gradGroup[T]) through(k *normConstants, lo, hi int) []T {
	a := &g.spec.Act
	if !a.On {
		return g.dys[lo:hi]
	}
	v := g.piece[:hi-lo]
	d := v
	if g.dxs != nil {
		d = g.dxs[lo:hi]
	}
	kernel.Normalize(g.xs[lo:hi], v, T(k.mean), T(k.scale), T(k.shift))
	if _, byResult := a.Func.Needs(); byResult {
		g.act(v, v, a.A, a.B)
	}
	g.actGrad(v, g.dys[lo:hi], d, a.A, a.B)
	return d
}

// gradInput computes dx from the sums.
func (g *gradGroup[T]) gradInput(sum, products []float64) {
	count, from := float64(g.spec.Outer*g.spec.Inner), g.dys
	if g.spec.Act.On {
		from = g.dxs
	}
	for i, k := range g.k {
		g.k[i].shift = -k.scale * (sum[i] / count)
		products[i] = -k.scale * k.inverse * (products[i] / count)
	}
	for n := range g.spec.Outer {
		for i, k := range g.k {
			lo, hi := g.plane(n, g.from+i)
			kernel.NormalizeGrad(g.xs[lo:hi], from[lo:hi], g.dxs[lo:hi], T(k.mean), T(k.scale), T(products[i]), T(k.shift))
		}
	}
}

package cpu

import (
	"math"

	"paddle/internal/kernel"
	"paddle/op"
)

// planeNorm computes BatchNorm and its gradients for channels with many elements each, in as few passes as there can be, two, over the planes
// (all elements of a channel in an image) in the order of memory. The sums over the images are made part by part and added up in their order.
type planeNorm struct {
	spec                     op.NormSpec
	step                     planeStep
	images, channels         int // of a part
	imageParts, channelParts int
	x, dy, y                 op.Buffer // y is dx where dy is not nil

	sums      [2][]float64 // of each part's channels: those of all channels of the first images, then of the next
	constants []normConstants
	slopes    []float64
}

// planeStep is one pass.
type planeStep uint8

const (
	planeMoments  planeStep = iota // Σ (x − shift) and its squares
	planeOutput                    // y
	planeProducts                  // Σ dy and Σ dy·(x − mean)
	planeGradient                  // dx
)

const (
	// mostImageParts is the most parts that the images are divided into.
	mostImageParts = 16
	// normPiece is the most elements of a plane whose sums are added up in their own type.
	normPiece = 2048
)

// normConstants are those of a channel: y = (x − mean)·scale + shift.
type normConstants struct {
	mean, scale, shift float64
	inverse, gamma     float64 // 1/√(variance + ε), γ
}

// inPlanes reports whether a planeNorm computes a normalisation. A gradient with an activation is for it only.
func inPlanes(n *op.NormSpec) bool {
	return n.Outer*n.Inner*n.Channels > 0 && (n.Inner > 1 || n.Act.Kind != op.NormPlain)
}

// startPlanes sets the operands and the cut, which depends on the sizes only.
func (b *Backend) startPlanes(n op.NormSpec, x, dy, y op.Buffer) *planeNorm {
	t := &b.planes
	t.spec, t.x, t.dy, t.y = n, x, dy, y
	t.images = ceilDiv(n.Outer, mostImageParts)
	t.imageParts = ceilDiv(n.Outer, t.images)
	t.channels = min(n.Channels, ceilDiv(lightGrain, t.images*n.Inner))
	t.channelParts = ceilDiv(n.Channels, t.channels)
	kernel.Grow(&t.constants, n.Channels)
	kernel.Grow(&t.slopes, n.Channels)
	for i := range t.sums {
		kernel.Grow(&t.sums[i], n.Channels*t.imageParts)
	}
	return t
}

// pass does one step for all planes. Then sums[·][c] are those of channel c.
func (b *Backend) pass(s planeStep) {
	t := &b.planes
	t.step = s
	b.run(t.imageParts*t.channelParts, t)
	if s == planeOutput || s == planeGradient {
		return
	}
	n := t.spec.Channels
	for _, sums := range t.sums {
		for part := 1; part < t.imageParts; part++ {
			kernel.SumInto(sums[part*n:][:n], sums[:n])
		}
	}
}

// Do computes one part.
func (t *planeNorm) Do(part int) {
	if t.x.DType == op.Float32 {
		planePart[float32]{planeNorm: t}.run(part)
	} else {
		planePart[float64]{planeNorm: t}.run(part)
	}
}

// planePart is a part of a pass.
type planePart[T kernel.Float] struct {
	*planeNorm
	xs, dys, ys []T
}

// run does the planes of the part.
func (p planePart[T]) run(part int) {
	p.xs, p.dys, p.ys = elements[T](p.x), elements[T](p.dy), elements[T](p.y)
	first := part % p.channelParts * p.channels
	end := min(first+p.channels, p.spec.Channels)
	part /= p.channelParts
	at := part * p.spec.Channels
	if p.step == planeMoments || p.step == planeProducts {
		clear(p.sums[0][at+first : at+end])
		clear(p.sums[1][at+first : at+end])
	}
	for n := part * p.images; n < min((part+1)*p.images, p.spec.Outer); n++ {
		for c := first; c < end; c++ {
			lo := (n*p.spec.Channels + c) * p.spec.Inner
			p.plane(c, at+c, lo, lo+p.spec.Inner)
		}
	}
}

// plane does elements lo to hi, of channel c, with its sums at sum.
func (p *planePart[T]) plane(c, sum, lo, hi int) {
	k, a := &p.constants[c], p.spec.Act
	n := kernel.Norm[T]{
		Mean: T(k.mean), Scale: T(k.scale), Shift: T(k.shift), Act: kernel.NormAct(a.Kind), Low: T(a.Low), High: T(a.High),
	}
	for ; lo < hi; lo += normPiece {
		end := min(lo+normPiece, hi)
		x, first, second := p.xs[lo:end], 0.0, 0.0
		switch p.step {
		case planeMoments:
			first, second = kernel.MomentsAround(x, n.Shift)
		case planeOutput:
			n.Output(x, p.ys[lo:end])
			continue
		case planeProducts:
			first, second = n.Products(x, p.dys[lo:end])
		case planeGradient:
			n.Gradient(x, p.dys[lo:end], p.ys[lo:end], T(p.slopes[c]), T(p.sums[0][c]))
			continue
		}
		p.sums[0][sum] += first
		p.sums[1][sum] += second
	}
}

// planeMoments computes the moments of each channel: around the mean of its first plane, so that nothing cancels that matters.
func (b *Backend) planeMoments(mean, variance op.Buffer) {
	t := &b.planes
	for c := range t.constants[:t.spec.Channels] {
		t.constants[c].shift = t.firstMean(c)
	}
	b.pass(planeMoments)
	n := float64(t.spec.Outer * t.spec.Inner)
	for c, k := range t.constants[:t.spec.Channels] {
		m := t.sums[0][c] / n
		t.sums[0][c], t.sums[1][c] = k.shift+m, max(0, t.sums[1][c]/n-m*m)
	}
	storeFloats(mean, t.sums[0][:t.spec.Channels])
	storeFloats(variance, t.sums[1][:t.spec.Channels])
}

// firstMean returns the mean of the first plane of channel c, rounded to the type of the elements.
func (t *planeNorm) firstMean(c int) float64 {
	lo, hi := c*t.spec.Inner, (c+1)*t.spec.Inner
	if t.x.DType == op.Float32 {
		return float64(float32(kernel.Sum[float32, float64](t.x.Float32s()[lo:hi]) / float64(t.spec.Inner)))
	}
	return kernel.Sum[float64, float64](t.x.Float64s()[lo:hi]) / float64(t.spec.Inner)
}

// loadConstants sets the constants of the channels.
func (t *planeNorm) loadConstants(mean, variance, gamma, beta op.Buffer) {
	at := func(x op.Buffer, i int, otherwise float64) float64 {
		switch {
		case x.IsNil():
			return otherwise
		case x.DType == op.Float32:
			return float64(x.Float32s()[i])
		}
		return x.Float64s()[i]
	}
	for c := range t.constants[:t.spec.Channels] {
		k := normConstants{mean: at(mean, c, 0), inverse: 1 / math.Sqrt(at(variance, c, 0)+t.spec.Epsilon), gamma: at(gamma, c, 1), shift: at(beta, c, 0)}
		k.scale = k.inverse * k.gamma
		t.constants[c] = k
	}
}

// planeGradients computes the gradients; each result may be nil.
func (b *Backend) planeGradients(dgamma, dbeta op.Buffer) {
	t := &b.planes
	b.pass(planeProducts)
	n, sum, products := float64(t.spec.Outer*t.spec.Inner), t.sums[0][:t.spec.Channels], t.sums[1][:t.spec.Channels]
	for c := range products {
		products[c] *= t.constants[c].inverse // Σ dy·x̂
	}
	storeFloats(dbeta, sum)
	storeFloats(dgamma, products)
	if t.y.IsNil() {
		return
	}
	for c, k := range t.constants[:t.spec.Channels] {
		sum[c], t.slopes[c] = -k.scale*(sum[c]/n), -k.scale*k.inverse*(products[c]/n)
	}
	b.pass(planeGradient)
}

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

	sums    [2][]float64 // of each part's channels: those of all channels of the first images, then of the next
	inverse []float64    // 1/√(variance + ε) of each channel
	singles []kernel.NormChannel[float32]
	doubles []kernel.NormChannel[float64]
}

// planeStep is one pass.
type planeStep uint8

const (
	planeSums     planeStep = iota // Σ (x − shift) and its squares
	planeOutput                    // y
	planeProducts                  // Σ dy and Σ dy·(x − mean)
	planeGradient                  // dx
)

// mostImageParts is the most parts that the images are divided into.
const mostImageParts = 16

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
	t.inverse = kernel.Grow(&t.inverse, n.Channels)
	if x.DType == op.Float32 {
		t.singles = growChannels(t.singles, n.Channels)
	} else {
		t.doubles = growChannels(t.doubles, n.Channels)
	}
	for i := range t.sums {
		t.sums[i] = kernel.Grow(&t.sums[i], n.Channels*t.imageParts)
	}
	return t
}

// growChannels returns the constants of n channels, in the memory of c if there is enough.
func growChannels[T kernel.Float](c []kernel.NormChannel[T], n int) []kernel.NormChannel[T] {
	if cap(c) < n {
		return make([]kernel.NormChannel[T], n)
	}
	return c[:n]
}

// endPlanes lets go of the operands.
func (b *Backend) endPlanes() {
	b.planes.x, b.planes.dy, b.planes.y = op.Buffer{}, op.Buffer{}, op.Buffer{}
}

// pass does one step for all planes. After one of sums, the first of them are those of each channel.
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
		planePart(t, t.singles, part)
	} else {
		planePart(t, t.doubles, part)
	}
}

// planePart does the planes of a part. Sums that overflow in the type of the elements are made once more in float64.
func planePart[T kernel.Float](t *planeNorm, channels []kernel.NormChannel[T], part int) {
	a, s := t.spec.Act, t.spec.ChannelSpec
	norm := kernel.Norm[T]{Inner: s.Inner, Act: kernel.NormAct(a.Kind), Low: T(a.Low), High: T(a.High)}
	first := part % t.channelParts * t.channels
	end := min(first+t.channels, s.Channels)
	part /= t.channelParts
	sum, products := t.sums[0][part*s.Channels:][first:end], t.sums[1][part*s.Channels:][first:end]
	if t.step == planeOutput || t.step == planeGradient {
		planeImages(t, &norm, channels, first, end, part, nil, nil)
		return
	}
	for {
		clear(sum)
		clear(products)
		planeImages(t, &norm, channels, first, end, part, sum, products)
		if norm.Wide || finite(sum) && finite(products) {
			return
		}
		norm.Wide = true
	}
}

// planeImages does channels first to end of a part, image by image.
func planeImages[T kernel.Float](t *planeNorm, norm *kernel.Norm[T], channels []kernel.NormChannel[T], first, end, part int, sum, products []float64) {
	x, dy, y, c, s := elements[T](t.x), elements[T](t.dy), elements[T](t.y), channels[first:end], t.spec.ChannelSpec
	for n := part * t.images; n < min((part+1)*t.images, s.Outer); n++ {
		lo, hi := (n*s.Channels+first)*s.Inner, (n*s.Channels+end)*s.Inner
		switch t.step {
		case planeSums:
			norm.Moments(c, x[lo:hi], sum, products)
		case planeOutput:
			norm.Output(c, x[lo:hi], y[lo:hi])
		case planeProducts:
			norm.Products(c, x[lo:hi], dy[lo:hi], sum, products)
		case planeGradient:
			norm.Gradient(c, x[lo:hi], dy[lo:hi], y[lo:hi])
		}
	}
}

// finite reports whether no number is NaN or infinite.
func finite(x []float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// planeForward computes a BatchNorm. The moments are taken around the mean of a channel's first plane, so that nothing cancels that matters.
func planeForward[T kernel.Float](b *Backend, channels []kernel.NormChannel[T], gamma, beta, mean, variance op.Buffer) {
	t := &b.planes
	x, inner := elements[T](t.x), t.spec.Inner
	for c := range channels {
		channels[c].Shift = T(kernel.Sum[T, float64](x[c*inner:(c+1)*inner]) / float64(inner))
	}
	b.pass(planeSums)
	n := float64(t.spec.Outer * inner)
	for c, k := range channels {
		m := t.sums[0][c] / n
		t.sums[0][c], t.sums[1][c] = float64(k.Shift)+m, max(0, t.sums[1][c]/n-m*m)
	}
	storeFloats(mean, t.sums[0][:len(channels)])
	storeFloats(variance, t.sums[1][:len(channels)])
	loadChannels(t, channels, mean, variance, gamma, beta)
	b.pass(planeOutput)
}

// loadChannels sets the constants of the channels.
func loadChannels[T kernel.Float](t *planeNorm, channels []kernel.NormChannel[T], mean, variance, gamma, beta op.Buffer) {
	means, variances, gammas, betas := elements[T](mean), elements[T](variance), elements[T](gamma), elements[T](beta)
	for c := range channels {
		t.inverse[c] = 1 / math.Sqrt(float64(variances[c])+t.spec.Epsilon)
		k := kernel.NormChannel[T]{Mean: means[c], Scale: T(t.inverse[c])}
		if gammas != nil {
			k.Scale = T(t.inverse[c] * float64(gammas[c]))
		}
		if betas != nil {
			k.Shift = betas[c]
		}
		channels[c] = k
	}
}

// planeBackward computes the gradients; each result may be nil.
func planeBackward[T kernel.Float](b *Backend, channels []kernel.NormChannel[T], mean, variance, gamma, beta, dgamma, dbeta op.Buffer) {
	t := &b.planes
	loadChannels(t, channels, mean, variance, gamma, beta)
	b.pass(planeProducts)
	n, sum, products := float64(t.spec.Outer*t.spec.Inner), t.sums[0][:len(channels)], t.sums[1][:len(channels)]
	for c := range products {
		products[c] *= t.inverse[c] // Σ dy·x̂
	}
	storeFloats(dbeta, sum)
	storeFloats(dgamma, products)
	if t.y.IsNil() {
		return
	}
	gammas := elements[T](gamma)
	for c := range channels {
		scale := t.inverse[c]
		if gammas != nil {
			scale *= float64(gammas[c])
		}
		channels[c].Base, channels[c].Slope = T(-scale*(sum[c]/n)), T(-scale*t.inverse[c]*(products[c]/n))
	}
	b.pass(planeGradient)
}

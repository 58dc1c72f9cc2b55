package cpu

import (
	"math"

	"paddle/internal/kernel"
	"paddle/op"
)

// channelTasks are the tasks of BatchNorm, Normalize and NormalizeGrad.
type channelTasks struct {
	sums      channelSums
	normalize normalizeTask
	planes    planeNorm

	channelMemory [4][]float64
	constants32   [4][]float32
	constants64   [4][]float64
	channelPieces []float64
}

// channelKind says what channelSums sums.
type channelKind uint8

const (
	sumElements   channelKind = iota // Σ x
	sumDeviations                    // Σ (x − mean)²
	sumProducts                      // Σ dy and Σ dy·(x − mean)
)

// channelSums computes one or two sums for each channel, in float64.
type channelSums struct {
	kind   channelKind
	x, dy  op.Buffer
	plan   reducePlan
	span   span
	mean   []float64
	sums   [2][]float64 // for each channel
	pieces []float64    // the same of each chunk, if there are several: first all of sums[0], then of sums[1]
}

// channelSum sums what kind says into first and, for products, second. mean may be nil for plain sums, and dy for all but products.
func (b *Backend) channelSum(kind channelKind, c op.ChannelSpec, x, dy op.Buffer, mean, first, second []float64) {
	t, shape := &b.sums, [3]int{c.Outer, c.Channels, c.Inner}
	t.kind, t.x, t.dy, t.mean, t.sums, t.pieces = kind, x, dy, mean, [2][]float64{first, second}, nil
	t.plan.set(0b101, shape[:])
	t.span = t.plan.span()
	if t.plan.chunks > 1 {
		t.pieces = kernel.Grow(&b.channelPieces, 2*t.plan.chunks*c.Channels)
	}
	b.run(t.span.parts(), t)
	if t.plan.chunks > 1 {
		t.join()
	}
	t.x, t.dy = op.Buffer{}, op.Buffer{}
}

// Do computes one part.
func (t *channelSums) Do(part int) {
	lo, hi := t.span.bounds(part)
	for i := lo; i < hi; i++ {
		u := t.plan.unit(i)
		into := t.into(u.chunk)
		first, second := into[0][u.first:][:u.width], into[1][u.first:][:u.width]
		clear(first)
		clear(second)
		if t.x.DType == op.Float32 {
			sumUnit[float32](t, &u, first, second)
		} else {
			sumUnit[float64](t, &u, first, second)
		}
	}
}

// into returns where the sums of a chunk go.
func (t *channelSums) into(chunk int) [2][]float64 {
	if t.pieces == nil {
		return t.sums
	}
	n, half := t.plan.outputs, len(t.pieces)/2
	return [2][]float64{t.pieces[chunk*n:][:n], t.pieces[half+chunk*n:][:n]}
}

// join adds up the chunks.
func (t *channelSums) join() {
	for _, s := range t.sums {
		clear(s)
	}
	for chunk := range t.plan.chunks {
		for i, from := range t.into(chunk) {
			kernel.SumInto(from, t.sums[i])
		}
	}
}

// sumUnit adds one unit's sums to first and second.
func sumUnit[T kernel.Float](t *channelSums, u *reduceUnit, first, second []float64) {
	xs, dys, mean := elements[T](t.x), elements[T](t.dy), t.mean
	if mean != nil {
		mean = mean[u.first:]
	}
	if t.kind == sumElements && sumRows(&t.plan, u, xs, first) {
		return
	}
	for lo, hi, ok := t.plan.next(u); ok; lo, hi, ok = t.plan.next(u) {
		x := xs[lo:hi]
		switch {
		case t.kind == sumElements && t.plan.columns:
			kernel.SumInto(x, first)
		case t.kind == sumElements:
			first[0] += kernel.Sum[T, float64](x)
		case t.kind == sumDeviations && t.plan.columns:
			kernel.SumSquaredDeviationsColumns(x, mean, first)
		case t.kind == sumDeviations:
			first[0] += kernel.SumSquaredDeviations(x, mean[0])
		case t.plan.columns:
			kernel.SumProductsColumns(x, dys[lo:hi], mean, first, second)
		default:
			sum, products := kernel.SumProducts(x, dys[lo:hi], mean[0])
			first[0] += sum
			second[0] += products
		}
	}
}

// channelFloats returns memory for n float64 numbers, one of four.
func (b *Backend) channelFloats(i, n int) []float64 { return kernel.Grow(&b.channelMemory[i], n) }

// moments computes the mean and the n-divided variance of each channel, in two passes and in float64, so that nothing cancels. Of no elements
// they are 0.
func (b *Backend) moments(c op.ChannelSpec, x, mean, variance op.Buffer) {
	n := float64(c.Outer * c.Inner)
	if n == 0 {
		b.Fill(mean, 0)
		b.Fill(variance, 0)
		return
	}
	center, spread, spare := b.channelFloats(0, c.Channels), b.channelFloats(1, c.Channels), b.channelFloats(2, c.Channels)
	b.channelSum(sumElements, c, x, op.Buffer{}, nil, center, spare)
	for i := range center {
		center[i] /= n
	}
	b.channelSum(sumDeviations, c, x, op.Buffer{}, center, spread, spare)
	for i := range spread {
		spread[i] /= n
	}
	storeFloats(mean, center)
	storeFloats(variance, spread)
}

// storeFloats converts x to y's type; y may be nil.
func storeFloats(y op.Buffer, x []float64) {
	switch {
	case y.IsNil():
	case y.DType == op.Float32:
		kernel.Convert(x, y.Float32s())
	default:
		copy(y.Float64s(), x)
	}
}

// loadFloats converts x to float64.
func loadFloats(x op.Buffer, y []float64) {
	if x.DType == op.Float32 {
		kernel.Convert(x.Float32s(), y)
	} else {
		copy(y, x.Float64s())
	}
}

// inverseDeviation replaces each variance by 1/√(variance + ε).
func inverseDeviation(variance []float64, epsilon float64) {
	for i, v := range variance {
		variance[i] = 1 / math.Sqrt(v+epsilon)
	}
}

package cpu

import (
	"math"

	"paddle/internal/kernel"
	"paddle/op"
)

// layerNormTasks are the tasks of LayerNorm and LayerNormGrad.
type layerNormTasks struct {
	layerNorm     layerNormTask
	layerNormSums []float64
}

// layerNormTask works on the rows of the last axis.
type layerNormTask struct {
	epsilon                float64
	x, weight, bias, y     op.Buffer // y is nil for a gradient
	mean, variance         op.Buffer
	dy, dx, dweight, dbias op.Buffer
	width                  int
	span                   span      // of rows
	sums                   []float64 // of dweight and dbias, for each part; nil if neither is wanted
}

// LayerNorm implements op.Backend. Sums are in float64.
func (b *Backend) LayerNorm(epsilon float64, x, weight, bias, y, mean, variance op.Buffer) {
	rows, width := lastAxis(x)
	t := layerNormTask{epsilon: epsilon, x: x, weight: weight, bias: bias, y: y, mean: mean, variance: variance, width: width}
	t.span = rowSpan(rows, width, lightGrain)
	b.layerNorm = t
	b.run(t.span.parts(), &b.layerNorm)
	b.layerNorm = layerNormTask{}
}

// LayerNormGrad implements op.Backend. The sums over rows are those of parts, which are added in their order.
func (b *Backend) LayerNormGrad(epsilon float64, x, mean, variance, weight, dy, dx, dweight, dbias op.Buffer) {
	rows, width := lastAxis(x)
	t := layerNormTask{epsilon: epsilon, x: x, weight: weight, mean: mean, variance: variance, dy: dy, dx: dx, dweight: dweight, dbias: dbias, width: width}
	t.span = rowSpan(rows, width, lightGrain)
	t.span.grain = max(t.span.grain, ceilDiv(rows, mostChunks))
	if !dweight.IsNil() || !dbias.IsNil() {
		t.sums = kernel.Grow(&b.layerNormSums, 2*width*max(1, t.span.parts()))
		clear(t.sums)
	}
	b.layerNorm = t
	b.run(t.span.parts(), &b.layerNorm)
	b.layerNorm.join()
	b.layerNorm = layerNormTask{}
}

// join adds up the sums of the parts.
func (t *layerNormTask) join() {
	if t.sums == nil {
		return
	}
	all := t.sums[:2*t.width]
	for i := len(all); i < len(t.sums); i += len(all) {
		kernel.SumInto(t.sums[i:], all)
	}
	storeFloats(t.dweight, all[:t.width])
	storeFloats(t.dbias, all[t.width:])
}

// Do computes one part.
func (t *layerNormTask) Do(part int) {
	lo, hi := t.span.bounds(part)
	switch single := t.x.DType == op.Float32; {
	case t.y.IsNil() && single:
		layerNormGradRows[float32](t, part, lo, hi)
	case t.y.IsNil():
		layerNormGradRows[float64](t, part, lo, hi)
	case single:
		layerNormRows[float32](t, lo, hi)
	default:
		layerNormRows[float64](t, lo, hi)
	}
}

func layerNormRows[T kernel.Float](t *layerNormTask, lo, hi int) {
	xs, ys, weight, bias := elements[T](t.x), elements[T](t.y), elements[T](t.weight), elements[T](t.bias)
	means, variances, n := elements[T](t.mean), elements[T](t.variance), float64(t.width)
	for i := lo; i < hi; i++ {
		x, y := xs[i*t.width:][:t.width], ys[i*t.width:][:t.width]
		center := kernel.Sum[T, float64](x) / n
		mean, variance := T(center), T(kernel.SumSquaredDeviations(x, center)/n)
		kernel.NormalizeRow(x, weight, bias, y, mean, T(1/math.Sqrt(float64(variance)+t.epsilon)))
		if means != nil {
			means[i] = mean
		}
		if variances != nil {
			variances[i] = variance
		}
	}
}

func layerNormGradRows[T kernel.Float](t *layerNormTask, part, lo, hi int) {
	xs, dys, dxs, weight := elements[T](t.x), elements[T](t.dy), elements[T](t.dx), elements[T](t.weight)
	means, variances, n := elements[T](t.mean), elements[T](t.variance), float64(t.width)
	var dweight, dbias []float64
	if t.sums != nil {
		dweight = t.sums[2*part*t.width:][:2*t.width]
		dweight, dbias = dweight[:t.width], dweight[t.width:]
	}
	for i := lo; i < hi; i++ {
		x, dy := xs[i*t.width:][:t.width], dys[i*t.width:][:t.width]
		mean, scale := float64(means[i]), 1/math.Sqrt(float64(variances[i])+t.epsilon)
		if dweight != nil {
			kernel.SumNormalized(x, dy, mean, scale, dweight, dbias)
		}
		if dxs != nil {
			sum, products := kernel.SumWeighted(x, dy, weight, mean)
			slope, shift := -scale*scale*(products*scale/n), -scale*(sum/n)
			kernel.NormalizeRowGrad(x, dy, weight, dxs[i*t.width:][:t.width], means[i], T(scale), T(slope), T(shift))
		}
	}
}

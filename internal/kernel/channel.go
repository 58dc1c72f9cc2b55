package kernel

// The kernels of this file work on runs of elements that belong to one channel, or, with Columns in their name, on a row that has one
// element of each channel. Sums are in float64.

// SumSquaredDeviations returns Σ (x − mean)², in lanes as Sum.
func SumSquaredDeviations[T Float](x []T, mean float64) float64 {
	if f := vectors[T]().sumDeviations; f != nil {
		return f(x, mean)
	}
	var s lanes[float64]
	for i, v := range x {
		d := float64(v) - mean
		s[i&7] += float64(d * d)
	}
	return s.total()
}

// SumSquaredDeviationsColumns computes acc[i] += (x[i] − mean[i])² for the elements of acc.
func SumSquaredDeviationsColumns[T Float](x []T, mean, acc []float64) {
	x, mean = x[:len(acc)], mean[:len(acc)]
	if f := vectors[T]().sumDeviationsInto; f != nil {
		f(x, mean, acc)
		return
	}
	for i, m := range mean {
		d := float64(x[i]) - m
		acc[i] += float64(d * d)
	}
}

// SumProducts returns Σ dy and Σ dy·(x − mean), in lanes as Sum.
func SumProducts[T Float](x, dy []T, mean float64) (sum, products float64) {
	x = x[:len(dy)]
	if f := vectors[T]().sumProducts; f != nil {
		return f(x, dy, mean)
	}
	var s, p lanes[float64]
	for i, v := range dy {
		s[i&7] += float64(v)
		p[i&7] += float64(float64(v) * (float64(x[i]) - mean))
	}
	return s.total(), p.total()
}

// SumProductsColumns computes sum[i] += dy[i] and products[i] += dy[i]·(x[i] − mean[i]) for the elements of sum.
func SumProductsColumns[T Float](x, dy []T, mean, sum, products []float64) {
	n := len(sum)
	x, dy, mean, products = x[:n], dy[:n], mean[:n], products[:n]
	if f := vectors[T]().sumProductsInto; f != nil {
		f(x, dy, mean, sum, products)
		return
	}
	for i, m := range mean {
		d := float64(dy[i])
		sum[i] += d
		products[i] += float64(d * (float64(x[i]) - m))
	}
}

// Normalize computes y = (x − mean)·scale + shift for the elements of x.
func Normalize[T Float](x, y []T, mean, scale, shift T) {
	if f := vectors[T]().normalize; f != nil {
		f(x, y[:len(x)], mean, scale, shift)
		return
	}
	each(x, y, func(v T) T { return T((v-mean)*scale) + shift })
}

// NormalizeColumns computes y[i] = (x[i] − mean[i])·scale[i] + shift[i] for the elements of x.
func NormalizeColumns[T Float](x, y, mean, scale, shift []T) {
	n := len(x)
	y, mean, scale, shift = y[:n], mean[:n], scale[:n], shift[:n]
	if f := vectors[T]().normalizeColumns; f != nil {
		f(x, y, mean, scale, shift)
		return
	}
	for i, v := range x {
		y[i] = T((v-mean[i])*scale[i]) + shift[i]
	}
}

// NormalizeGrad computes dx = dy·scale + (x − mean)·slope + shift for the elements of x; dx may be dy.
func NormalizeGrad[T Float](x, dy, dx []T, mean, scale, slope, shift T) {
	dy, dx = dy[:len(x)], dx[:len(x)]
	if f := vectors[T]().normalizeGrad; f != nil {
		f(x, dy, dx, mean, scale, slope, shift)
		return
	}
	for i, v := range x {
		dx[i] = T(dy[i]*scale) + T((v-mean)*slope) + shift
	}
}

// NormalizeGradColumns is NormalizeGrad with the constants of each channel.
func NormalizeGradColumns[T Float](x, dy, dx, mean, scale, slope, shift []T) {
	n := len(x)
	dy, dx, mean, scale, slope, shift = dy[:n], dx[:n], mean[:n], scale[:n], slope[:n], shift[:n]
	if f := vectors[T]().normalizeGradColumns; f != nil {
		f(x, dy, dx, mean, scale, slope, shift)
		return
	}
	for i, v := range x {
		dx[i] = T(dy[i]*scale[i]) + T((v-mean[i])*slope[i]) + shift[i]
	}
}

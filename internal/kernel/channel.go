package kernel

// The kernels of this file work on runs of elements that belong to one channel, or, with Columns in their name, on a row that has one
// element of each channel. Sums are in float64.

// SumSquaredDeviations returns Σ (x − mean)², in lanes as Sum.
func SumSquaredDeviations[T Float](x []T, mean float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d := float64(x[0])-mean, float64(x[1])-mean, float64(x[2])-mean, float64(x[3])-mean
		s0 += a * a
		s1 += b * b
		s2 += c * c
		s3 += d * d
	}
	for _, v := range x {
		d := float64(v) - mean
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}

// SumSquaredDeviationsColumns computes acc[i] += (x[i] − mean[i])² for the elements of acc.
func SumSquaredDeviationsColumns[T Float](x []T, mean, acc []float64) {
	x, mean = x[:len(acc)], mean[:len(acc)]
	for i, m := range mean {
		d := float64(x[i]) - m
		acc[i] += d * d
	}
}

// SumProducts returns Σ dy and Σ dy·(x − mean), in two lanes each.
func SumProducts[T Float](x, dy []T, mean float64) (sum, products float64) {
	var s0, s1, p0, p1 float64
	x = x[:len(dy)]
	for ; len(dy) >= 2 && len(x) >= 2; x, dy = x[2:], dy[2:] {
		a, b := float64(dy[0]), float64(dy[1])
		s0 += a
		s1 += b
		p0 += a * (float64(x[0]) - mean)
		p1 += b * (float64(x[1]) - mean)
	}
	for i, v := range dy {
		s0 += float64(v)
		p0 += float64(v) * (float64(x[i]) - mean)
	}
	return s0 + s1, p0 + p1
}

// SumProductsColumns computes sum[i] += dy[i] and products[i] += dy[i]·(x[i] − mean[i]) for the elements of sum.
func SumProductsColumns[T Float](x, dy []T, mean, sum, products []float64) {
	n := len(sum)
	x, dy, mean, products = x[:n], dy[:n], mean[:n], products[:n]
	for i, m := range mean {
		d := float64(dy[i])
		sum[i] += d
		products[i] += d * (float64(x[i]) - m)
	}
}

// Normalize computes y = (x − mean)·scale + shift for the elements of x.
func Normalize[T Float](x, y []T, mean, scale, shift T) {
	each(x, y, func(v T) T { return (v-mean)*scale + shift })
}

// NormalizeColumns computes y[i] = (x[i] − mean[i])·scale[i] + shift[i] for the elements of x.
func NormalizeColumns[T Float](x, y, mean, scale, shift []T) {
	n := len(x)
	y, mean, scale, shift = y[:n], mean[:n], scale[:n], shift[:n]
	for i, v := range x {
		y[i] = (v-mean[i])*scale[i] + shift[i]
	}
}

// NormalizeGrad computes dx = dy·scale + (x − mean)·slope + shift for the elements of x; dx may be dy.
func NormalizeGrad[T Float](x, dy, dx []T, mean, scale, slope, shift T) {
	dy, dx = dy[:len(x)], dx[:len(x)]
	for i, v := range x {
		dx[i] = dy[i]*scale + (v-mean)*slope + shift
	}
}

// NormalizeGradColumns is NormalizeGrad with the constants of each channel.
func NormalizeGradColumns[T Float](x, dy, dx, mean, scale, slope, shift []T) {
	n := len(x)
	dy, dx, mean, scale, slope, shift = dy[:n], dx[:n], mean[:n], scale[:n], slope[:n], shift[:n]
	for i, v := range x {
		dx[i] = dy[i]*scale[i] + (v-mean[i])*slope[i] + shift[i]
	}
}

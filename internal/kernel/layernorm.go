package kernel

// The kernels of this file work on one row that is normalised, whose elements have a weight and a bias each. Sums are in float64.

// NormalizeRow computes y = ((x − mean)·scale)·weight + bias for the elements of x; y may be x.
func NormalizeRow[T Float](x, weight, bias, y []T, mean, scale T) {
	n := len(x)
	weight, bias, y = weight[:n], bias[:n], y[:n]
	if f := vectors[T]().normalizeRow; f != nil {
		f(x, weight, bias, y, mean, scale)
		return
	}
	for i, v := range x {
		y[i] = T(T((v-mean)*scale)*weight[i]) + bias[i]
	}
}

// SumWeighted returns Σ dy·weight and Σ dy·weight·(x − mean), in lanes as Sum.
func SumWeighted[T Float](x, dy, weight []T, mean float64) (sum, products float64) {
	n := len(x)
	dy, weight = dy[:n], weight[:n]
	if f := vectors[T]().sumWeighted; f != nil {
		return f(x, dy, weight, mean)
	}
	var s, p lanes[float64]
	for i, v := range x {
		g := float64(float64(dy[i]) * float64(weight[i]))
		s[i&7] += g
		p[i&7] += float64(g * (float64(v) - mean))
	}
	return s.total(), p.total()
}

// NormalizeRowGrad computes dx = (dy·weight)·scale + (x − mean)·slope + shift for the elements of x; dx may be dy.
func NormalizeRowGrad[T Float](x, dy, weight, dx []T, mean, scale, slope, shift T) {
	n := len(x)
	dy, weight, dx = dy[:n], weight[:n], dx[:n]
	if f := vectors[T]().normalizeRowGrad; f != nil {
		f(x, dy, weight, dx, mean, scale, slope, shift)
		return
	}
	for i, v := range x {
		dx[i] = T(T(dy[i]*weight[i])*scale) + T((v-mean)*slope) + shift
	}
}

// SumNormalized computes dweight[i] += dy[i]·((x[i] − mean)·scale) and dbias[i] += dy[i] for the elements of x.
func SumNormalized[T Float](x, dy []T, mean, scale float64, dweight, dbias []float64) {
	n := len(x)
	dy, dweight, dbias = dy[:n], dweight[:n], dbias[:n]
	if f := vectors[T]().sumNormalized; f != nil {
		f(x, dy, mean, scale, dweight, dbias)
		return
	}
	for i, v := range x {
		d := float64(dy[i])
		dbias[i] += d
		dweight[i] += float64(d * float64((float64(v)-mean)*scale))
	}
}

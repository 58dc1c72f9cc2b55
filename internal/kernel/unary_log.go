package kernel

import "math"

const (
	sqrtHalfBits = 0x3fe6a09e667f3bcd // of √½
	mantissaBits = 1<<52 - 1
	tinyArgument = 0x1p-27 // below it, log(1+x) is x in float32
)

// logShort computes log x for an x that is not a subnormal float64, to 2⁻³⁵ relative: with x = 2ᵏ·m, √½ ≤ m < √2 and s = (m−1)/(m+1),
// log x = k·ln 2 + 2·artanh s.
func logShort(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return math.Log(x)
	}
	u := math.Float64bits(x) - sqrtHalfBits
	k := float64(int64(u) >> 52)
	f := math.Float64frombits(u&mantissaBits+sqrtHalfBits) - 1
	s := f / (2 + f)
	z := s * s
	p := 0.66666666554451646 + z*(0.40000121876972001+z*(0.28550816599711549+z*0.23330581938241894))
	return k*math.Ln2 + s*(2+z*p)
}

// log computes log x as precisely as T wants it.
func log[T Float](x float64) float64 {
	if single[T]() {
		return logShort(x)
	}
	return math.Log(x)
}

// log1p computes log(1+x) as precisely as T wants it.
func log1p[T Float](x float64) float64 {
	if !single[T]() {
		return math.Log1p(x)
	}
	if math.Abs(x) < tinyArgument {
		return x
	}
	return logShort(1 + x)
}

// pow computes xᵃ as precisely as T wants it.
func pow[T Float](x, a float64) float64 {
	if !single[T]() || !(math.Abs(x) <= math.MaxFloat32 && x != 0 && math.Abs(a) <= math.MaxFloat32) {
		return math.Pow(x, a)
	}
	if x > 0 {
		return expShort(a * logShort(x))
	}
	if a != math.Trunc(a) {
		return math.NaN()
	}
	y := expShort(a * logShort(-x))
	if math.Mod(a, 2) != 0 {
		return -y
	}
	return y
}

// Log computes the natural logarithm.
func Log[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.log.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(log[T](float64(v))) })
	}
}

// Log1p computes log(1+x), precisely near 0 too.
func Log1p[T Float](x, y []T, _, _ float64) {
	if !vectors[T]().near.log1p.run(x, y, 0, 0) {
		each(x, y, func(v T) T { return T(log1p[T](float64(v))) })
	}
}

// PowConst computes xᵃ, with the special cases of math.Pow.
func PowConst[T Float](x, y []T, a, _ float64) {
	near := &vectors[T]().near
	switch f := near.powConst; {
	case a == 2:
		Square(x, y, 0, 0)
		return
	case a == -1:
		Reciprocal(x, y, 0, 0)
		return
	case a == 3 && near.cube.run(x, y, 0, 0), a == 0.5 && near.halfPower.run(x, y, 0, 0):
		return
	case f != nil && ordinary(a):
		f(x, y[:len(x)], a, integerKind(a))
		return
	}
	each(x, y, func(v T) T { return T(pow[T](float64(v), a)) })
}

// Pow computes aᵇ, with the special cases of math.Pow.
func Pow[T Float](a, b, y []T) {
	if len(b) == 1 && len(a) != 1 {
		PowConst(a[:len(y)], y, float64(b[0]), 0)
		return
	}
	if power, ok := any(y).([]float32); ok && haveVectors && len(b) != 1 {
		powVectors(any(a).([]float32), any(b).([]float32), power)
		return
	}
	zip(a, b, y, func(p, q T) T { return T(pow[T](float64(p), float64(q))) })
}

// powVectors computes y = aᵇ by the assembly where the exponent is ordinary. a may be a single number.
func powVectors(a, b, y []float32) {
	var same [64]float32 // that number as many times
	mask := wide(len(a))
	if mask == 0 {
		Fill(same[:], a[0])
		a = same[:]
	}
	for len(y) > 0 {
		n := usualPowers(b[:min(len(y), len(a))])
		pow_32(a, b, y[:n])
		if n < len(y) && !ordinary(float64(b[n])) {
			y[n] = float32(pow[float32](float64(a[n&mask]), float64(b[n])))
			n++
		}
		a, b, y = a[n&mask:], b[n:], y[n:]
	}
}

// usualPowers returns how many of the first of b are ordinary.
func usualPowers(b []float32) int {
	for i, v := range b {
		if !ordinary(float64(v)) {
			return i
		}
	}
	return len(b)
}

// ordinary reports whether the assembly computes xᵃ.
func ordinary(a float64) bool { return a != 0 && math.Abs(a) <= 1e30 }

// integerKind returns 0 where a is no integer, 1 where it is odd, and 2 where it is even.
func integerKind(a float64) float64 {
	if a != math.Trunc(a) {
		return 0
	}
	return 2 - math.Abs(math.Mod(a, 2))
}

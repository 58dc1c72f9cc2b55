package kernel

// Accumulator is the type in which reductions are computed: float64 for floats, so that a sum of many float32 numbers is as good as
// exact, and int64 for integers, whose low bits are the result.
type Accumulator interface{ float64 | int64 }

// Sum returns Σ x, added up in four lanes: lane j has the elements 4i+j and lane 0 those left over, and the result is
// (lane 0 + lane 1) + (lane 2 + lane 3).
func Sum[T Number, A Accumulator](x []T) A {
	var s0, s1, s2, s3 A
	for ; len(x) >= 4; x = x[4:] {
		s0 += A(x[0])
		s1 += A(x[1])
		s2 += A(x[2])
		s3 += A(x[3])
	}
	for _, v := range x {
		s0 += A(v)
	}
	return (s0 + s1) + (s2 + s3)
}

// Product returns Π x, in lanes as Sum.
func Product[T Number, A Accumulator](x []T) A {
	p0, p1, p2, p3 := A(1), A(1), A(1), A(1)
	for ; len(x) >= 4; x = x[4:] {
		p0 *= A(x[0])
		p1 *= A(x[1])
		p2 *= A(x[2])
		p3 *= A(x[3])
	}
	for _, v := range x {
		p0 *= A(v)
	}
	return (p0 * p1) * (p2 * p3)
}

// Greatest returns the greatest of the elements of x, of which there is at least one; NaN if one is.
func Greatest[T Number](x []T) T {
	m0, m1, m2, m3 := x[0], x[0], x[0], x[0]
	for ; len(x) >= 4; x = x[4:] {
		m0 = max(m0, x[0])
		m1 = max(m1, x[1])
		m2 = max(m2, x[2])
		m3 = max(m3, x[3])
	}
	for _, v := range x {
		m0 = max(m0, v)
	}
	return max(m0, m1, m2, m3)
}

// Least returns the least of the elements of x, of which there is at least one; NaN if one is.
func Least[T Number](x []T) T {
	m0, m1, m2, m3 := x[0], x[0], x[0], x[0]
	for ; len(x) >= 4; x = x[4:] {
		m0 = min(m0, x[0])
		m1 = min(m1, x[1])
		m2 = min(m2, x[2])
		m3 = min(m3, x[3])
	}
	for _, v := range x {
		m0 = min(m0, v)
	}
	return min(m0, m1, m2, m3)
}

// fold calls f for every accumulator and element. It is inlined with f.
func fold[T Number, A Accumulator](x []T, acc []A, f func(a, v A) A) {
	x = x[:len(acc)]
	for i, a := range acc {
		acc[i] = f(a, A(x[i]))
	}
}

// SumInto computes acc[i] += x[i] for the elements of acc.
func SumInto[T Number, A Accumulator](x []T, acc []A) {
	fold(x, acc, func(a, v A) A { return a + v })
}

// ProductInto computes acc[i] *= x[i].
func ProductInto[T Number, A Accumulator](x []T, acc []A) {
	fold(x, acc, func(a, v A) A { return a * v })
}

// GreatestInto computes acc[i] = max(acc[i], x[i]).
func GreatestInto[T Number, A Accumulator](x []T, acc []A) {
	fold(x, acc, func(a, v A) A { return max(a, v) })
}

// LeastInto computes acc[i] = min(acc[i], x[i]).
func LeastInto[T Number, A Accumulator](x []T, acc []A) {
	fold(x, acc, func(a, v A) A { return min(a, v) })
}

// SumSquares returns Σ x² in float64, in lanes as Sum.
func SumSquares[T Float](x []T) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d := float64(x[0]), float64(x[1]), float64(x[2]), float64(x[3])
		s0 += a * a
		s1 += b * b
		s2 += c * c
		s3 += d * d
	}
	for _, v := range x {
		s0 += float64(v) * float64(v)
	}
	return (s0 + s1) + (s2 + s3)
}

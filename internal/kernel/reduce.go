package kernel

// Accumulator is the type in which reductions are computed: float64 for floats, so that a sum of many float32 numbers is as good as
// exact, and int64 for integers, whose low bits are the result.
type Accumulator interface{ float64 | int64 }

// lanes is the sums of eight lanes, of which lane j has the terms 8i+j.
type lanes[A Accumulator] [8]A

// total returns the sum of the lanes, added as a vector is folded.
func (s *lanes[A]) total() A {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// Sum returns Σ x, added up in eight lanes.
func Sum[T Number, A Accumulator](x []T) A {
	if f := vectors[T]().sum; f != nil {
		return A(f(x))
	}
	var s lanes[A]
	for i, v := range x {
		s[i&7] += A(v)
	}
	return s.total()
}

// Product returns Π x, in four lanes: lane j has the elements 4i+j, and lane 0 those left over.
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
	if f := vectors[T]().greatest; f != nil {
		if m := f(x); m != 0 { // of zeros, plain Go finds the sign
			return m
		}
	}
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
	if f := vectors[T]().least; f != nil {
		if m := f(x); m != 0 { // of zeros, plain Go finds the sign
			return m
		}
	}
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
	x = x[:len(acc)]
	if haveVectors {
		switch x := any(x).(type) {
		case []float32:
			sumInto32(x, any(acc).([]float64))
			return
		case []float64:
			sumInto64(x, any(acc).([]float64))
			return
		}
	}
	fold(x, acc, func(a, v A) A { return a + v })
}

// SumRowsInto computes acc[i] += x[r·row+i] for the elements of acc and the rows r, in their order.
func SumRowsInto[T Float](rows int, x []T, row int, acc []float64) {
	if rows == 0 || len(acc) == 0 {
		return
	}
	x = x[:(rows-1)*row+len(acc)]
	if haveVectors {
		switch x := any(x).(type) {
		case []float32:
			sumRows32(rows, x, row, acc)
			return
		case []float64:
			sumRows64(rows, x, row, acc)
			return
		}
	}
	for r := range rows {
		fold(x[r*row:], acc, func(a, v float64) float64 { return a + v })
	}
}

// ProductInto computes acc[i] *= x[i].
func ProductInto[T Number, A Accumulator](x []T, acc []A) {
	fold(x, acc, func(a, v A) A { return a * v })
}

// GreatestInto computes acc[i] = max(acc[i], x[i]).
func GreatestInto[T Number, A Accumulator](x []T, acc []A) {
	if haveVectors {
		switch x := any(x[:len(acc)]).(type) {
		case []float32:
			greatestInto32(x, any(acc).([]float64))
			return
		case []float64:
			greatestInto64(x, any(acc).([]float64))
			return
		}
	}
	fold(x, acc, func(a, v A) A { return max(a, v) })
}

// LeastInto computes acc[i] = min(acc[i], x[i]).
func LeastInto[T Number, A Accumulator](x []T, acc []A) {
	if haveVectors {
		switch x := any(x[:len(acc)]).(type) {
		case []float32:
			leastInto32(x, any(acc).([]float64))
			return
		case []float64:
			leastInto64(x, any(acc).([]float64))
			return
		}
	}
	fold(x, acc, func(a, v A) A { return min(a, v) })
}

// SumSquares returns Σ x² in float64, in lanes as Sum.
func SumSquares[T Float](x []T) float64 {
	if f := vectors[T]().sumSquares; f != nil {
		return f(x)
	}
	var s lanes[float64]
	for i, v := range x {
		s[i&7] += float64(float64(v) * float64(v))
	}
	return s.total()
}

// Dot returns Σ x·y in float64, in lanes as Sum, for the elements of x.
func Dot[T Float](x, y []T) float64 {
	y = y[:len(x)]
	if f := vectors[T]().dot; f != nil {
		return f(x, y)
	}
	var s lanes[float64]
	for i, v := range x {
		s[i&7] += float64(float64(v) * float64(y[i]))
	}
	return s.total()
}

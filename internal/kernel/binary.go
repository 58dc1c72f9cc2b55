package kernel

// Binary is a kernel that computes y[i] = f(a[i], b[i]) for the elements of y. An operand of one element stands for all; otherwise
// it has at least y's length. y may be a or b.
type Binary[T, U any] func(a, b []T, y []U)

// wide returns the mask that keeps an index into n elements, or makes it 0 if there is one only.
func wide(n int) int {
	if n == 1 {
		return 0
	}
	return -1
}

// inVectors lets the assembly f compute y, if there is any.
func inVectors[T Number](f func(a, b, y []T), a, b, y []T) bool {
	if f == nil || len(a) == 1 && len(b) == 1 && len(y) != 1 {
		return false
	}
	f(a, b, y)
	return true
}

// zip calls f for every pair of elements. It is small enough to be inlined with f, so that the loop holds no call.
func zip[T, U any](a, b []T, y []U, f func(p, q T) U) {
	ma, mb := wide(len(a)), wide(len(b))
	for i := range y {
		y[i] = f(a[i&ma], b[i&mb])
	}
}

// Add computes a + b.
func Add[T Number](a, b, y []T) {
	if !inVectors(vectors[T]().add, a, b, y) {
		zip(a, b, y, func(p, q T) T { return p + q })
	}
}

// Sub computes a − b.
func Sub[T Number](a, b, y []T) {
	if !inVectors(vectors[T]().sub, a, b, y) {
		zip(a, b, y, func(p, q T) T { return p - q })
	}
}

// Mul computes a·b.
func Mul[T Number](a, b, y []T) {
	if !inVectors(vectors[T]().mul, a, b, y) {
		zip(a, b, y, func(p, q T) T { return p * q })
	}
}

// Div computes a/b of floats.
func Div[T Float](a, b, y []T) {
	if !inVectors(vectors[T]().div, a, b, y) {
		zip(a, b, y, func(p, q T) T { return p / q })
	}
}

// DivInteger computes a/b of integers, rounded toward zero; a/0 is 0.
func DivInteger[T Integer](a, b, y []T) {
	zip(a, b, y, func(p, q T) T {
		if q == 0 {
			return 0
		}
		return p / q
	})
}

// PowInteger computes aᵇ of integers, with the low bits of the result; a negative b gives 1/a^|b| rounded toward zero, and 0 for 1/0.
func PowInteger[T Integer](a, b, y []T) { zip(a, b, y, powInteger[T]) }

// powInteger computes pᵠ by squaring.
func powInteger[T Integer](p, q T) T {
	if q < 0 {
		switch {
		case p == 1 || p+1 == 0 && q&1 == 0:
			return 1
		case p+1 == 0:
			return p
		}
		return 0
	}
	r := T(1)
	for ; q > 0; q >>= 1 {
		if q&1 == 1 {
			r *= p
		}
		p *= p
	}
	return r
}

// Max computes the greater of a and b; NaN if one is.
func Max[T Number](a, b, y []T) {
	if !inVectors(vectors[T]().max, a, b, y) {
		zip(a, b, y, func(p, q T) T { return max(p, q) })
	}
}

// Min computes the lesser of a and b; NaN if one is.
func Min[T Number](a, b, y []T) {
	if !inVectors(vectors[T]().min, a, b, y) {
		zip(a, b, y, func(p, q T) T { return min(p, q) })
	}
}

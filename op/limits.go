package op

import (
	"math"
	"math/bits"
)

// MaxBytes is the most memory that one value may take: 4 TiB, or what a process of 32 bits can address. Sizes beyond are mistakes; they
// are found when the graph is built, or where the sizes are symbols at the beginning of a run.
const MaxBytes = math.MaxInt >> (21 * (bits.UintSize / 64))

// plus returns a + b, or the greatest or least int instead of one that a machine cannot count to.
func plus(a, b int) int {
	s := a + b
	switch {
	case a > 0 && b > 0 && s < 0:
		return math.MaxInt
	case a < 0 && b < 0 && s >= 0:
		return math.MinInt + 1
	}
	return s
}

// times returns a · b, or the greatest or least int instead of one that a machine cannot count to.
func times(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	p := a * b
	if p/b == a && p != math.MinInt && a != math.MinInt && b != math.MinInt {
		return p
	}
	if (a < 0) == (b < 0) {
		return math.MaxInt
	}
	return math.MinInt + 1
}

// leastBytes returns the memory that a value takes of which the symbols in its shape, and sizes of 0, are 1.
func leastBytes(dtype DType, shape []Dim) int {
	n := dtype.Size()
	for _, d := range shape {
		if d > 0 {
			n = times(n, int(d))
		}
	}
	return n
}

package kernel

import "unsafe"

// boolsAtOnce is how many elements the assembly compares at a time.
const boolsAtOnce = 32

// compareTable holds the assembly that compares slices of T, for a multiple of boolsAtOnce elements; see Binary. Where there is none stands nil.
type compareTable[T Number] struct {
	equal, notEqual, less, lessOrEqual func(a, b []T, y []bool)
}

// noComparisons is the table where there is no assembly.
var noComparisons compareTable[uint8]

// comparisons returns the table for T on this CPU.
func comparisons[T Number]() *compareTable[T] {
	t := unsafe.Pointer(&noComparisons) // functions have one size, whatever their types
	if haveVectors {
		switch any(*new(T)).(type) {
		case float32:
			t = unsafe.Pointer(&comparisons32)
		case float64:
			t = unsafe.Pointer(&comparisons64)
		case int32:
			t = unsafe.Pointer(&comparisonsInt32)
		case int64:
			t = unsafe.Pointer(&comparisonsInt64)
		}
	}
	return (*compareTable[T])(t)
}

// compared lets the assembly f compute what it can of y, and returns what is left.
func compared[T Number](f func(a, b []T, y []bool), a, b []T, y []bool) (restA, restB []T, restY []bool) {
	n := len(y) / boolsAtOnce * boolsAtOnce
	if f == nil || n == 0 || len(a) == 1 && len(b) == 1 {
		return a, b, y
	}
	f(a, b, y[:n])
	return behind(a, n), behind(b, n), y[n:]
}

// behind returns the operand of a Binary for the elements of the result from n on.
func behind[T any](x []T, n int) []T {
	if len(x) == 1 {
		return x
	}
	return x[n:]
}

// Equal computes a = b.
func Equal[T Number](a, b []T, y []bool) {
	a, b, y = compared(comparisons[T]().equal, a, b, y)
	zip(a, b, y, func(p, q T) bool { return p == q })
}

// NotEqual computes a ≠ b.
func NotEqual[T Number](a, b []T, y []bool) {
	a, b, y = compared(comparisons[T]().notEqual, a, b, y)
	zip(a, b, y, func(p, q T) bool { return p != q })
}

// Less computes a < b.
func Less[T Number](a, b []T, y []bool) {
	a, b, y = compared(comparisons[T]().less, a, b, y)
	zip(a, b, y, func(p, q T) bool { return p < q })
}

// LessEqual computes a ≤ b.
func LessEqual[T Number](a, b []T, y []bool) {
	a, b, y = compared(comparisons[T]().lessOrEqual, a, b, y)
	zip(a, b, y, func(p, q T) bool { return p <= q })
}

// Greater computes a > b.
func Greater[T Number](a, b []T, y []bool) { Less(b, a, y) }

// GreaterEqual computes a ≥ b.
func GreaterEqual[T Number](a, b []T, y []bool) { LessEqual(b, a, y) }

// Where computes y[i] = a[i] where c[i] is true, else b[i], for the elements of y, of which only the bits matter. An operand of one
// element stands for all.
func Where[T uint8 | uint16 | uint32 | uint64](c []bool, a, b, y []T) {
	if n := chosen(c, a, b, y); n > 0 {
		c, a, b, y = c[n:], behind(a, n), behind(b, n), y[n:]
	}
	mc, ma, mb := wide(len(c)), wide(len(a)), wide(len(b))
	for i := range y {
		mask := T(0)
		if c[i&mc] { // without a branch that the processor would have to guess
			mask = 1
		}
		p, q := a[i&ma], b[i&mb]
		y[i] = q ^ (p^q)&-mask
	}
}

// chosen lets the assembly do what it can of a Where, and returns how many elements are done.
func chosen[T uint8 | uint16 | uint32 | uint64](c []bool, a, b, y []T) (n int) {
	if n = len(y) &^ 7; !haveVectors || n == 0 || len(c) == 1 {
		return 0
	}
	switch y := any(y[:n]).(type) {
	case []uint32:
		where_32(c, any(a).([]uint32), any(b).([]uint32), y)
	case []uint64:
		where_64(c, any(a).([]uint64), any(b).([]uint64), y)
	default:
		return 0
	}
	return n
}

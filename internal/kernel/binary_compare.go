package kernel

// Equal computes a = b.
func Equal[T comparable](a, b []T, y []bool) {
	zip(a, b, y, func(p, q T) bool { return p == q })
}

// NotEqual computes a ≠ b.
func NotEqual[T comparable](a, b []T, y []bool) {
	zip(a, b, y, func(p, q T) bool { return p != q })
}

// Less computes a < b.
func Less[T Number](a, b []T, y []bool) { zip(a, b, y, func(p, q T) bool { return p < q }) }

// LessEqual computes a ≤ b.
func LessEqual[T Number](a, b []T, y []bool) {
	zip(a, b, y, func(p, q T) bool { return p <= q })
}

// Greater computes a > b.
func Greater[T Number](a, b []T, y []bool) { zip(a, b, y, func(p, q T) bool { return p > q }) }

// GreaterEqual computes a ≥ b.
func GreaterEqual[T Number](a, b []T, y []bool) {
	zip(a, b, y, func(p, q T) bool { return p >= q })
}

// And computes a ∧ b.
func And(a, b, y []bool) { zip(a, b, y, func(p, q bool) bool { return p && q }) }

// Or computes a ∨ b.
func Or(a, b, y []bool) { zip(a, b, y, func(p, q bool) bool { return p || q }) }

// Xor computes whether one of a and b is true, and the other not.
func Xor(a, b, y []bool) { zip(a, b, y, func(p, q bool) bool { return p != q }) }

// Where computes y[i] = a[i] where c[i] is true, else b[i], for the elements of y, of which only the bits matter. An operand of one
// element stands for all.
func Where[T uint8 | uint16 | uint32 | uint64](c []bool, a, b, y []T) {
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

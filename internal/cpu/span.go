package cpu

import (
	"unsafe"

	"paddle/op"
)

// How many elements a part of a task should have at least, a few microseconds' worth, so that handing it out costs little beside it: of
// arithmetic on neighbours in memory, and of loops that compute exponentials or go about in memory.
const (
	lightGrain = 16384
	heavyGrain = 8192
)

// span is [0, n), divided into parts of grain; the division depends on these two numbers only.
type span struct{ n, grain int }

// parts returns how many parts there are.
func (s span) parts() int {
	if s.n <= s.grain { // without a division
		return min(s.n, 1)
	}
	return ceilDiv(s.n, s.grain)
}

// bounds returns where a part begins and ends.
func (s span) bounds(part int) (lo, hi int) {
	lo = part * s.grain
	return lo, min(lo+s.grain, s.n)
}

// rowSpan divides n rows into parts of about grain elements.
func rowSpan(n, width, grain int) span { return span{n, max(1, grain/max(1, width))} }

// product returns the number of elements of a shape.
func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// lastAxis returns the size of b's last axis, and how many rows of that size b has. A scalar is one row of one.
func lastAxis(b op.Buffer) (rows, width int) {
	n := len(b.Shape)
	if n == 0 {
		return 1, 1
	}
	return product(b.Shape[:n-1]), b.Shape[n-1]
}

// elements returns b's memory as elements of type T, which has the size of b's elements; nil if b is nil.
func elements[T any](b op.Buffer) []T {
	mem := b.Bytes()
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(mem))), len(mem)/int(unsafe.Sizeof(*new(T))))
}

package cpu

import (
	"unsafe"

	"paddle/op"
)

// How many elements a part of a task should have at least, so that handing it out costs little beside it: of loops with a few
// instructions an element, and of loops that compute an exponential or the like.
const (
	lightGrain = 8192
	heavyGrain = 2048
)

// span is [0, n), divided into parts of grain; the division depends on these two numbers only.
type span struct{ n, grain int }

// parts returns how many parts there are.
func (s span) parts() int { return ceilDiv(s.n, s.grain) }

// bounds returns where a part begins and ends.
func (s span) bounds(part int) (lo, hi int) {
	lo = part * s.grain
	return lo, min(lo+s.grain, s.n)
}

// rowSpan divides n rows into parts of about grain elements.
func rowSpan(n, width, grain int) span { return span{n, max(1, grain/max(1, width))} }

// lastAxis returns the size of b's last axis, and how many rows of that size b has. A scalar is one row of one.
func lastAxis(b op.Buffer) (rows, width int) {
	rows, width = 1, 1
	if n := len(b.Shape); n > 0 {
		width = b.Shape[n-1]
		for _, d := range b.Shape[:n-1] {
			rows *= d
		}
	}
	return rows, width
}

// elements returns b's memory as elements of type T, which has the size of b's elements; nil if b is nil.
func elements[T any](b op.Buffer) []T {
	if b.IsNil() {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b.Bytes()))), b.Len())
}

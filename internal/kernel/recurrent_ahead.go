package kernel

import "unsafe"

// ahead is memory that is wanted soon. It is asked for a little at a time, while something else is computed: all at once would be waited
// for.
type ahead[T Float] struct {
	rows  [2][]T
	steps [2]int // elements at a time
}

// spread prepares times calls of ask.
func (a *ahead[T]) spread(times int) {
	line := 64 / int(unsafe.Sizeof(*new(T)))
	for i, x := range a.rows {
		a.steps[i] = roundUp(ceilDiv(len(x), times), line)
	}
}

// origin names the first row.
var origin = []int32{0}

// ask asks for the next elements.
func (a *ahead[T]) ask() {
	if !haveVectors {
		return
	}
	for i, x := range a.rows {
		if n := min(a.steps[i], len(x)); n > 0 {
			prefetchRows_32((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 0, n*int(unsafe.Sizeof(*new(T))), origin)
			a.rows[i] = x[n:]
		}
	}
}

package kernel

import "unsafe"

// vectorTable holds the element-wise assembly for slices of T: functions over slices of equal length, that of their last one. nil stands
// where there is none, and plain Go does the work. Its functions give the bits of plain Go but where they say otherwise, and an element's bits never
// depend on where it lies in a slice.
type vectorTable[T Number] struct {
	add, sub, mul, div, max, min func(a, b, y []T) // see Binary; not for two single operands

	sgd                func(w, g []T, rate T)
	momentum, nesterov func(w, g, v []T, rate, mu T)
	adagrad            func(w, g, s []T, rate, epsilon T)
	adam               func(w, g, m, v []T, c *T)
}

// noVectors is the table of all types but float32 and float64, and of processors without assembly.
var noVectors vectorTable[uint8]

// vectors returns the table for T on this CPU.
func vectors[T Number]() *vectorTable[T] {
	t := unsafe.Pointer(&noVectors) // functions have one size, whatever their types
	if haveAVX2 {
		switch any(*new(T)).(type) {
		case float32:
			t = unsafe.Pointer(&vectors32)
		case float64:
			t = unsafe.Pointer(&vectors64)
		}
	}
	return (*vectorTable[T])(t)
}

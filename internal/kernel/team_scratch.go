package kernel

import (
	"sync/atomic"
	"unsafe"
)

// Grow returns n elements of *mem, which it replaces by a larger, 64-byte aligned slice if it is too short. The contents are
// whatever was there.
func Grow[T any](mem *[]T, n int) []T {
	if cap(*mem) < n {
		*mem = aligned[T](n)
	}
	return (*mem)[:n]
}

// aligned allocates n zeroed elements of which the first lies at a multiple of 64 bytes. The size of T divides 64.
func aligned[T any](n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	raw := make([]T, n+64/size)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(raw)))&63) / size
	return raw[skip : skip+n : skip+n]
}

// Scratch holds what the parts of a task that run at the same time must have for themselves: one W for each thread, kept from call to
// call. The zero Scratch is empty.
type Scratch[W any] struct{ areas []*area[W] }

type area[W any] struct {
	taken atomic.Bool
	own   W
	_     [64]byte
}

// Prepare makes room for threads parts at a time and calls size with each W, to let its memory grow. No part may be running.
func (s *Scratch[W]) Prepare(threads int, size func(*W)) {
	for len(s.areas) < threads {
		s.areas = append(s.areas, new(area[W]))
	}
	for _, a := range s.areas[:threads] {
		a.taken.Store(false)
		size(&a.own)
	}
}

// Take lends a W to a part, until it calls Release with the same number.
func (s *Scratch[W]) Take() (number int, own *W) {
	for i, a := range s.areas {
		if a.taken.CompareAndSwap(false, true) {
			return i, &a.own
		}
	}
	panic("kernel: more parts at a time than Scratch.Prepare was told")
}

// Release gives a W back.
func (s *Scratch[W]) Release(number int) { s.areas[number].taken.Store(false) }

package op

import "unsafe"

// PointAt gives b the memory of to from a row of its first axis on. b keeps its type and its shape; behind the last row it has no memory.
func (b *Buffer) PointAt(to *Buffer, row int) {
	b.Device, b.data, b.derived = to.Device, to.data, to.derived
	if row > 0 {
		b.derived = nil
	}
	switch {
	case row == 0 || to.data == nil:
	case row >= to.Shape[0]:
		b.data = nil
	default:
		size := row * to.DType.Size()
		for _, d := range to.Shape[1:] {
			size *= d
		}
		b.data = unsafe.Add(to.data, size)
	}
}

// Shares reports whether the memory of b begins where that of c does.
func (b *Buffer) Shares(c *Buffer) bool { return b.data == c.data }

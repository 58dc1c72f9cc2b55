package cpu

import (
	"unsafe"

	"paddle/internal/kernel"
	"paddle/op"
)

// wantsTurning reports whether a transposed left operand is better transposed once, before the product, than by each of its parts: where
// it is not read in place, and many columns are computed from it.
func wantsTurning(g op.MatMulSpec) bool {
	const (
		fewSteps   = 64 // from which the product reads it in place
		manyCols   = 256
		manyRows   = 512 // up to which columns are cut first, so that several parts use the same rows
		mostMemory = 1 << 21
	)
	return g.TransA && g.Batch == 1 && g.K > fewSteps && g.M >= 16 && g.M <= manyRows && g.N >= manyCols && g.M*g.K <= mostMemory
}

// turnTask transposes a matrix of T, whose elements are moved as those of U, to memory of its own.
type turnTask[T kernel.Float, U any] struct {
	x          []U
	y          []T
	rows, cols int // of x
	row        int // distance of rows of y
	span       span
}

// run transposes x (rows, cols). The rows of the result lie apart by a line of the cache more than a multiple of two lines, so that
// those that are read together are not all in the same few lines of it.
func (t *turnTask[T, U]) run(b *Backend, x op.Buffer, rows, cols int) kernel.Operand[T] {
	line := 64 / int(unsafe.Sizeof(*new(T)))
	t.rows, t.cols, t.row = rows, cols, (rows/line|1)*line
	for t.row < rows {
		t.row += 2 * line
	}
	t.x = elements[U](x)
	kernel.Grow(&t.y, cols*t.row)
	t.span = rowSpan(ceilDiv(rows, 2*line), 2*line*cols, heavyGrain)
	b.run(t.span.parts(), t)
	t.x = nil
	return kernel.Operand[T]{Data: t.y[:cols*t.row], Row: t.row}
}

// Do transposes some bands of rows.
func (t *turnTask[T, U]) Do(part int) {
	line := 64 / int(unsafe.Sizeof(*new(T)))
	lo, hi := t.span.bounds(part)
	lo, hi = lo*2*line, min(hi*2*line, t.rows)
	y := unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(t.y))), cap(t.y))
	kernel.Turn(hi-lo, t.cols, t.x[lo*t.cols:], t.cols, y[lo:], t.row)
}

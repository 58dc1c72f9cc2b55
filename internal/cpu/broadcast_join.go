package cpu

import (
	"unsafe"

	"paddle/internal/kernel"
)

// Rows that are so short that each of them takes longer to begin than to compute are joined: many are computed as one, for which an operand
// that is not as long is written out. Copies of a row are cheap, and of single numbers dearer.
const (
	joinedCopies  = 256 // elements of a row up to which it is
	joinedNumbers = 24
	joinWords     = 512
)

// joinSpace is where a part writes out its operands.
type joinSpace [2][joinWords]uint64

// joinsRows reports whether the rows of n operands are joined.
func (s *stretch) joinsRows(n int) bool {
	if n > len(joinSpace{}) || s.rows.rank == 0 || s.cols > joinedCopies {
		return false
	}
	stride := &s.rows.stride[s.rows.rank-1]
	for j := range n {
		if !s.wide[j] && stride[j] != 0 && s.cols > joinedNumbers {
			return false
		}
	}
	return true
}

// joinedRows is binaryRows for joined rows.
func joinedRows[T, U any](t *binaryTask, part int, f kernel.Binary[T, U]) {
	number, space := t.scratch.Take()
	defer t.scratch.Release(number)
	w := &t.walk
	axis := w.rows.rank - 1
	a, b, y := elements[T](t.a), elements[T](t.b), elements[U](t.y)
	most := joinWords * 8 / int(unsafe.Sizeof(*new(T))) / w.cols
	row, last := w.span.bounds(part)
	for p := w.begin(row); row < last; {
		n := min(most, last-row, w.rows.shape[axis]-p.index[axis])
		f(joined(w, 0, n, a[p.at[0]:], &space[0]), joined(w, 1, n, b[p.at[1]:], &space[1]), y[row*w.cols:][:n*w.cols])
		w.down(&p, n)
		row += n
	}
}

// joined returns operand j for n rows, of which the first begins with x: as it lies, one element for all, or written to space.
func joined[T any](s *stretch, j, n int, x []T, space *[joinWords]uint64) []T {
	step, size := s.rows.stride[s.rows.rank-1][j], n*s.cols
	switch {
	case s.wide[j] && step == s.cols:
		return x[:size]
	case !s.wide[j] && step == 0:
		return x[:1]
	}
	y := unsafe.Slice((*T)(unsafe.Pointer(space)), size)
	switch {
	case s.wide[j] && step == 0:
		for done := copy(y, x[:s.cols]); done < size; {
			done += copy(y[done:], y[:done])
		}
	case s.wide[j]:
		for r := range n {
			copy(y[r*s.cols:][:s.cols], x[r*step:])
		}
	default:
		for r := range n {
			v, row := x[r*step], y[r*s.cols:][:s.cols]
			for c := range row {
				row[c] = v
			}
		}
	}
	return y
}

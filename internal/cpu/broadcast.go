package cpu

import (
	"slices"

	"paddle/internal/kernel"
	"paddle/op"
)

// broadcastTasks are the tasks of functions of two numbers and of Where.
type broadcastTasks struct {
	binary binaryTask
	where  whereTask
}

// stretch is a walk over the rows of a result, the runs of its last axis, along which each operand either has an element for each of
// the result, or a single one. Long rows are walked in pieces.
type stretch struct {
	rows        layout
	cols, piece int
	perRow      int            // pieces
	wide        [operands]bool // whether an operand has an element for each of a row
	span        span           // of pieces
}

// plan plans the walk over a shape for operands of the given shapes.
func (s *stretch) plan(shape []int, from ...[]int) {
	if allEqual(shape, from) {
		s.rows.rank, s.cols, s.wide = 0, product(shape), [operands]bool{true, true, true}
	} else {
		s.rows.broadcast(shape, from...)
		cols, stride := s.rows.pop()
		for j, step := range stride {
			s.wide[j] = step != 0
		}
		s.cols = cols
	}
	s.piece = max(1, min(s.cols, lightGrain))
	s.perRow = ceilDiv(s.cols, s.piece)
	s.span = rowSpan(s.rows.count()*s.perRow, s.piece, lightGrain)
}

// allEqual reports whether the shapes of all operands are that of the result.
func allEqual(shape []int, from [][]int) bool {
	for _, f := range from {
		if !slices.Equal(f, shape) {
			return false
		}
	}
	return true
}

// run tells where the elements of a piece lie in each operand, and in the result.
func (s *stretch) run(i int) (lo, hi [operands]int, at, end int) {
	row, col := i, 0
	if s.perRow > 1 {
		row, col = i/s.perRow, i%s.perRow*s.piece
	}
	width := min(s.piece, s.cols-col)
	if row > 0 {
		lo = s.rows.at(row)
	}
	for j, wide := range s.wide {
		if wide {
			lo[j] += col
			hi[j] = lo[j] + width
		} else {
			hi[j] = lo[j] + 1
		}
	}
	at = row*s.cols + col
	return lo, hi, at, at + width
}

// binaryTask computes y = f(a, b).
type binaryTask struct {
	f       op.BinaryFunc
	a, b, y op.Buffer
	walk    stretch
}

// Binary implements op.Backend.
func (b *Backend) Binary(f op.BinaryFunc, x0, x1, y op.Buffer) {
	t := &b.binary
	t.f, t.a, t.b, t.y = f, x0, x1, y
	t.walk.plan(y.Shape, x0.Shape, x1.Shape)
	b.run(t.walk.span.parts(), t)
	t.a, t.b, t.y = op.Buffer{}, op.Buffer{}, op.Buffer{}
}

// Do computes one part.
func (t *binaryTask) Do(part int) {
	compares := t.f >= op.BinaryEqual
	switch t.a.DType {
	case op.Float32:
		binaryPart(t, part, compares, arithmetic32[t.f], compare32[t.f])
	case op.Float64:
		binaryPart(t, part, compares, arithmetic64[t.f], compare64[t.f])
	case op.Int32:
		binaryPart(t, part, compares, arithmeticInt32[t.f], compareInt32[t.f])
	case op.Int64:
		binaryPart(t, part, compares, arithmeticInt64[t.f], compareInt64[t.f])
	case op.Uint8:
		binaryPart(t, part, compares, arithmeticUint8[t.f], compareUint8[t.f])
	case op.Bool:
		binaryRows(t, part, logic[t.f])
	}
}

func binaryPart[T kernel.Number](t *binaryTask, part int, compares bool, f kernel.Binary[T, T], g kernel.Binary[T, bool]) {
	if compares {
		binaryRows(t, part, g)
	} else {
		binaryRows(t, part, f)
	}
}

func binaryRows[T, U any](t *binaryTask, part int, f kernel.Binary[T, U]) {
	a, b, y := elements[T](t.a), elements[T](t.b), elements[U](t.y)
	first, last := t.walk.span.bounds(part)
	for i := first; i < last; i++ {
		lo, hi, at, end := t.walk.run(i)
		f(a[lo[0]:hi[0]], b[lo[1]:hi[1]], y[at:end])
	}
}

// whereTask computes y = a where c is true, else b.
type whereTask struct {
	c, a, b, y op.Buffer
	walk       stretch
}

// Where implements op.Backend.
func (b *Backend) Where(c, x0, x1, y op.Buffer) {
	t := &b.where
	t.c, t.a, t.b, t.y = c, x0, x1, y
	t.walk.plan(y.Shape, c.Shape, x0.Shape, x1.Shape)
	b.run(t.walk.span.parts(), t)
	t.c, t.a, t.b, t.y = op.Buffer{}, op.Buffer{}, op.Buffer{}, op.Buffer{}
}

// Do computes one part.
func (t *whereTask) Do(part int) {
	switch t.y.DType.Size() {
	case 1:
		whereRows[uint8](t, part)
	case 2:
		whereRows[uint16](t, part)
	case 4:
		whereRows[uint32](t, part)
	case 8:
		whereRows[uint64](t, part)
	}
}

func whereRows[T uint8 | uint16 | uint32 | uint64](t *whereTask, part int) {
	c, a, b, y := t.c.Bools(), elements[T](t.a), elements[T](t.b), elements[T](t.y)
	first, last := t.walk.span.bounds(part)
	for i := first; i < last; i++ {
		lo, hi, at, end := t.walk.run(i)
		kernel.Where(c[lo[0]:hi[0]], a[lo[1]:hi[1]], b[lo[2]:hi[2]], y[at:end])
	}
}

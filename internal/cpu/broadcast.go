package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// broadcastTasks are the tasks of functions of two numbers and of Where.
type broadcastTasks struct {
	binary binaryTask
	where  whereTask
}

// binaryTask computes y = f(a, b).
type binaryTask struct {
	f       op.BinaryFunc
	a, b, y op.Buffer
	walk    stretch
	scratch kernel.Scratch[joinSpace]
}

// Binary implements op.Backend.
func (b *Backend) Binary(f op.BinaryFunc, x0, x1, y op.Buffer) {
	t := &b.binary
	t.f, t.a, t.b, t.y = f, x0, x1, y
	t.walk.plan(y.Shape, x0.Shape, x1.Shape)
	if t.walk.joins {
		t.scratch.Prepare(min(b.threads, t.walk.span.parts()), func(*joinSpace) {})
	}
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
	if t.walk.joins {
		joinedRows(t, part, f)
		return
	}
	w := &t.walk
	a, b, y := elements[T](t.a), elements[T](t.b), elements[U](t.y)
	first, last := w.span.bounds(part)
	p := w.begin(first)
	for range last - first {
		n := w.width(&p)
		f(a[p.at[0]:][:w.elements(0, n)], b[p.at[1]:][:w.elements(1, n)], y[p.to:][:n])
		w.next(&p, n)
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
	w := &t.walk
	first, last := w.span.bounds(part)
	p := w.begin(first)
	for range last - first {
		n := w.width(&p)
		kernel.Where(c[p.at[0]:][:w.elements(0, n)], a[p.at[1]:][:w.elements(1, n)], b[p.at[2]:][:w.elements(2, n)], y[p.to:][:n])
		w.next(&p, n)
	}
}

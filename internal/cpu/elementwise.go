package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// elementwiseTasks are the tasks of functions of one number.
type elementwiseTasks struct {
	unary     unaryTask
	unaryGrad unaryGradTask
}

// unaryTask computes y = f(x).
type unaryTask struct {
	f    op.UnaryFunc
	a, b float64
	x, y op.Buffer
	span span
}

// Unary implements op.Backend.
func (b *Backend) Unary(f op.UnaryFunc, a0, b0 float64, x, y op.Buffer) {
	t := &b.unary
	t.f, t.a, t.b, t.x, t.y = f, a0, b0, x, y
	t.span = span{x.Len(), unaryGrain(f)}
	b.run(t.span.parts(), t)
	t.x, t.y = op.Buffer{}, op.Buffer{}
}

// unaryGrain returns how many elements of f, or of its gradient, a part should have.
func unaryGrain(f op.UnaryFunc) int {
	switch f {
	case op.UnaryExp, op.UnaryExpm1, op.UnaryLog, op.UnaryLog1p, op.UnarySin, op.UnaryCos, op.UnaryErf, op.UnarySigmoid, op.UnaryTanh,
		op.UnaryELU, op.UnaryGELU, op.UnaryGELUTanh, op.UnarySiLU, op.UnarySoftplus, op.UnarySTanh, op.UnaryPowConst:
		return heavyGrain
	}
	return lightGrain
}

// Do computes one part.
func (t *unaryTask) Do(part int) {
	switch t.x.DType {
	case op.Float32:
		unaryFloats(t, part, &unary32)
	case op.Float64:
		unaryFloats(t, part, &unary64)
	case op.Int32:
		unaryPart(t, part, unaryInt32[t.f])
	case op.Int64:
		unaryPart(t, part, unaryInt64[t.f])
	case op.Uint8:
		unaryPart(t, part, unaryUint8[t.f])
	case op.Bool:
		lo, hi := t.span.bounds(part)
		kernel.Not(t.x.Bools()[lo:hi], t.y.Bools()[lo:hi])
	}
}

func unaryFloats[T kernel.Float](t *unaryTask, part int, table *unaryTable[T]) {
	if t.f == op.UnaryIsFinite {
		lo, hi := t.span.bounds(part)
		kernel.IsFinite(elements[T](t.x)[lo:hi], t.y.Bools()[lo:hi])
		return
	}
	unaryPart(t, part, table[t.f])
}

func unaryPart[T kernel.Number](t *unaryTask, part int, f kernel.Unary[T]) {
	lo, hi := t.span.bounds(part)
	f(elements[T](t.x)[lo:hi], elements[T](t.y)[lo:hi], t.a, t.b)
}

// unaryGradTask computes dx = dy·f'(x).
type unaryGradTask struct {
	f         op.UnaryFunc
	a, b      float64
	v, dy, dx op.Buffer // v is x or y, whichever the gradient is computed from
	span      span
}

// UnaryGrad implements op.Backend.
func (b *Backend) UnaryGrad(f op.UnaryFunc, a0, b0 float64, x, y, dy, dx op.Buffer) {
	v := dy
	if needX, needY := f.Needs(); needX {
		v = x
	} else if needY {
		v = y
	}
	t := &b.unaryGrad
	t.f, t.a, t.b, t.v, t.dy, t.dx = f, a0, b0, v, dy, dx
	t.span = span{dy.Len(), unaryGrain(f)}
	b.run(t.span.parts(), t)
	t.v, t.dy, t.dx = op.Buffer{}, op.Buffer{}, op.Buffer{}
}

// Do computes one part.
func (t *unaryGradTask) Do(part int) {
	switch t.dy.DType {
	case op.Float32:
		unaryGradPart(t, part, unaryGrad32[t.f])
	case op.Float64:
		unaryGradPart(t, part, unaryGrad64[t.f])
	}
}

func unaryGradPart[T kernel.Float](t *unaryGradTask, part int, f kernel.UnaryGrad[T]) {
	lo, hi := t.span.bounds(part)
	f(elements[T](t.v)[lo:hi], elements[T](t.dy)[lo:hi], elements[T](t.dx)[lo:hi], t.a, t.b)
}

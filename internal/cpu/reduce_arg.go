package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// argTask finds the places of the greatest or least elements along an axis.
type argTask struct {
	max          bool
	x, y         op.Buffer
	count, inner int // size of the axis, and of the axes inside of it together
	span         span
}

// Arg implements op.Backend. Of no elements the place is 0.
func (b *Backend) Arg(max bool, axis int, x, y op.Buffer) {
	inner := product(x.Shape[axis+1:])
	count := x.Shape[axis]
	if count == 0 {
		b.Fill(y, 0)
		return
	}
	t := &b.arg
	*t = argTask{max, x, y, count, inner, rowSpan(y.Len(), count, heavyGrain)}
	b.run(t.span.parts(), t)
	*t = argTask{}
}

// Do computes one part.
func (t *argTask) Do(part int) {
	switch t.x.DType {
	case op.Float32:
		argPart[float32](t, part)
	case op.Float64:
		argPart[float64](t, part)
	case op.Int32:
		argPart[int32](t, part)
	case op.Int64:
		argPart[int64](t, part)
	case op.Uint8, op.Bool:
		argPart[uint8](t, part)
	}
}

func argPart[T kernel.Number](t *argTask, part int) {
	x, y := elements[T](t.x), t.y.Int32s()
	lo, hi := t.span.bounds(part)
	for i := lo; i < hi; i++ {
		column := x[i/t.inner*t.count*t.inner+i%t.inner:]
		if t.max {
			y[i] = int32(kernel.ArgGreatest(t.count, t.inner, column))
		} else {
			y[i] = int32(kernel.ArgLeast(t.count, t.inner, column))
		}
	}
}

// squaresTask computes partial sums of squares.
type squaresTask struct {
	x    op.Buffer
	span span
	sums []float64
}

// SumSquares implements op.Backend. Parts of a fixed size are summed in lanes, and the parts one after another.
func (b *Backend) SumSquares(x op.Buffer) (sum float64) {
	t := &b.squares
	*t = squaresTask{x: x, span: span{x.Len(), chunkSize}}
	t.sums = kernel.Grow(&b.floatPartials, t.span.parts())
	b.run(t.span.parts(), t)
	for _, v := range t.sums {
		sum += v
	}
	*t = squaresTask{}
	return sum
}

// Do computes one part.
func (t *squaresTask) Do(part int) {
	lo, hi := t.span.bounds(part)
	if t.x.DType == op.Float32 {
		t.sums[part] = kernel.SumSquares(t.x.Float32s()[lo:hi])
	} else {
		t.sums[part] = kernel.SumSquares(t.x.Float64s()[lo:hi])
	}
}

package cpu

import (
	"math"

	"paddle/internal/kernel"
	"paddle/op"
)

// reduceTasks are the tasks of Reduce, Arg and SumSquares.
type reduceTasks struct {
	reduce  reduceTask
	arg     argTask
	squares squaresTask

	floatPartials []float64
	intPartials   []int64
}

// reduceTask reduces x to y.
type reduceTask struct {
	f      op.ReduceFunc
	x, y   op.Buffer
	plan   reducePlan
	span   span
	floats []float64 // partial results, chunk by chunk, if there are several chunks
	ints   []int64
}

// Reduce implements op.Backend. Floats are summed and multiplied in float64, integers in int64, whose low bits are the result.
func (b *Backend) Reduce(f op.ReduceFunc, axes uint32, x, y op.Buffer) {
	if x.Len() == 0 {
		b.Fill(y, reduceIdentity(f))
		return
	}
	t := &b.reduce
	t.f, t.x, t.y, t.floats, t.ints = f, x, y, nil, nil
	t.plan.set(axes, x.Shape)
	t.span = t.plan.span()
	if n := t.plan.chunks * t.plan.outputs; t.plan.chunks > 1 {
		if x.DType.IsFloat() {
			t.floats = kernel.Grow(&b.floatPartials, n)
		} else {
			t.ints = kernel.Grow(&b.intPartials, n)
		}
	}
	b.run(t.span.parts(), t)
	if t.plan.chunks > 1 {
		t.join()
	}
	t.x, t.y = op.Buffer{}, op.Buffer{}
}

// reduceIdentity returns the result of f for no elements.
func reduceIdentity(f op.ReduceFunc) float64 {
	switch f {
	case op.ReduceMax:
		return math.Inf(-1)
	case op.ReduceMin:
		return math.Inf(1)
	case op.ReduceProd, op.ReduceAll:
		return 1
	}
	return 0
}

// Do computes one part.
func (t *reduceTask) Do(part int) {
	switch t.x.DType {
	case op.Float32:
		reducePart[float32](t, part, t.floats)
	case op.Float64:
		reducePart[float64](t, part, t.floats)
	case op.Int32:
		reducePart[int32](t, part, t.ints)
	case op.Int64:
		reducePart[int64](t, part, t.ints)
	case op.Uint8, op.Bool:
		reducePart[uint8](t, part, t.ints) // a bool is the byte 0 or 1, All is the least and Any the greatest
	}
}

func reducePart[T kernel.Number, A kernel.Accumulator](t *reduceTask, part int, partials []A) {
	x, y := elements[T](t.x), elements[T](t.y)
	lo, hi := t.span.bounds(part)
	if partials == nil && t.plan.rowwise() {
		reduceRows[T, A](t, lo, hi, x, y)
		return
	}
	if partials == nil && t.findsExtremes() {
		for i := lo; i < hi; i++ {
			columnExtremes(t, i, x, y)
		}
		return
	}
	var most [mostColumns]A
	for i := lo; i < hi; i++ {
		u := t.plan.unit(i)
		acc := most[:u.width]
		kernel.Fill(acc, kernel.FromFloat[A](reduceIdentity(t.f)))
		if t.sumsRows() && sumRows(&t.plan, &u, x, acc) {
			u.step = u.end
		}
		for from, to, ok := t.plan.next(&u); ok; from, to, ok = t.plan.next(&u) {
			if t.plan.columns {
				reduceInto(t.f, x[from:to], acc)
			} else {
				acc[0] = reduceRun(t.f, x[from:to], acc[0])
			}
		}
		if partials == nil {
			finishReduce(t, acc, y[u.first:])
		} else {
			copy(partials[u.chunk*t.plan.outputs+u.first:], acc)
		}
	}
}

// reduceRows reduces rows from lo to hi−1, each of which has one result.
func reduceRows[T kernel.Number, A kernel.Accumulator](t *reduceTask, lo, hi int, x, y []T) {
	n, identity, divisor := t.plan.length, kernel.FromFloat[A](reduceIdentity(t.f)), A(t.plan.elements)
	for i := lo; i < hi; i++ {
		v := reduceRun(t.f, x[i*n:][:n], identity)
		if t.f == op.ReduceMean {
			v /= divisor
		}
		y[i] = T(v)
	}
}

// findsExtremes reports whether the results are the greatest or the least floats of columns.
func (t *reduceTask) findsExtremes() bool {
	return t.plan.columns && t.x.DType.IsFloat() && (t.f == op.ReduceMax || t.f == op.ReduceMin)
}

// columnExtremes joins the rows of unit i in y.
func columnExtremes[T kernel.Number](t *reduceTask, i int, x, y []T) {
	u := t.plan.unit(i)
	best := y[u.first:][:u.width]
	from, to, _ := t.plan.next(&u)
	copy(best, x[from:to])
	for from, to, ok := t.plan.next(&u); ok; from, to, ok = t.plan.next(&u) {
		if t.f == op.ReduceMax {
			kernel.Max(x[from:to], best, best)
		} else {
			kernel.Min(x[from:to], best, best)
		}
	}
}

// sumsRows reports whether t adds up floats.
func (t *reduceTask) sumsRows() bool {
	return (t.f == op.ReduceSum || t.f == op.ReduceMean) && t.x.DType.IsFloat()
}

// sumRows adds the rows of a unit of columns to acc, all at once, if x are floats and the rows equally far apart.
func sumRows[T kernel.Number, A kernel.Accumulator](p *reducePlan, u *reduceUnit, x []T, acc []A) bool {
	at, rows, row, ok := p.evenly(u)
	if !ok {
		return false
	}
	switch x := any(x[at:]).(type) {
	case []float32:
		kernel.SumRowsInto(rows, x, row, any(acc).([]float64))
	case []float64:
		kernel.SumRowsInto(rows, x, row, any(acc).([]float64))
	}
	return true
}

// join joins the partial results.
func (t *reduceTask) join() {
	switch t.x.DType {
	case op.Float32:
		joinPartials[float32](t, t.floats)
	case op.Float64:
		joinPartials[float64](t, t.floats)
	case op.Int32:
		joinPartials[int32](t, t.ints)
	case op.Int64:
		joinPartials[int64](t, t.ints)
	case op.Uint8, op.Bool:
		joinPartials[uint8](t, t.ints)
	}
}

func joinPartials[T kernel.Number, A kernel.Accumulator](t *reduceTask, partials []A) {
	n := t.plan.outputs
	acc := partials[:n]
	for chunk := 1; chunk < t.plan.chunks; chunk++ {
		reduceInto(t.f, partials[chunk*n:][:n], acc)
	}
	finishReduce(t, acc, elements[T](t.y))
}

// finishReduce writes results to y.
func finishReduce[T kernel.Number, A kernel.Accumulator](t *reduceTask, acc []A, y []T) {
	if t.f == op.ReduceMean {
		n := A(t.plan.elements)
		for i, a := range acc {
			acc[i] = a / n
		}
	}
	kernel.Convert(acc, y)
}

// reduceRun returns acc joined with the elements of x.
func reduceRun[T kernel.Number, A kernel.Accumulator](f op.ReduceFunc, x []T, acc A) A {
	switch f {
	case op.ReduceMax, op.ReduceAny:
		return max(acc, A(kernel.Greatest(x)))
	case op.ReduceMin, op.ReduceAll:
		return min(acc, A(kernel.Least(x)))
	case op.ReduceProd:
		return acc * kernel.Product[T, A](x)
	}
	return acc + kernel.Sum[T, A](x)
}

// reduceInto joins each of acc with one element of x.
func reduceInto[T kernel.Number, A kernel.Accumulator](f op.ReduceFunc, x []T, acc []A) {
	switch f {
	case op.ReduceMax, op.ReduceAny:
		kernel.GreatestInto(x, acc)
	case op.ReduceMin, op.ReduceAll:
		kernel.LeastInto(x, acc)
	case op.ReduceProd:
		kernel.ProductInto(x, acc)
	default:
		kernel.SumInto(x, acc)
	}
}

package layer

import (
	"errors"
	"fmt"
	"strings"

	"gorgonia.org/tensor"

	"paddle/op"
)

// grid is a matrix, or a vector as one row, on its way from one library's layout to another's.
type grid struct {
	dtype         op.DType
	axes          int
	rows, columns int
	data          []float64
}

// errMissing is the mistake of an array that is nil.
var errMissing = errors.New("is nil")

// gridOf reads a tensor of float32 or float64. What has not two axes is one row.
func gridOf(t *tensor.Dense) (grid, error) {
	if t == nil {
		return grid{}, errMissing
	}
	b, err := op.Contiguous(t)
	if err != nil {
		return grid{}, err
	}
	g := grid{dtype: b.DType, axes: len(b.Shape), rows: 1, columns: b.Len(), data: make([]float64, b.Len())}
	if g.axes == 2 {
		g.rows, g.columns = b.Shape[0], b.Shape[1]
	}
	switch b.DType {
	case op.Float32:
		for i, v := range b.Float32s() {
			g.data[i] = float64(v)
		}
	case op.Float64:
		copy(g.data, b.Float64s())
	default:
		return grid{}, fmt.Errorf("has type %v, want float32 or float64", b.DType)
	}
	return g, nil
}

// dense returns the grid as a tensor of its type.
func (g grid) dense() *tensor.Dense {
	shape := []int{g.rows, g.columns}
	if g.axes == 1 {
		shape = shape[1:]
	}
	b := op.NewBuffer(g.dtype, shape...)
	if g.dtype == op.Float64 {
		copy(b.Float64s(), g.data)
		return b.Dense()
	}
	for i, v := range g.data {
		b.Float32s()[i] = float32(v)
	}
	return b.Dense()
}

// transposed returns a matrix with rows and columns changed.
func (g grid) transposed() grid {
	out := grid{dtype: g.dtype, axes: 2, rows: g.columns, columns: g.rows, data: make([]float64, len(g.data))}
	for i := range g.rows {
		for j := range g.columns {
			out.data[j*g.rows+i] = g.data[i*g.columns+j]
		}
	}
	return out
}

// part returns columns lo to hi.
func (g grid) part(lo, hi int) grid {
	out := g
	out.columns, out.data = hi-lo, nil
	for i := range g.rows {
		out.data = append(out.data, g.data[i*g.columns+lo:i*g.columns+hi]...)
	}
	return out
}

// blocks returns blocks of size columns in another order: those of the given numbers, with the sign changed where the number is ^number.
func (g grid) blocks(size int, order ...int) grid {
	out := g
	out.columns, out.data = len(order)*size, nil
	for i := range g.rows {
		for _, at := range order {
			sign := 1.0
			if at < 0 {
				sign, at = -1, ^at
			}
			for _, v := range g.data[i*g.columns+at*size:][:size] {
				out.data = append(out.data, sign*v)
			}
		}
	}
	return out
}

// beside returns the columns of g and then those of h.
func (g grid) beside(h grid) grid {
	out := g
	out.columns, out.data = g.columns+h.columns, nil
	for i := range g.rows {
		out.data = append(append(out.data, g.data[i*g.columns:][:g.columns]...), h.data[i*h.columns:][:h.columns]...)
	}
	return out
}

// reshaped returns the elements as a matrix, or as a vector for one row.
func (g grid) reshaped(rows, columns int) grid {
	g.axes, g.rows, g.columns = min(rows, 2), rows, columns
	return g
}

// plus returns the sum of two grids of one shape.
func (g grid) plus(h grid) grid {
	out := g
	out.data = make([]float64, len(g.data))
	for i := range out.data {
		out.data[i] = g.data[i] + h.data[i]
	}
	return out
}

// zeros returns a grid of g's shape.
func (g grid) zeros() grid {
	g.data = make([]float64, len(g.data))
	return g
}

// reader reads the arrays of a conversion and keeps the first mistake, under the name of what is converted.
type reader struct {
	who string
	err error
}

// fail keeps a mistake.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %w", r.who, fmt.Errorf(format, args...))
	}
}

// matrix reads an array of the given number of rows and columns; −1 stands for any.
func (r *reader) matrix(name string, t *tensor.Dense, rows, columns int) grid {
	g, err := gridOf(t)
	switch {
	case err != nil:
		r.fail("%s %w", name, err)
	case g.axes != 2 || rows >= 0 && g.rows != rows || columns >= 0 && g.columns != columns:
		r.fail("%s has shape %v, want %s", name, t.Shape(), wanted(rows, columns))
	}
	if r.err != nil {
		return grid{}
	}
	return g
}

// vector reads an array of that many elements.
func (r *reader) vector(name string, t *tensor.Dense, n int) grid {
	g, err := gridOf(t)
	switch {
	case err != nil:
		r.fail("%s %w", name, err)
	case g.axes != 1 || g.columns != n:
		r.fail("%s has shape %v, want (%d)", name, t.Shape(), n)
	}
	if r.err != nil {
		return grid{}
	}
	return g
}

// wanted writes a shape in which −1 stands for any size.
func wanted(shape ...int) string {
	sizes := make([]string, len(shape))
	for i, n := range shape {
		sizes[i] = "any"
		if n >= 0 {
			sizes[i] = fmt.Sprint(n)
		}
	}
	return "(" + strings.Join(sizes, ", ") + ")"
}

package optest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paddle/op"
)

// Array is a value of any type as float64 numbers in row-major order, for reference functions; a Bool is 0 or 1.
type Array struct {
	Shape []int
	Data  []float64
}

// NewArray returns an array of zeros.
func NewArray(shape ...int) Array {
	return Array{slices.Clone(shape), make([]float64, elements(shape))}
}

// At returns the element at an index.
func (a Array) At(index ...int) float64 { return a.Data[a.offset(index)] }

// Set sets the element at an index.
func (a Array) Set(v float64, index ...int) { a.Data[a.offset(index)] = v }

// Map returns f of each element.
func (a Array) Map(f func(x float64) float64) Array {
	out := NewArray(a.Shape...)
	for i, x := range a.Data {
		out.Data[i] = f(x)
	}
	return out
}

func (a Array) offset(index []int) int {
	at := 0
	for i, n := range a.Shape {
		at = at*n + index[i]
	}
	return at
}

// index is the reverse of offset.
func (a Array) index(offset int) []int {
	out := make([]int, len(a.Shape))
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = offset % a.Shape[i]
		offset /= a.Shape[i]
	}
	return out
}

// String returns the shape and the first elements.
func (a Array) String() string {
	const most = 24
	parts := make([]string, 0, most)
	for _, x := range a.Data[:min(most, len(a.Data))] {
		parts = append(parts, strconv.FormatFloat(x, 'g', 6, 64))
	}
	if len(a.Data) > most {
		parts = append(parts, "…")
	}
	return fmt.Sprintf("%v[%s]", a.Shape, strings.Join(parts, " "))
}

func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// dot returns the inner product of two arrays.
func dot(a, b Array) float64 {
	s := 0.0
	for i, x := range a.Data {
		s += x * b.Data[i]
	}
	return s
}

// plus returns a + step·v.
func (a Array) plus(step float64, v Array) Array {
	out := NewArray(a.Shape...)
	for i, x := range a.Data {
		out.Data[i] = x + step*v.Data[i]
	}
	return out
}

// arrayOf returns the numbers in a buffer.
func arrayOf(b op.Buffer) Array {
	a := NewArray(b.Shape...)
	switch b.DType {
	case op.Float32:
		fromSlice(a.Data, b.Float32s())
	case op.Float64:
		fromSlice(a.Data, b.Float64s())
	case op.Int32:
		fromSlice(a.Data, b.Int32s())
	case op.Int64:
		fromSlice(a.Data, b.Int64s())
	case op.Uint8:
		fromSlice(a.Data, b.Uint8s())
	case op.Bool:
		for i, x := range b.Bools() {
			if x {
				a.Data[i] = 1
			}
		}
	}
	return a
}

type number interface {
	~float32 | ~float64 | ~int32 | ~int64 | ~uint8
}

func fromSlice[E number](dst []float64, src []E) {
	for i, x := range src {
		dst[i] = float64(x)
	}
}

func toSlice[E number](dst []E, src []float64) {
	for i := range dst {
		dst[i] = E(src[i])
	}
}

// buffer returns the numbers as a buffer of the given type.
func (a Array) buffer(dtype op.DType) op.Buffer {
	b := op.NewBuffer(dtype, slices.Clone(a.Shape)...)
	switch dtype {
	case op.Float32:
		toSlice(b.Float32s(), a.Data)
	case op.Float64:
		toSlice(b.Float64s(), a.Data)
	case op.Int32:
		toSlice(b.Int32s(), a.Data)
	case op.Int64:
		toSlice(b.Int64s(), a.Data)
	case op.Uint8:
		toSlice(b.Uint8s(), a.Data)
	case op.Bool:
		for i := range b.Bools() {
			b.Bools()[i] = a.Data[i] != 0
		}
	}
	return b
}

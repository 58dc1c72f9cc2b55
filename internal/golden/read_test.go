package golden

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paddle/op"
)

// array is an input: by formula if By is set, else by its elements.
type array struct {
	Name          string
	Shape         []int
	By            string
	Scale, Offset float64
	Integer       bool
	Data          []number
}

// number is a number that may be infinite or none.
type number float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = number(x)
	return err
}

// read reads the cases of a file in testdata.
func read[T any](t *testing.T, file string) []T {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Cases []T }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(all.Cases) == 0 {
		t.Fatalf("%s has no cases", file)
	}
	return all.Cases
}

// dtype returns the type of the input where numbers have the given type.
func (a *array) dtype(d op.DType) op.DType {
	if a.Integer {
		return op.Int64
	}
	return d
}

// elements returns the numbers.
func (a *array) elements() []float64 {
	if a.By == "" {
		return float64s(a.Data)
	}
	return values(a.By, size(a.Shape), a.Scale, a.Offset)
}

// buffer returns rows lo to hi in the given type; all of an array without rows.
func (a *array) buffer(d op.DType, lo, hi int) op.Buffer {
	shape, x := slices.Clone(a.Shape), a.elements()
	if len(shape) > 0 {
		row := size(shape[1:])
		shape[0], x = hi-lo, x[lo*row:hi*row]
	}
	return bufferOf(a.dtype(d), shape, x)
}

// all returns the whole array in the given type.
func (a *array) all(d op.DType) op.Buffer {
	if len(a.Shape) == 0 {
		return a.buffer(d, 0, 1)
	}
	return a.buffer(d, 0, a.Shape[0])
}

func bufferOf(d op.DType, shape []int, x []float64) op.Buffer {
	b := op.NewBuffer(d, slices.Clone(shape)...)
	for i, v := range x {
		switch d {
		case op.Float32:
			b.Float32s()[i] = float32(v)
		case op.Float64:
			b.Float64s()[i] = v
		case op.Int64:
			b.Int64s()[i] = int64(v)
		}
	}
	return b
}

// numbersOf returns the elements of a buffer of floats.
func numbersOf(b op.Buffer) []float64 {
	if b.DType == op.Float64 {
		return slices.Clone(b.Float64s())
	}
	out := make([]float64, b.Len())
	for i, x := range b.Float32s() {
		out[i] = float64(x)
	}
	return out
}

func float64s(x []number) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func dims(shape []int) []op.Dim {
	out := make([]op.Dim, len(shape))
	for i, d := range shape {
		out[i] = op.Dim(d)
	}
	return out
}

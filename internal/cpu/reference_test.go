package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"paddle/op"
)

var (
	bothFloats = []op.DType{op.Float32, op.Float64}
	numbers    = []op.DType{op.Float32, op.Float64, op.Int32, op.Int64, op.Uint8}
	allTypes   = []op.DType{op.Float32, op.Float64, op.BFloat16, op.Float16, op.Int32, op.Int64, op.Uint8, op.Bool}
)

// tolerance is the relative error that one rounding and a little arithmetic may leave.
func tolerance(d op.DType) float64 {
	if d == op.Float32 {
		return 1e-6
	}
	return 1e-13
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// random returns a buffer of normal floats, of small integers, or of random bools.
func random(r *rand.Rand, d op.DType, shape ...int) op.Buffer {
	b := op.NewBuffer(d, shape...)
	for i := range b.Len() {
		switch {
		case d.IsFloat():
			set(b, i, r.NormFloat64())
		case d == op.Uint8:
			set(b, i, float64(r.IntN(6)))
		case d == op.Bool:
			set(b, i, float64(r.IntN(2)))
		default:
			set(b, i, float64(r.IntN(11)-5))
		}
	}
	return b
}

// buffer returns a vector of the given values.
func buffer(d op.DType, values ...float64) op.Buffer {
	b := op.NewBuffer(d, len(values))
	for i, v := range values {
		set(b, i, v)
	}
	return b
}

// set stores v, which must be a value of the type; 16-bit floats get random-looking bits instead.
func set(b op.Buffer, i int, v float64) {
	switch b.DType {
	case op.Float32:
		b.Float32s()[i] = float32(v)
	case op.Float64:
		b.Float64s()[i] = v
	case op.BFloat16, op.Float16:
		b.Uint16s()[i] = uint16(math.Float32bits(float32(v)) >> 16)
	case op.Int32:
		b.Int32s()[i] = int32(v)
	case op.Int64:
		b.Int64s()[i] = int64(v)
	case op.Uint8:
		b.Uint8s()[i] = uint8(v)
	case op.Bool:
		b.Bools()[i] = v != 0
	}
}

// get returns element i; of 16-bit floats the bits.
func get(b op.Buffer, i int) float64 {
	switch b.DType {
	case op.Float32:
		return float64(b.Float32s()[i])
	case op.Float64:
		return b.Float64s()[i]
	case op.BFloat16, op.Float16:
		return float64(b.Uint16s()[i])
	case op.Int32:
		return float64(b.Int32s()[i])
	case op.Int64:
		return float64(b.Int64s()[i])
	case op.Uint8:
		return float64(b.Uint8s()[i])
	}
	if b.Bools()[i] {
		return 1
	}
	return 0
}

func values(b op.Buffer) []float64 {
	v := make([]float64, b.Len())
	for i := range v {
		v[i] = get(b, i)
	}
	return v
}

func clone(b op.Buffer) op.Buffer {
	c := op.NewBuffer(b.DType, b.Shape...)
	copy(c.Bytes(), b.Bytes())
	return c
}

// like returns a buffer of b's type and shape that holds garbage.
func like(b op.Buffer) op.Buffer { return garbage(b.DType, b.Shape...) }

func garbage(d op.DType, shape ...int) op.Buffer {
	b, v := op.NewBuffer(d, shape...), byte(0xa5)
	if d == op.Bool {
		v = 1
	}
	mem := b.Bytes()
	for i := range mem {
		mem[i] = v
	}
	return b
}

// same reports whether a and b are equal within a relative tolerance, or both NaN.
func same(a, b, tolerance float64) bool {
	return a == b || a != a && b != b || math.Abs(a-b) <= tolerance*(1+math.Abs(b))
}

// check fails the test at the first element of got that is not within the tolerance of want.
func check(t *testing.T, what string, got op.Buffer, want []float64, tolerance float64) {
	t.Helper()
	if got.Len() != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, got.Len(), len(want))
	}
	for i, w := range want {
		if g := get(got, i); !same(g, w, tolerance) {
			t.Fatalf("%s: element %d of %v %v is %v, want %v", what, i, got.DType, got.Shape, g, w)
		}
	}
}

// positions calls f with each index of a shape, in row-major order.
func positions(shape []int, f func(i int, index []int)) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	index := make([]int, len(shape))
	for i := range n {
		rest := i
		for k := len(shape) - 1; k >= 0; k-- {
			index[k] = rest % shape[k]
			rest /= shape[k]
		}
		f(i, index)
	}
}

// stretched returns the element of b that stands at an index of a shape of at least as many axes.
func stretched(b op.Buffer, index []int) int {
	at := 0
	for k, d := range b.Shape {
		at *= d
		if d != 1 {
			at += index[len(index)-len(b.Shape)+k]
		}
	}
	return at
}

// randomShapes returns a shape and shapes that broadcast to it.
func randomShapes(r *rand.Rand, count int) (shape []int, from [][]int) {
	sizes := []int{1, 1, 2, 3, 4, 5, 7, 12}
	for range r.IntN(6) {
		d := sizes[r.IntN(len(sizes))]
		if r.IntN(40) == 0 {
			d = 0
		}
		shape = append(shape, d)
	}
	for range count {
		s := append([]int{}, shape[r.IntN(len(shape)+1):]...)
		for k := range s {
			if r.IntN(3) == 0 {
				s[k] = 1
			}
		}
		from = append(from, s)
	}
	return shape, from
}

func name(parts ...any) string { return fmt.Sprint(parts...) }

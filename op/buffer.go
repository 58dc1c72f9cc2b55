package op

import (
	"fmt"
	"unsafe"

	"gorgonia.org/tensor"
)

// Device says where a buffer's memory lies. CPU is the zero value.
type Device uint8

// CPU is host memory.
const CPU Device = 0

// Buffer is typed memory that an op reads or fills while a program runs: contiguous, in row-major order.
// It is a view: whoever planned the memory owns it, and it is valid only during the call that receives it.
// The typed slices (Float32s and so on) give an empty slice when the buffer has another type.
type Buffer struct {
	DType  DType
	Device Device
	Shape  []int // size of each axis; empty for a scalar

	data    unsafe.Pointer
	derived *Derived
}

// NewBuffer allocates a zeroed buffer in host memory, aligned to 64 bytes.
func NewBuffer(dtype DType, shape ...int) Buffer {
	b := Buffer{DType: dtype, Shape: shape}
	mem := AlignedBytes(b.Len() * dtype.Size())
	if len(mem) > 0 {
		b.data = unsafe.Pointer(unsafe.SliceData(mem))
	}
	return b
}

// AlignedBytes allocates n zeroed bytes that start at a multiple of 64.
func AlignedBytes(n int) []byte {
	if n == 0 {
		return nil
	}
	raw := make([]byte, n+63)
	off := int(-uintptr(unsafe.Pointer(unsafe.SliceData(raw))) & 63)
	return raw[off : off+n : off+n]
}

// BufferAt returns a buffer over mem, which must hold the shape's elements and be aligned for the type.
func BufferAt(mem []byte, dtype DType, shape []int) Buffer {
	return Buffer{DType: dtype, Shape: shape, data: unsafe.Pointer(unsafe.SliceData(mem))}
}

// BufferOf returns a buffer over the memory of a contiguous tensor, with no copy. The shape is the tensor's own slice.
// It fails for a tensor whose type has no DType or whose elements do not lie in row-major order.
func BufferOf(t *tensor.Dense) (Buffer, error) {
	d := DTypeOf(t.Dtype())
	if d == InvalidDType {
		return Buffer{}, fmt.Errorf("tensor has type %v, want one of float32, float64, int32, int64, uint8, bool", t.Dtype())
	}
	if !contiguous(t) {
		return Buffer{}, fmt.Errorf("tensor of shape %v is a strided view, want contiguous row-major memory", t.Shape())
	}
	b := Buffer{DType: d, Shape: t.Shape()}
	if t.Shape().TotalSize() > 0 {
		b.data = memory(t, d)
	}
	return b, nil
}

// memory returns the address of the first element of a tensor that has one.
func memory(t *tensor.Dense, d DType) unsafe.Pointer {
	switch d {
	case Float32:
		return unsafe.Pointer(unsafe.SliceData(t.Float32s()))
	case Float64:
		return unsafe.Pointer(unsafe.SliceData(t.Float64s()))
	case Int32:
		return unsafe.Pointer(unsafe.SliceData(t.Int32s()))
	case Int64:
		return unsafe.Pointer(unsafe.SliceData(t.Int64s()))
	case Uint8:
		return unsafe.Pointer(unsafe.SliceData(t.Uint8s()))
	default:
		return unsafe.Pointer(unsafe.SliceData(t.Bools()))
	}
}

// contiguous reports whether t's elements lie one after another in row-major order.
func contiguous(t *tensor.Dense) bool {
	shape, strides := t.Shape(), t.Strides()
	if len(strides) < len(shape) {
		return len(shape) <= 1 // a vector or scalar header without strides
	}
	want := 1
	for i := len(shape) - 1; i >= 0; i-- {
		if shape[i] != 1 && strides[i] != want {
			return false
		}
		want *= shape[i]
	}
	return true
}

// IsNil reports whether the buffer has no memory: the output of an op that nobody reads, an optional input that is absent,
// or a buffer without elements.
func (b Buffer) IsNil() bool { return b.data == nil }

// WithDerived returns the buffer of a variable with the place for what is made of the variable's value.
func (b Buffer) WithDerived(d *Derived) Buffer {
	b.derived = d
	return b
}

// Derived returns where a Backend may keep what it makes of the buffer, nil where nothing is to be kept. The buffer begins where the
// memory of the variable does.
func (b Buffer) Derived() *Derived { return b.derived }

// Len returns the number of elements, the product of the shape.
func (b Buffer) Len() int {
	n := 1
	for _, d := range b.Shape {
		n *= d
	}
	return n
}

// Bytes returns the buffer's memory.
func (b Buffer) Bytes() []byte {
	if b.data == nil {
		return nil
	}
	return unsafe.Slice((*byte)(b.data), b.Len()*b.DType.Size())
}

// Reshaped returns the same memory under another shape with as many elements.
func (b Buffer) Reshaped(shape []int) Buffer {
	b.Shape = shape
	return b
}

// Rows returns rows lo to hi of the first axis; shape is the slice to keep the new shape in, of the same rank.
func (b Buffer) Rows(lo, hi int, shape []int) Buffer {
	copy(shape, b.Shape)
	shape[0] = hi - lo
	if b.data != nil {
		row := b.DType.Size()
		for _, d := range b.Shape[1:] {
			row *= d
		}
		b.data = unsafe.Add(b.data, lo*row)
	}
	if lo > 0 {
		b.derived = nil
	}
	b.Shape = shape
	return b
}

func view[T any](b Buffer, ok bool) []T {
	if !ok || b.data == nil {
		return nil
	}
	return unsafe.Slice((*T)(b.data), b.Len())
}

// Float32s returns the elements of a Float32 buffer.
func (b Buffer) Float32s() []float32 { return view[float32](b, b.DType == Float32) }

// Float64s returns the elements of a Float64 buffer.
func (b Buffer) Float64s() []float64 { return view[float64](b, b.DType == Float64) }

// Uint16s returns the bits of a BFloat16 or Float16 buffer.
func (b Buffer) Uint16s() []uint16 { return view[uint16](b, b.DType == BFloat16 || b.DType == Float16) }

// Int32s returns the elements of an Int32 buffer.
func (b Buffer) Int32s() []int32 { return view[int32](b, b.DType == Int32) }

// Int64s returns the elements of an Int64 buffer.
func (b Buffer) Int64s() []int64 { return view[int64](b, b.DType == Int64) }

// Uint8s returns the elements of a Uint8 buffer.
func (b Buffer) Uint8s() []uint8 { return view[uint8](b, b.DType == Uint8) }

// Bools returns the elements of a Bool buffer.
func (b Buffer) Bools() []bool { return view[bool](b, b.DType == Bool) }

// Scalar returns the first element as a float64: the value of a scalar of any type but BFloat16 and Float16.
func (b Buffer) Scalar() float64 {
	if b.data == nil {
		return 0
	}
	switch b.DType {
	case Float32:
		return float64(*(*float32)(b.data))
	case Float64:
		return *(*float64)(b.data)
	case Int32:
		return float64(*(*int32)(b.data))
	case Int64:
		return float64(*(*int64)(b.data))
	case Uint8:
		return float64(*(*uint8)(b.data))
	case Bool:
		if *(*bool)(b.data) {
			return 1
		}
	}
	return 0
}

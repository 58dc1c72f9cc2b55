package op

import (
	"fmt"

	"gorgonia.org/tensor"
)

// DType is the type of the elements of a node, a buffer or a variable.
type DType uint8

// The element types. BFloat16 and Float16 are storage types: kernels compute on them in float32.
const (
	InvalidDType DType = iota
	Float32
	Float64
	BFloat16
	Float16
	Int32
	Int64
	Uint8
	Bool
)

var dtypes = [...]struct {
	name string
	size int
	host tensor.Dtype // the zero Dtype where tensor.Dense has no such type
}{
	InvalidDType: {"invalid", 0, tensor.Dtype{}},
	Float32:      {"float32", 4, tensor.Float32},
	Float64:      {"float64", 8, tensor.Float64},
	BFloat16:     {"bfloat16", 2, tensor.Dtype{}},
	Float16:      {"float16", 2, tensor.Dtype{}},
	Int32:        {"int32", 4, tensor.Int32},
	Int64:        {"int64", 8, tensor.Int64},
	Uint8:        {"uint8", 1, tensor.Uint8},
	Bool:         {"bool", 1, tensor.Bool},
}

// String returns the type's name, such as "float32".
func (d DType) String() string {
	if int(d) >= len(dtypes) {
		return fmt.Sprintf("DType(%d)", d)
	}
	return dtypes[d].name
}

// Size returns the bytes of one element.
func (d DType) Size() int {
	if int(d) >= len(dtypes) {
		return 0
	}
	return dtypes[d].size
}

// IsFloat reports whether d is a floating-point type, the only kind that has gradients.
func (d DType) IsFloat() bool { return d >= Float32 && d <= Float16 }

// IsInteger reports whether d counts: Int32, Int64 or Uint8.
func (d DType) IsInteger() bool { return d >= Int32 && d <= Uint8 }

// Dense returns the type that tensor.Dense uses for d; ok is false for types that it lacks (BFloat16, Float16).
func (d DType) Dense() (t tensor.Dtype, ok bool) {
	if int(d) >= len(dtypes) {
		return tensor.Dtype{}, false
	}
	t = dtypes[d].host
	return t, t.Type != nil
}

// DTypeOf returns the DType of a tensor's elements, InvalidDType where there is none.
func DTypeOf(t tensor.Dtype) DType {
	for d := Float32; int(d) < len(dtypes); d++ {
		if h := dtypes[d].host; h.Type != nil && h == t {
			return d
		}
	}
	return InvalidDType
}

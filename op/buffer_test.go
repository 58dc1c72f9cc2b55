package op_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"gorgonia.org/tensor"

	"paddle/op"
)

func TestBuffer(t *testing.T) {
	for d, size := range map[op.DType]int{
		op.Float32: 4, op.Float64: 8, op.BFloat16: 2, op.Float16: 2, op.Int32: 4, op.Int64: 8, op.Uint8: 1, op.Bool: 1,
	} {
		b := op.NewBuffer(d, 2, 3)
		if d.Size() != size || b.Len() != 6 || len(b.Bytes()) != 6*size || b.IsNil() {
			t.Errorf("%v: %d elements in %d bytes", d, b.Len(), len(b.Bytes()))
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(b.Bytes()))); at%64 != 0 {
			t.Errorf("%v lies at %x, want a multiple of 64", d, at)
		}
		lengths := fmt.Sprint(len(b.Float32s()), len(b.Float64s()), len(b.Uint16s()), len(b.Int32s()), len(b.Int64s()), len(b.Uint8s()), len(b.Bools()))
		want := map[op.DType]string{
			op.Float32: "6 0 0 0 0 0 0", op.Float64: "0 6 0 0 0 0 0", op.BFloat16: "0 0 6 0 0 0 0", op.Float16: "0 0 6 0 0 0 0",
			op.Int32: "0 0 0 6 0 0 0", op.Int64: "0 0 0 0 6 0 0", op.Uint8: "0 0 0 0 0 6 0", op.Bool: "0 0 0 0 0 0 6",
		}[d]
		if lengths != want {
			t.Errorf("%v has slices of %s elements, want %s", d, lengths, want)
		}
	}
	empty := op.NewBuffer(op.Float32, 0, 5)
	if !empty.IsNil() || empty.Len() != 0 || empty.Bytes() != nil || empty.Scalar() != 0 {
		t.Error("a buffer without elements has memory")
	}
	m := op.NewBuffer(op.Int32, 4, 2)
	for i := range m.Int32s() {
		m.Int32s()[i] = int32(i)
	}
	if r := m.Rows(1, 3, make([]int, 2)); !slices.Equal(r.Int32s(), []int32{2, 3, 4, 5}) || !slices.Equal(r.Shape, []int{2, 2}) {
		t.Errorf("rows 1 to 3 are %v %v", r.Shape, r.Int32s())
	}
	if c := m.Clone(); !slices.Equal(c.Int32s(), m.Int32s()) || &c.Int32s()[0] == &m.Int32s()[0] {
		t.Error("a clone is another value, or the same memory")
	}
	if s := m.Reshaped([]int{8}); s.Int32s()[7] != 7 || !slices.Equal(m.Shape, []int{4, 2}) {
		t.Error("Reshaped changes what it was called on")
	}
}

func TestScalar(t *testing.T) {
	one := func(d op.DType, set func(b op.Buffer)) float64 {
		b := op.NewBuffer(d)
		set(b)
		return b.Scalar()
	}
	for i, got := range []float64{
		one(op.Float32, func(b op.Buffer) { b.Float32s()[0] = 1.5 }), one(op.Float64, func(b op.Buffer) { b.Float64s()[0] = 1.5 }),
	} {
		if got != 1.5 {
			t.Errorf("%d: got %v", i, got)
		}
	}
	for i, got := range []float64{
		one(op.Int32, func(b op.Buffer) { b.Int32s()[0] = 1 }), one(op.Int64, func(b op.Buffer) { b.Int64s()[0] = 1 }),
		one(op.Uint8, func(b op.Buffer) { b.Uint8s()[0] = 1 }), one(op.Bool, func(b op.Buffer) { b.Bools()[0] = true }),
	} {
		if got != 1 {
			t.Errorf("%d: got %v", i, got)
		}
	}
}

// Tensors go in and out without a copy where their memory is contiguous, and as their elements where it is not.
func TestBufferAndTensor(t *testing.T) {
	for _, backing := range []any{
		[]float32{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 6}, []int32{1, 2, 3, 4, 5, 6}, []int64{1, 2, 3, 4, 5, 6}, []uint8{1, 2, 3, 4, 5, 6},
		[]bool{true, false, true, true, false, false},
	} {
		d := tensor.New(tensor.WithShape(2, 3), tensor.WithBacking(backing))
		b, err := op.BufferOf(d)
		if err != nil {
			t.Fatal(err)
		}
		if host, ok := b.DType.Dense(); !ok || op.DTypeOf(host) != b.DType || host != d.Dtype() {
			t.Errorf("%v and %v are not each other's types", b.DType, d.Dtype())
		}
		out := b.Dense()
		if !out.Shape().Eq(d.Shape()) || !reflect.DeepEqual(out.Data(), backing) {
			t.Errorf("%v: got %v %v", b.DType, out.Shape(), out.Data())
		}
		if reflect.ValueOf(out.Data()).Pointer() != reflect.ValueOf(backing).Pointer() {
			t.Errorf("%v was copied", b.DType)
		}
		column, err := d.Slice(nil, tensor.S(1))
		if err != nil {
			t.Fatal(err)
		}
		view := column.(*tensor.Dense)
		if _, err := op.BufferOf(view); err == nil || err.Error() != "tensor of shape (2) is a strided view, want contiguous row-major memory" {
			t.Errorf("BufferOf a column: %v", err)
		}
		b, err = op.Contiguous(view)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.ValueOf(backing)
		want := fmt.Sprint([]any{v.Index(1).Interface(), v.Index(4).Interface()})
		if got := fmt.Sprint(b.Dense().Data()); got != want {
			t.Errorf("%v: a column is %v, want %s", b.DType, got, want)
		}
	}
	for _, d := range []op.DType{op.BFloat16, op.Float16} {
		if _, ok := d.Dense(); ok || op.NewBuffer(d, 2).Dense() != nil {
			t.Errorf("%v has a tensor", d)
		}
	}
	if s := op.NewBuffer(op.Float32).Dense(); s.Dims() != 0 || !s.IsScalar() {
		t.Errorf("a scalar is a tensor of shape %v", s.Shape())
	}
	if e := op.NewBuffer(op.Float32, 3, 0).Dense(); !e.Shape().Eq(tensor.Shape{3, 0}) {
		t.Errorf("a buffer without elements is a tensor of shape %v", e.Shape())
	}
}

func TestDType(t *testing.T) {
	for d, want := range map[op.DType]string{
		op.InvalidDType: "invalid", op.Float32: "float32", op.Float64: "float64", op.BFloat16: "bfloat16", op.Float16: "float16", op.Int32: "int32",
		op.Int64: "int64", op.Uint8: "uint8", op.Bool: "bool", op.DType(99): "DType(99)",
	} {
		if d.String() != want {
			t.Errorf("got %v, want %s", d, want)
		}
		float := d == op.Float32 || d == op.Float64 || d == op.BFloat16 || d == op.Float16
		integer := d == op.Int32 || d == op.Int64 || d == op.Uint8
		if d.IsFloat() != float || d.IsInteger() != integer {
			t.Errorf("%v: float %v, integer %v", d, d.IsFloat(), d.IsInteger())
		}
	}
	if op.DType(99).Size() != 0 || op.DTypeOf(tensor.Dtype{}) != op.InvalidDType {
		t.Error("what is no type has a size or a tensor type")
	}
	if _, ok := op.DType(99).Dense(); ok {
		t.Error("what is no type has a tensor")
	}
}

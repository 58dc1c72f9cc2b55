package gorgop

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle/op"
)

// hostType returns the type that Gorgonia's ops use for d. Their integers are Go's int: indices are Int64 on our side.
func hostType(d op.DType) (tensor.Dtype, error) {
	if d == op.Int64 {
		return tensor.Int, nil
	}
	t, ok := d.Dense()
	if !ok {
		return tensor.Dtype{}, fmt.Errorf("type %v, which Gorgonia does not have: cast it", d)
	}
	return t, nil
}

// dtypeOf is the reverse of hostType; InvalidDType where there is none.
func dtypeOf(t tensor.Dtype) op.DType {
	if t == tensor.Int {
		return op.Int64
	}
	return op.DTypeOf(t)
}

// toValue returns b as an argument of a Gorgonia op: a scalar as a copy, a tensor as a header of its own over b's memory, because ops
// reshape and transpose the headers that they are given.
func toValue(b op.Buffer) (gorgonia.Value, error) {
	if len(b.Shape) == 0 {
		return toScalar(b)
	}
	if b.Len() == 0 {
		return nil, fmt.Errorf("an input of shape %v has no elements, with which Gorgonia cannot compute", b.Shape)
	}
	var t *tensor.Dense
	if b.DType == op.Int64 {
		ints := make([]int, b.Len())
		for i, v := range b.Int64s() {
			ints[i] = int(v)
		}
		t = tensor.New(tensor.WithShape(slices.Clone(b.Shape)...), tensor.WithBacking(ints))
	} else {
		t = b.Dense()
	}
	if t == nil {
		return nil, fmt.Errorf("an input has type %v, which Gorgonia does not have", b.DType)
	}
	tensor.WithEngine(gorgonia.StandardEngine{})(t)
	return t, nil
}

// inPlace returns a value over b's own memory, of a scalar too.
func inPlace(b op.Buffer) gorgonia.Value {
	if len(b.Shape) > 0 {
		t := b.Dense()
		tensor.WithEngine(gorgonia.StandardEngine{})(t)
		return t
	}
	switch b.DType {
	case op.Float32:
		return (*gorgonia.F32)(&b.Float32s()[0])
	case op.Float64:
		return (*gorgonia.F64)(&b.Float64s()[0])
	case op.Int32:
		return (*gorgonia.I32)(&b.Int32s()[0])
	case op.Int64:
		return (*gorgonia.I64)(&b.Int64s()[0])
	case op.Uint8:
		return (*gorgonia.U8)(&b.Uint8s()[0])
	default:
		return (*gorgonia.B)(&b.Bools()[0])
	}
}

func toScalar(b op.Buffer) (gorgonia.Value, error) {
	switch b.DType {
	case op.Float32:
		return gorgonia.NewF32(b.Float32s()[0]), nil
	case op.Float64:
		return gorgonia.NewF64(b.Float64s()[0]), nil
	case op.Int32:
		return gorgonia.NewI32(b.Int32s()[0]), nil
	case op.Int64:
		return gorgonia.NewI(int(b.Int64s()[0])), nil
	case op.Uint8:
		return gorgonia.NewU8(b.Uint8s()[0]), nil
	case op.Bool:
		return gorgonia.NewB(b.Bools()[0]), nil
	}
	return nil, fmt.Errorf("an input has type %v, which Gorgonia does not have", b.DType)
}

// store copies what an op returned to out. Gorgonia drops and adds axes of size 1; those apart the shapes have to be equal.
func store(v gorgonia.Value, out op.Buffer) error {
	if v == nil {
		return fmt.Errorf("no result")
	}
	if d := dtypeOf(v.Dtype()); d != out.DType {
		return fmt.Errorf("a result of type %v, want %v", v.Dtype(), out.DType)
	}
	if !sameButOnes([]int(v.Shape()), out.Shape) {
		return fmt.Errorf("a result of shape %v, want %v", v.Shape(), out.Shape)
	}
	t, ok := v.(*tensor.Dense)
	if !ok {
		return storeScalar(v, out)
	}
	if t.Dtype() == tensor.Int {
		t = widened(t)
	}
	b, err := op.Contiguous(t)
	if err != nil {
		return err
	}
	copy(out.Bytes(), b.Bytes())
	return nil
}

func storeScalar(v gorgonia.Value, out op.Buffer) error {
	switch x := v.Data().(type) {
	case float32:
		out.Float32s()[0] = x
	case float64:
		out.Float64s()[0] = x
	case int32:
		out.Int32s()[0] = x
	case int64:
		out.Int64s()[0] = x
	case int:
		out.Int64s()[0] = int64(x)
	case uint8:
		out.Uint8s()[0] = x
	case bool:
		out.Bools()[0] = x
	default:
		return fmt.Errorf("a result that is a %T", v)
	}
	return nil
}

// widened returns a tensor of Go's int as one of int64, with the same strides.
func widened(t *tensor.Dense) *tensor.Dense {
	wide := tensor.New(tensor.Of(tensor.Int64), tensor.WithShape(slices.Clone(t.Shape())...))
	it := t.Iterator()
	dst := wide.Int64s()
	for k, i := 0, 0; k < len(dst); k++ {
		i, _ = it.Next()
		dst[k] = int64(t.Ints()[i])
	}
	return wide
}

// sameButOnes reports whether two shapes are equal once axes of size 1 are left out, so that both have the same row-major memory.
func sameButOnes[S ~[]T, T ~int](a, b S) bool { return slices.Equal(withoutOnes(a), withoutOnes(b)) }

func withoutOnes[S ~[]T, T ~int](shape S) S {
	return slices.DeleteFunc(slices.Clone(shape), func(d T) bool { return d == 1 })
}

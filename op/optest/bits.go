package optest

import (
	"bytes"
	"fmt"
	"slices"

	"paddle/op"
)

// differs returns the first element in which two buffers differ by a bit, −1 if they are the same.
func differs(a, b op.Buffer) int {
	x, y := a.Bytes(), b.Bytes()
	if len(x) != len(y) {
		return 0
	}
	if bytes.Equal(x, y) {
		return -1
	}
	for i := range x {
		if x[i] != y[i] {
			return i / a.DType.Size()
		}
	}
	return -1
}

// compareBits returns an error that says where two results differ.
func (r *rig) compareBits(a, b *result) error {
	if err := compareAll("output", a.out, b.out); err != nil {
		return err
	}
	if err := compareAll("gradient of", a.grad, b.grad); err != nil {
		return err
	}
	return compareAll("variable", a.state, b.state)
}

func compareAll(what string, a, b []op.Buffer) error {
	for i := range a {
		if a[i].DType == op.InvalidDType && b[i].DType == op.InvalidDType {
			continue
		}
		if !slices.Equal(a[i].Shape, b[i].Shape) {
			return fmt.Errorf("%s %d has shape %v, and had %v", what, i, b[i].Shape, a[i].Shape)
		}
		if at := differs(a[i], b[i]); at >= 0 {
			x, y := arrayOf(a[i]), arrayOf(b[i])
			return fmt.Errorf("%s %d at %v is %v, and was %v", what, i, x.index(at), y.Data[at], x.Data[at])
		}
	}
	return nil
}

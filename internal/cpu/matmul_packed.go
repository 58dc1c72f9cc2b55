package cpu

import (
	"unsafe"

	"paddle/internal/kernel"
	"paddle/op"
)

// mostForms is the most bytes of a matrix that is kept packed in two forms, one for products of few rows and one for those of many. Of a
// larger one the form for few rows serves for all.
const mostForms = 1 << 24

// packed returns the right operand of a product as it is kept packed, nil where it is not: where it is no value that stays the same over
// many runs, or where it has just changed, or is being packed for another run.
func packed[T kernel.Float](b *Backend, g *op.MatMulSpec, right op.Buffer) *kernel.Packed[T] {
	d := right.Derived()
	if d == nil || g.Batch > 1 && !g.SharedB {
		return nil
	}
	strips := kernel.WantsStrips[T](g.M) || g.N*g.K > mostForms/int(unsafe.Sizeof(*new(T)))
	f := d.Form(op.FormKey{Name: formName(strips, g.TransB), Rows: g.K, Columns: g.N})
	if !f.Ready() && !makeForm[T](b, f, operand[T](right, g.K, g.N, g.TransB, true), g.K, g.N, strips) {
		return nil
	}
	p, _ := f.Value.(*kernel.Packed[T])
	return p
}

// makeForm packs a matrix if it is worth it; it reports whether it did.
func makeForm[T kernel.Float](b *Backend, f *op.Form, m kernel.Operand[T], k, n int, strips bool) bool {
	p := beginForm[T](f)
	if p == nil {
		return false
	}
	p.Pack(b.team, b.threads, m, k, n, strips)
	f.End()
	return true
}

// beginForm returns what a matrix is to be packed into before the form ends, nil where that is not to be done now.
func beginForm[T kernel.Float](f *op.Form) *kernel.Packed[T] {
	if !f.Begin() {
		return nil
	}
	p, _ := f.Value.(*kernel.Packed[T])
	if p == nil {
		p = new(kernel.Packed[T])
		f.Value = p
	}
	return p
}

// formName names a form of a matrix, or of the transpose of what the variable holds.
func formName(strips, transposed bool) string {
	switch {
	case strips && transposed:
		return "strips of the transpose"
	case strips:
		return "strips"
	case transposed:
		return "panels of the transpose"
	}
	return "panels"
}

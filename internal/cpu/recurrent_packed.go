package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// keptWeight keeps the packed forms of a recurrent weight with the variable that it is, from run to run.
type keptWeight[T kernel.Float] struct {
	backend *Backend
	derived *op.Derived
}

// keeper returns what keeps the forms of w, nil where w is no value that stays the same over many runs.
func (k *keptWeight[T]) keeper(b *Backend, w op.Buffer) kernel.Keeper[T] {
	if k.backend, k.derived = b, w.Derived(); k.derived == nil {
		return nil
	}
	return k
}

// Keep implements kernel.Keeper. Parts of a weight have different widths.
func (k *keptWeight[T]) Keep(m kernel.Operand[T], rows, columns int, strips bool) *kernel.Packed[T] {
	name := "recurrent panels"
	if strips {
		name = "recurrent strips"
	}
	f := k.derived.Form(op.FormKey{Name: name, Rows: rows, Columns: columns})
	if !f.Ready() {
		p := beginForm[T](f)
		if p == nil {
			return nil
		}
		p.PackWhole(k.backend.team, k.backend.threads, m, rows, columns, strips)
		f.End()
	}
	p, _ := f.Value.(*kernel.Packed[T])
	return p
}

package optest

import (
	"unsafe"

	"paddle/op"
)

// watch puts a probe around every op of g and of the bodies in it.
func (k *checker) watch(g *op.Graph) {
	for _, c := range g.Calls() {
		if b, ok := c.Op.(op.Bodied); ok {
			inner, _ := b.Body()
			k.watch(inner)
		} else {
			c.Op = probe{c.Op, op.DimsOf(c.Op), k}
		}
	}
}

// probe is an op that runs another one several times, on memory with different contents before, and looks whether it keeps to what is
// its own.
type probe struct {
	op.Op
	Dims []op.Dim // attributes of Op, for the planner
	k    *checker
}

// Traits implements op.Traited.
func (p probe) Traits() op.Traits { return op.TraitsOf(p.Op) }

// Run implements op.Op.
func (p probe) Run(e *op.Env, in, out []op.Buffer) error {
	t := op.TraitsOf(p.Op)
	if len(t.Views) > 0 || e.Call.Effect() {
		return p.watched(e, in, out, t)
	}
	first, err := p.guarded(e, in, out, 0xA5)
	if err != nil {
		return err
	}
	second, err := p.guarded(e, in, out, 0x5A)
	if err != nil {
		return err
	}
	p.compare(e, first, second, "depends on what the memory of the output held before: the element is not written, or a run is not like another")
	if aliased(in, out) {
		if err := p.Op.Run(e, in, out); err != nil {
			return err
		}
		p.compare(e, first, out, "is another when the op runs in place")
		return nil
	}
	for i, b := range first {
		copy(out[i].Bytes(), b.Bytes())
	}
	return nil
}

// watched runs the op once and looks whether inputs that it has no right to were changed.
func (p probe) watched(e *op.Env, in, out []op.Buffer, t op.Traits) error {
	before := cloneAll(in)
	if err := p.Op.Run(e, in, out); err != nil {
		return err
	}
	writes := map[int]bool{}
	for _, i := range t.Writes {
		writes[i] = true
	}
	for i, b := range in {
		if !writes[i] && !overlap(b, out) {
			p.unchanged(i, before[i], b)
		}
	}
	return nil
}

const guard = 128 // bytes before and behind

// guarded runs the op into fresh memory that is filled with a byte and has a guard on both sides.
func (p probe) guarded(e *op.Env, in, out []op.Buffer, fill byte) ([]op.Buffer, error) {
	own := make([]op.Buffer, len(out))
	mem := make([][]byte, len(out))
	for i, b := range out {
		own[i] = b
		if b.IsNil() {
			continue
		}
		n := len(b.Bytes())
		mem[i] = op.AlignedBytes(n + 2*guard)
		for j := range mem[i] {
			mem[i][j] = fill
		}
		own[i] = op.BufferAt(mem[i][guard:guard+n], b.DType, b.Shape)
	}
	before := cloneAll(in)
	if err := p.Op.Run(e, in, own); err != nil {
		return nil, err
	}
	for i := range in {
		p.unchanged(i, before[i], in[i])
	}
	for i, m := range mem {
		for j := range m {
			if (j < guard || j >= len(m)-guard) && m[j] != fill {
				p.k.failf("%s writes beside its output %d of shape %v: %d bytes from its start", p.Op.Name(), i, out[i].Shape, j-guard)
				break
			}
		}
	}
	return own, nil
}

func (p probe) unchanged(i int, before, after op.Buffer) {
	if at := differs(before, after); at >= 0 {
		a, b := arrayOf(before), arrayOf(after)
		p.k.failf("%s changes its input %d: element %v was %v and is %v", p.Op.Name(), i, a.index(at), a.Data[at], b.Data[at])
	}
}

// compare looks at the elements of outputs up to their run-time counts.
func (p probe) compare(e *op.Env, a, b []op.Buffer, what string) {
	for i := range a {
		if a[i].IsNil() {
			continue
		}
		e.Sizes.Update()
		shape := make([]int, len(a[i].Shape))
		e.Sizes.Shape(shape, e.Call.Out[i].Shape())
		x, y := a[i].Reshaped(shape), b[i].Reshaped(shape)
		if at := differs(x, y); at >= 0 {
			u, v := arrayOf(x), arrayOf(y)
			p.k.failf("%s: output %d at %v %s: %v and %v", p.Op.Name(), i, u.index(at), what, u.Data[at], v.Data[at])
		}
	}
}

func cloneAll(in []op.Buffer) []op.Buffer {
	out := make([]op.Buffer, len(in))
	for i, b := range in {
		out[i] = b.Clone()
	}
	return out
}

func aliased(in, out []op.Buffer) bool {
	for _, b := range in {
		if overlap(b, out) {
			return true
		}
	}
	return false
}

// overlap reports whether b shares memory with one of the others.
func overlap(b op.Buffer, others []op.Buffer) bool {
	lo, hi := span(b)
	for _, o := range others {
		if from, to := span(o); from < hi && lo < to {
			return true
		}
	}
	return false
}

func span(b op.Buffer) (from, to uintptr) {
	mem := b.Bytes()
	if len(mem) == 0 {
		return 0, 0
	}
	from = uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	return from, from + uintptr(len(mem))
}

package exec

import (
	"fmt"
	"slices"

	"paddle/op"
)

// frame is the state of a unit in one workspace: sizes, memory, and the tables that steps are run from.
type frame struct {
	unit    *unit
	sizes   *op.Sizes
	buffers []op.Buffer   // of each slot
	in, out [][]op.Buffer // of each step
	bodies  []*body       // of each step, nil where the op has no body
	arena   []byte
	offset  []int // of each storage in the arena
	size    []int // bytes of each storage that the plan has room for
	order   []int // storages by size, scratch of place
	placed  []int // storages by offset, scratch of place
	planned bool
}

var yes = []byte{1}

func newFrame(u *unit, sizes *op.Sizes) *frame {
	f := &frame{
		unit: u, sizes: sizes,
		buffers: make([]op.Buffer, len(u.slots)),
		in:      make([][]op.Buffer, len(u.steps)), out: make([][]op.Buffer, len(u.steps)),
		bodies: make([]*body, len(u.steps)),
		offset: make([]int, len(u.storages)), size: make([]int, len(u.storages)),
		order: make([]int, 0, len(u.storages)), placed: make([]int, 0, len(u.storages)),
	}
	for i, s := range u.slots {
		f.buffers[i] = op.Buffer{DType: s.node.DType(), Shape: make([]int, s.node.Rank())}
		f.bindLeaf(i)
	}
	for i, st := range u.steps {
		f.in[i], f.out[i] = make([]op.Buffer, len(st.in)), make([]op.Buffer, len(st.out))
		if st.body != nil {
			symbols, _ := st.call.Op.(op.Bodied).Rows()
			f.bodies[i] = newBody(st.body, symbols, sizes)
		}
	}
	return f
}

// bindLeaf points the slot of a constant or a variable at its memory.
func (f *frame) bindLeaf(i int) {
	n := f.unit.slots[i].node
	if c, ok := n.Constant(); ok {
		f.buffers[i] = c.Reshaped(f.buffers[i].Shape)
	} else if n.IsApply() {
		f.buffers[i] = op.BufferAt(yes, op.Bool, f.buffers[i].Shape)
	} else if v := n.Variable(); v != nil {
		f.buffers[i] = v.Memory().Reshaped(f.buffers[i].Shape)
	}
}

// shape writes the sizes of every slot.
func (f *frame) shape() {
	for i := range f.unit.slots {
		f.sizes.Shape(f.buffers[i].Shape, f.unit.slots[i].node.Shape())
	}
}

// possible returns an error if the sizes at hand make one of a step's results negative, such as a slice behind the end, or larger than
// op.MaxBytes.
func (f *frame) possible() error {
	for k := range f.unit.steps {
		for _, s := range f.unit.steps[k].out {
			b, n := &f.buffers[s], f.unit.slots[s].node
			if slices.ContainsFunc(b.Shape, negative) || f.sizes.Len(n.Shape()) > op.MaxBytes/b.DType.Size() {
				c, _ := n.Call()
				return c.RunError(fmt.Errorf("the result would have shape %v", slices.Clone(b.Shape)))
			}
		}
	}
	return nil
}

func negative(n int) bool { return n < 0 }

// reshapeDynamic writes the sizes of the slots that depend on run-time counts.
func (f *frame) reshapeDynamic() {
	f.sizes.Update()
	for _, i := range f.unit.dynamic {
		f.sizes.Shape(f.buffers[i].Shape, f.unit.slots[i].node.Shape())
	}
}

// plan makes room for the sizes at hand: it keeps the placement while every block still fits, else places all of them anew and returns
// true.
func (f *frame) plan() (moved bool) {
	fits := f.planned
	for i := range f.unit.storages {
		if need := f.need(i); need > f.size[i] {
			fits = false
		}
	}
	if !fits {
		f.replan()
	}
	return !fits
}

// replan places all blocks anew, each as large as it has ever been.
func (f *frame) replan() {
	f.measure()
	if top := f.place(); top > len(f.arena) {
		f.arena = op.AlignedBytes(top)
	}
	f.planned = true
}

// measure lists the blocks that the arena holds, each as large as it has ever been.
func (f *frame) measure() {
	f.order = f.order[:0]
	for i := range f.unit.storages {
		f.size[i] = max(f.size[i], f.need(i))
		if f.unit.storages[i].kind == inArena {
			f.order = append(f.order, i)
		}
	}
}

// need returns the bytes that storage i has to hold, rounded up to a cache line.
func (f *frame) need(i int) int {
	st := &f.unit.storages[i]
	if st.kind != inArena {
		return 0
	}
	n := f.unit.slots[st.owner].node
	return (f.sizes.Len(n.Shape())*n.DType().Size() + 63) &^ 63
}

// place gives each block the lowest offset at which it meets no block that is in use at the same time, the largest first. It returns
// the bytes of the arena that this takes.
func (f *frame) place() (bytes int) {
	storages := f.unit.storages
	slices.SortStableFunc(f.order, func(a, b int) int { return f.size[b] - f.size[a] })
	f.placed = f.placed[:0]
	top := 0
	for _, i := range f.order {
		at := 0
		for _, j := range f.placed {
			if storages[j].to < storages[i].from || storages[i].to < storages[j].from {
				continue
			}
			if f.offset[j]-at >= f.size[i] {
				break
			}
			at = max(at, f.offset[j]+f.size[j])
		}
		f.offset[i] = at
		top = max(top, at+f.size[i])
		k, _ := slices.BinarySearchFunc(f.placed, at, func(j, at int) int { return f.offset[j] - at })
		f.placed = slices.Insert(f.placed, k, i)
	}
	return top
}

// link points the slots at their memory and fills the tables of the steps.
func (f *frame) link() {
	for i, s := range f.unit.slots {
		if s.storage < 0 {
			continue
		}
		if st := f.unit.storages[s.storage]; st.kind == inArena && f.size[s.storage] > 0 {
			at := f.offset[s.storage]
			f.buffers[i] = op.BufferAt(f.arena[at:at+f.size[s.storage]], s.node.DType(), f.buffers[i].Shape)
		} else if st.kind == inArena {
			f.buffers[i] = op.Buffer{DType: s.node.DType(), Shape: f.buffers[i].Shape}
		}
	}
	f.linkViews()
	for k := range f.unit.steps {
		st := &f.unit.steps[k]
		for j, s := range st.in {
			f.in[k][j] = f.buffers[s]
		}
		for j, s := range st.out {
			f.out[k][j] = f.buffers[s]
		}
	}
}

// linkViews points slots that share the memory of a leaf at it.
func (f *frame) linkViews() {
	for i, s := range f.unit.slots {
		if s.storage < 0 {
			continue
		}
		if st := f.unit.storages[s.storage]; st.kind != inArena && st.owner != i {
			b := f.buffers[st.owner].Reshaped(f.buffers[i].Shape)
			b.DType = s.node.DType()
			f.buffers[i] = b
		}
	}
}

// memory returns the bytes of the arenas of f and its bodies.
func (f *frame) memory() int {
	n := len(f.arena)
	for _, b := range f.bodies {
		if b != nil {
			n += b.frame.memory()
		}
	}
	return n
}

// run executes the steps.
func (f *frame) run(e *op.Env) error {
	done := e.Context.Done()
	for k := range f.unit.steps {
		st := &f.unit.steps[k]
		if st.call == nil {
			continue
		}
		if k <= f.unit.effects && done != nil {
			select {
			case <-done:
				return e.Context.Err()
			default:
			}
		}
		e.Call, e.Key.Node = st.call, st.call.Seed
		if b := f.bodies[k]; b != nil {
			e.Body = b
		}
		if err := st.call.Op.Run(e, f.in[k], f.out[k]); err != nil {
			return st.call.RunError(err)
		}
		if st.counts {
			f.reshapeDynamic()
		}
	}
	return nil
}

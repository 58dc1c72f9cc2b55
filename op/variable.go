package op

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"gorgonia.org/tensor"
)

// Variable is state that outlives a run: a weight, a moment of an optimizer, a running mean, a counter. It belongs to a model or to a
// trainer; each graph that reads it has a node for it. The zero value is ready: a layer gives it a shape with Define, a program
// gives it memory. A Variable must not be copied.
type Variable struct {
	// Init gives the initial value; nil leaves the choice to the layer that defines the shape.
	Init Init

	_      noCopy
	mu     sync.RWMutex
	id     atomic.Uint64
	dtype  DType
	global []int // shape of the whole
	local  []int // shape of the part that this process holds
	offset int   // first row of the part
	init   Init
	value  Buffer
	staged Buffer // loaded before the shape was known

	version uint64      // how many values there have been, 0 before the first
	exposed atomic.Bool // somebody may write to the memory without a lock

	lacking string // why v may not have an initial value; empty: it may
}

// Parameter is a Variable that training changes. A layer's field of type *Parameter may be set to share one parameter between layers;
// where it is nil, NewGraph makes one.
type Parameter struct {
	Variable
	// Frozen keeps trainers from changing the parameter and from computing its gradient.
	Frozen bool
}

// noCopy makes vet report copies.
type noCopy struct{}

// Lock does nothing; vet looks for it.
func (*noCopy) Lock() {}

// Unlock does nothing; vet looks for it.
func (*noCopy) Unlock() {}

var variables atomic.Uint64

// ID returns a number that is unique to v in this process and fixes the order in which programs lock variables.
func (v *Variable) ID() uint64 {
	if id := v.id.Load(); id != 0 {
		return id
	}
	v.id.CompareAndSwap(0, variables.Add(1))
	return v.id.Load()
}

// Define gives v its type and shape; init is used if v.Init is nil. Where v has them already, by another layer that shares it, they
// must be the same.
func (v *Variable) Define(dtype DType, init Init, shape ...int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.dtype != InvalidDType {
		if v.dtype != dtype || !slices.Equal(v.global, shape) {
			return fmt.Errorf("has %v %v, want %v %v", v.dtype, shapeText(v.global), dtype, shapeText(shape))
		}
		return nil
	}
	for _, d := range shape {
		if d < 0 {
			return fmt.Errorf("shape %v has a negative size", shape)
		}
	}
	if leastBytes(dtype, dimsOf(shape)) > MaxBytes {
		return fmt.Errorf("shape %s of %v, want one of at most %d bytes", shapeText(shape), dtype, MaxBytes)
	}
	v.dtype, v.global, v.local = dtype, slices.Clone(shape), slices.Clone(shape)
	v.init = init
	if v.Init != nil {
		v.init = v.Init
	}
	return nil
}

// Defined reports whether v has a type and a shape.
func (v *Variable) Defined() bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.dtype != InvalidDType
}

// DType returns the type of the elements, InvalidDType before Define.
func (v *Variable) DType() DType { return v.dtype }

// Shape returns the shape of the whole variable, nil before Define.
func (v *Variable) Shape() []int { return v.global }

// LocalShape returns the shape of the part that this process holds; it is the whole unless the variable is sharded.
func (v *Variable) LocalShape() []int { return v.local }

// LocalOffset returns the first row of the part that this process holds.
func (v *Variable) LocalOffset() int { return v.offset }

// SetLocal makes this process hold rows lo to hi of the first axis only. It has to be called after Define and before v has memory.
func (v *Variable) SetLocal(lo, hi int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case len(v.global) == 0:
		return fmt.Errorf("a variable without axes cannot be sharded")
	case lo < 0 || hi < lo || hi > v.global[0]:
		return fmt.Errorf("rows %d to %d of %d", lo, hi, v.global[0])
	case !v.value.isZero():
		return fmt.Errorf("the variable has a value already")
	}
	v.local = slices.Clone(v.global)
	v.local[0], v.offset = hi-lo, lo
	return nil
}

func (b Buffer) isZero() bool { return b.DType == InvalidDType }

// Allocated reports whether v has memory.
func (v *Variable) Allocated() bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return !v.value.isZero()
}

// Allocate gives v its memory and initial value, once: a value loaded before, else what its Init says, with random numbers that depend
// on seed and name only.
func (v *Variable) Allocate(b Backend, seed uint64, name string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.value.isZero() {
		return nil
	}
	if v.dtype == InvalidDType {
		return fmt.Errorf("variable %s has no shape", name)
	}
	if v.lacking != "" {
		return fmt.Errorf("variable %s %s", name, v.lacking)
	}
	value := NewBuffer(v.dtype, v.local...)
	if !v.staged.isZero() {
		if err := v.fits(v.staged); err != nil {
			return fmt.Errorf("variable %s: the loaded value %w", name, err)
		}
		copy(value.Bytes(), v.staged.Bytes())
		v.staged = Buffer{}
	} else if v.init != nil {
		v.init.Fill(b, Key{Seed: seed, Node: hashName(name)}, value, v.offset, v.global)
	}
	v.value = value
	v.version++
	return nil
}

// hashName is FNV-1a.
func hashName(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// fits returns an error unless b has v's type and local shape.
func (v *Variable) fits(b Buffer) error {
	if b.DType != v.dtype || !slices.Equal(b.Shape, v.local) {
		return fmt.Errorf("is %v %s, want %v %s", b.DType, shapeText(b.Shape), v.dtype, shapeText(v.local))
	}
	return nil
}

// Fits returns an error unless a value of the given type and shape can be assigned to v. Before Define every value fits.
func (v *Variable) Fits(dtype DType, shape []int) error {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.dtype == InvalidDType {
		return nil
	}
	return v.fits(Buffer{DType: dtype, Shape: shape})
}

// Assign copies b, which must have v's type and local shape, to v. Before Define the value is kept for it.
func (v *Variable) Assign(b Buffer) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.dtype != InvalidDType {
		if err := v.fits(b); err != nil {
			return err
		}
	}
	if !v.value.isZero() {
		copy(v.value.Bytes(), b.Bytes())
		v.version++
		return nil
	}
	v.staged, v.lacking = b.Clone(), ""
	return nil
}

// Staged returns the type and shape of a value that waits for the variable to be defined and allocated.
func (v *Variable) Staged() (dtype DType, shape []int, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.staged.DType, v.staged.Shape, !v.staged.isZero()
}

// Snapshot returns a copy of the value; ok is false while v has none.
func (v *Variable) Snapshot() (b Buffer, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	src := v.value
	if src.isZero() {
		src = v.staged
	}
	if src.isZero() {
		return Buffer{}, false
	}
	b = NewBuffer(src.DType, slices.Clone(src.Shape)...)
	copy(b.Bytes(), src.Bytes())
	return b, true
}

// Lock keeps all other programs from v; for the program that writes it.
func (v *Variable) Lock() { v.mu.Lock() }

// Unlock ends Lock, after which v counts as changed.
func (v *Variable) Unlock() {
	v.version++
	v.mu.Unlock()
}

// RLock keeps programs from writing v; for programs that read it.
func (v *Variable) RLock() { v.mu.RLock() }

// RUnlock ends RLock.
func (v *Variable) RUnlock() { v.mu.RUnlock() }

// Memory returns the variable's own memory. Whoever writes to it does so between Lock and Unlock, by which programs learn that it has
// changed; whoever reads it while programs run holds the lock. Expose is for those who cannot.
func (v *Variable) Memory() Buffer { return v.value }

// Expose returns the variable's own memory to somebody who may write to it at any time, without a lock. From then on programs keep nothing
// that they have made of the value (Derived).
func (v *Variable) Expose() Buffer {
	v.mu.RLock()
	defer v.mu.RUnlock()
	v.exposed.Store(true)
	return v.value
}

// Dense returns a tensor over the variable's own memory, with no copy; nil while it has none or where tensor.Dense lacks the type.
// Programs that run at the same time see what is written to it. So that they do, predictions pack the variable anew in each run from then on;
// Snapshot gives a copy that costs them nothing.
func (v *Variable) Dense() *tensor.Dense {
	b := v.Expose()
	if b.isZero() {
		return nil
	}
	return b.Dense()
}

// changes returns a number that is another one after each change of the value; 0 where changes are not known. The caller holds the lock.
func (v *Variable) changes() uint64 {
	if v.exposed.Load() {
		return 0
	}
	return v.version
}

// Dense returns a tensor over the buffer's memory, with no copy; nil where tensor.Dense lacks the type.
func (b Buffer) Dense() *tensor.Dense {
	var backing any
	switch b.DType {
	case Float32:
		backing = b.Float32s()
	case Float64:
		backing = b.Float64s()
	case Int32:
		backing = b.Int32s()
	case Int64:
		backing = b.Int64s()
	case Uint8:
		backing = b.Uint8s()
	case Bool:
		backing = b.Bools()
	default:
		return nil
	}
	if b.Len() == 0 {
		return tensor.New(tensor.Of(dtypes[b.DType].host), tensor.WithShape(slices.Clone(b.Shape)...))
	}
	if len(b.Shape) == 0 {
		return tensor.New(tensor.WithShape(), tensor.WithBacking(backing))
	}
	return tensor.New(tensor.WithShape(slices.Clone(b.Shape)...), tensor.WithBacking(backing))
}

// Clone returns a copy of the buffer in memory of its own.
func (b Buffer) Clone() Buffer {
	c := NewBuffer(b.DType, slices.Clone(b.Shape)...)
	copy(c.Bytes(), b.Bytes())
	return c
}

func shapeText(shape []int) string { return (&dimTable{}).shapeString(dimsOf(shape)) }

func dimsOf(shape []int) []Dim {
	dims := make([]Dim, len(shape))
	for i, d := range shape {
		dims[i] = Dim(d)
	}
	return dims
}

// Contiguous returns a buffer with the elements of t in row-major order: over t's own memory if they lie so, else over a copy.
func Contiguous(t *tensor.Dense) (Buffer, error) {
	if t == nil {
		return Buffer{}, fmt.Errorf("the tensor is nil")
	}
	if t.Dtype().Type == nil {
		return Buffer{}, fmt.Errorf("the tensor has no type")
	}
	if t.IsMasked() && t.Shape().TotalSize() > 0 { // a tensor without elements always says that it is masked
		return Buffer{}, fmt.Errorf("the tensor is masked, want one without a mask")
	}
	d := DTypeOf(t.Dtype())
	if d == InvalidDType || contiguous(t) {
		return BufferOf(t)
	}
	b := NewBuffer(d, slices.Clone([]int(t.Shape()))...)
	copyStrided(b, memory(t, d), t.Shape(), t.Strides())
	return b, nil
}

// copyStrided fills b with the elements that start at src with the given strides.
func copyStrided(b Buffer, src unsafe.Pointer, shape, strides []int) {
	size := b.DType.Size()
	dst := b.Bytes()
	index := make([]int, len(shape))
	for at := 0; at < len(dst); at += size {
		off := 0
		for k, i := range index {
			off += i * strides[k]
		}
		copy(dst[at:at+size], unsafe.Slice((*byte)(unsafe.Add(src, off*size)), size))
		for k := len(index) - 1; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
}

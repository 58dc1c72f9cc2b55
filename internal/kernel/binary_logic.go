package kernel

import (
	"encoding/binary"
	"unsafe"
)

// logic is a function of two bools, as what it does to words of eight: p∧q under the mask both, then that is joined by ⊻ with p⊻q under the mask one,
// and with flip.
type logic struct{ both, one, flip uint64 }

const (
	allBits   = 1<<64 - 1
	trueBytes = 0x0101010101010101 // eight bools that are true
)

// And computes a ∧ b.
func And(a, b, y []bool) { logic{both: allBits}.run(a, b, y) }

// Or computes a ∨ b.
func Or(a, b, y []bool) { logic{both: allBits, one: allBits}.run(a, b, y) }

// Xor computes whether one of a and b is true, and the other not.
func Xor(a, b, y []bool) { logic{one: allBits}.run(a, b, y) }

// Same computes whether a and b are both true or both false.
func Same(a, b, y []bool) { logic{one: allBits, flip: trueBytes}.run(a, b, y) }

// Not computes ¬x.
func Not(x, y []bool) { logic{one: allBits}.run(x, []bool{true}, y[:len(x)]) }

// of computes the function of words.
func (f logic) of(p, q uint64) uint64 { return p&q&f.both ^ (p^q)&f.one ^ f.flip }

// run computes y = f(a, b), as Binary.
func (f logic) run(a, b, y []bool) {
	p, q, to := boolBytes(a), boolBytes(b), boolBytes(y)
	var single [2][8]byte
	p, maskA := spread(p, &single[0])
	q, maskB := spread(q, &single[1])
	i := 0
	for ; i+8 <= len(to); i += 8 {
		binary.LittleEndian.PutUint64(to[i:i+8], f.of(binary.LittleEndian.Uint64(p[i&maskA:]), binary.LittleEndian.Uint64(q[i&maskB:])))
	}
	for ; i < len(to); i++ {
		to[i] = byte(f.of(uint64(p[i&maskA]), uint64(q[i&maskB]))) & 1
	}
}

// boolBytes returns the memory of bools.
func boolBytes(x []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// spread makes a single element eight, in the memory it is given, and returns the mask that keeps an index into others.
func spread(x []byte, to *[8]byte) (y []byte, mask int) {
	if len(x) != 1 {
		return x, -1
	}
	for i := range to {
		to[i] = x[0]
	}
	return to[:], 0
}

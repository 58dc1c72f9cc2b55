package kernel

import (
	"encoding/binary"
	"unsafe"
)

// trueBytes is eight bools that are true, as a word.
const trueBytes = 0x0101010101010101

// And computes a ∧ b.
func And(a, b, y []bool) { zipWords(a, b, y, func(p, q uint64) uint64 { return p & q }) }

// Or computes a ∨ b.
func Or(a, b, y []bool) { zipWords(a, b, y, func(p, q uint64) uint64 { return p | q }) }

// Xor computes whether one of a and b is true, and the other not.
func Xor(a, b, y []bool) { zipWords(a, b, y, func(p, q uint64) uint64 { return p ^ q }) }

// Same computes whether a and b are both true or both false.
func Same(a, b, y []bool) {
	zipWords(a, b, y, func(p, q uint64) uint64 { return p ^ q ^ trueBytes })
}

// Not computes ¬x.
func Not(x, y []bool) {
	zipWords(x, []bool{true}, y[:len(x)], func(p, q uint64) uint64 { return p ^ q })
}

// zipWords is zip for bools, of which f computes eight at a time: bytes that are 0 or 1.
func zipWords(a, b, y []bool, f func(p, q uint64) uint64) {
	p, q, to := boolBytes(a), boolBytes(b), boolBytes(y)
	var single [2][8]byte
	stepA, stepB := spread(&p, &single[0]), spread(&q, &single[1])
	for ; len(to) >= 8; to = to[8:] {
		binary.LittleEndian.PutUint64(to, f(binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(q)))
		p, q = p[stepA:], q[stepB:]
	}
	for i := range to {
		to[i] = byte(f(uint64(p[i]), uint64(q[i]))) & 1
	}
}

// boolBytes returns the memory of bools.
func boolBytes(x []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// spread makes a single element eight, in the memory it is given, and returns how far the next eight are.
func spread(x *[]byte, to *[8]byte) (step int) {
	if len(*x) != 1 {
		return 8
	}
	for i := range to {
		to[i] = (*x)[0]
	}
	*x = to[:]
	return 0
}

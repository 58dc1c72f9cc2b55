package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The vector registers of the set that is being written: their bytes, and what makes one. They are those of AVX2 until widen is called.
var (
	vectorSize = 32
	vector     = YMM
)

// wide reports whether the vectors are those of AVX-512, whose masks are registers of their own.
func wide() bool { return vectorSize == 64 }

// widen makes the functions that are written from now on those of AVX-512 (F, BW, DQ and VL); their names say so.
func widen() {
	vectorSize, vector = 64, ZMM
	for _, e := range []*element{&float32s, &float64s} {
		e.bits += "_avx512"
	}
	float32s.maskedMove, float64s.maskedMove = masked(VMOVUPS, VMOVUPS_Z), masked(VMOVUPD, VMOVUPD_Z)
	float32s.round = func(how, from, to Op) { VRNDSCALEPS(how, from, to) }
	float64s.round = func(how, from, to Op) { VRNDSCALEPD(how, from, to) }
	float32s.blend, float64s.blend = blended(VBLENDMPS, VPMOVD2M), blended(VBLENDMPD, VPMOVQ2M)
}

// masked returns what moves the elements that a mask selects, and brings 0 for the others where it reads.
func masked(write func(...Op), read func(from, mask, to Op)) func(from, mask, to Op) {
	return func(from, mask, to Op) {
		if _, inMemory := to.(Mem); inMemory {
			write(from, mask, to)
		} else {
			read(from, mask, to)
		}
	}
}

// blended returns what chooses by a mask, or by the signs of a vector.
func blended(blend func(...Op), signs func(from, to Op)) func(mask, ifSet, ifNot, to Op) {
	return func(mask, ifSet, ifNot, to Op) {
		if !(vec{mask}).isMask() {
			k := K()
			signs(mask, k)
			mask = k
		}
		blend(ifSet, ifNot, mask, to)
	}
}

// newMasks returns n registers for masks: of their own kind, or vectors whose elements have all bits set or none.
func newMasks(n int) vec {
	if !wide() {
		return registers(n)
	}
	v := make(vec, n)
	for i := range v {
		v[i] = K()
	}
	return v
}

// isMask reports whether v are registers for masks only.
func (v vec) isMask() bool {
	r, ok := v[0].(reg.Virtual)
	return ok && r.Kind() == reg.KindOpmask
}

// bothMasks joins masks.
func bothMasks(a, b vec) vec {
	r := newMasks(width(a, b))
	for i := range r {
		KANDW(a.at(i), b.at(i), r[i])
	}
	return r
}

// notMask selects what masks do not.
func notMask(a vec) vec {
	r := newMasks(len(a))
	for i := range r {
		KNOTW(a[i], r[i])
	}
	return r
}

// selected returns the elements of x that masks select, and 0 for the others.
func (e element) selected(mask, x vec) vec {
	n := width(mask, x)
	x = e.shared(x, n)
	r := registers(n)
	for i := range r {
		e.maskedMove(x.at(i), mask.at(i), r[i])
	}
	return r
}

// bitsOf returns vectors whose elements have all bits set where masks select them; vectors stay as they are.
func (e element) bitsOf(v vec) vec {
	if !v.isMask() {
		return v
	}
	r := registers(len(v))
	for i := range r {
		if e.size == 4 {
			VPMOVM2D(v[i], r[i])
		} else {
			VPMOVM2Q(v[i], r[i])
		}
	}
	return r
}

// lowHalf returns the lower half of a register.
func lowHalf(x reg.VecVirtual) reg.VecVirtual {
	if wide() {
		return x.AsY().(reg.VecVirtual)
	}
	return x.AsX().(reg.VecVirtual)
}

// opmasks returns the masks of width vectors that select the first n elements.
func opmasks(e element, n reg.Register, width int) vec {
	bits, masks := GP64(), make(vec, width)
	MOVQ(I32(-1), bits)
	BZHIQ(n, bits, bits)
	for j := range masks {
		k := K()
		KMOVW(bits.As32(), k)
		if j < width-1 {
			SHRQ(Imm(uint64(e.lanes())), bits)
		}
		masks[j] = k
	}
	return masks
}

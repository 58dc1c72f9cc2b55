package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// element is a type of elements, with the instructions that differ between the types.
type element struct {
	name  string // of the Go type
	bits  string // at the end of the names of functions
	size  int
	shift uint64 // log₂ size

	broadcast, move, and, andNot, or, xor func(...Op)
	add, sub, mul, div, sqrt, max, min    func(...Op)
	fma, fmaInto, fmaNegative, fmaMinus   func(...Op) // x += y·z, x = x·y + z, x −= y·z, x = y·z − x
	round                                 func(how, from, to Op)
	addInts, shiftLeft                    func(...Op)
	mantissa                              int // bits
	compare                               func(...Op)
	blend                                 func(mask, ifSet, ifNot, to Op)
	maskedMove                            func(from, mask, to Op)
}

// lanes returns the number of elements in a vector.
func (e element) lanes() int { return vectorSize / e.size }

var float32s = element{
	name: "float32", bits: "32", size: 4, shift: 2,
	broadcast: VBROADCASTSS, move: VMOVUPS, and: VANDPS, andNot: VANDNPS, or: VORPS, xor: VXORPS,
	add: VADDPS, sub: VSUBPS, mul: VMULPS, div: VDIVPS, sqrt: VSQRTPS, max: VMAXPS, min: VMINPS,
	fma: VFMADD231PS, fmaInto: VFMADD213PS, fmaNegative: VFNMADD231PS, fmaMinus: VFMSUB231PS,
	addInts: VPADDD, shiftLeft: VPSLLD, mantissa: 23,
	round: VROUNDPS, compare: VCMPPS, blend: VBLENDVPS, maskedMove: VMASKMOVPS,
}

var float64s = element{
	name: "float64", bits: "64", size: 8, shift: 3,
	broadcast: VBROADCASTSD, move: VMOVUPD, and: VANDPD, andNot: VANDNPD, or: VORPD, xor: VXORPD,
	add: VADDPD, sub: VSUBPD, mul: VMULPD, div: VDIVPD, sqrt: VSQRTPD, max: VMAXPD, min: VMINPD,
	fma: VFMADD231PD, fmaInto: VFMADD213PD, fmaNegative: VFNMADD231PD, fmaMinus: VFMSUB231PD,
	addInts: VPADDQ, shiftLeft: VPSLLQ, mantissa: 52,
	round: VROUNDPD, compare: VCMPPD, blend: VBLENDVPD, maskedMove: VMASKMOVPD,
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// maskOnes returns the bytes of ones at the start of the table of masks: two vectors. As many zeros follow.
func maskOnes() int { return 2 * vectorSize }

var (
	maskData Mem
	maskDone bool
)

// maskTable returns the table of masks, which it declares the first time.
func maskTable() Mem {
	if maskDone {
		return maskData
	}
	maskDone = true
	maskData = GLOBL("masks", RODATA|NOPTR)
	for i := range 2 * maskOnes() / 8 { // the assembler wants ascending offsets
		bits := U64(0)
		if 8*i < maskOnes() {
			bits = ^bits
		}
		DATA(8*i, bits)
	}
	return maskData
}

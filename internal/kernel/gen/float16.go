package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// shift is the count of a shift.
func shift(bits uint64) Op { return Imm(bits) }

// float16s writes the conversions from and to half precision, for a number of elements that is a multiple of 16. Processors with AVX2 have
// the instructions.
func float16s() {
	convert("decodeFloat16", "uint16", "float32", "DecodeFloat16", func(x, y Mem) {
		for i := range halvesAtOnce / float32s.lanes() {
			v := vector()
			VCVTPH2PS(x.Offset(i*vectorSize/2), v)
			VMOVUPS(v, y.Offset(i*vectorSize))
		}
	})
	convert("encodeFloat16", "float32", "uint16", "EncodeFloat16", func(x, y Mem) {
		const nearest = 0
		for i := range halvesAtOnce / float32s.lanes() {
			v := vector()
			VMOVUPS(x.Offset(i*vectorSize), v)
			VCVTPS2PH(Imm(nearest), v, y.Offset(i*vectorSize/2))
		}
	})
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// bfloat16s writes the conversions from and to the upper halves of float32 numbers, for a number of elements that is a multiple of 16.
func bfloat16s() {
	e := float32s
	convert("decodeBFloat16", "x []uint16, y []float32", "DecodeBFloat16", func(x, y Mem) {
		for i := range 2 {
			v := vector()
			VPMOVZXWD(x.Offset(i*vectorSize/2), v)
			VPSLLD(Imm(16), v, v)
			VMOVDQU(v, y.Offset(i*vectorSize))
		}
		ADDQ(Imm(uint64(vectorSize)), x.Base)
		ADDQ(Imm(uint64(2*vectorSize)), y.Base)
	})
	convert("encodeBFloat16", "x []float32, y []uint16", "EncodeBFloat16", func(x, y Mem) {
		v := e.loaded(vec{x, x.Offset(vectorSize)})
		high := registers(2)
		for i := range high {
			VPSRLD(Imm(16), v[i], high[i])
		}
		odd := e.bitAnd(high, e.word(1))
		r := e.apply(VPADDD, e.apply(VPADDD, v, odd), e.word(0x7fff))
		for i := range r {
			VPSRLD(Imm(16), r[i], r[i])
		}
		r = e.where(e.is(unordered, v, v), e.bitOr(high, e.word(0x40)), r) // quiet
		packed := vector()
		VPACKUSDW(r[1], r[0], packed)
		VPERMQ(Imm(0xd8), packed, packed)
		VMOVDQU(packed, y)
		ADDQ(Imm(uint64(2*vectorSize)), x.Base)
		ADDQ(Imm(uint64(vectorSize)), y.Base)
	})
}

// convert writes a function that makes 16 elements of y from x at a time.
func convert(name, params, doc string, body func(x, y Mem)) {
	TEXT(name, NOSPLIT, "func("+params+")")
	Doc(name + " computes " + doc + ", for a multiple of 16 elements.")
	Pragma("noescape")
	x, y, left := Mem{Base: base("x")}, Mem{Base: base("y")}, length("y")
	Label("block")
	body(x, y)
	SUBQ(Imm(16), left)
	JNZ(LabelRef("block"))
	end()
}

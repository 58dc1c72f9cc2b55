package main

import (
	"math"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// casts writes the conversions between the types of numbers that take no more than a few instructions, for a multiple of halvesAtOnce elements. Those of AVX2
// serve AVX-512 too.
func casts() {
	by := func(instruction func(from, to Op)) func(from Mem, to reg.VecVirtual) {
		return func(from Mem, to reg.VecVirtual) { instruction(from, to) }
	}
	cast("int32", "float32", 4, 8, by(func(from, to Op) { VCVTDQ2PS(from, to) }))
	cast("uint8", "float32", 1, 8, func(from Mem, to reg.VecVirtual) {
		VPMOVZXBD(from, to)
		VCVTDQ2PS(to, to)
	})
	cast("uint8", "int32", 1, 8, by(func(from, to Op) { VPMOVZXBD(from, to) }))
	cast("uint8", "int64", 1, 4, by(func(from, to Op) { VPMOVZXBQ(from, to) }))
	cast("int32", "int64", 4, 4, by(func(from, to Op) { VPMOVSXDQ(from, to) }))
	cast("int32", "float64", 4, 4, by(func(from, to Op) { VCVTDQ2PD(from, to) }))
	cast("float32", "float64", 4, 4, by(func(from, to Op) { VCVTPS2PD(from, to) }))
	cast("float32", "int32", 4, 8, truncated)
	castOf("float64", "float32", "Convert", func(x, y Mem) {
		for i := range 4 {
			v := XMM()
			VCVTPD2PSY(x.Offset(i*vectorSize), v)
			VMOVUPS(v, y.Offset(i*vectorSize/2))
		}
	})
	castOf("int64", "int32", "Convert", func(x, y Mem) {
		for i := range 2 {
			v := registers(2)
			VMOVUPS(x.Offset(2*i*vectorSize), v[0])
			VSHUFPS(Imm(0x88), x.Offset((2*i+1)*vectorSize), v[0], v[0])
			VPERMQ(Imm(0xd8), v[0], v[0])
			VMOVDQU(v[0], y.Offset(i*vectorSize))
		}
	})
	castOf("float32", "uint8", "Truncate", func(x, y Mem) {
		e := float32s
		v := vec{x, x.Offset(vectorSize)}
		v = e.apply(e.min, e.apply(e.max, v, e.zero()), e.number(math.MaxUint8)) // 0 for NaN
		for i := range v {
			VCVTTPS2DQ(v[i], v[i])
		}
		VPACKUSDW(v[1], v[0], v[0])
		VPERMQ(Imm(0xd8), v[0], v[0])
		high := XMM()
		VEXTRACTI128(Imm(1), v[0], high)
		VPACKUSWB(high, v.xmm(0), high)
		VMOVDQU(high, y)
	})
}

// truncated converts a vector to integers as Truncate does: the instruction gives the least integer for what it cannot convert.
func truncated(from Mem, to reg.VecVirtual) {
	e := float32s
	x := e.loaded(vec{from})
	VCVTTPS2DQ(x[0], to)
	r := e.bitXor(vec{to}, e.is(greaterOrEqual, x, e.number(1<<31))) // the greatest integer is all but the sign
	r = e.without(r, e.is(unordered, x, x))
	e.move(r[0], to)
}

// cast writes a conversion by an instruction or a few that fill a vector of lanes elements.
func cast(from, to string, fromSize, lanes int, convert func(from Mem, to reg.VecVirtual)) {
	name := "Convert"
	if from == "float32" && to == "int32" {
		name = "Truncate"
	}
	castOf(from, to, name, func(x, y Mem) {
		for i := range halvesAtOnce / lanes {
			v := vector()
			convert(x.Offset(i*lanes*fromSize), v)
			VMOVDQU(v, y.Offset(i*vectorSize))
		}
	})
}

// castOf writes a conversion whose body makes halvesAtOnce elements.
func castOf(from, to, doc string, body func(x, y Mem)) {
	convert(from+"To"+strings.ToUpper(to[:1])+to[1:], from, to, doc, body)
}

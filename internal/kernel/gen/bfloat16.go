package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// halvesAtOnce is how many numbers are converted at a time: those of a cache line of float32.
const halvesAtOnce = 16

// bfloat16s writes the conversions from and to the upper halves of float32 numbers, for a number of elements that is a multiple of
// halvesAtOnce.
func bfloat16s() {
	e := float32s
	convert("decodeBFloat16", "uint16", "float32", "DecodeBFloat16", func(x, y Mem) {
		for i := range halvesAtOnce / e.lanes() {
			v := vector()
			VPMOVZXWD(x.Offset(i*vectorSize/2), v)
			VPSLLD(Imm(16), v, v)
			e.move(v, y.Offset(i*vectorSize))
		}
	})
	convert("encodeBFloat16", "float32", "uint16", "EncodeBFloat16", func(x, y Mem) {
		var v vec
		for i := range halvesAtOnce / e.lanes() {
			v = append(v, x.Offset(i*vectorSize))
		}
		v = e.loaded(v)
		high := registers(len(v))
		for i := range high {
			VPSRLD(Imm(16), v[i], high[i])
		}
		odd := e.bitAnd(high, e.word(1))
		r := e.apply(VPADDD, e.apply(VPADDD, v, odd), e.word(0x7fff))
		for i := range r {
			VPSRLD(Imm(16), r[i], r[i])
		}
		r = e.where(e.is(unordered, v, v), e.bitOr(high, e.word(0x40)), r) // quiet
		storeHalves(r, y)
	})
}

// storeHalves writes the lower halves of integers of 32 bits, whose upper ones are 0.
func storeHalves(r vec, to Mem) {
	if wide() {
		VPMOVDW(r[0], to)
		return
	}
	packed := vector()
	VPACKUSDW(r[1], r[0], packed)
	VPERMQ(Imm(0xd8), packed, packed)
	VMOVDQU(packed, to)
}

// convert writes a function that makes halvesAtOnce elements of y from x at a time.
func convert(name, from, to, doc string, body func(x, y Mem)) {
	if wide() {
		name += "_avx512"
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(x []%s, y []%s)", from, to))
	Doc(fmt.Sprintf("%s computes %s, for a multiple of %d elements.", name, doc, halvesAtOnce))
	Pragma("noescape")
	sizes := map[string]int{"uint8": 1, "uint16": 2, "float32": 4, "int32": 4, "float64": 8, "int64": 8}
	x, y, left := base("x"), base("y"), length("y")
	Label("block")
	body(Mem{Base: x}, Mem{Base: y})
	ADDQ(Imm(uint64(halvesAtOnce*sizes[from])), x)
	ADDQ(Imm(uint64(halvesAtOnce*sizes[to])), y)
	SUBQ(Imm(halvesAtOnce), left)
	JNZ(LabelRef("block"))
	end()
}

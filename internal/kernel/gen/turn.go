package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// turn writes the function that transposes a band of height vectors of rows, height 1 or 2. With two, whole cache lines are written.
func turn(e element, height int) {
	n := e.lanes()
	name := fmt.Sprintf("turn%d_%s", height*n, e.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(blocks int, src []uint%[1]s, srcRow int, dst []uint%[1]s, dstRow int)", e.bits))
	Doc(fmt.Sprintf("%s copies element i·srcRow+j of src to j·dstRow+i of dst, for i < %d and j < blocks·%d.", name, height*n, n))
	Pragma("noescape")
	srcRow := byteParam(e, "srcRow")
	last := base("src")
	rows := kept(n, func(i int) reg.GPVirtual {
		if i > 0 {
			row := GP64()
			LEAQ(Mem{Base: last, Index: srcRow, Scale: 1}, row)
			last = row
		}
		return last
	})
	left, dst, dstRow, at := param("blocks"), base("dst"), byteParam(e, "dstRow"), GP64()
	XORQ(at, at)
	if height == 2 {
		SHLQ(Imm(1), left) // halves of blocks
		Load(Param("srcRow"), srcRow)
		IMUL3Q(Imm(uint64(n)), srcRow, srcRow) // from a row of the first half to that of the second
	}
	Label("block")
	to := GP64()
	MOVQ(dst, to)
	columns(e, rows, at, func(x reg.VecVirtual) {
		e.move(x, Mem{Base: to})
		ADDQ(dstRow, to)
	})
	if height == 2 {
		ADDQ(srcRow, at)
		ADDQ(Imm(uint64(vectorSize)), dst)
		DECQ(left)
		TESTQ(U32(1), left)
		JNZ(LabelRef("block"))
		SUBQ(srcRow, at)
		SUBQ(srcRow, at)
		SUBQ(Imm(uint64(2*vectorSize)), dst)
	} else {
		DECQ(left)
	}
	ADDQ(Imm(uint64(n)), at)
	LEAQ(Mem{Base: dst, Index: dstRow, Scale: uint8(n)}, dst)
	TESTQ(left, left)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

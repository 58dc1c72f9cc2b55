package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// cacheLine is the bytes that memory comes in.
const cacheLine = 64

// prefetchRows writes the function that asks for the rows that ids of some bits name.
func prefetchRows(bits int) {
	name := fmt.Sprintf("prefetchRows_%d", bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(first *byte, width, most int, ids []int%d)", bits))
	Doc(fmt.Sprintf("%s asks for the first most bytes of the rows ids[i], each width bytes, of memory that begins at first. An id may be any", name),
		"number: what does not exist is not brought.")
	Pragma("noescape")
	first, width, most := param("first"), param("width"), param("most")
	ids, left := base("ids"), length("ids")
	Label("row")
	at, end := GP64(), GP64()
	if bits == 32 {
		MOVLQSX(Mem{Base: ids}, at)
	} else {
		MOVQ(Mem{Base: ids}, at)
	}
	IMULQ(width, at)
	ADDQ(first, at)
	LEAQ(Mem{Base: at, Index: most, Scale: 1}, end)
	Label("line")
	PREFETCHT0(Mem{Base: at})
	ADDQ(Imm(cacheLine), at)
	CMPQ(at, end)
	JLT(LabelRef("line"))
	ADDQ(Imm(uint64(bits/8)), ids)
	DECQ(left)
	JNZ(LabelRef("row"))
	RET()
}

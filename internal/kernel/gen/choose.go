package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// choose writes the function y = a where c is true, else b, whose operands a and b are as long as y or single elements.
func choose(e element) {
	name := "where_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(c []bool, a, b, y []uint%s)", e.bits))
	Doc(fmt.Sprintf("%s computes Where, for a multiple of %d elements. Each of a and b may have a single element, which stands for all.", name, e.lanes()))
	Pragma("noescape")
	c, a, b, y, left := Mem{Base: base("c")}, Mem{Base: base("a")}, Mem{Base: base("b")}, Mem{Base: base("y")}, length("y")
	loop := func(prefix string, a, b Op, moving ...reg.Register) {
		Label(prefix + "block")
		mask := vector()
		if e.size == 4 {
			VPMOVZXBD(c, mask)
			VPSLLD(Imm(31), mask, mask)
		} else {
			VPMOVZXBQ(c, mask)
			VPSLLQ(Imm(63), mask, mask)
		}
		e.move(e.where(vec{mask}, e.vectorAt(a, 0), e.vectorAt(b, 0))[0], y)
		for _, r := range append(moving, y.Base) {
			ADDQ(Imm(uint64(vectorSize)), r)
		}
		ADDQ(Imm(uint64(e.lanes())), c.Base)
		SUBQ(Imm(uint64(e.lanes())), left)
		JNZ(LabelRef(prefix + "block"))
		end()
	}
	CMPQ(length("a"), Imm(1))
	JE(LabelRef("single_a"))
	CMPQ(length("b"), Imm(1))
	JE(LabelRef("single_b"))
	loop("", a, b, a.Base, b.Base)
	Label("single_b")
	loop("b_", a, e.fill(b)[0], a.Base)
	Label("single_a")
	first := e.fill(a)[0]
	CMPQ(length("b"), Imm(1))
	JE(LabelRef("both"))
	loop("a_", first, b, b.Base)
	Label("both")
	loop("both_", first, e.fill(b)[0])
}

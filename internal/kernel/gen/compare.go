package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The integers that are compared.
var (
	int32s = element{name: "int32", bits: "int32", size: 4, broadcast: VPBROADCASTD, move: func(o ...Op) { VMOVDQU(o[0], o[1]) }}
	int64s = element{name: "int64", bits: "int64", size: 8, broadcast: VPBROADCASTQ, move: func(o ...Op) { VMOVDQU(o[0], o[1]) }}
)

// unequal is the predicate that is true where an operand is NaN.
const unequal = 4

// comparison is a function of two numbers that is true where the masks of its vectors are set, or where they are not.
type comparison struct {
	name, doc string
	masks     func(a, b vec) vec
	inverted  bool
}

// comparisons writes those of all types. Those of AVX2 serve AVX-512 too: they take no longer than memory does.
func comparisons() {
	for _, e := range []element{float32s, float64s} {
		holds := func(predicate uint64) func(a, b vec) vec {
			return func(a, b vec) vec { return e.is(predicate, a, b) }
		}
		for _, c := range []comparison{
			{"equal", "a = b", holds(equal), false}, {"notEqual", "a ≠ b", holds(unequal), false},
			{"less", "a < b", holds(less), false}, {"lessOrEqual", "a ≤ b", holds(lessOrEqual), false},
		} {
			compare(e, c)
		}
		finite := func(x, _ vec) vec { return e.is(less, e.bitAnd(x, e.magnitudes()), e.number(math.Inf(1))) }
		begin(e, "isFinite", "x", "x is finite")
		x, y, left := Mem{Base: base("x")}, Mem{Base: base("y")}, length("y")
		e.compareBlocks("", x, x, y, left, comparison{masks: finite}, []reg.Register{x.Base})
		end()
	}
	for _, e := range []element{int32s, int64s} {
		same, greater := VPCMPEQD, VPCMPGTD
		if e.size == 8 {
			same, greater = VPCMPEQQ, VPCMPGTQ
		}
		equal := func(a, b vec) vec { return e.apply(same, a, b) }
		for _, c := range []comparison{
			{"equal", "a = b", equal, false}, {"notEqual", "a ≠ b", equal, true},
			{"less", "a < b", func(a, b vec) vec { return e.apply(greater, b, a) }, false},
			{"lessOrEqual", "a ≤ b", func(a, b vec) vec { return e.apply(greater, a, b) }, true},
		} {
			compare(e, c)
		}
	}
}

// begin begins a function from slices of e to bools, for a multiple of 32 elements.
func begin(e element, name, slices, doc string) {
	name += "_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(%s []%s, y []bool)", slices, e.name))
	Doc(name + " computes whether " + doc + ", for a multiple of 32 elements.")
	Pragma("noescape")
}

// compare writes a comparison of operands that are as long as y or single elements.
func compare(e element, c comparison) {
	begin(e, c.name, "a, b", c.doc)
	a, b, y, left := Mem{Base: base("a")}, Mem{Base: base("b")}, Mem{Base: base("y")}, length("y")
	CMPQ(length("a"), Imm(1))
	JE(LabelRef("single_a"))
	CMPQ(length("b"), Imm(1))
	JE(LabelRef("single_b"))
	e.compareBlocks("", a, b, y, left, c, []reg.Register{a.Base, b.Base})
	end()
	Label("single_a")
	e.compareBlocks("a_", e.fill(a)[0], b, y, left, c, []reg.Register{b.Base})
	end()
	Label("single_b")
	e.compareBlocks("b_", a, e.fill(b)[0], y, left, c, []reg.Register{a.Base})
	end()
}

// compareBlocks writes the loop over 32 elements at a time. An operand is in memory, where its address moves on, or one register for all.
func (e element) compareBlocks(prefix string, a, b Op, y Mem, left reg.Register, c comparison, moving []reg.Register) {
	Label(prefix + "block")
	vectors := 32 / e.lanes()
	next := func(i int) Op { return c.masks(e.vectorAt(a, i), e.vectorAt(b, i))[0] }
	masks := make(vec, 4) // of words of 32 bits
	for i := range masks {
		if masks[i] = next(i * vectors / 4); e.size == 8 {
			VSHUFPS(Imm(0x88), next(2*i+1), masks[i], masks[i].(reg.VecVirtual))
			VPERMQ(Imm(0xd8), masks[i], masks[i])
		}
	}
	VPACKSSDW(masks[1], masks[0], masks[0])
	VPACKSSDW(masks[3], masks[2], masks[2])
	VPACKSSWB(masks[2], masks[0], masks[0])
	order := float32s.loaded(constant("order", 4, func(i int) uint64 { return uint64(i/2 + i%2*4) }))
	VPERMD(masks[0], order[0], masks[0])
	one := repeat(4, 0x01010101)[0]
	if c.inverted {
		VPANDN(one, masks[0], masks[0])
	} else {
		VPAND(one, masks[0], masks[0])
	}
	VMOVDQU(masks[0], y)
	for _, r := range moving {
		ADDQ(U32(uint32(32*e.size)), r)
	}
	ADDQ(Imm(32), y.Base)
	SUBQ(Imm(32), left)
	JNZ(LabelRef(prefix + "block"))
}

// vectorAt returns vector i of an operand that is in memory, or the register that stands for all.
func (e element) vectorAt(x Op, i int) vec {
	if m, ok := x.(Mem); ok {
		return vec{m.Offset(i * vectorSize)}
	}
	return vec{x}
}

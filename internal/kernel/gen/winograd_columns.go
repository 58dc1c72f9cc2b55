package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// winogradColumns writes the function that sorts columns.
func winogradColumns() {
	e := float32s
	winogradFunction("winogradColumns", "rows, n int, x []float32, row int, first, second []float32, to int", "winogradTable.columns.")
	x, first, second := base("x"), base("first"), base("second")
	row, to, rows, left, passed := byteParam(e, "row"), byteParam(e, "to"), param("rows"), GP64(), GP64()
	both := amount(2 * e.lanes())
	store := func(x [2]reg.VecVirtual) {
		for i, p := range []reg.GPVirtual{first, second} {
			e.move(alternate(x, i), Mem{Base: p, Index: passed, Scale: 1})
		}
	}
	Label("row")
	Load(Param("n"), left)
	XORQ(passed, passed)
	SUBQ(both, left)
	JL(LabelRef("tail"))
	Label("vector")
	low, high := vector(), vector()
	e.move(Mem{Base: x, Index: passed, Scale: 2}, low)
	e.move(Mem{Base: x, Index: passed, Scale: 2, Disp: vectorSize}, high)
	store([2]reg.VecVirtual{low, high})
	ADDQ(amount(vectorSize), passed)
	SUBQ(both, left)
	JGE(LabelRef("vector"))
	Label("tail")
	ADDQ(both, left)
	JZ(LabelRef("next"))
	mask := ones(e, left, 2)
	e.maskedMove(Mem{Base: x, Index: passed, Scale: 2}, mask[0], low)
	e.maskedMove(Mem{Base: x, Index: passed, Scale: 2, Disp: vectorSize}, mask[1], high)
	store([2]reg.VecVirtual{low, high})
	Label("next")
	ADDQ(row, x)
	ADDQ(to, first)
	ADDQ(to, second)
	DECQ(rows)
	JNZ(LabelRef("row"))
	end()
}

// alternate returns every second element of two vectors, from element i on.
func alternate(x [2]reg.VecVirtual, i int) reg.VecVirtual {
	r := vector()
	if wide() {
		VMOVUPS(everySecond(i), r)
		VPERMI2PS(x[1], x[0], r)
		return r
	}
	VSHUFPS(Imm([]uint64{0x88, 0xdd}[i]), x[1], x[0], r)
	VPERMPD(Imm(0xd8), r, r)
	return r
}

// placesOf returns a table, which is written the first time, of the places from which a permutation takes its elements.
func placesOf(name string, place func(i int) int) Mem {
	if t, ok := placeTables[name]; ok {
		return t
	}
	t := GLOBL(name, RODATA|NOPTR)
	for i := range float32s.lanes() {
		DATA(4*i, U32(uint32(place(i))))
	}
	placeTables[name] = t
	return t
}

var placeTables = map[string]Mem{}

// everySecond are the places for alternate.
func everySecond(i int) Mem {
	return placesOf(fmt.Sprintf("everySecond%d", i), func(k int) int { return 2*k + i })
}

// inTurn are the places for half of interleave.
func inTurn(half int) Mem {
	n := float32s.lanes()
	return placesOf(fmt.Sprintf("inTurn%d", half), func(k int) int { return (half*n+k)/2 + k%2*n })
}

// interleave returns the elements of a and b in turn.
func interleave(a, b reg.VecVirtual) [2]reg.VecVirtual {
	low, high, first, second := vector(), vector(), vector(), vector()
	if wide() {
		VMOVUPS(inTurn(0), first)
		VMOVUPS(inTurn(1), second)
		VPERMI2PS(b, a, first)
		VPERMI2PS(b, a, second)
		return [2]reg.VecVirtual{first, second}
	}
	VUNPCKLPS(b, a, low)
	VUNPCKHPS(b, a, high)
	VPERM2F128(Imm(0x20), high, low, first)
	VPERM2F128(Imm(0x31), high, low, second)
	return [2]reg.VecVirtual{first, second}
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// winogradFilters writes G·g·Gᵀ.
func winogradFilters() {
	e := float32s
	winogradFunction("winogradFilters", "n int, g []float32, gPlane int, u []float32, uPlane int", "winogradTable.filters.")
	half := e.loaded(e.number(0.5))
	inPlanes("g", "gPlane", 9, "u", "uPlane", 16, func(load func(i int) vec, store func(i int, x vec)) {
		rowOf := func(r int, t [3]vec) {
			store(4*r, t[0])
			sum := e.times(e.plus(t[0], t[2]), half)
			mid := e.times(t[1], half)
			store(4*r+1, e.plus(sum, mid))
			store(4*r+2, e.minus(sum, mid))
			store(4*r+3, t[2])
		}
		rowOf(0, [3]vec{load(0), load(1), load(2)})
		var inner, odd [3]vec // half of rows 0 and 2 of g, half of row 1
		for j := range 3 {
			inner[j] = e.times(e.plus(load(j), load(6+j)), half)
			odd[j] = e.times(load(3+j), half)
		}
		rowOf(1, [3]vec{e.plus(inner[0], odd[0]), e.plus(inner[1], odd[1]), e.plus(inner[2], odd[2])})
		rowOf(2, [3]vec{e.minus(inner[0], odd[0]), e.minus(inner[1], odd[1]), e.minus(inner[2], odd[2])})
		rowOf(3, [3]vec{load(6), load(7), load(8)})
	})
}

// winogradTaps writes Gᵀ·s·G, s with the signs that winogradGrads left out.
func winogradTaps() {
	e := float32s
	winogradFunction("winogradTaps", "n int, s []float32, sPlane int, g []float32, gPlane int", "winogradTable.taps.")
	half := e.loaded(e.number(0.5))
	inPlanes("s", "sPlane", 16, "g", "gPlane", 9, func(load func(i int) vec, store func(i int, x vec)) {
		var t [3][side]vec // Gᵀ·s
		for j := range side {
			sum := e.times(e.plus(load(4+j), load(8+j)), half)
			t[1][j] = e.times(e.minus(load(4+j), load(8+j)), half)
			t[0][j] = e.plus(sum, load(j))
			t[2][j] = e.minus(sum, load(12+j))
		}
		for r := range t {
			sum := e.times(e.plus(t[r][1], t[r][2]), half)
			store(3*r, e.plus(sum, t[r][0]))
			store(3*r+1, e.times(e.minus(t[r][1], t[r][2]), half))
			store(3*r+2, e.minus(sum, t[r][3]))
		}
	})
}

// inPlanes does body for every vector of n elements of planes of from, and of to.
func inPlanes(from, fromPlane string, fromCount int, to, toPlane string, toCount int, body func(load func(i int) vec, store func(i int, x vec))) {
	e := float32s
	left, source, target := param("n"), base(from), base(to)
	sourceStep, targetStep := byteParam(e, fromPlane), byteParam(e, toPlane)
	at := func(first, step reg.GPVirtual, i int) Mem {
		if i == 0 {
			return Mem{Base: first}
		}
		p := GP64()
		IMUL3Q(Imm(uint64(i)), step, p)
		return Mem{Base: first, Index: p, Scale: 1}
	}
	var mask Op
	load := func(i int) vec {
		x := vector()
		if m := at(source, sourceStep, i); mask == nil {
			e.move(m, x)
		} else {
			e.maskedMove(m, mask, x)
		}
		return vec{x}
	}
	store := func(i int, x vec) {
		if m := at(target, targetStep, i); mask == nil {
			e.move(x[0], m)
		} else {
			e.maskedMove(x[0], mask, m)
		}
	}
	SUBQ(amount(e.lanes()), left)
	JL(LabelRef("tail"))
	Label("vectors")
	body(load, store)
	ADDQ(amount(vectorSize), source)
	ADDQ(amount(vectorSize), target)
	SUBQ(amount(e.lanes()), left)
	JGE(LabelRef("vectors"))
	Label("tail")
	ADDQ(amount(e.lanes()), left)
	JZ(LabelRef("done"))
	mask = ones(e, left, 1)[0]
	body(load, store)
	Label("done")
	VZEROUPPER()
	RET()
}

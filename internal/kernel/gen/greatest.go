package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// extremeOf writes the function that returns the greatest element or the least.
func extremeOf(e element, name, doc string, choose func(...Op)) {
	name += "_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(x []%[1]s) (extreme %[1]s)", e.name))
	Doc(name + " computes " + doc + ", but for the sign of 0.")
	Pragma("noescape")
	w := newWalk(e, "x")
	best, missing := w.single("x"), e.zero()
	w.run("", length("x"), func() {
		x := w.load("x")
		if w.mask != nil {
			x = e.where(vec{w.mask}, x, best)
		}
		nan := e.bitsOf(e.is(unordered, x, x))
		for i := range x {
			choose(x[i], best[0], best[0])
			e.or(nan[i], missing[0], missing[0])
		}
	})
	best = e.bitOr(best, missing) // a number whose bits are all set is NaN
	best = e.fold(best, func(a, b vec) vec {
		return e.bitOr(e.apply(choose, a, b), e.is(unordered, a, a)) // the instruction gives b where one is NaN
	})
	to := argument(Return("extreme"))
	if e.size == 4 {
		VMOVSS(best.xmm(0), to)
	} else {
		VMOVSD(best.xmm(0), to)
	}
	end()
}

// fold joins the elements of a register by f; the result is in the first element.
func (e element) fold(x vec, f func(a, b vec) vec) vec {
	other := registers(1)
	if wide() {
		VSHUFF64X2(Imm(0x4e), x[0], x[0], other[0])
		x = f(x, other)
		VSHUFF64X2(Imm(0xb1), x[0], x[0], other[0])
	} else {
		VPERM2F128(Imm(1), x[0], x[0], other[0])
	}
	x = f(x, other)
	VPERMILPD(Imm(0x55), x[0], other[0])
	x = f(x, other)
	if e.size == 4 {
		VPERMILPS(Imm(0xb1), x[0], other[0])
		x = f(x, other)
	}
	return x
}

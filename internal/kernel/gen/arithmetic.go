package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The methods of this file emit one instruction or a few, whose result is a new register. Their last operand may be in memory.

// apply emits an instruction of two operands.
func apply(f func(...Op), a, b Op) vec {
	r := YMM()
	f(b, a, r)
	return r
}

func (e element) plus(a, b Op) vec    { return apply(e.add, a, b) }
func (e element) minus(a, b Op) vec   { return apply(e.sub, a, b) }
func (e element) times(a, b Op) vec   { return apply(e.mul, a, b) }
func (e element) over(a, b Op) vec    { return apply(e.div, a, b) }
func (e element) bitAnd(a, b Op) vec  { return apply(e.and, a, b) }
func (e element) bitOr(a, b Op) vec   { return apply(e.or, a, b) }
func (e element) bitXor(a, b Op) vec  { return apply(e.xor, a, b) }
func (e element) without(a, b Op) vec { return apply(e.andNot, b, a) } // a, but not the bits of b

// root computes √a.
func (e element) root(a Op) vec {
	r := YMM()
	e.sqrt(a, r)
	return r
}

// where returns a where the mask is set, else b.
func (e element) where(mask, a, b Op) vec {
	r := YMM()
	e.blend(mask, a, b, r)
	return r
}

// Predicates of comparisons: false where an operand is NaN, but for notLessOrEqual and unordered.
const (
	equal       = 0
	less        = 1
	lessOrEqual = 2
	unordered   = 3
	// notLessOrEqual = 6 and ordered = 7 are in pool.go.
	greaterOrEqual = 13
	greater        = 14
)

// is returns the mask of the elements for which the predicate of a and b holds.
func (e element) is(predicate uint64, a, b Op) vec {
	r := YMM()
	e.compare(Imm(predicate), b, a, r)
	return r
}

// zero returns a register of zeros.
func (e element) zero() vec {
	r := YMM()
	e.xor(r, r, r)
	return r
}

// copied loads a register from memory or another register.
func (e element) copied(a Op) vec {
	r := YMM()
	e.move(a, r)
	return r
}

// greatest computes Go's max: NaN where an operand is, and +0 of zeros of both signs.
func (e element) greatest(a, b vec) vec { return e.extreme(e.max, e.and, a, b) }

// least computes Go's min: NaN where an operand is, and −0 of zeros of both signs.
func (e element) least(a, b vec) vec { return e.extreme(e.min, e.or, a, b) }

// extreme computes the greater or the lesser. The instruction gives b where one of both is NaN or both are 0; zero joins the signs of zeros.
func (e element) extreme(choose, zero func(...Op), a, b vec) vec {
	r := e.where(e.is(equal, a, b), apply(zero, a, b), apply(choose, a, b))
	return e.where(e.is(unordered, a, a), a, r)
}

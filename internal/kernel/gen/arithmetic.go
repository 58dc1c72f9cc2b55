package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vec is the elements that are computed at a time: one vector or several, which are computed in turns, because an instruction's result
// takes its time. A vec of one vector may stand for as many as the other operands have. Vectors are registers or memory.
type vec []Op

// The methods of this file emit an instruction or a few for each vector. Results are new registers.

// at returns vector i.
func (v vec) at(i int) Op {
	if len(v) == 1 {
		return v[0]
	}
	return v[i]
}

// width returns the number of vectors of an operation.
func width(operands ...vec) (n int) {
	for _, v := range operands {
		n = max(n, len(v))
	}
	return n
}

// registers returns n new registers.
func registers(n int) vec {
	v := make(vec, n)
	for i := range v {
		v[i] = vector()
	}
	return v
}

// xmm returns the low half of vector i, a register.
func (v vec) xmm(i int) Op { return v[i].(reg.VecVirtual).AsX() }

// shared prepares a for an operation on n vectors: what all of them read from memory is read once.
func (e element) shared(v vec, n int) vec {
	if n > 1 && len(v) == 1 {
		return e.loaded(v)
	}
	return v
}

// loaded returns v in registers.
func (e element) loaded(v vec) vec {
	r := make(vec, len(v))
	for i, x := range v {
		if _, inMemory := x.(Mem); inMemory {
			r[i] = vector()
			e.move(x, r[i])
		} else {
			r[i] = x
		}
	}
	return r
}

// copied returns n registers with what v holds.
func (e element) copied(v vec, n int) vec {
	v = e.shared(v, n)
	r := registers(n)
	for i := range r {
		e.move(v.at(i), r[i])
	}
	return r
}

// apply emits an instruction of two operands.
func (e element) apply(f func(...Op), a, b vec) vec {
	n := width(a, b)
	a, b = e.loaded(a), e.shared(b, n)
	r := registers(n)
	for i := range r {
		f(b.at(i), a.at(i), r[i])
	}
	return r
}

func (e element) plus(a, b vec) vec   { return e.apply(e.add, a, b) }
func (e element) minus(a, b vec) vec  { return e.apply(e.sub, a, b) }
func (e element) times(a, b vec) vec  { return e.apply(e.mul, a, b) }
func (e element) over(a, b vec) vec   { return e.apply(e.div, a, b) }
func (e element) bitXor(a, b vec) vec { return e.apply(e.xor, a, b) }

// bitAnd computes a & b; one or both may be masks.
func (e element) bitAnd(a, b vec) vec {
	switch {
	case a.isMask() && b.isMask():
		return bothMasks(a, b)
	case a.isMask():
		return e.selected(a, b)
	case b.isMask():
		return e.selected(b, a)
	}
	return e.apply(e.and, a, b)
}

// bitOr computes a | b; b may be a mask.
func (e element) bitOr(a, b vec) vec { return e.apply(e.or, a, e.bitsOf(b)) }

// without returns a, but not the bits of b, which may be a mask.
func (e element) without(a, b vec) vec {
	if b.isMask() {
		return e.selected(notMask(b), a)
	}
	return e.apply(e.andNot, b, a)
}

// inPlace emits an instruction of three operands that changes r.
func (e element) inPlace(f func(...Op), r, a, b vec) {
	a, b = e.loaded(a), e.shared(b, len(r))
	for i := range r {
		f(b.at(i), a.at(i), r[i])
	}
}

// addProduct computes r += a·b, mulAdd r = r·a + b, and subProduct r −= a·b, each with one rounding.
func (e element) addProduct(r, a, b vec) { e.inPlace(e.fma, r, a, b) }
func (e element) mulAdd(r, a, b vec)     { e.inPlace(e.fmaInto, r, a, b) }
func (e element) subProduct(r, a, b vec) { e.inPlace(e.fmaNegative, r, a, b) }

// fused computes a·b + c with one rounding.
func (e element) fused(a, b, c vec) vec {
	r := e.copied(c, width(a, b, c))
	e.addProduct(r, a, b)
	return r
}

// remainder computes c − a·b with one rounding.
func (e element) remainder(c, a, b vec) vec {
	r := e.copied(c, width(a, b, c))
	e.subProduct(r, a, b)
	return r
}

// polynomial computes c[0] + c[1]·x + c[2]·x² + …
func (e element) polynomial(x vec, c ...float64) vec {
	p := e.copied(e.number(c[len(c)-1]), len(x))
	for i := len(c) - 2; i >= 0; i-- {
		e.mulAdd(p, x, e.number(c[i]))
	}
	return p
}

// evenOdd computes what polynomial does by its even and its odd terms, which do not wait for each other.
func (e element) evenOdd(x vec, c ...float64) vec {
	var terms [2][]float64
	for i, v := range c {
		terms[i%2] = append(terms[i%2], v)
	}
	t := e.times(x, x)
	even, odd := e.polynomial(t, terms[0]...), e.polynomial(t, terms[1]...)
	e.addProduct(even, odd, x)
	return even
}

// atLeast returns the greater of x and a limit; NaN stays NaN.
func (e element) atLeast(limit float64, x vec) vec { return e.apply(e.max, e.number(limit), x) }

// atMost returns the lesser of x and a limit; NaN stays NaN.
func (e element) atMost(limit float64, x vec) vec { return e.apply(e.min, e.number(limit), x) }

// root computes √a.
func (e element) root(a vec) vec {
	r := registers(len(a))
	for i := range r {
		e.sqrt(a[i], r[i])
	}
	return r
}

// rounded computes a rounded to an integer.
func (e element) rounded(how uint64, a vec) vec {
	r := registers(len(a))
	for i := range r {
		e.round(Imm(how), a[i], r[i])
	}
	return r
}

// where returns a where the mask is set, else b.
func (e element) where(mask, a, b vec) vec {
	n := width(mask, a, b)
	a, b = e.shared(a, n), e.loaded(b)
	r := registers(n)
	for i := range r {
		e.blend(mask.at(i), a.at(i), b.at(i), r[i])
	}
	return r
}

// replace puts elements of a into the place of those of r that the mask selects.
func (e element) replace(r, mask, a vec) {
	for i := range r {
		e.blend(mask.at(i), a.at(i), r[i], r[i])
	}
}

// Predicates of comparisons: false where an operand is NaN, but for notLessOrEqual and unordered.
const (
	equal       = 0
	less        = 1
	lessOrEqual = 2
	unordered   = 3
	notEqual    = 12
	// notLessOrEqual = 6 and ordered = 7 are in pool.go.
	greaterOrEqual = 13
	greater        = 14
)

// is returns the mask of the elements for which the predicate of a and b holds.
func (e element) is(predicate uint64, a, b vec) vec {
	n := width(a, b)
	a, b = e.loaded(a), e.shared(b, n)
	r := newMasks(n)
	for i := range r {
		e.compare(Imm(predicate), b.at(i), a.at(i), r[i])
	}
	return r
}

// zero returns a register of zeros.
func (e element) zero() vec {
	r := vector()
	e.xor(r, r, r)
	return vec{r}
}

// greatest computes Go's max: NaN where an operand is, and +0 of zeros of both signs.
func (e element) greatest(a, b vec) vec { return e.extreme(e.max, e.and, a, b) }

// least computes Go's min: NaN where an operand is, and −0 of zeros of both signs.
func (e element) least(a, b vec) vec { return e.extreme(e.min, e.or, a, b) }

// extreme computes the greater or the lesser. The instruction gives b where one of both is NaN or both are 0; zero joins the signs of zeros.
func (e element) extreme(choose, zero func(...Op), a, b vec) vec {
	r := e.where(e.is(equal, a, b), e.apply(zero, a, b), e.apply(choose, a, b))
	return e.where(e.is(unordered, a, a), a, r)
}

package main

import "math"

// quads are the elements that are computed at a time: one vector register of 16 bytes or several, which are computed in turns, because an
// instruction's result takes its time. Quads of one register may stand for as many as the other operands have. A register may be a
// constant.
type quads []*register

// typed writes instructions on elements of a size.
type typed struct {
	*routine
	size int
}

func (r *routine) singles() typed { return typed{r, 4} }
func (r *routine) doubles() typed { return typed{r, 8} }

// mantissa returns the bits of a mantissa.
func (e typed) mantissa() int { return map[int]int{4: 23, 8: 52}[e.size] }

// at returns register i.
func (q quads) at(i int) *register {
	if len(q) == 1 {
		return q[0]
	}
	return q[i]
}

// number returns a constant whose elements are all v, and word one of integers.
func (e typed) number(v float64) quads {
	if e.size == 4 {
		return e.word(uint64(math.Float32bits(float32(v))))
	}
	return e.word(math.Float64bits(v))
}

func (e typed) word(v uint64) quads {
	if e.size == 4 {
		v &= math.MaxUint32
	}
	return quads{{vector: true, constant: &constantKey{e.size, v}}}
}

// signs returns a constant with only the bits of the signs set, and magnitudes one with all but them.
func (e typed) signs() quads      { return e.number(math.Copysign(0, -1)) }
func (e typed) magnitudes() quads { return e.word(uint64(1)<<(8*e.size-1) - 1) }

// value returns the register of x: of a constant one that keeps it, or one that it is read into.
func (r *routine) value(x *register) *register {
	if x.constant == nil {
		return x
	}
	if kept, ok := r.inRegisters[*x.constant]; ok {
		return kept
	}
	y := r.vector()
	if len(r.inRegisters) < r.kept {
		r.inRegisters[*x.constant] = y
		r.start = append(r.start, r.reading(*x.constant, y))
	} else {
		i := r.reading(*x.constant, y)
		r.code = append(r.code, i)
	}
	return y
}

// reading returns the instruction that reads a constant.
func (r *routine) reading(c constantKey, to *register) *instruction {
	if r.constantsAddress == nil {
		r.constantsAddress = r.general()
		address := &instruction{format: "MOVD $constants<>(SB), %v", arguments: []any{r.constantsAddress}}
		r.start = append([]*instruction{address}, r.start...)
	}
	return &instruction{format: "FMOVQ %d(%v), %v", arguments: []any{r.file.offset(c), r.constantsAddress, to}}
}

// values returns q with constants in registers.
func (r *routine) values(q quads) quads {
	v := make(quads, len(q))
	for i, x := range q {
		v[i] = r.value(x)
	}
	return v
}

// widest returns the number of registers of an operation.
func widest(operands ...quads) (n int) {
	for _, q := range operands {
		n = max(n, len(q))
	}
	return n
}

// registers returns n new registers.
func (r *routine) registers(n int) quads {
	q := make(quads, n)
	for i := range q {
		q[i] = r.vector()
	}
	return q
}

// zero returns a register of zeros.
func (r *routine) zero() *register {
	x := r.vector()
	r.encode(clearing(), x)
	return x
}

// copied returns n registers with what q holds, which may be changed.
func (r *routine) copied(q quads, n int) quads {
	to := r.registers(n)
	for i, y := range to {
		x := q.at(i)
		if x.constant != nil { // reading is free where computing is not
			r.code = append(r.code, r.reading(*x.constant, y))
			continue
		}
		r.code = append(r.code, &instruction{word: copying().word, format: copying().syntax, registers: []*register{y, x, x}, isCopy: true})
	}
	return to
}

// apply computes an instruction of two operands, and of one.
func (r *routine) apply(i encoding, a, b quads) quads {
	a, b = r.values(a), r.values(b)
	to := r.registers(widest(a, b))
	for j, x := range to {
		r.encode(i, x, a.at(j), b.at(j))
	}
	return to
}

func (r *routine) each(i encoding, a quads) quads {
	a = r.values(a)
	to := r.registers(len(a))
	for j, x := range to {
		r.encode(i, x, a[j])
	}
	return to
}

// inPlace computes an instruction that changes x.
func (r *routine) inPlace(i encoding, x, a, b quads) {
	a, b = r.values(a), r.values(b)
	for j := range x {
		r.encode(i, x[j], a.at(j), b.at(j))
	}
}

func (e typed) plus(a, b quads) quads  { return e.apply(three("fadd", e.size), a, b) }
func (e typed) minus(a, b quads) quads { return e.apply(three("fsub", e.size), a, b) }
func (e typed) times(a, b quads) quads { return e.apply(three("fmul", e.size), a, b) }
func (e typed) over(a, b quads) quads  { return e.apply(three("fdiv", e.size), a, b) }

// greater and lesser compute Go's max and min: NaN where an operand is, and of zeros of both signs +0 and −0.
func (e typed) greater(a, b quads) quads { return e.apply(three("fmax", e.size), a, b) }
func (e typed) lesser(a, b quads) quads  { return e.apply(three("fmin", e.size), a, b) }

// atLeast and atMost limit x; NaN stays NaN.
func (e typed) atLeast(limit float64, x quads) quads { return e.greater(x, e.number(limit)) }
func (e typed) atMost(limit float64, x quads) quads  { return e.lesser(x, e.number(limit)) }

// and, or, xor and without (a, but not the bits of b) are on bits.
func (e typed) and(a, b quads) quads     { return e.apply(three("and", e.size), a, b) }
func (e typed) or(a, b quads) quads      { return e.apply(three("orr", e.size), a, b) }
func (e typed) xor(a, b quads) quads     { return e.apply(three("eor", e.size), a, b) }
func (e typed) without(a, b quads) quads { return e.apply(three("bic", e.size), a, b) }

func (e typed) root(a quads) quads   { return e.each(two("fsqrt", e.size), a) }
func (e typed) negate(a quads) quads { return e.each(two("fneg", e.size), a) }

// rounded rounds to integers by the instruction name.
func (e typed) rounded(name string, a quads) quads { return e.each(two(name, e.size), a) }

// addInts and subInts are on integers.
func (e typed) addInts(a, b quads) quads { return e.apply(three("add", e.size), a, b) }
func (e typed) subInts(a, b quads) quads { return e.apply(three("sub", e.size), a, b) }

// shifted shifts integers by n bits.
func (e typed) shifted(name string, n int, a quads) quads {
	return e.each(shifting(name, e.size, n), a)
}

// addProduct computes x += a·b, and subProduct x −= a·b, with one rounding.
func (e typed) addProduct(x, a, b quads) { e.inPlace(three("fmla", e.size), x, a, b) }
func (e typed) subProduct(x, a, b quads) { e.inPlace(three("fmls", e.size), x, a, b) }

// fused computes a·b + c with one rounding, and remainder c − a·b.
func (e typed) fused(a, b, c quads) quads {
	x := e.copied(c, widest(a, b, c))
	e.addProduct(x, a, b)
	return x
}

func (e typed) remainder(c, a, b quads) quads {
	x := e.copied(c, widest(a, b, c))
	e.subProduct(x, a, b)
	return x
}

// polynomial computes c[0] + c[1]·x + c[2]·x² + …
func (e typed) polynomial(x quads, c ...float64) quads {
	p := e.number(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p = e.fused(p, x, e.number(c[i]))
	}
	return p
}

// evenOdd computes what polynomial does by its even and its odd terms, which do not wait for each other.
func (e typed) evenOdd(x quads, c ...float64) quads {
	var terms [2][]float64
	for i, v := range c {
		terms[i%2] = append(terms[i%2], v)
	}
	t := e.times(x, x)
	even, odd := e.polynomial(t, terms[0]...), e.polynomial(t, terms[1]...)
	e.addProduct(even, odd, x)
	return even
}

// The masks of the elements for which a comparison holds; it does not where an operand is NaN.
func (e typed) equal(a, b quads) quads          { return e.apply(three("fcmeq", e.size), a, b) }
func (e typed) less(a, b quads) quads           { return e.apply(three("fcmgt", e.size), b, a) }
func (e typed) lessOrEqual(a, b quads) quads    { return e.apply(three("fcmge", e.size), b, a) }
func (e typed) greaterOrEqual(a, b quads) quads { return e.apply(three("fcmge", e.size), a, b) }

// where returns a where the mask is set, else b.
func (e typed) where(mask, a, b quads) quads {
	x := e.copied(mask, widest(mask, a, b))
	e.inPlace(three("bsl", e.size), x, a, b)
	return x
}

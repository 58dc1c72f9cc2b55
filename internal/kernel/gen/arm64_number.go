package main

import (
	"fmt"
	"math"
	"strings"
)

// neonNumbers writes the functions that compare, choose and convert numbers, and powers of two numbers.
func neonNumbers(f *neonFile) {
	neonComparisons(f)
	for _, size := range []int{4, 8} {
		neonWhere(f, size)
	}
	neonCasts(f)
	neonPowers(f)
}

// operands begins a function of slices a and b, each as long as y or a single element, which goes over blocks of n elements of a size: it does
// body with what reads the elements of each, and goes on.
func (r *routine) operands(size, n int, body func(a, b func() quads), end func()) {
	e, left := typed{r, size}, r.length("y")
	p := map[string]*register{"a": r.base("a"), "b": r.base("b")}
	loop := func(prefix string, single map[string]bool) {
		read := map[string]func() quads{}
		for _, name := range []string{"a", "b"} {
			at := p[name]
			read[name] = func() quads { return r.wholes(at, n*size) }
			if single[name] {
				x := e.fillFrom(at)
				read[name] = func() quads { return x }
			}
		}
		r.label(prefix + "block")
		body(read["a"], read["b"])
		for _, name := range []string{"a", "b"} {
			if !single[name] {
				r.emit("ADD $%d, %v, %v", n*size, p[name], p[name])
			}
		}
		end()
		r.next(left, n, prefix+"block")
	}
	r.emit("CMP $1, %v", r.length("a"))
	r.branch("BEQ", "singleA")
	r.emit("CMP $1, %v", r.length("b"))
	r.branch("BEQ", "singleB")
	loop("", nil)
	r.emit("RET")
	r.label("singleA")
	r.emit("CMP $1, %v", r.length("b"))
	r.branch("BEQ", "both")
	loop("a_", map[string]bool{"a": true})
	r.emit("RET")
	r.label("singleB")
	loop("b_", map[string]bool{"b": true})
	r.emit("RET")
	r.label("both")
	loop("both_", map[string]bool{"a": true, "b": true})
}

// neonComparisons writes the comparisons of floats and of integers, for a multiple of 32 elements.
func neonComparisons(f *neonFile) {
	for _, t := range []struct {
		name, end, equal, more, notLess string
		size                            int
	}{
		{"float32", "32", "fcmeq", "fcmgt", "fcmge", 4}, {"float64", "64", "fcmeq", "fcmgt", "fcmge", 8},
		{"int32", "int32", "cmeq", "cmgt", "cmge", 4}, {"int64", "int64", "cmeq", "cmgt", "cmge", 8},
	} {
		for _, c := range []struct {
			name, doc, instruction string
			turned, inverted       bool
		}{
			{"equal", "a = b", t.equal, false, false}, {"notEqual", "a ≠ b", t.equal, false, true},
			{"less", "a < b", t.more, true, false}, {"lessOrEqual", "a ≤ b", t.notLess, true, false},
		} {
			doc := fmt.Sprintf("computes whether %s, for a multiple of 32 elements", c.doc)
			f.function(c.name+"_"+t.end, fmt.Sprintf("func(a, b []%s, y []bool)", t.name), doc, func(r *routine) {
				y := r.base("y")
				r.operands(t.size, 128/t.size, func(a, b func() quads) {
					p, q := a(), b()
					if c.turned {
						p, q = q, p
					}
					r.storeBools(t.size, r.apply(three(c.instruction, t.size), p, q), c.inverted, y)
				}, func() { r.emit("ADD $%d, %v, %v", 128/t.size, y, y) })
			})
		}
		if t.equal == "fcmeq" {
			doc := "computes whether x is finite, for a multiple of 32 elements"
			f.function("isFinite_"+t.end, fmt.Sprintf("func(x []%s, y []bool)", t.name), doc, func(r *routine) {
				e, x, y, left := typed{r, t.size}, r.base("x"), r.base("y"), r.length("y")
				r.label("block")
				v := e.magnitude(r.wholes(x, 128))
				r.storeBools(t.size, e.less(v, e.number(math.Inf(1))), false, y)
				r.emit("ADD $128, %v, %v", x, x)
				r.emit("ADD $%d, %v, %v", 128/t.size, y, y)
				r.next(left, 128/t.size, "block")
			})
		}
	}
}

// storeBools writes eight registers of masks of elements of a size, or one that stands for them, as bytes that are 0 or 1.
func (r *routine) storeBools(size int, masks quads, inverted bool, y *register) {
	for len(masks) < 8 {
		masks = append(masks, masks[0])
	}
	for width := size; width > 1; width /= 2 {
		halves := quads{}
		for i := 0; i < len(masks); i += 2 {
			halves = append(halves, r.apply(uzpOf(width/2), masks[i:i+1], masks[i+1:i+2])...)
		}
		masks = halves
	}
	name := "and"
	if inverted {
		name = "bic"
	}
	ones := r.singles().word(0x01010101)
	r.storeWholes(r.apply(three(name, 1), ones, masks), y, 16*len(masks))
}

// uzpOf returns the instruction that joins the lower halves of the elements of two registers, to elements of a size.
func uzpOf(size int) encoding {
	word := map[int]uint32{4: 0x4e801800, 2: 0x4e401800, 1: 0x4e001800}[size]
	a := map[int]string{4: "4s", 2: "8h", 1: "16b"}[size]
	return encoding{word, fmt.Sprintf("uzp1 v%%d.%s, v%%d.%[1]s, v%%d.%[1]s", a)}
}

// neonWhere writes the function y = a where c is true, else b, for a multiple of 8 elements.
func neonWhere(f *neonFile, size int) {
	doc := "computes Where, for a multiple of 8 elements. Each of a and b may have a single element, which stands for all"
	f.function(fmt.Sprint("where_", 8*size), fmt.Sprintf("func(c []bool, a, b, y []uint%d)", 8*size), doc, func(r *routine) {
		e, c, y := typed{r, size}, r.base("c"), r.base("y")
		r.operands(size, 8, func(a, b func() quads) {
			wide := r.each(bytesLow, r.wholes(c, 8))
			wide = append(r.each(halvesLow, wide), r.each(halvesHigh, wide)...)
			if size == 8 {
				wide = append(append(quads{}, r.each(longLow, wide[:1])[0], r.each(longHigh, wide[:1])[0]), r.each(longLow, wide[1:])[0], r.each(longHigh, wide[1:])[0])
			}
			mask := e.apply(three("cmgt", size), wide, e.word(0))
			r.storeWholes(e.where(mask, a(), b()), y, 8*size)
		}, func() {
			r.emit("ADD $8, %v, %v", c, c)
			r.emit("ADD $%d, %v, %v", 8*size, y, y)
		})
	})
}

// neonCasts writes the conversions between the types of numbers that take no more than a few instructions, for a multiple of 16 elements.
func neonCasts(f *neonFile) {
	both := func(r *routine, low, high encoding, x quads) (y quads) {
		for i := range x {
			y = append(append(y, r.each(low, x[i:i+1])...), r.each(high, x[i:i+1])...)
		}
		return y
	}
	joined := func(r *routine, size int, x quads) (y quads) {
		for i := 0; i < len(x); i += 2 {
			y = append(y, r.apply(uzpOf(size), x[i:i+1], x[i+1:i+2])...)
		}
		return y
	}
	bytes := func(r *routine, x quads) quads {
		return both(r, halvesLow, halvesHigh, both(r, bytesLow, bytesHigh, x))
	}
	float := func(e typed, x quads) quads { return e.each(two("scvtf", e.size), x) }
	for _, c := range []struct {
		from, to string
		body     func(r *routine, x quads) quads
	}{
		{"int32", "float32", func(r *routine, x quads) quads { return float(r.singles(), x) }},
		{"int32", "float64", func(r *routine, x quads) quads { return float(r.doubles(), both(r, signedLow, signedHigh, x)) }},
		{"int32", "int64", func(r *routine, x quads) quads { return both(r, signedLow, signedHigh, x) }},
		{"int64", "int32", func(r *routine, x quads) quads { return joined(r, 4, x) }},
		{"uint8", "float32", func(r *routine, x quads) quads { return float(r.singles(), bytes(r, x)) }},
		{"uint8", "int32", bytes},
		{"uint8", "int64", func(r *routine, x quads) quads { return both(r, longLow, longHigh, bytes(r, x)) }},
		{"float32", "float64", func(r *routine, x quads) quads { return r.widened(x) }},
		{"float64", "float32", func(r *routine, x quads) quads { return r.narrowed(x) }},
		{"float32", "int32", func(r *routine, x quads) quads { return r.each(two("fcvtzs", 4), x) }},
		{"float32", "uint8", func(r *routine, x quads) quads {
			x = r.apply(three("umin", 4), r.each(two("fcvtzu", 4), x), r.singles().word(math.MaxUint8))
			return joined(r, 1, joined(r, 2, x))
		}},
	} {
		sizes := map[string]int{"int32": 4, "int64": 8, "uint8": 1, "float32": 4, "float64": 8}
		doc := "Convert"
		if strings.HasPrefix(c.from, "float") && !strings.HasPrefix(c.to, "float") {
			doc = "Truncate"
		}
		name := c.from + "To" + strings.ToUpper(c.to[:1]) + c.to[1:]
		f.conversion(name, fmt.Sprintf("x []%s, y []%s", c.from, c.to), doc, 16*sizes[c.from], 16*sizes[c.to], c.body)
	}
}

// neonPowers writes the power of two numbers.
func neonPowers(f *neonFile) {
	f.function("pow_32", "func(a, b, y []float32)", "computes y = aᵇ, in float64, for exponents that are finite and not 0", func(r *routine) {
		w, e := r.newSweep(4, []string{"a", "b", "y"}, nil), r.doubles()
		w.most = 1
		fraction := func(x quads) quads { return e.minus(x, e.rounded("frintm", x)) }
		w.run(r.length("y"), func() {
			b := w.loadDouble("b")
			odd := e.equal(fraction(e.times(b, e.number(0.5))), e.number(0.5))
			whole := e.equal(fraction(b), e.number(0))
			w.storeDouble(e.powerFor(w.loadDouble("a"), b, odd, whole), "y")
		})
	})
}

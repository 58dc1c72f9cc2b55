package main

import (
	"fmt"
	"strings"
)

// neonRows writes the functions that are called by their names and not from a table.
func neonRows(f *neonFile) {
	for _, size := range []int{4, 8} {
		neonSumsOfRows(f, size)
		neonGreaterInto(f, size, 1)
		neonGreaterInto(f, size, 4)
		neonSumRows(f, size)
		neonTurn(f, size, 1)
		neonTurn(f, size, 2)
		neonPrefetchRows(f, size)
	}
	neonConversions(f)
}

// named writes a function over rows of a size and sums of float64, whose name has no line before the bits.
func (f *neonFile) named(size int, name, slices, doc string, body func(w *sweep, e typed)) {
	signature := fmt.Sprintf("func(%s []%s, acc []float64)", slices, typeName(size))
	f.function(fmt.Sprint(name, 8*size), signature, "computes "+doc, func(r *routine) {
		w := r.newSweep(size, strings.Split(slices, ", "), []string{"acc"})
		w.run(r.length("x"), func() { body(w, r.doubles()) })
	})
}

// neonSumsOfRows writes the functions that add rows and products of rows to sums, and join rows with the greatest or the least elements.
func neonSumsOfRows(f *neonFile, size int) {
	f.named(size, "sumInto", "x", "SumInto", func(w *sweep, e typed) {
		w.store(e.plus(w.load("acc"), w.loadDouble("x")), "acc")
	})
	f.named(size, "greatestInto", "x", "GreatestInto", func(w *sweep, e typed) {
		w.store(e.greater(w.load("acc"), w.loadDouble("x")), "acc")
	})
	f.named(size, "leastInto", "x", "LeastInto", func(w *sweep, e typed) {
		w.store(e.lesser(w.load("acc"), w.loadDouble("x")), "acc")
	})
	f.named(size, "sumFourInto", "x, x1, x2, x3", "SumInto for four rows, one after another", func(w *sweep, e typed) {
		acc := w.load("acc")
		for _, x := range rowNames(4) {
			acc = e.plus(acc, w.loadDouble(x))
		}
		w.store(acc, "acc")
	})
	f.named(size, "productsInto", "x, y", "productsInto", func(w *sweep, e typed) {
		w.store(e.plus(w.load("acc"), e.times(w.loadDouble("x"), w.loadDouble("y"))), "acc")
	})
}

// neonGreaterInto writes the function that keeps the greater of a row and of each of rows that follow one another, and where it stands.
func neonGreaterInto(f *neonFile, size, rows int) {
	name, doc := fmt.Sprint("greaterInto", 8*size), "greaterInto"
	if rows > 1 {
		name, doc = fmt.Sprint("greaterFourInto", 8*size), "greaterInto for four rows, one after another"
	}
	xs := rowNames(rows)
	signature := fmt.Sprintf("func(%s, y []%s, arg []int%[3]d, row int%[3]d)", strings.Join(xs, ", "), typeName(size), 8*size)
	f.function(name, signature, "computes "+doc, func(r *routine) {
		w, e := r.newSweep(size, append([]string{"y", "arg"}, xs...), nil), typed{r, size}
		row := r.general()
		r.emit(map[int]string{4: "MOVW", 8: "MOVD"}[size]+" %v, %v", r.argument("row", ""), row)
		at := []quads{r.spread(row, size)}
		for i := 1; i < rows; i++ {
			at = append(at, e.addInts(at[i-1], e.word(1)))
		}
		w.run(r.length("x"), func() {
			y, arg := w.load("y"), w.load("arg")
			for i, name := range xs {
				x := w.load(name)
				more := e.without(e.equal(y, y), e.lessOrEqual(x, y)) // a NaN that is there stays
				y, arg = e.where(more, x, y), e.where(more, at[i], arg)
			}
			w.store(y, "y")
			w.store(arg, "arg")
		})
	})
}

// spread returns a register filled with an integer of a size.
func (r *routine) spread(n *register, size int) quads {
	x := r.vector()
	r.emit("VDUP %v, %v", n, arranged{x, map[int]string{4: "S4", 8: "D2"}[size]})
	return quads{x}
}

// neonSumRows writes the function that adds rows to sums of float64. It goes down some columns at a time, whose sums stay in registers.
func neonSumRows(f *neonFile, size int) {
	signature := fmt.Sprintf("func(rows int, x []%s, row int, acc []float64)", typeName(size))
	f.function(fmt.Sprint("sumRows", 8*size), signature, "computes SumRowsInto", func(r *routine) {
		x, acc, row, left := r.base("x"), r.base("acc"), r.bytes("row", size), r.length("acc")
		for _, columns := range []int{16, 4, 1} {
			label := fmt.Sprint("columns", columns)
			r.emit("CMP $%d, %v", columns, left)
			r.branch("BLT", label+"Done")
			r.label(label)
			sums := r.wholes(acc, 8*columns)
			p, n := r.general(), r.param("rows")
			r.emit("MOVD %v, %v", x, p)
			r.label(label + "Row")
			v := r.wholes(p, size*columns)
			if size == 4 {
				v = r.widened(v)[:len(sums)]
			}
			r.inPlace(three("fadd", 8), sums, sums, v)
			r.emit("ADD %v, %v, %v", row, p, p)
			r.next(n, 1, label+"Row")
			r.storeWholes(sums, acc, 8*columns)
			r.emit("ADD $%d, %v, %v", 8*columns, acc, acc)
			r.emit("ADD $%d, %v, %v", size*columns, x, x)
			r.emit("SUB $%d, %v, %v", columns, left, left)
			r.emit("CMP $%d, %v", columns, left)
			r.branch("BGE", label)
			r.label(label + "Done")
		}
	})
}

// wholes returns registers with the bytes at p: pairs of them, one or a part of one.
func (r *routine) wholes(p *register, bytes int) quads {
	if bytes < 32 {
		x := r.vector()
		r.emit(map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}[bytes]+" (%v), %v", p, x)
		return quads{x}
	}
	q := r.registers(bytes / 16)
	for i := 0; i < len(q); i += 2 {
		r.emit("FLDPQ %d(%v), (%v, %v)", 16*i, p, q[i], q[i+1])
	}
	return q
}

// storeWholes writes registers to bytes at p.
func (r *routine) storeWholes(q quads, p *register, bytes int) {
	if bytes < 32 {
		r.emit(map[int]string{8: "FMOVD", 16: "FMOVQ"}[bytes]+" %v, (%v)", q[0], p)
		return
	}
	for i := 0; i < len(q); i += 2 {
		r.emit("FSTPQ (%v, %v), %d(%v)", q[i], q[i+1], 16*i, p)
	}
}

// neonTurn writes the function that transposes a band of rows, as many times height as two registers have lanes; see turn.
func neonTurn(f *neonFile, size, height int) {
	n := 32 / size
	name := fmt.Sprintf("turn%d_%d", height*n, 8*size)
	signature := fmt.Sprintf("func(blocks int, src []uint%[1]d, srcRow int, dst []uint%[1]d, dstRow int)", 8*size)
	doc := fmt.Sprintf("copies element i·srcRow+j of src to j·dstRow+i of dst, for i < %d and j < blocks·%d", height*n, n)
	f.function(name, signature, doc, func(r *routine) {
		left, src, dst, srcRow, dstRow := r.param("blocks"), r.base("src"), r.base("dst"), r.bytes("srcRow", size), r.bytes("dstRow", size)
		r.label("block")
		from, to := r.general(), r.general()
		r.emit("MOVD %v, %v", src, from)
		for half := range height {
			r.emit("ADD $%d, %v, %v", 32*half, dst, to)
			r.transposed(size, n, func(int) *register {
				at := r.general()
				r.emit("MOVD %v, %v", from, at)
				r.emit("ADD %v, %v, %v", srcRow, from, from)
				return at
			}, func(x quads) {
				r.emit("FSTPQ (%v, %v), (%v)", x[0], x[1], to)
				r.emit("ADD %v, %v, %v", dstRow, to, to)
			})
		}
		r.emit("ADD $32, %v, %v", src, src)
		r.emit("ADD %v<<%d, %v, %v", dstRow, log2(n), dst, dst)
		r.next(left, 1, "block")
	})
}

// neonPrefetchRows writes the function that asks for the rows that ids of a size name; see prefetchRows.
func neonPrefetchRows(f *neonFile, size int) {
	doc := "asks for the first most bytes of the rows ids[i], each width bytes, of memory that begins at first. An id may be any\n// number: what does not exist is not brought"
	f.function(fmt.Sprint("prefetchRows_", 8*size), fmt.Sprintf("func(first *byte, width, most int, ids []int%d)", 8*size), doc, func(r *routine) {
		first, width, most, ids, left := r.param("first"), r.param("width"), r.param("most"), r.base("ids"), r.length("ids")
		r.label("row")
		at, end := r.general(), r.general()
		r.emit(map[int]string{4: "MOVW", 8: "MOVD"}[size]+" (%v), %v", ids, at)
		r.emit("MADD %v, %v, %v, %v", width, first, at, at)
		r.emit("ADD %v, %v, %v", most, at, end)
		r.label("line")
		r.emit("PRFM (%v), PLDL1KEEP", at)
		r.emit("ADD $%d, %v, %v", cacheLine, at, at)
		r.emit("CMP %v, %v", end, at)
		r.branch("BLT", "line")
		r.emit("ADD $%d, %v, %v", size, ids, ids)
		r.next(left, 1, "row")
	})
}

// neonConversions writes the conversions from and to numbers of 16 bits, for a multiple of 16 elements.
func neonConversions(f *neonFile) {
	decode := func(name, doc string, low, high encoding) {
		f.conversion(name, "x []uint16, y []float32", doc, 32, 64, func(r *routine, x quads) (y quads) {
			for i := range x {
				y = append(append(y, r.each(low, x[i:i+1])...), r.each(high, x[i:i+1])...)
			}
			return y
		})
	}
	encode := func(name, doc string, low, high encoding, prepare func(e typed, x quads) quads) {
		f.conversion(name, "x []float32, y []uint16", doc, 64, 32, func(r *routine, x quads) (y quads) {
			x = prepare(r.singles(), x)
			for i := 0; i < len(x); i += 2 {
				half := r.each(low, x[i:i+1])
				r.encode(high, half[0], x[i+1])
				y = append(y, half...)
			}
			return y
		})
	}
	decode("decodeBFloat16s", "DecodeBFloat16", raiseLow, raiseHigh)
	decode("decodeFloat16s", "DecodeFloat16", widenHalfLow, widenHalfHigh)
	encode("encodeFloat16s", "EncodeFloat16", narrowHalfLow, narrowHalfHigh, func(_ typed, x quads) quads { return x })
	encode("encodeBFloat16s", "EncodeBFloat16", upperLow, upperHigh, func(e typed, x quads) quads {
		odd := e.and(e.shifted("ushr", 16, x), e.word(1))
		rounded := e.addInts(e.addInts(x, odd), e.word(0x7fff))
		return e.where(e.equal(x, x), rounded, e.or(x, e.word(0x400000))) // NaN becomes quiet
	})
}

// conversion writes a function that makes 16 elements of y from x at a time.
func (f *neonFile) conversion(name, parameters, doc string, bytesX, bytesY int, body func(r *routine, x quads) (y quads)) {
	f.function(name, "func("+parameters+")", "computes "+doc+", for a multiple of 16 elements", func(r *routine) {
		x, y, left := r.base("x"), r.base("y"), r.length("y")
		r.label("block")
		r.storeWholes(body(r, r.wholes(x, bytesX)), y, bytesY)
		r.emit("ADD $%d, %v, %v", bytesX, x, x)
		r.emit("ADD $%d, %v, %v", bytesY, y, y)
		r.next(left, 16, "block")
	})
}

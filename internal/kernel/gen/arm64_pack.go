package main

import "fmt"

// neonSplit writes the function that brings rows into panels of at most width registers; see split.
func neonSplit(f *neonFile, size, width int) {
	cols := width * 16 / size
	name := fmt.Sprintf("split%d_%d", cols, 8*size)
	signature := fmt.Sprintf("func(rows, panels int, src []%[1]s, srcRow int, dst []%[1]s, cols, dstPanel int)", typeName(size))
	doc := fmt.Sprintf("copies %d elements at i·srcRow+j·cols of src to j·dstPanel+i·cols of dst, i < rows, j < panels, in the order of\n// i and of j. It goes along the rows, because the memory of src is the farther one", cols)
	f.function(name, signature, doc, func(r *routine) {
		rows, panels, src, dst := r.param("rows"), r.param("panels"), r.base("src"), r.base("dst")
		srcRow, cols, dstPanel := r.bytes("srcRow", size), r.bytes("cols", size), r.bytes("dstPanel", size)
		from, to, left, ahead := r.general(), r.general(), r.general(), r.general()
		r.label("row")
		r.emit("MOVD %v, %v", src, from)
		r.emit("MOVD %v, %v", dst, to)
		r.emit("MOVD %v, %v", panels, left)
		r.emit("ADD %v<<3, %v, %v", srcRow, src, ahead)
		r.label("panel")
		for j := 0; j < width; j += 2 {
			x := r.registers(2)
			r.emit("FLDPQ %d(%v), (%v, %v)", 16*j, from, x[0], x[1])
			r.emit("FSTPQ (%v, %v), %d(%v)", x[0], x[1], 16*j, to)
		}
		r.emit("PRFM (%v), PLDL1KEEP", ahead)
		r.emit("ADD %v, %v, %v", cols, from, from)
		r.emit("ADD %v, %v, %v", cols, ahead, ahead)
		r.emit("ADD %v, %v, %v", dstPanel, to, to)
		r.next(left, 1, "panel")
		r.emit("ADD %v, %v, %v", srcRow, src, src)
		r.emit("ADD %v, %v, %v", cols, dst, dst)
		r.next(rows, 1, "row")
	})
}

// next counts down and goes back to a label unless nothing is left.
func (r *routine) next(left *register, n int, label string) {
	r.emit("SUBS $%d, %v, %v", n, left, left)
	r.branch("BNE", label)
}

// run returns number i of a run of 32-bit numbers.
func (r *routine) run(runs *register, i int) *register {
	x := r.general()
	r.emit("MOVW %d(%v), %v", 4*i, runs, x)
	return x
}

// element returns the address of an element.
func (r *routine) element(first, i *register, size int) *register {
	x := r.general()
	r.emit("ADD %v<<%d, %v, %v", i, log2(size), first, x)
	return x
}

// places does body for each place, with the first element there and the runs, which body passes over n numbers at a time, and adds a stride
// to each of strides.
func (r *routine) places(first string, size, n int, body func(place, runs *register), passed ...*register) {
	places, count, base := r.base("places"), r.length("places"), r.base(first)
	r.label("place")
	place := r.element(base, r.run(places, 0), size)
	runs, left := r.base("runs"), r.length("runs")
	r.label("run")
	body(place, runs)
	r.emit("ADD $%d, %v, %v", 4*n, runs, runs)
	r.next(left, n, "run")
	r.emit("ADD $4, %v, %v", places, places)
	r.emit("ADD %v, %v, %v", passed[0], passed[1], passed[1])
	r.next(count, 1, "place")
}

// neonGather writes the function that collects runs of neighbouring elements around given places; see gather.
func neonGather(f *neonFile, size int) {
	signature := fmt.Sprintf("func(src []%[1]s, places []int32, runs []int32, dst []%[1]s, dstRow int)", typeName(size))
	doc := fmt.Sprintf("copies, for place i and each run (from, to), %d elements at places[i]+from of src to i·dstRow+to of dst,\n// in the order of the runs", 32/size)
	f.function(fmt.Sprint("gather_", 8*size), signature, doc, func(r *routine) {
		dst, dstRow := r.base("dst"), r.bytes("dstRow", size)
		r.places("src", size, 2, func(place, runs *register) {
			x := r.registers(2)
			r.emit("FLDPQ (%v), (%v, %v)", r.element(place, r.run(runs, 0), size), x[0], x[1])
			r.emit("FSTPQ (%v, %v), (%v)", x[0], x[1], r.element(dst, r.run(runs, 1), size))
		}, dstRow, dst)
	})
}

// neonScatter writes the function that is the opposite of gather: it adds; see scatter.
func neonScatter(f *neonFile, size int) {
	signature := fmt.Sprintf("func(src []%[1]s, srcRow int, places []int32, runs []int32, dst []%[1]s)", typeName(size))
	doc := fmt.Sprintf("adds, for place i and each run (from, to, n), n ≤ %d elements at i·srcRow+to of src to those at places[i]+from of dst", 32/size)
	f.function(fmt.Sprint("scatter_", 8*size), signature, doc, func(r *routine) {
		e := typed{r, size}
		src, srcRow, lanes := r.base("src"), r.bytes("srcRow", size), r.lanes(size)
		r.places("dst", size, 3, func(place, runs *register) {
			x, y, n := r.registers(2), r.registers(2), r.vector()
			r.emit("FLDPQ (%v), (%v, %v)", r.element(src, r.run(runs, 1), size), x[0], x[1])
			r.emit("VDUP %v, %v", r.run(runs, 2), arranged{n, map[int]string{4: "S4", 8: "D2"}[size]})
			to := r.element(place, r.run(runs, 0), size)
			r.emit("FLDPQ (%v), (%v, %v)", to, y[0], y[1])
			x = e.and(x, e.apply(three("cmgt", size), quads{n}, lanes)) // 0 where there are no elements
			y = e.plus(y, x)
			r.emit("FSTPQ (%v, %v), (%v)", y[0], y[1], to)
		}, srcRow, src)
	})
}

// neonTranspose writes the function that turns runs of as many rows as two registers have lanes; see transpose.
func neonTranspose(f *neonFile, size int) {
	n := 32 / size
	signature := fmt.Sprintf("func(src []%[1]s, rows []int, runs []int32, dst []%[1]s, dstRow int)", typeName(size))
	doc := fmt.Sprintf("copies, for row i < %d and each run (from, to), element rows[i]+from+j of src, j < %[1]d, to (to+j)·dstRow+i of dst,\n// in the order of the runs", n)
	f.function(fmt.Sprint("transpose_", 8*size), signature, doc, func(r *routine) {
		rows := make([]*register, n)
		src, at := r.base("src"), r.base("rows")
		for i := range rows {
			row := r.general()
			r.emit("MOVD %d(%v), %v", 8*i, at, row)
			rows[i] = r.element(src, row, size)
		}
		dst, dstRow, runs, left := r.base("dst"), r.bytes("dstRow", size), r.base("runs"), r.length("runs")
		r.label("run")
		from, to := r.run(runs, 0), r.general()
		r.emit("MADD %v, %v, %v, %v", r.run(runs, 1), dst, dstRow, to)
		r.transposed(size, n, func(i int) *register { return r.element(rows[i], from, size) }, func(x quads) {
			r.emit("FSTPQ (%v, %v), (%v)", x[0], x[1], to)
			r.emit("ADD %v, %v, %v", dstRow, to, to)
		})
		r.emit("ADD $8, %v, %v", runs, runs)
		r.next(left, 2, "run")
	})
}

// transposed reads blocks of two registers of each of n rows, which begin at the address of each, and hands the columns to emit, in order.
func (r *routine) transposed(size, n int, address func(i int) *register, emit func(x quads)) {
	together := 16 / size
	var left, right []quads // blocks of as many rows as a register has lanes
	for i := 0; i < n; i += together {
		blocks := [2]quads{}
		for j := range together {
			x := r.registers(2)
			r.emit("FLDPQ (%v), (%v, %v)", address(i+j), x[0], x[1])
			blocks[0], blocks[1] = append(blocks[0], x[0]), append(blocks[1], x[1])
		}
		left, right = append(left, r.square(size, blocks[0])), append(right, r.square(size, blocks[1]))
	}
	for _, half := range [][]quads{left, right} {
		for j := range together {
			var column quads
			for _, block := range half {
				column = append(column, block[j])
			}
			emit(column)
		}
	}
}

// square returns the columns of a square block.
func (r *routine) square(size int, rows quads) quads {
	zip := func(size int, a, b *register) quads {
		return append(r.apply(three("zip1", size), quads{a}, quads{b}), r.apply(three("zip2", size), quads{a}, quads{b})...)
	}
	if size == 8 {
		return zip(8, rows[0], rows[1])
	}
	a, b := zip(4, rows[0], rows[1]), zip(4, rows[2], rows[3])
	return append(zip(8, a[0], b[0]), zip(8, a[1], b[1])...)
}

// lanes returns two registers with the numbers of their lanes, as integers of a size.
func (r *routine) lanes(size int) quads {
	e := typed{r, size}
	first := e.zero()
	for i := 1; i < 16/size; i++ {
		n := r.general()
		r.emit("MOVD $%d, %v", i, n)
		r.emit("VMOV %v, %v", n, lane{first, fmt.Sprintf("%s[%d]", map[int]string{4: "S", 8: "D"}[size], i)})
	}
	return append(quads{first}, e.addInts(quads{first}, e.word(uint64(16/size)))...)
}

package main

import "fmt"

// neonPlanes writes what is done with the rows of a plane of an image, for rows of at least two registers and of one; see planes.
func neonPlanes(f *neonFile) {
	for _, size := range []int{4, 8} {
		neonTapDots(f, size)
		for count := 2; count > 0; count-- {
			g := &neonGrid{f: f, size: size, count: count}
			g.tapSums()
			g.rowByRow("copyRows", []string{"src", "dst"}, []string{"srcRow", "dstRow"}, func(e typed, at *register, p []*register) {
				e.storeWholes(e.wholes(e.sum(p[0], at), 16*count), e.sum(p[1], at), 16*count)
			})
			g.rowByRow("evenRows", []string{"src", "dst"}, []string{"srcRow", "dstRow"}, func(e typed, at *register, p []*register) {
				e.storeWholes(e.windows(e.element(p[0], at, 2), count, 2), e.sum(p[1], at), 16*count)
			})
			g.rowByRow("zipRows", []string{"a", "b", "dst"}, []string{"srcRow", "srcRow", "dstRow"}, func(e typed, at *register, p []*register) {
				a, b, both := e.wholes(e.sum(p[0], at), 16*count), e.wholes(e.sum(p[1], at), 16*count), quads{}
				for i := range a {
					both = append(both, e.apply(three("zip1", size), a[i:i+1], b[i:i+1])[0], e.apply(three("zip2", size), a[i:i+1], b[i:i+1])[0])
				}
				e.storeWholes(both, e.element(p[2], at, 2), 32*count)
			})
		}
	}
}

// sum returns the sum of two registers.
func (r *routine) sum(a, b *register) *register { return r.element(a, b, 1) }

// neonGrid is a function over rows of at least count registers of columns, as many at a time; the last of them may be done twice.
type neonGrid struct {
	f           *neonFile
	size, count int
}

// lanes returns the columns at a time.
func (g *neonGrid) lanes() int { return g.count * 16 / g.size }

// columns does body for the columns from at on, again and again, where at counts bytes of a row.
func (g *neonGrid) columns(r *routine, label string, body func(at *register)) {
	at, last := r.general(), r.bytes("cols", g.size)
	r.emit("MOVD ZR, %v", at)
	r.emit("SUB $%d, %v, %v", 16*g.count, last, last)
	r.label(label)
	body(at)
	r.emit("CMP %v, %v", last, at)
	r.branch("BGE", label+"Done")
	r.emit("ADD $%d, %v, %v", 16*g.count, at, at)
	r.emit("CMP %v, %v", last, at)
	r.emit("CSEL GT, %v, %v, %v", last, at, at)
	r.branch("JMP", label)
	r.label(label + "Done")
}

// rowByRow writes the function that does body for the columns from at on of every row, whose places in memory are advanced by the strides named.
func (g *neonGrid) rowByRow(name string, bases, strides []string, body func(e typed, at *register, p []*register)) {
	signature := fmt.Sprintf("func(rows, cols int, src []%[1]s, srcRow int, dst []%[1]s, dstRow int)", typeName(g.size))
	if len(bases) == 3 {
		signature = fmt.Sprintf("func(rows, cols int, a, b []%[1]s, srcRow int, dst []%[1]s, dstRow int)", typeName(g.size))
	}
	g.f.function(fmt.Sprintf("%s%d_%d", name, g.lanes(), 8*g.size), signature, fmt.Sprintf("computes %s, cols ≥ %d", name, g.lanes()), func(r *routine) {
		p, rows := make([]*register, len(bases)), r.param("rows")
		for i, name := range bases {
			p[i] = r.base(name)
		}
		r.label("row")
		g.columns(r, "column", func(at *register) { body(typed{r, g.size}, at, p) })
		for i := range p {
			r.emit("ADD %v, %v, %v", r.bytes(strides[i], g.size), p[i], p[i])
		}
		r.next(rows, 1, "row")
	})
}

// tapSums writes the function that computes weighted sums, of four rows at a time, so that a weight that is read counts for all. Where rows are
// left over the last four overlap those before.
func (g *neonGrid) tapSums() {
	signature := fmt.Sprintf("func(rows, cols int, src []%[1]s, srcRow int, places []int32, w []%[1]s, bias %[1]s, dst []%[1]s, dstRow int)", typeName(g.size))
	doc := fmt.Sprintf("computes tapSums, with places, cols ≥ %d", g.lanes())
	g.f.function(fmt.Sprintf("tapSums%d_%d", g.lanes(), 8*g.size), signature, doc, func(r *routine) {
		e, src, dst, srcRow, dstRow, bias := typed{r, g.size}, r.base("src"), r.base("dst"), r.bytes("srcRow", g.size), r.bytes("dstRow", g.size), r.fill("bias")
		g.columns(r, "column", func(at *register) {
			from, to, rows := r.sum(src, at), r.sum(dst, at), r.param("rows")
			r.emit("CMP $4, %v", rows)
			r.branch("BLT", "single")
			r.label("four")
			g.tapRows(e, "four", 4, from, to, srcRow, dstRow, bias)
			r.emit("SUBS $4, %v, %v", rows, rows)
			r.branch("BEQ", "done")
			r.emit("CMP $4, %v", rows)
			r.branch("BGE", "four")
			r.label("back")
			r.emit("SUB %v, %v, %v", srcRow, from, from)
			r.emit("SUB %v, %v, %v", dstRow, to, to)
			r.emit("ADD $1, %v, %v", rows, rows)
			r.emit("CMP $4, %v", rows)
			r.branch("BLT", "back")
			r.branch("JMP", "four")
			r.label("single")
			g.tapRows(e, "single", 1, from, to, srcRow, dstRow, bias)
			r.next(rows, 1, "single")
			r.label("done")
		})
	})
}

// tapRows computes n rows of sums and goes on to the next.
func (g *neonGrid) tapRows(e typed, label string, n int, from, to, srcRow, dstRow *register, bias quads) {
	rows, sums := []*register{from}, make([]quads, n)
	for i := range sums {
		if i > 0 {
			rows = append(rows, e.sum(rows[i-1], srcRow))
		}
		sums[i] = e.copied(bias, g.count)
	}
	places, w, left := e.base("places"), e.base("w"), e.length("places")
	e.label(label + "Tap")
	place, weight := e.run(places, 0), e.fillFrom(w)
	for i, p := range rows {
		e.addProduct(sums[i], e.wholes(e.element(p, place, g.size), 16*g.count), weight)
	}
	e.emit("ADD $4, %v, %v", places, places)
	e.emit("ADD $%d, %v, %v", g.size, w, w)
	e.next(left, 1, label+"Tap")
	for _, s := range sums {
		e.storeWholes(s, to, 16*g.count)
		e.emit("ADD %v, %v, %v", srcRow, from, from)
		e.emit("ADD %v, %v, %v", dstRow, to, to)
	}
}

// neonTapDots writes the function that sums products, for three places at a time.
func neonTapDots(f *neonFile, size int) {
	signature := fmt.Sprintf("func(rows, cols int, dy []%[1]s, dyRow int, src []%[1]s, srcRow int, places []int32, sums []float64)", typeName(size))
	doc := fmt.Sprintf("computes tapDots; there are a multiple of %d places", dotPlaces)
	f.function(fmt.Sprint("tapDots_", 8*size), signature, doc, func(r *routine) {
		e, src, srcRow, dyRow := typed{r, size}, r.base("src"), r.bytes("srcRow", size), r.bytes("dyRow", size)
		places, sums, groups := r.base("places"), r.base("sums"), r.length("places")
		r.label("group")
		var p [dotPlaces]*register // the row as each place sees it
		var sum [dotPlaces]quads
		for i := range p {
			p[i], sum[i] = r.element(src, r.run(places, i), size), quads{r.zero(), r.zero()}
		}
		dy, rows := r.base("dy"), r.param("rows")
		r.label("row")
		at, left := r.general(), r.param("cols")
		r.emit("MOVD ZR, %v", at)
		for _, bytes := range []int{32, 16, size} {
			label := fmt.Sprint("columns", bytes)
			r.emit("CMP $%d, %v", bytes/size, left)
			r.branch("BLT", label+"Done")
			r.label(label)
			d := r.wholes(r.sum(dy, at), bytes)
			for i := range p {
				x := r.wholes(r.sum(p[i], at), bytes)
				e.addProduct(sum[i][:len(x)], d, x)
			}
			r.emit("ADD $%d, %v, %v", bytes, at, at)
			r.emit("SUB $%d, %v, %v", bytes/size, left, left)
			r.emit("CMP $%d, %v", bytes/size, left)
			r.branch("BGE", label)
			r.label(label + "Done")
		}
		r.emit("ADD %v, %v, %v", dyRow, dy, dy)
		for i := range p {
			r.emit("ADD %v, %v, %v", srcRow, p[i], p[i])
		}
		r.next(rows, 1, "row")
		for i := range sum {
			r.addTotal(e.plus(sum[i][:1], sum[i][1:]), size, sums)
			r.emit("ADD $8, %v, %v", sums, sums)
		}
		r.emit("ADD $%d, %v, %v", 4*dotPlaces, places, places)
		r.next(groups, dotPlaces, "group")
	})
}

// addTotal adds the elements of a register, as float64, to what lies at to.
func (r *routine) addTotal(x quads, size int, to *register) {
	e := r.doubles()
	if size == 4 {
		wide := r.widened(x)
		x = e.plus(wide[:1], wide[1:])
	}
	x = e.plus(r.each(addPair, x), r.wholes(to, 8))
	r.storeWholes(x, to, 8)
}

package main

import "math"

// neonWinograds writes the transforms of the Winograd convolutions; see winogradTable and winograds.
func neonWinograds(f *neonFile) {
	neonWinogradColumns(f)
	f.function("winogradPatches_32", "func(rows, tiles int, x []float32, row, odd int, v []float32, plane int)", "computes winogradTable.patches", func(r *routine) {
		r.windows("x", side, r.patches)
	})
	f.function("winogradGrads_32", "func(rows, tiles int, dy []float32, row, odd int, v []float32, plane int)", "computes winogradTable.grads", func(r *routine) {
		r.windows("dy", 2, r.grads)
	})
	neonWinogradTiles(f)
	f.function("winogradFilters_32", "func(n int, g []float32, gPlane int, u []float32, uPlane int)", "computes winogradTable.filters", func(r *routine) {
		r.inPlanes("g", "gPlane", "u", "uPlane", r.filters)
	})
	f.function("winogradTaps_32", "func(n int, s []float32, sPlane int, g []float32, gPlane int)", "computes winogradTable.taps", func(r *routine) {
		r.inPlanes("s", "sPlane", "g", "gPlane", r.taps)
	})
}

// moved returns a copy of a register.
func (r *routine) moved(x *register) *register {
	y := r.general()
	r.emit("MOVD %v, %v", x, y)
	return y
}

// apart returns n addresses from first on, a distance apart.
func (r *routine) apart(first, distance *register, n int) []*register {
	p := []*register{first}
	for range n - 1 {
		next := r.general()
		r.emit("ADD %v, %v, %v", distance, p[len(p)-1], next)
		p = append(p, next)
	}
	return p
}

// quad reads a register at p, and offset bytes from there.
func (r *routine) quad(p *register, offset int) quads {
	x := r.vector()
	r.emit("FMOVQ %d(%v), %v", offset, p, x)
	return quads{x}
}

// neonWinogradColumns writes the function that sorts columns.
func neonWinogradColumns(f *neonFile) {
	f.function("winogradColumns_32", "func(rows, n int, x []float32, row int, first, second []float32, to int)", "computes winogradTable.columns", func(r *routine) {
		rows, x, first, second, row, to := r.param("rows"), r.base("x"), r.base("first"), r.base("second"), r.bytes("row", 4), r.bytes("to", 4)
		r.label("row")
		from, even, odd, left := r.moved(x), r.moved(first), r.moved(second), r.param("n")
		store := func(v quads) {
			r.emit("FMOVQ %v, (%v)", r.apply(three("uzp1", 4), v[:1], v[1:])[0], even)
			r.emit("FMOVQ %v, (%v)", r.apply(three("uzp2", 4), v[:1], v[1:])[0], odd)
		}
		r.emit("SUBS $8, %v, %v", left, left)
		r.branch("BLT", "tail")
		r.label("vector")
		store(r.wholes(from, 32))
		r.emit("ADD $32, %v, %v", from, from)
		r.emit("ADD $16, %v, %v", even, even)
		r.emit("ADD $16, %v, %v", odd, odd)
		r.emit("SUBS $8, %v, %v", left, left)
		r.branch("BGE", "vector")
		r.label("tail")
		r.emit("ADD $8, %v, %v", left, left)
		r.branch("CBZ", "next", left)
		w := &sweep{routine: r, unit: 8, rest: left}
		store(quads{w.some(from, 0, 4), w.some(from, 1, 4)})
		r.label("next")
		r.emit("ADD %v, %v, %v", row, x, x)
		r.emit("ADD %v, %v, %v", to, first, first)
		r.emit("ADD %v, %v, %v", to, second, second)
		r.next(rows, 1, "row")
	})
}

// windows does body for the tiles of each row of tiles, four at a time, with the even and the odd columns of height rows, and with how column j
// of what becomes of them is written.
func (r *routine) windows(name string, height int, body func(even, odd []*register, write func(column [side]quads))) {
	rows, x, row, odd := r.param("rows"), r.base(name), r.bytes("row", 4), r.bytes("odd", 4)
	v, plane, tiles, planes := r.base("v"), r.bytes("plane", 4), r.bytes("tiles", 4), r.general()
	r.emit("LSL $2, %v, %v", plane, planes)
	r.label("row")
	left, from, to := r.param("tiles"), r.moved(x), r.moved(v)
	r.label("vector")
	odds := r.general()
	r.emit("ADD %v, %v, %v", odd, from, odds)
	at := r.moved(to)
	body(r.apart(from, row, height), r.apart(odds, row, height), func(column [side]quads) {
		for i, p := range r.apart(at, planes, side) {
			r.emit("FMOVQ %v, (%v)", r.values(column[i])[0], p)
		}
		r.emit("ADD %v, %v, %v", plane, at, at)
	})
	r.emit("ADD $16, %v, %v", from, from)
	r.emit("ADD $16, %v, %v", to, to)
	r.emit("SUBS $4, %v, %v", left, left)
	r.branch("BGT", "vector")
	r.emit("ADD %v<<1, %v, %v", row, x, x)
	r.emit("ADD %v, %v, %v", tiles, v, v)
	r.next(rows, 1, "row")
}

// patches is Bᵀ·d·B.
func (r *routine) patches(even, odd []*register, write func([side]quads)) {
	e := r.singles()
	var h [side][side]quads // columns of d·B, for each row
	for i := range side {
		d0, d1, d2, d3 := r.quad(even[i], 0), r.quad(odd[i], 0), r.quad(even[i], 4), r.quad(odd[i], 4)
		for j, x := range [side]quads{e.minus(d0, d2), e.plus(d1, d2), e.minus(d2, d1), e.minus(d1, d3)} {
			h[j][i] = x
		}
	}
	for _, h := range h {
		write([side]quads{e.minus(h[0], h[2]), e.plus(h[1], h[2]), e.minus(h[2], h[1]), e.minus(h[1], h[3])})
	}
}

// grads is |A|·dy·|A|ᵀ, A without the signs of its last row.
func (r *routine) grads(even, odd []*register, write func([side]quads)) {
	e := r.singles()
	var h [side][2]quads
	for i := range 2 {
		left, right := r.quad(even[i], 0), r.quad(odd[i], 0)
		for j, x := range [side]quads{left, e.plus(left, right), e.minus(left, right), right} {
			h[j][i] = x
		}
	}
	for _, h := range h {
		write([side]quads{h[0], e.plus(h[0], h[1]), e.minus(h[0], h[1]), h[1]})
	}
}

// neonWinogradTiles writes Aᵀ·m·A + bias, or ReLU of this.
func neonWinogradTiles(f *neonFile) {
	signature := "func(rows, tiles int, m []float32, plane int, bias float32, relu bool, y []float32, row, height, width int)"
	f.function("winogradTiles_32", signature, "computes winogradTable.tiles", func(r *routine) {
		e := r.singles()
		rows, m, plane, tiles, planes := r.param("rows"), r.base("m"), r.bytes("plane", 4), r.bytes("tiles", 4), r.general()
		y, row, height, bias, flag := r.base("y"), r.bytes("row", 4), r.param("height"), r.fill("bias"), r.general()
		r.emit("LSL $2, %v, %v", plane, planes)
		least := r.copied(e.number(math.Inf(-1)), 1)
		r.emit("MOVBU %v, %v", r.argument("relu", ""), flag)
		r.branch("CBZ", "row", flag)
		r.encode(clearing(), least[0])
		r.label("row")
		left, cols, from, to := r.param("tiles"), r.param("width"), r.moved(m), r.moved(y)
		r.label("vector")
		var s [2][side]quads // the columns of m·A, for each row
		for i, first := range r.apart(from, planes, side) {
			p := r.apart(first, plane, side)
			m0, m1, m2, m3 := r.quad(p[0], 0), r.quad(p[1], 0), r.quad(p[2], 0), r.quad(p[3], 0)
			s[0][i] = e.plus(e.plus(m0, m1), m2)
			s[1][i] = e.minus(e.minus(m1, m2), m3)
		}
		var out [2]quads // rows of a tile: even and odd columns
		for _, s := range s {
			out[0] = append(out[0], e.greater(e.plus(e.plus(e.plus(s[0], s[1]), s[2]), bias), least)...)
			out[1] = append(out[1], e.greater(e.plus(e.minus(e.minus(s[1], s[2]), s[3]), bias), least)...)
		}
		r.storeTiles(out, to, row, cols, height)
		r.emit("ADD $16, %v, %v", from, from)
		r.emit("ADD $32, %v, %v", to, to)
		r.emit("SUB $8, %v, %v", cols, cols)
		r.emit("SUBS $4, %v, %v", left, left)
		r.branch("BGT", "vector")
		r.emit("ADD %v, %v, %v", tiles, m, m)
		r.emit("ADD %v<<1, %v, %v", row, y, y)
		r.emit("SUB $2, %v, %v", height, height)
		r.next(rows, 1, "row")
	})
}

// storeTiles writes two rows of tiles, the second if height is more than one, of cols elements each or of eight; see the other storeTiles.
func (r *routine) storeTiles(out [2]quads, to, row, cols, height *register) {
	second, w := r.general(), &sweep{routine: r, unit: 8, rest: cols}
	r.emit("ADD %v, %v, %v", row, to, second)
	for i, x := range out {
		out[i] = append(r.apply(three("zip1", 4), x[:1], x[1:]), r.apply(three("zip2", 4), x[:1], x[1:])...)
	}
	r.emit("CMP $8, %v", cols)
	r.branch("BLT", "tail")
	r.storeWholes(out[0], to, 32)
	r.emit("CMP $1, %v", height)
	r.branch("BLE", "stored")
	r.storeWholes(out[1], second, 32)
	r.branch("JMP", "stored")
	r.label("tail")
	for i, x := range out[0] {
		w.storeSome(x, to, i, 4)
	}
	r.emit("CMP $1, %v", height)
	r.branch("BLE", "stored")
	for i, x := range out[1] {
		w.storeSome(x, second, i, 4)
	}
	r.label("stored")
}

// inPlanes does body for every four of n elements of planes of from, and of to.
func (r *routine) inPlanes(from, fromPlane, to, toPlane string, body func(load func(i int) quads, store func(i int, x quads))) {
	left, source, target := r.param("n"), r.base(from), r.base(to)
	sourceStep, targetStep := r.bytes(fromPlane, 4), r.bytes(toPlane, 4)
	at := func(first, step *register, i int) *register {
		p := r.general()
		r.emit("MOVD $%d, %v", i, p)
		r.emit("MADD %v, %v, %v, %v", p, first, step, p)
		return p
	}
	r.emit("SUBS $4, %v, %v", left, left)
	r.branch("BLT", "tail")
	r.label("vectors")
	body(func(i int) quads { return r.quad(at(source, sourceStep, i), 0) }, func(i int, x quads) {
		r.emit("FMOVQ %v, (%v)", x[0], at(target, targetStep, i))
	})
	r.emit("ADD $16, %v, %v", source, source)
	r.emit("ADD $16, %v, %v", target, target)
	r.emit("SUBS $4, %v, %v", left, left)
	r.branch("BGE", "vectors")
	r.label("tail")
	r.emit("ADD $4, %v, %v", left, left)
	r.branch("CBZ", "done", left)
	w := &sweep{routine: r, unit: 4, rest: left}
	body(func(i int) quads { return quads{w.some(at(source, sourceStep, i), 0, 4)} }, func(i int, x quads) {
		w.storeSome(x[0], at(target, targetStep, i), 0, 4)
	})
	r.label("done")
}

// filters is G·g·Gᵀ.
func (r *routine) filters(load func(i int) quads, store func(i int, x quads)) {
	e := r.singles()
	half := e.number(0.5)
	row := func(i int, t [3]quads) {
		sum, mid := e.times(e.plus(t[0], t[2]), half), e.times(t[1], half)
		for j, x := range [side]quads{t[0], e.plus(sum, mid), e.minus(sum, mid), t[2]} {
			store(side*i+j, x)
		}
	}
	var first, sum, mid, last [3]quads
	for j := range 3 {
		first[j], last[j] = load(j), load(6+j)
		inner, odd := e.times(e.plus(first[j], last[j]), half), e.times(load(3+j), half)
		sum[j], mid[j] = e.plus(inner, odd), e.minus(inner, odd)
	}
	row(0, first)
	row(1, sum)
	row(2, mid)
	row(3, last)
}

// taps is Gᵀ·s·G, s with the signs that grads leaves out.
func (r *routine) taps(load func(i int) quads, store func(i int, x quads)) {
	e := r.singles()
	half := e.number(0.5)
	var t [3][side]quads // Gᵀ·s
	for j := range side {
		s1, s2 := load(side+j), load(2*side+j)
		sum := e.times(e.plus(s1, s2), half)
		t[0][j], t[1][j], t[2][j] = e.plus(sum, load(j)), e.times(e.minus(s1, s2), half), e.minus(sum, load(3*side+j))
	}
	for i, t := range t {
		sum := e.times(e.plus(t[1], t[2]), half)
		store(3*i, e.plus(sum, t[0]))
		store(3*i+1, e.times(e.minus(t[1], t[2]), half))
		store(3*i+2, e.minus(sum, t[3]))
	}
}

package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// winograds writes the transforms of the Winograd convolutions; see winogradTable. A patch is 4 × 4 elements and its sixteen transformed ones lie
// in planes, from 4i+j for row i and column j.
func winograds() {
	winogradColumns()
	winogradPatches()
	winogradGrads()
	winogradTiles()
	winogradFilters()
	winogradTaps()
}

// wideWinograds writes them for AVX-512.
func wideWinograds() {
	widen()
	winograds()
}

// side is the number of rows and of columns of a patch.
const side = 4

// winogradFunction begins a function over float32.
func winogradFunction(name, parameters, doc string) {
	name += "_" + float32s.bits
	TEXT(name, NOSPLIT, "func("+parameters+")")
	Doc(name + " computes " + doc)
	Pragma("noescape")
}

// patchPlanes are the addresses of sixteen planes at hand.
type patchPlanes struct{ first, one, rows, rows3 reg.GPVirtual } // rows is from plane (i, j) to (i+1, j), rows3 thrice that

// newPatchPlanes loads the planes that begin at the slice.
func newPatchPlanes(slice, distance string) *patchPlanes {
	p := &patchPlanes{first: base(slice), one: byteParam(float32s, distance), rows: GP64(), rows3: GP64()}
	MOVQ(p.one, p.rows)
	SHLQ(Imm(2), p.rows)
	LEAQ(Mem{Base: p.rows, Index: p.rows, Scale: 2}, p.rows3)
	return p
}

// columns does body for every column, with where its rows lie.
func (p *patchPlanes) columns(body func(j int, row [side]Mem)) {
	at := GP64()
	MOVQ(p.first, at)
	for j := range side {
		body(j, [side]Mem{{Base: at}, {Base: at, Index: p.rows, Scale: 1}, {Base: at, Index: p.rows, Scale: 2}, {Base: at, Index: p.rows3, Scale: 1}})
		if j < side-1 {
			ADDQ(p.one, at)
		}
	}
}

// tileRows does body for vectors of the tiles of each row of tiles, and end after a row, with the bytes of tiles that body went on.
func tileRows(body func(left reg.GPVirtual), end func(passed reg.GPVirtual)) {
	rows, left, passed := param("rows"), GP64(), GP64()
	Label("row")
	Load(Param("tiles"), left)
	XORQ(passed, passed)
	Label("vector")
	body(left)
	ADDQ(amount(vectorSize), passed)
	SUBQ(amount(float32s.lanes()), left)
	JG(LabelRef("vector"))
	end(passed)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// tileBytes returns the bytes that a row of tiles takes in a plane.
func tileBytes() reg.GPVirtual { return byteParam(float32s, "tiles") }

// winogradColumns writes the function that sorts columns.
func winogradColumns() {
	e := float32s
	winogradFunction("winogradColumns", "rows, n int, x []float32, row int, first, second []float32, to int", "winogradTable.columns.")
	x, first, second := base("x"), base("first"), base("second")
	row, to, rows, left, passed := byteParam(e, "row"), byteParam(e, "to"), param("rows"), GP64(), GP64()
	both := amount(2 * e.lanes())
	store := func(x [2]reg.VecVirtual) {
		for i, p := range []reg.GPVirtual{first, second} {
			e.move(alternate(x, i), Mem{Base: p, Index: passed, Scale: 1})
		}
	}
	Label("row")
	Load(Param("n"), left)
	XORQ(passed, passed)
	SUBQ(both, left)
	JL(LabelRef("tail"))
	Label("vector")
	low, high := vector(), vector()
	e.move(Mem{Base: x, Index: passed, Scale: 2}, low)
	e.move(Mem{Base: x, Index: passed, Scale: 2, Disp: vectorSize}, high)
	store([2]reg.VecVirtual{low, high})
	ADDQ(amount(vectorSize), passed)
	SUBQ(both, left)
	JGE(LabelRef("vector"))
	Label("tail")
	ADDQ(both, left)
	JZ(LabelRef("next"))
	mask := ones(e, left, 2)
	e.maskedMove(Mem{Base: x, Index: passed, Scale: 2}, mask[0], low)
	e.maskedMove(Mem{Base: x, Index: passed, Scale: 2, Disp: vectorSize}, mask[1], high)
	store([2]reg.VecVirtual{low, high})
	Label("next")
	ADDQ(row, x)
	ADDQ(to, first)
	ADDQ(to, second)
	DECQ(rows)
	JNZ(LabelRef("row"))
	end()
}

// alternate returns every second element of two vectors, from element i on.
func alternate(x [2]reg.VecVirtual, i int) reg.VecVirtual {
	r := vector()
	if wide() {
		VMOVUPS(everySecond(i), r)
		VPERMI2PS(x[1], x[0], r)
		return r
	}
	VSHUFPS(Imm([]uint64{0x88, 0xdd}[i]), x[1], x[0], r)
	VPERMPD(Imm(0xd8), r, r)
	return r
}

// placesOf returns a table, which is written the first time, of the places from which a permutation takes its elements.
func placesOf(name string, place func(i int) int) Mem {
	if t, ok := placeTables[name]; ok {
		return t
	}
	t := GLOBL(name, RODATA|NOPTR)
	for i := range float32s.lanes() {
		DATA(4*i, U32(uint32(place(i))))
	}
	placeTables[name] = t
	return t
}

var placeTables = map[string]Mem{}

// everySecond are the places for alternate.
func everySecond(i int) Mem {
	return placesOf(fmt.Sprintf("everySecond%d", i), func(k int) int { return 2*k + i })
}

// inTurn are the places for half of interleave.
func inTurn(half int) Mem {
	n := float32s.lanes()
	return placesOf(fmt.Sprintf("inTurn%d", half), func(k int) int { return (half*n+k)/2 + k%2*n })
}

// winogradPatches writes Bᵀ·d·B.
func winogradPatches() {
	e := float32s
	winogradFunction("winogradPatches", "rows, tiles int, x []float32, row, odd int, v []float32, plane int", "winogradTable.patches.")
	row, odd := byteParam(e, "row"), byteParam(e, "odd")
	row3, even, v := GP64(), base("x"), newPatchPlanes("v", "plane")
	LEAQ(Mem{Base: row, Index: row, Scale: 2}, row3)
	tileRows(func(reg.GPVirtual) {
		odds := GP64()
		LEAQ(Mem{Base: even, Index: odd, Scale: 1}, odds)
		line := func(first reg.GPVirtual, i, next int) Mem {
			return [side]Mem{
				{Base: first, Disp: 4 * next},
				{Base: first, Index: row, Scale: 1, Disp: 4 * next},
				{Base: first, Index: row, Scale: 2, Disp: 4 * next},
				{Base: first, Index: row3, Scale: 1, Disp: 4 * next},
			}[i]
		}
		v.columns(func(j int, to [side]Mem) {
			var h [side]vec // column j of d·B, for each row
			for i := range h {
				d0, d1, d2, d3 := vec{line(even, i, 0)}, vec{line(odds, i, 0)}, vec{line(even, i, 1)}, vec{line(odds, i, 1)}
				switch j {
				case 0:
					h[i] = e.minus(e.loaded(d0), d2)
				case 1:
					h[i] = e.plus(e.loaded(d1), d2)
				case 2:
					h[i] = e.minus(e.loaded(d2), d1)
				case 3:
					h[i] = e.minus(e.loaded(d1), d3)
				}
			}
			for i, r := range [side]vec{e.minus(h[0], h[2]), e.plus(h[1], h[2]), e.minus(h[2], h[1]), e.minus(h[1], h[3])} {
				e.move(r[0], to[i])
			}
		})
		ADDQ(amount(vectorSize), even)
		ADDQ(amount(vectorSize), v.first)
	}, func(passed reg.GPVirtual) {
		SUBQ(passed, even)
		LEAQ(Mem{Base: even, Index: row, Scale: 2}, even)
		SUBQ(passed, v.first)
		ADDQ(tileBytes(), v.first)
	})
}

// winogradGrads writes |A|·dy·|A|ᵀ, A without the signs of its last row.
func winogradGrads() {
	e := float32s
	winogradFunction("winogradGrads", "rows, tiles int, dy []float32, row, odd int, v []float32, plane int", "winogradTable.grads.")
	row, odd := byteParam(e, "row"), byteParam(e, "odd")
	even, v := base("dy"), newPatchPlanes("v", "plane")
	tileRows(func(reg.GPVirtual) {
		odds := GP64()
		LEAQ(Mem{Base: even, Index: odd, Scale: 1}, odds)
		left := [2]vec{e.loaded(vec{Mem{Base: even}}), e.loaded(vec{Mem{Base: even, Index: row, Scale: 1}})}
		right := [2]vec{e.loaded(vec{Mem{Base: odds}}), e.loaded(vec{Mem{Base: odds, Index: row, Scale: 1}})}
		v.columns(func(j int, to [side]Mem) {
			var h [2]vec
			for i := range h {
				h[i] = [side]func() vec{
					func() vec { return left[i] },
					func() vec { return e.plus(left[i], right[i]) },
					func() vec { return e.minus(left[i], right[i]) },
					func() vec { return right[i] },
				}[j]()
			}
			for i, r := range [side]vec{h[0], e.plus(h[0], h[1]), e.minus(h[0], h[1]), h[1]} {
				e.move(r[0], to[i])
			}
		})
		ADDQ(amount(vectorSize), even)
		ADDQ(amount(vectorSize), v.first)
	}, func(passed reg.GPVirtual) {
		SUBQ(passed, even)
		LEAQ(Mem{Base: even, Index: row, Scale: 2}, even)
		SUBQ(passed, v.first)
		ADDQ(tileBytes(), v.first)
	})
}

// winogradTiles writes Aᵀ·m·A + bias, or ReLU of this.
func winogradTiles() {
	e := float32s
	winogradFunction("winogradTiles", "rows, tiles int, m []float32, plane int, bias float32, relu bool, y []float32, row, height, width int", "winogradTable.tiles.")
	m, y, row := newPatchPlanes("m", "plane"), base("y"), byteParam(e, "row")
	bias, height, cols := e.fill(argument(Param("bias"))), param("height"), param("width")
	// max(x, −Inf) + −0 is x; max(x, 0) + 0 is ReLU, which makes 0 of −0.
	least, zero := e.loaded(e.number(math.Inf(-1))), e.loaded(e.number(math.Copysign(0, -1)))
	CMPB(argument(Param("relu")), Imm(0))
	JE(LabelRef("linear"))
	VXORPS(least[0], least[0], least[0])
	VXORPS(zero[0], zero[0], zero[0])
	Label("linear")
	tileRows(func(reg.GPVirtual) {
		var s0, s1 [side]vec // the two columns of m·A, for each row
		// Column j of m contributes to both; the sums are kept for each row.
		m.columns(func(j int, from [side]Mem) {
			for i := range side {
				x := vec{from[i]}
				switch j {
				case 0:
					s0[i] = e.loaded(x)
				case 1:
					s1[i] = e.loaded(x)
					e.add(s1[i][0], s0[i][0], s0[i][0])
				case 2:
					r := e.loaded(x)
					e.add(r[0], s0[i][0], s0[i][0])
					e.sub(r[0], s1[i][0], s1[i][0])
				case 3:
					e.sub(from[i], s1[i][0], s1[i][0])
				}
			}
		})
		var out [2][2]vec
		for c, s := range [2][side]vec{s0, s1} {
			out[0][c] = e.plus(e.plus(s[0], s[1]), s[2])
			out[1][c] = e.minus(e.minus(s[1], s[2]), s[3])
			for r := range out {
				e.add(bias[0], out[r][c][0], out[r][c][0])
				e.max(out[r][c][0], least[0], out[r][c][0])
				e.add(zero[0], out[r][c][0], out[r][c][0])
			}
		}
		storeTiles(out, y, row, cols, height)
		ADDQ(amount(vectorSize), m.first)
		ADDQ(amount(2*vectorSize), y)
		SUBQ(amount(2*e.lanes()), cols)
	}, func(passed reg.GPVirtual) {
		SUBQ(passed, m.first)
		ADDQ(tileBytes(), m.first)
		ADDQ(passed, passed)
		SUBQ(passed, y)
		LEAQ(Mem{Base: y, Index: row, Scale: 2}, y)
		SUBQ(Imm(2), height)
		Load(Param("width"), cols)
	})
}

// storeTiles writes two rows of tiles whose columns are in vectors of their own: the second if height is more than one, of both cols elements or as
// many as two vectors have.
func storeTiles(out [2][2]vec, y, row, cols, height reg.GPVirtual) {
	e := float32s
	var rows [2][2]reg.VecVirtual
	for r := range out {
		rows[r] = interleave(out[r][0][0].(reg.VecVirtual), out[r][1][0].(reg.VecVirtual))
	}
	second := Mem{Base: y, Index: row, Scale: 1}
	CMPQ(cols, amount(2*e.lanes()))
	JL(LabelRef("tail"))
	for c, x := range rows[0] {
		e.move(x, Mem{Base: y, Disp: c * vectorSize})
	}
	CMPQ(height, Imm(1))
	JLE(LabelRef("stored"))
	for c, x := range rows[1] {
		second.Disp = c * vectorSize
		e.move(x, second)
	}
	JMP(LabelRef("stored"))
	Label("tail")
	mask := ones(e, cols, 2)
	for c, x := range rows[0] {
		e.maskedMove(x, mask[c], Mem{Base: y, Disp: c * vectorSize})
	}
	CMPQ(height, Imm(1))
	JLE(LabelRef("stored"))
	for c, x := range rows[1] {
		second.Disp = c * vectorSize
		e.maskedMove(x, mask[c], second)
	}
	Label("stored")
}

// interleave returns the elements of a and b in turn.
func interleave(a, b reg.VecVirtual) [2]reg.VecVirtual {
	low, high, first, second := vector(), vector(), vector(), vector()
	if wide() {
		VMOVUPS(inTurn(0), first)
		VMOVUPS(inTurn(1), second)
		VPERMI2PS(b, a, first)
		VPERMI2PS(b, a, second)
		return [2]reg.VecVirtual{first, second}
	}
	VUNPCKLPS(b, a, low)
	VUNPCKHPS(b, a, high)
	VPERM2F128(Imm(0x20), high, low, first)
	VPERM2F128(Imm(0x31), high, low, second)
	return [2]reg.VecVirtual{first, second}
}

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

package main

import (
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

// nextTiles goes back by what was passed, and on to the next two rows of the window and the next row of tiles.
func nextTiles(passed, even, row reg.GPVirtual, v *patchPlanes) {
	SUBQ(passed, even)
	LEAQ(Mem{Base: even, Index: row, Scale: 2}, even)
	SUBQ(passed, v.first)
	ADDQ(tileBytes(), v.first)
}

// tileBytes returns the bytes that a row of tiles takes in a plane.
func tileBytes() reg.GPVirtual { return byteParam(float32s, "tiles") }

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
	}, func(passed reg.GPVirtual) { nextTiles(passed, even, row, v) })
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
	}, func(passed reg.GPVirtual) { nextTiles(passed, even, row, v) })
}

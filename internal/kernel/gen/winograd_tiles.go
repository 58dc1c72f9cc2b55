package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// unroll is the number of steps along k in one turn of the inner loop.
const unroll = 4

// modeReLU is the bit of the mode that asks for the activation; the bits below it say what D is.
const modeReLU = 4

// tile writes the micro-kernel of height rows by width vectors. For each of a column of tiles it computes
//
//	C[i,j] = Σ over p < k of A[i,p]·B[p,j], plus D[i,j] with mode 1, plus D[i,0] with mode 2
//
// adding in the order of p; with modeReLU as well, the greater of this and 0. Element (i, p) of A is at a + i·aRow + p·aStep, row p of B at b + p·bStep, rows of C and D are cRow and
// dRow apart. Of each row, cols elements are computed; B is read whole vectors wide. The next tile lies aTile further in A, and
// height rows further in C and D.
func tile(e element, height, width int) {
	t := &tileWriter{e: e, height: height, width: width}
	cols := width * e.lanes()
	name := fmt.Sprintf("tile%dx%d_%s", height, cols, e.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf(
		"func(tiles, k int, a []%[1]s, aTile, aRow, aStep int, b []%[1]s, bStep int, d []%[1]s, dRow, mode int, c []%[1]s, cRow, cols int)", e.name))
	Doc(fmt.Sprintf("%s is the micro-kernel of %d rows by %d columns; see tileFunc.", name, height, cols))
	Pragma("noescape")
	t.load()
	Label("tile")
	t.begin()
	t.multiply()
	t.store()
	t.next()
	VZEROUPPER()
	RET()
}

// tileWriter holds the registers of a micro-kernel.
type tileWriter struct {
	e             element
	height, width int

	tiles, a, aRow, aStep, bStep, d, c reg.GPVirtual // live through all tiles
	acc                                [][]reg.VecVirtual
}

// load reads the arguments that stay in registers; strides become bytes.
func (t *tileWriter) load() {
	t.tiles = param("tiles")
	t.a = base("a")
	t.aRow, t.aStep, t.bStep = byteParam(t.e, "aRow"), byteParam(t.e, "aStep"), byteParam(t.e, "bStep")
	t.d, t.c = base("d"), base("c")
}

// begin clears the accumulators and asks for the lines of C, which are written when the loop is over.
func (t *tileWriter) begin() {
	t.acc = make([][]reg.VecVirtual, t.height)
	for i := range t.acc {
		t.acc[i] = make([]reg.VecVirtual, t.width)
		for j := range t.acc[i] {
			x := vector()
			t.e.xor(x, x, x)
			t.acc[i][j] = x
		}
	}
	p, row := GP64(), byteParam(t.e, "cRow")
	MOVQ(t.c, p)
	for i := range t.height {
		for line := 0; line < min(t.width, 2)*vectorSize; line += cacheLine {
			PREFETCHT0(Mem{Base: p, Disp: line})
		}
		if i < t.height-1 {
			ADDQ(row, p)
		}
	}
}

// multiply is the loop over k.
func (t *tileWriter) multiply() {
	rows := t.rowPointers()
	b, k := base("b"), param("k")
	SUBQ(Imm(unroll), k)
	JL(LabelRef("rest"))
	Label("unrolled")
	for range unroll {
		t.step(rows, b)
	}
	SUBQ(Imm(unroll), k)
	JGE(LabelRef("unrolled"))
	Label("rest")
	ADDQ(Imm(unroll), k)
	JZ(LabelRef("sum"))
	Label("single")
	t.step(rows, b)
	DECQ(k)
	JNZ(LabelRef("single"))
	Label("sum")
}

// rowPointers returns a pointer for every three rows of A; the two rows after it are addressed by aRow.
func (t *tileWriter) rowPointers() (rows []reg.GPVirtual) {
	for i := 0; i < t.height; i += 3 {
		p := GP64()
		if i == 0 {
			MOVQ(t.a, p)
		} else {
			LEAQ(Mem{Base: rows[len(rows)-1], Index: t.aRow, Scale: 1}, p)
			LEAQ(Mem{Base: p, Index: t.aRow, Scale: 2}, p)
		}
		rows = append(rows, p)
	}
	return rows
}

// step adds one column of A times one row of B.
func (t *tileWriter) step(rows []reg.GPVirtual, b reg.GPVirtual) {
	right := make([]Op, t.width)
	for j := range right {
		right[j] = Mem{Base: b, Disp: j * vectorSize}
		if t.height > 1 {
			x := vector()
			t.e.move(right[j], x)
			right[j] = x
		}
	}
	for i := range t.height {
		left := vector()
		m := Mem{Base: rows[i/3]}
		if i%3 > 0 {
			m.Index, m.Scale = t.aRow, uint8(i%3)
		}
		t.e.broadcast(m, left)
		for j := range right {
			t.e.fma(right[j], left, t.acc[i][j])
		}
		if i%3 == 2 || i == t.height-1 {
			ADDQ(t.aStep, rows[i/3])
		}
	}
	ADDQ(t.bStep, b)
}

// store adds D to the accumulators, as mode says, and writes them to C.
func (t *tileWriter) store() {
	c, cRow := GP64(), byteParam(t.e, "cRow")
	MOVQ(t.c, c)
	cols := param("cols")
	if t.width <= 2 {
		CMPQ(cols, Imm(uint64(t.width*t.e.lanes())))
		JL(LabelRef("narrow"))
	}
	t.addend("", nil)
	t.relu("")
	for i := range t.acc {
		for j, x := range t.acc[i] {
			t.e.move(x, Mem{Base: c, Disp: j * vectorSize})
		}
		ADDQ(cRow, c)
	}
	if t.width > 2 {
		return
	}
	JMP(LabelRef("stored"))
	Label("narrow")
	masks := ones(t.e, cols, t.width)
	t.addend("narrow_", masks)
	t.relu("narrow_")
	for i := range t.acc {
		for j, x := range t.acc[i] {
			t.e.maskedMove(x, masks[j], Mem{Base: c, Disp: j * vectorSize})
		}
		ADDQ(cRow, c)
	}
	Label("stored")
}

// addend adds D to the accumulators; with masks, only the elements that they select are read.
func (t *tileWriter) addend(prefix string, masks vec) {
	mode, d, dRow := param("mode"), GP64(), byteParam(t.e, "dRow")
	ANDQ(Imm(modeReLU-1), mode)
	MOVQ(t.d, d)
	CMPQ(mode, Imm(1))
	JL(LabelRef(prefix + "added"))
	JG(LabelRef(prefix + "rows"))
	for i := range t.acc {
		for j, x := range t.acc[i] {
			m := Mem{Base: d, Disp: j * vectorSize}
			if masks == nil {
				t.e.add(m, x, x)
				continue
			}
			v := vector()
			t.e.maskedMove(m, masks[j], v)
			t.e.add(v, x, x)
		}
		ADDQ(dRow, d)
	}
	JMP(LabelRef(prefix + "added"))
	Label(prefix + "rows")
	for i := range t.acc {
		v := vector()
		t.e.broadcast(Mem{Base: d}, v)
		for _, x := range t.acc[i] {
			t.e.add(v, x, x)
		}
		ADDQ(dRow, d)
	}
	Label(prefix + "added")
}

// relu takes the greater of each accumulator and 0. The instruction gives its last operand, the accumulator, if that is NaN or if both
// are 0; adding 0 then makes 0 of −0.
func (t *tileWriter) relu(prefix string) {
	mode, zero := param("mode"), vector()
	TESTQ(U32(modeReLU), mode)
	JZ(LabelRef(prefix + "linear"))
	t.e.xor(zero, zero, zero)
	for i := range t.acc {
		for _, x := range t.acc[i] {
			t.e.max(x, zero, x)
			t.e.add(zero, x, x)
		}
	}
	Label(prefix + "linear")
}

// next moves on to the next tile, if there is one.
func (t *tileWriter) next() {
	rows := GP64()
	step := func(stride string, p reg.GPVirtual) {
		s := byteParam(t.e, stride)
		IMUL3Q(Imm(uint64(t.height)), s, rows)
		ADDQ(rows, p)
	}
	ADDQ(byteParam(t.e, "aTile"), t.a)
	step("cRow", t.c)
	step("dRow", t.d)
	DECQ(t.tiles)
	JNZ(LabelRef("tile"))
}

package main

import (
	"fmt"
	"math"
)

// neonProducts writes the kernels of matrix products. A vector of their table is two registers, so that tiles are those of AVX2: six rows
// and four registers make 24 sums, and with the six elements of A and two registers of B the registers are used up.
func neonProducts(f *neonFile) {
	for _, size := range []int{4, 8} {
		for height := 1; height <= 6; height++ {
			neonTile(f, size, height, 2)
			neonTile(f, size, height, 4)
		}
		neonTile(f, size, 1, 16)
		neonTile(f, size, 2, 8)
		neonSplit(f, size, 2)
		neonSplit(f, size, 4)
		neonGather(f, size)
		neonScatter(f, size)
		neonTranspose(f, size)
		neonMaxRows(f, size)
	}
}

// typeName returns the Go type of elements.
func typeName(size int) string { return map[int]string{4: "float32", 8: "float64"}[size] }

// neonTiles holds the registers of a micro-kernel; see tile.
type neonTiles struct {
	typed
	height, width int // rows, and registers of a row

	tiles, a, aRow, aStep, bStep, d, c *register // live through all tiles
	sums                               []quads
}

// neonTile writes the micro-kernel of height rows by width registers.
func neonTile(f *neonFile, size, height, width int) {
	cols := width * 16 / size
	name := fmt.Sprintf("tile%dx%d_%d", height, cols, 8*size)
	signature := fmt.Sprintf("func(tiles, k int, a []%[1]s, aTile, aRow, aStep int, b []%[1]s, bStep int, d []%[1]s, dRow, mode int, c []%[1]s, cRow, cols int)", typeName(size))
	f.function(name, signature, fmt.Sprintf("is the micro-kernel of %d rows by %d columns; see tileFunc", height, cols), func(r *routine) {
		t := &neonTiles{typed: typed{r, size}, height: height, width: width}
		t.load()
		t.label("tile")
		t.begin()
		t.multiply()
		t.store()
		t.next()
	})
}

// load reads the arguments that stay in registers; strides become bytes.
func (t *neonTiles) load() {
	t.tiles, t.a = t.param("tiles"), t.base("a")
	t.aRow, t.aStep, t.bStep = t.bytes("aRow", t.size), t.bytes("aStep", t.size), t.bytes("bStep", t.size)
	t.d, t.c = t.base("d"), t.base("c")
}

// begin clears the sums and asks for the lines of C, which are written when the loop is over.
func (t *neonTiles) begin() {
	t.sums = make([]quads, t.height)
	for i := range t.sums {
		for range t.width {
			t.sums[i] = append(t.sums[i], t.zero())
		}
	}
	p, row := t.general(), t.bytes("cRow", t.size)
	t.emit("MOVD %v, %v", t.c, p)
	for i := range t.height {
		t.emit("PRFM (%v), PLDL1KEEP", p)
		if i < t.height-1 {
			t.emit("ADD %v, %v, %v", row, p, p)
		}
	}
}

// multiply is the loop over k.
func (t *neonTiles) multiply() {
	rows := []*register{t.a}
	for len(rows) < t.height {
		p := t.general()
		t.emit("ADD %v, %v, %v", t.aRow, rows[len(rows)-1], p)
		rows = append(rows, p)
	}
	at, b, k := t.general(), t.base("b"), t.param("k")
	t.emit("MOVD ZR, %v", at)
	t.emit("SUBS $%d, %v, %v", unroll, k, k)
	t.branch("BLT", "rest")
	t.label("unrolled")
	for range unroll {
		t.step(rows, at, b)
	}
	t.emit("SUBS $%d, %v, %v", unroll, k, k)
	t.branch("BGE", "unrolled")
	t.label("rest")
	t.emit("ADDS $%d, %v, %v", unroll, k, k)
	t.branch("BEQ", "sum")
	t.label("single")
	t.step(rows, at, b)
	t.emit("SUBS $1, %v, %v", k, k)
	t.branch("BNE", "single")
	t.label("sum")
}

// step adds one column of A, at bytes from the beginning of the rows, times one row of B.
func (t *neonTiles) step(rows []*register, at, b *register) {
	left := t.registers(t.height)
	for i, x := range left {
		t.emit(t.scalar("(%v)(%v), %v"), rows[i], at, x)
	}
	t.emit("ADD %v, %v, %v", t.aStep, at, at)
	for j := 0; j < t.width; j += 2 {
		right := t.registers(2)
		t.emit("FLDPQ %d(%v), (%v, %v)", 16*j, b, right[0], right[1])
		for i, x := range left {
			t.encode(fmlaBy(t.size, 0), t.sums[i][j], right[0], x)
			t.encode(fmlaBy(t.size, 0), t.sums[i][j+1], right[1], x)
		}
	}
	t.emit("ADD %v, %v, %v", t.bStep, b, b)
}

// scalar returns the instruction that moves an element.
func (e typed) scalar(operands string) string {
	return map[int]string{4: "FMOVS ", 8: "FMOVD "}[e.size] + operands
}

// store adds D to the sums, as mode says, and writes them to C.
func (t *neonTiles) store() {
	mode, cols := t.param("mode"), t.param("cols")
	kind := t.general()
	t.emit("AND $%d, %v, %v", modeReLU-1, mode, kind)
	t.emit("CMP $1, %v", kind)
	t.branch("BLT", "added")
	t.branch("BEQ", "matrix")
	t.addRows()
	t.branch("JMP", "added")
	t.label("matrix")
	if t.width <= 4 {
		t.emit("CMP $%d, %v", t.width*16/t.size, cols)
		t.branch("BLT", "narrowMatrix")
	}
	t.addMatrix()
	t.label("added")
	t.branch("TBZ", "linear", "$"+fmt.Sprint(log2(modeReLU)), mode)
	zero := quads{t.zero()}
	for _, row := range t.sums {
		t.inPlace(three("fmax", t.size), row, row, zero)
	}
	t.label("linear")
	if t.width <= 4 {
		t.emit("CMP $%d, %v", t.width*16/t.size, cols)
		t.branch("BLT", "narrow")
	}
	t.eachRow(func(i int, c, _ *register) {
		for j := 0; j < t.width; j += 2 {
			t.emit("FSTPQ (%v, %v), %d(%v)", t.sums[i][j], t.sums[i][j+1], 16*j, c)
		}
	}, false)
	if t.width <= 4 {
		t.branch("JMP", "stored")
		t.narrow(mode, cols)
		t.label("stored")
	}
}

// addRows adds to each row of the sums the first element of the row of D.
func (t *neonTiles) addRows() {
	d, row := t.general(), t.bytes("dRow", t.size)
	t.emit("MOVD %v, %v", t.d, d)
	for _, sums := range t.sums {
		v := t.vector()
		t.emit("VLD1R (%v), [%v]", d, arranged{v, map[int]string{4: "S4", 8: "D2"}[t.size]})
		t.inPlace(three("fadd", t.size), sums, sums, quads{v})
		t.emit("ADD %v, %v, %v", row, d, d)
	}
}

// addMatrix adds whole rows of D.
func (t *neonTiles) addMatrix() {
	d, row := t.general(), t.bytes("dRow", t.size)
	t.emit("MOVD %v, %v", t.d, d)
	for _, sums := range t.sums {
		for j := 0; j < t.width; j += 2 {
			v := t.registers(2)
			t.emit("FLDPQ %d(%v), (%v, %v)", 16*j, d, v[0], v[1])
			t.inPlace(three("fadd", t.size), sums[j:j+2], sums[j:j+2], v)
		}
		t.emit("ADD %v, %v, %v", row, d, d)
	}
}

// eachRow does body for every row, with where the row of C lies and, with a matrix D, that of D.
func (t *neonTiles) eachRow(body func(i int, c, d *register), matrix bool) {
	c, cRow := t.general(), t.bytes("cRow", t.size)
	t.emit("MOVD %v, %v", t.c, c)
	var d, dRow *register
	if matrix {
		d, dRow = t.general(), t.bytes("dRow", t.size)
		t.emit("MOVD %v, %v", t.d, d)
	}
	for i := range t.height {
		body(i, c, d)
		t.emit("ADD %v, %v, %v", cRow, c, c)
		if matrix {
			t.emit("ADD %v, %v, %v", dRow, d, d)
		}
	}
}

// narrow writes fewer columns than the tile has: of each row pieces of half as many elements after another, for each bit of their number.
// Of a matrix D, which has no more elements, the pieces are added here.
func (t *neonTiles) narrow(mode, cols *register) {
	t.label("narrow")
	t.eachRow(func(i int, c, _ *register) { t.pieces(i, cols, c, nil, nil) }, false)
	t.branch("JMP", "stored")
	t.label("narrowMatrix")
	least := t.copied(t.number(math.Inf(-1)), 1)
	t.branch("TBZ", "least", "$"+fmt.Sprint(log2(modeReLU)), mode)
	t.encode(clearing(), least[0])
	t.label("least")
	t.eachRow(func(i int, c, d *register) { t.pieces(i, cols, c, d, least) }, true)
}

// pieces writes row i of the sums to c, with the elements at d added and nothing less than least, if there is a d.
func (t *neonTiles) pieces(i int, cols, c, d *register, least quads) {
	row := t.sums[i]
	to, from := t.general(), t.general()
	t.emit("MOVD %v, %v", c, to)
	if d != nil {
		t.emit("MOVD %v, %v", d, from)
	}
	for bytes := 16 * t.width / 2; bytes >= t.size; bytes /= 2 {
		skip := t.fresh("piece")
		t.branch("TBZ", skip, fmt.Sprintf("$%d", log2(bytes/t.size)), cols)
		whole := max(1, bytes/16)
		x := row[:whole]
		if d != nil {
			v := t.registers(whole)
			t.movePiece(bytes, v, from, true)
			x = t.greater(t.plus(x, v), least) // elsewhere: the elements behind the piece are still sums
		}
		t.movePiece(bytes, x, to, false)
		switch {
		case bytes >= 16:
			for j := range whole {
				t.encode(copying(), row[j], row[j+whole], row[j+whole])
			}
		case bytes == 8 && t.size == 4:
			t.encode(duplicate(8, 1), row[0], row[0])
		}
		t.label(skip)
	}
}

// movePiece moves up to two registers of bytes altogether from or to memory, and passes over it.
func (r *routine) movePiece(bytes int, x quads, p *register, load bool) {
	name := map[int]string{4: "FMOVS.P", 8: "FMOVD.P", 16: "FMOVQ.P"}[bytes]
	switch {
	case bytes == 32 && load:
		r.emit("FLDPQ.P 32(%v), (%v, %v)", p, x[0], x[1])
	case bytes == 32:
		r.emit("FSTPQ.P (%v, %v), 32(%v)", x[0], x[1], p)
	case load:
		r.emit(name+" %d(%v), %v", bytes, p, x[0])
	default:
		r.emit(name+" %v, %d(%v)", x[0], bytes, p)
	}
}

// next moves on to the next tile, if there is one.
func (t *neonTiles) next() {
	height := t.general()
	t.emit("MOVD $%d, %v", t.height, height)
	t.emit("ADD %v, %v, %v", t.bytes("aTile", t.size), t.a, t.a)
	t.emit("MADD %v, %v, %v, %v", t.bytes("cRow", t.size), t.c, height, t.c)
	t.emit("MADD %v, %v, %v, %v", t.bytes("dRow", t.size), t.d, height, t.d)
	t.emit("SUBS $1, %v, %v", t.tiles, t.tiles)
	t.branch("BNE", "tile")
}

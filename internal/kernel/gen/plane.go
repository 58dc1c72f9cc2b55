package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planes writes what is done with the rows of a plane of an image, most of it twice, the second time for rows of half a vector.
func planes() {
	for _, e := range []element{float32s, float64s} {
		tapDots(e)
		norms(e)
		for _, g := range []*grid{{e: e, lanes: e.lanes(), vector: vector}, {e: e, lanes: e.lanes() / 2, vector: XMM}} {
			g.write()
		}
	}
}

// widePlanes writes it for AVX-512, but for rows of less than a vector.
func widePlanes() {
	widen()
	for _, e := range []element{float32s, float64s} {
		tapDots(e)
		norms(e)
		g := &grid{e: e, lanes: e.lanes(), vector: vector}
		g.write()
	}
}

// grid is a function over rows of at least lanes columns, as many at a time; the last of them may be done twice.
type grid struct {
	e      element
	lanes  int
	vector func() reg.VecVirtual
}

// write writes the functions for the rows of a table.
func (g *grid) write() {
	g.tapSums()
	g.copyRows()
	g.evenRows()
	g.zipRows()
}

// start begins the function.
func (g *grid) start(name, signature, doc string) {
	name = fmt.Sprintf("%s%d_%s", name, g.lanes, g.e.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf(signature, g.e.name))
	Doc(fmt.Sprintf("%s %s, cols ≥ %d.", name, doc, g.lanes))
	Pragma("noescape")
}

// columns does body for the columns from at on, again and again, where at counts bytes of a row.
func (g *grid) columns(label string, body func(at reg.GPVirtual)) {
	at, last := GP64(), byteParam(g.e, "cols")
	XORQ(at, at)
	SUBQ(amount(g.lanes*g.e.size), last)
	Label(label)
	body(at)
	CMPQ(at, last)
	JGE(LabelRef(label + "_done"))
	ADDQ(amount(g.lanes*g.e.size), at)
	CMPQ(at, last)
	CMOVQGT(last, at)
	JMP(LabelRef(label))
	Label(label + "_done")
}

// rowByRow does body for the columns from at on of every row, whose places in memory are advanced by the strides named.
func (g *grid) rowByRow(bases, strides []string, body func(at reg.GPVirtual, p []reg.GPVirtual)) {
	p, step, rows := make([]reg.GPVirtual, len(bases)), map[string]reg.GPVirtual{}, param("rows")
	for i, name := range bases {
		p[i] = base(name)
		if step[strides[i]] == nil {
			step[strides[i]] = byteParam(g.e, strides[i])
		}
	}
	Label("row")
	g.columns("column", func(at reg.GPVirtual) { body(at, p) })
	for i := range p {
		ADDQ(step[strides[i]], p[i])
	}
	DECQ(rows)
	JNZ(LabelRef("row"))
	end()
}

// copyRows writes the function that copies rows.
func (g *grid) copyRows() {
	g.start("copyRows", "func(rows, cols int, src []%[1]s, srcRow int, dst []%[1]s, dstRow int)", "computes copyRows")
	g.rowByRow([]string{"src", "dst"}, []string{"srcRow", "dstRow"}, func(at reg.GPVirtual, p []reg.GPVirtual) {
		x := g.vector()
		g.e.move(Mem{Base: p[0], Index: at, Scale: 1}, x)
		g.e.move(x, Mem{Base: p[1], Index: at, Scale: 1})
	})
}

// evenRows writes the function that copies every second element. The upper ones come from a load that ends with the last of them.
func (g *grid) evenRows() {
	g.start("evenRows", "func(rows, cols int, src []%[1]s, srcRow int, dst []%[1]s, dstRow int)", "computes evenRows")
	g.rowByRow([]string{"src", "dst"}, []string{"srcRow", "dstRow"}, func(at reg.GPVirtual, p []reg.GPVirtual) {
		low, high := g.vector(), g.vector()
		g.e.move(Mem{Base: p[0], Index: at, Scale: 2}, low)
		g.e.move(Mem{Base: p[0], Index: at, Scale: 2, Disp: (g.lanes - 1) * g.e.size}, high)
		switch {
		case wide():
			g.e.everySecond(high, low)
		case g.e.size == 4:
			VSHUFPS(Imm(0xd8), high, low, low)
		default:
			VSHUFPD(Imm(0xa), high, low, low)
		}
		if !wide() && g.lanes == g.e.lanes() {
			VPERMPD(Imm(0xd8), low, low)
		}
		g.e.move(low, Mem{Base: p[1], Index: at, Scale: 1})
	})
}

// zipRows writes the function that interleaves rows.
func (g *grid) zipRows() {
	g.start("zipRows", "func(rows, cols int, a, b []%[1]s, srcRow int, dst []%[1]s, dstRow int)", "computes zipRows")
	g.rowByRow([]string{"a", "b", "dst"}, []string{"srcRow", "srcRow", "dstRow"}, func(at reg.GPVirtual, p []reg.GPVirtual) {
		low, high := g.zip(Mem{Base: p[0], Index: at, Scale: 1}, Mem{Base: p[1], Index: at, Scale: 1})
		g.e.move(low, Mem{Base: p[2], Index: at, Scale: 2})
		g.e.move(high, Mem{Base: p[2], Index: at, Scale: 2, Disp: g.lanes * g.e.size})
	})
}

// zip interleaves two vectors.
func (g *grid) zip(a, b Mem) (low, high reg.VecVirtual) {
	x, low, high := g.vector(), g.vector(), g.vector()
	g.e.move(a, x)
	switch {
	case wide():
		g.e.move(a, low)
		g.e.move(b, high)
		g.e.pick("zipLow", high, low, func(i int) int { return i/2 + i%2*g.lanes })
		g.e.pick("zipHigh", x, high, func(i int) int { return (i+g.lanes)/2 + (1-i%2)*g.lanes })
		return low, high
	case g.e.size == 4:
		VUNPCKLPS(b, x, low)
		VUNPCKHPS(b, x, high)
	default:
		VUNPCKLPD(b, x, low)
		VUNPCKHPD(b, x, high)
	}
	if g.lanes == g.e.lanes() {
		first := g.vector()
		VPERM2F128(Imm(0x20), high, low, first)
		VPERM2F128(Imm(0x31), high, low, high)
		low = first
	}
	return low, high
}

// tapSums writes the function that computes weighted sums, of four rows at a time, so that a weight that is read counts for all. Where rows are
// left over the last four overlap those before.
func (g *grid) tapSums() {
	g.start("tapSums", "func(rows, cols int, src []%[1]s, srcRow int, places []int32, w []%[1]s, bias %[1]s, dst []%[1]s, dstRow int)", "computes tapSums, with places")
	srcRow, dstRow := byteParam(g.e, "srcRow"), byteParam(g.e, "dstRow")
	g.columns("column", func(at reg.GPVirtual) {
		from, to, rows := base("src"), base("dst"), param("rows")
		ADDQ(at, from)
		ADDQ(at, to)
		CMPQ(rows, Imm(4))
		JL(LabelRef("single"))
		Label("four")
		g.tapRows("four", 4, from, to, srcRow, dstRow)
		SUBQ(Imm(4), rows)
		JZ(LabelRef("done"))
		CMPQ(rows, Imm(4))
		JGE(LabelRef("four"))
		back := GP64()
		Label("back")
		for _, p := range [][2]reg.GPVirtual{{srcRow, from}, {dstRow, to}} {
			MOVQ(p[0], back)
			SUBQ(back, p[1])
		}
		INCQ(rows)
		CMPQ(rows, Imm(4))
		JL(LabelRef("back"))
		JMP(LabelRef("four"))
		Label("single")
		g.tapRows("single", 1, from, to, srcRow, dstRow)
		DECQ(rows)
		JNZ(LabelRef("single"))
		Label("done")
	})
	end()
}

// tapRows computes n rows of sums and goes on to the next.
func (g *grid) tapRows(label string, n int, from, to, srcRow, dstRow reg.GPVirtual) {
	rows, sum := []reg.GPVirtual{from}, make([]reg.VecVirtual, n)
	for i := range sum {
		if i > 0 {
			p := GP64()
			LEAQ(Mem{Base: rows[i-1], Index: srcRow, Scale: 1}, p)
			rows = append(rows, p)
		}
		sum[i] = g.vector()
		g.fill(argument(Param("bias")), sum[i])
	}
	places, w, left := base("places"), base("w"), length("places")
	Label(label + "_tap")
	place, weight := GP64(), g.vector()
	MOVLQSX(Mem{Base: places}, place)
	g.fill(Mem{Base: w}, weight)
	for i, p := range rows {
		g.e.fma(Mem{Base: p, Index: place, Scale: uint8(g.e.size)}, weight, sum[i])
	}
	ADDQ(Imm(4), places)
	ADDQ(Imm(uint64(g.e.size)), w)
	DECQ(left)
	JNZ(LabelRef(label + "_tap"))
	for i := range sum {
		g.e.move(sum[i], Mem{Base: to})
		ADDQ(srcRow, from)
		ADDQ(dstRow, to)
	}
}

// fill broadcasts an element.
func (g *grid) fill(from Mem, x reg.VecVirtual) {
	if g.e.size*g.lanes == 16 && g.e.size == 8 {
		VMOVDDUP(from, x)
	} else {
		g.e.broadcast(from, x)
	}
}

// dotPlaces are the places of a tapDots that are done at a time.
const dotPlaces = 3

// tapDots writes the function that sums products, for three places and two rows at a time.
func tapDots(e element) {
	name := "tapDots_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(rows, cols int, dy []%[1]s, dyRow int, src []%[1]s, srcRow int, places []int32, sums []float64)", e.name))
	Doc(fmt.Sprintf("%s computes tapDots; there are a multiple of %d places.", name, dotPlaces))
	Pragma("noescape")
	d := &dotWriter{element: e, srcRow: byteParam(e, "srcRow"), dyRow: byteParam(e, "dyRow")}
	rest := param("cols")
	ANDQ(Imm(uint64(e.lanes()-1)), rest)
	d.mask = ones(e, rest, 1)[0]
	places, sums, groups := base("places"), base("sums"), length("places")
	Label("group")
	for i := range d.p {
		d.p[i] = GP64()
		MOVLQSX(Mem{Base: places, Disp: 4 * i}, d.p[i])
		SHLQ(Imm(e.shift), d.p[i])
		ADDQ(argument(Param("src").Base()), d.p[i])
	}
	d.sum = registers(2 * dotPlaces)
	for _, s := range d.sum {
		VXORPS(s, s, s)
	}
	d.dy = base("dy")
	rows := param("rows")
	SUBQ(Imm(2), rows)
	JL(LabelRef("last"))
	Label("pair")
	d.rows("pair", 2)
	SUBQ(Imm(2), rows)
	JGE(LabelRef("pair"))
	Label("last")
	ADDQ(Imm(2), rows)
	JZ(LabelRef("summed"))
	d.rows("single", 1)
	Label("summed")
	d.total(sums)
	ADDQ(Imm(4*dotPlaces), places)
	ADDQ(Imm(8*dotPlaces), sums)
	SUBQ(Imm(dotPlaces), groups)
	JNZ(LabelRef("group"))
	end()
}

// dotWriter holds the registers of tapDots.
type dotWriter struct {
	element
	p             [dotPlaces]reg.GPVirtual // the row as each place sees it
	dy            reg.GPVirtual
	srcRow, dyRow reg.GPVirtual
	mask          Op
	sum           vec // of the places in the first row, and in the second
}

// rows adds the products of one or two rows and goes on to the next.
func (d *dotWriter) rows(label string, n int) {
	at, next, left := GP64(), GP64(), param("cols")
	XORQ(at, at)
	MOVQ(d.srcRow, next)
	SUBQ(Imm(uint64(d.lanes())), left)
	JL(LabelRef(label + "_rest"))
	Label(label + "_column")
	d.products(n, at, next, func(m Mem) Op { return m })
	ADDQ(amount(vectorSize), at)
	ADDQ(amount(vectorSize), next)
	SUBQ(Imm(uint64(d.lanes())), left)
	JGE(LabelRef(label + "_column"))
	Label(label + "_rest")
	ADDQ(Imm(uint64(d.lanes())), left)
	JZ(LabelRef(label + "_done"))
	d.products(n, at, next, func(m Mem) Op {
		x := vector()
		d.maskedMove(m, d.mask, x)
		return x
	})
	Label(label + "_done")
	for range n {
		ADDQ(d.dyRow, d.dy)
		for _, p := range d.p {
			ADDQ(d.srcRow, p)
		}
	}
}

// products adds the products of the columns from at on of the first row, and of those from next on of the second.
func (d *dotWriter) products(n int, at, next reg.GPVirtual, read func(Mem) Op) {
	first := vector()
	d.move(read(Mem{Base: d.dy, Index: at, Scale: 1}), first)
	for i, p := range d.p {
		d.fma(read(Mem{Base: p, Index: at, Scale: 1}), first, d.sum[i])
	}
	if n == 1 {
		return
	}
	second, below := vector(), GP64()
	LEAQ(Mem{Base: d.dy, Index: d.dyRow, Scale: 1}, below)
	d.move(read(Mem{Base: below, Index: at, Scale: 1}), second)
	for i, p := range d.p {
		d.fma(read(Mem{Base: p, Index: next, Scale: 1}), second, d.sum[dotPlaces+i])
	}
}

// total adds the elements of the sums, as float64, to what lies at to.
func (d *dotWriter) total(to reg.GPVirtual) {
	for i := range dotPlaces {
		d.joined(vec{d.sum[i], d.sum[dotPlaces+i]}, Mem{Base: to, Disp: 8 * i})
	}
}

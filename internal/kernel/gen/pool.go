package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of VCMP.
const (
	notLessOrEqual = 6 // true for NaN
	ordered        = 7 // false for NaN
)

// maxRow writes the function that pools a row of windows, as many at a time as lanes: a vector or half of one.
func maxRow(e element, lanes int) {
	m := &maxWriter{e: e, lanes: lanes, vector: vector}
	if lanes < e.lanes() {
		m.vector = XMM
	}
	for stride := 1; stride <= 2; stride++ {
		m.stride = stride
		m.write()
	}
}

// maxWriter holds the registers of a pooling.
type maxWriter struct {
	e             element
	lanes, stride int
	vector        func() reg.VecVirtual
	best, at, pos reg.VecVirtual // greatest elements so far, their places, the place of the next tap
}

func (m *maxWriter) write() {
	e := m.e
	name := fmt.Sprintf("maxRow%dx%d_%s", m.lanes, m.stride, e.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(blocks, rows, cols int, x []%[1]s, width, place int, y []%[1]s, index []int32)", e.name))
	Doc(fmt.Sprintf("%s takes the greatest elements of blocks·%d windows of rows × cols elements that begin %d apart; see table.maxRow.", name, m.lanes, m.stride))
	Pragma("noescape")
	blocks, x, y, index := param("blocks"), base("x"), base("y"), base("index")
	place, one, step := param("place"), GP64(), m.vector()
	MOVQ(U32(1), one)
	m.broadcast(one, step)
	Label("block")
	m.start(place)
	row, rows := GP64(), param("rows")
	MOVQ(x, row)
	m.best = m.vector()
	m.windows(row, m.best)
	Label("row")
	m.row(row, step)
	DECQ(rows)
	JNZ(LabelRef("row"))
	e.move(m.best, Mem{Base: y})
	m.storeIndex(index)
	ADDQ(Imm(uint64(m.lanes*e.size)), y)
	ADDQ(Imm(uint64(m.lanes*m.stride*e.size)), x)
	ADDQ(Imm(uint64(m.lanes*m.stride)), place)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// start sets the places of the first tap of a block.
func (m *maxWriter) start(place reg.GPVirtual) {
	m.pos, m.at = m.vector(), m.vector()
	m.broadcast(place, m.pos)
	m.e.addInts(m.offsets(), m.pos, m.pos)
	m.e.move(m.pos, m.at)
}

// row goes over the taps of one row, and on to the next.
func (m *maxWriter) row(row, step reg.Register) {
	tap, cols := GP64(), param("cols")
	MOVQ(row, tap)
	Label("tap")
	x := m.vector()
	m.windows(tap, x)
	greater := m.greater(x)
	m.e.blend(greater, x, m.best, m.best)
	m.e.blend(greater, m.pos, m.at, m.at)
	m.e.addInts(step, m.pos, m.pos)
	ADDQ(Imm(uint64(m.e.size)), tap)
	DECQ(cols)
	JNZ(LabelRef("tap"))
	jump, places := param("width"), m.vector()
	LEAQ(Mem{Base: row, Index: jump, Scale: uint8(m.e.size)}, row)
	SUBQ(param("cols"), jump)
	m.broadcast(jump, places)
	m.e.addInts(places, m.pos, m.pos)
}

// greater returns the mask of the elements of x that take the place of the greatest ones so far; a NaN that is there stays.
func (m *maxWriter) greater(x reg.VecVirtual) Op {
	if wide() {
		return m.e.bitAnd(m.e.is(notLessOrEqual, vec{x}, vec{m.best}), m.e.is(ordered, vec{m.best}, vec{m.best}))[0]
	}
	greater, number := m.vector(), m.vector()
	m.e.compare(Imm(notLessOrEqual), m.best, x, greater)
	m.e.compare(Imm(ordered), m.best, m.best, number)
	m.e.and(number, greater, greater)
	return greater
}

// windows reads the elements at p, stride apart. For a stride of two the upper ones come from a load that ends with the last of them.
func (m *maxWriter) windows(p reg.Register, x reg.VecVirtual) {
	if m.stride == 1 {
		m.e.move(Mem{Base: p}, x)
		return
	}
	high := m.vector()
	m.e.move(Mem{Base: p}, x)
	m.e.move(Mem{Base: p, Disp: (m.lanes - 1) * m.e.size}, high)
	if wide() {
		m.e.everySecond(high, x)
		return
	}
	if m.e.size == 4 {
		VSHUFPS(Imm(0xd8), high, x, x)
	} else {
		VSHUFPD(Imm(0xa), high, x, x)
	}
	if m.lanes == m.e.lanes() {
		VPERMPD(Imm(0xd8), x, x)
	}
}

// everySecond brings the even elements of x and the odd ones of high to x, in order.
func (e element) everySecond(high Op, x reg.VecVirtual) {
	e.pick("even", high, x, func(i int) int {
		if i < e.lanes()/2 {
			return 2 * i
		}
		return 2*i + 1
	})
}

// pick replaces every element of x by one of x, or of y, whose elements are counted from the number of lanes on.
func (e element) pick(name string, y Op, x reg.VecVirtual, from func(i int) int) {
	permute := VPERMT2PS
	if e.size == 8 {
		permute = VPERMT2PD
	}
	order := constant(fmt.Sprintf("%s_%s", name, e.bits), e.size, func(i int) uint64 { return uint64(from(i)) })
	permute(y, e.loaded(order)[0], x)
}

// storeIndex writes the places as 32-bit numbers, if they are wanted.
func (m *maxWriter) storeIndex(index reg.GPVirtual) {
	TESTQ(index, index)
	JZ(LabelRef("stored"))
	switch {
	case m.e.size == 4:
		m.e.move(m.at, Mem{Base: index})
	case wide():
		VPMOVQD(m.at, Mem{Base: index})
	default:
		VPSHUFD(Imm(0xd8), m.at, m.at) // the low halves of each two places, together
		VPERMQ(Imm(0xd8), m.at, m.at)
		VMOVDQU(m.at.AsX(), Mem{Base: index})
	}
	ADDQ(Imm(uint64(4*m.lanes)), index)
	Label("stored")
}

// broadcast fills a vector with an integer of the size of the elements.
func (m *maxWriter) broadcast(n reg.GPVirtual, v reg.VecVirtual) {
	VMOVQ(n, v.AsX())
	if m.e.size == 4 {
		VPBROADCASTD(v.AsX(), v)
	} else {
		VPBROADCASTQ(v.AsX(), v)
	}
}

// offsets returns the table of the places of a block's windows.
func (m *maxWriter) offsets() Mem {
	t := fmt.Sprintf("offsets%dx%d_%s", m.lanes, m.stride, m.e.bits)
	g := GLOBL(t, RODATA|NOPTR)
	for i := range m.lanes {
		if m.e.size == 4 {
			DATA(4*i, U32(uint32(i*m.stride)))
		} else {
			DATA(8*i, U64(uint64(i*m.stride)))
		}
	}
	return g
}

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// split writes the function that brings rows into panels of at most width vectors.
func split(e element, width int) {
	name := fmt.Sprintf("split%d_%s", width*e.lanes(), e.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(rows, panels int, src []%[1]s, srcRow int, dst []%[1]s, cols, dstPanel int)", e.name))
	Doc(fmt.Sprintf("%s copies %d elements at i·srcRow+j·cols of src to j·dstPanel+i·cols of dst, i < rows, j < panels, in the order of", name, width*e.lanes()),
		"i and of j. It goes along the rows, because the memory of src is the farther one.")
	Pragma("noescape")
	rows, panels := param("rows"), param("panels")
	src, dst := base("src"), base("dst")
	srcRow, cols, dstPanel := byteParam(e, "srcRow"), byteParam(e, "cols"), byteParam(e, "dstPanel")
	Label("row")
	from, to, left := GP64(), GP64(), GP64()
	MOVQ(src, from)
	MOVQ(dst, to)
	MOVQ(panels, left)
	Label("panel")
	for j := range width {
		x := vector()
		e.move(Mem{Base: from, Disp: j * vectorSize}, x)
		e.move(x, Mem{Base: to, Disp: j * vectorSize})
	}
	PREFETCHT0(Mem{Base: from, Index: srcRow, Scale: 8})
	ADDQ(cols, from)
	ADDQ(dstPanel, to)
	DECQ(left)
	JNZ(LabelRef("panel"))
	ADDQ(srcRow, src)
	ADDQ(cols, dst)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// gather writes the function that collects runs of neighbouring elements around given places.
func gather(e element) {
	name := "gather_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(src []%[1]s, places []int32, runs []int32, dst []%[1]s, dstRow int)", e.name))
	Doc(fmt.Sprintf("%s copies, for place i and each run (from, to), %d elements at places[i]+from of src to i·dstRow+to of dst,", name, e.lanes()),
		"in the order of the runs.")
	Pragma("noescape")
	src, places, dst, dstRow := base("src"), base("places"), base("dst"), byteParam(e, "dstRow")
	n, runs := length("places"), GP64()
	Label("place")
	from := GP64()
	MOVLQSX(Mem{Base: places}, from)
	LEAQ(Mem{Base: src, Index: from, Scale: uint8(e.size)}, from)
	Load(Param("runs").Base(), runs)
	left := length("runs")
	Label("run")
	offset, x := GP64(), vector()
	MOVLQSX(Mem{Base: runs}, offset)
	e.move(Mem{Base: from, Index: offset, Scale: uint8(e.size)}, x)
	MOVLQSX(Mem{Base: runs, Disp: 4}, offset)
	e.move(x, Mem{Base: dst, Index: offset, Scale: uint8(e.size)})
	ADDQ(Imm(8), runs)
	SUBQ(Imm(2), left)
	JNZ(LabelRef("run"))
	ADDQ(Imm(4), places)
	ADDQ(dstRow, dst)
	DECQ(n)
	JNZ(LabelRef("place"))
	VZEROUPPER()
	RET()
}

// scatter writes the function that is the opposite of gather: it adds. Runs may be shorter than a vector; 0 is added to what lies behind.
func scatter(e element) {
	name := "scatter_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(src []%[1]s, srcRow int, places []int32, runs []int32, dst []%[1]s)", e.name))
	Doc(fmt.Sprintf("%s adds, for place i and each run (from, to, n), n ≤ %d elements at i·srcRow+to of src to those at places[i]+from of dst.", name, e.lanes()))
	Pragma("noescape")
	src, srcRow, places, dst := base("src"), byteParam(e, "srcRow"), base("places"), base("dst")
	n, runs, masks := length("places"), GP64(), GP64()
	LEAQ(maskTable().Offset(maskOnes()), masks)
	Label("place")
	to := GP64()
	MOVLQSX(Mem{Base: places}, to)
	LEAQ(Mem{Base: dst, Index: to, Scale: uint8(e.size)}, to)
	Load(Param("runs").Base(), runs)
	left := length("runs")
	Label("run")
	offset, x := GP64(), vector()
	MOVLQSX(Mem{Base: runs, Disp: 4}, offset)
	e.move(Mem{Base: src, Index: offset, Scale: uint8(e.size)}, x)
	MOVLQSX(Mem{Base: runs, Disp: 8}, offset)
	NEGQ(offset)
	e.and(Mem{Base: masks, Index: offset, Scale: uint8(e.size)}, x, x)
	MOVLQSX(Mem{Base: runs}, offset)
	e.add(Mem{Base: to, Index: offset, Scale: uint8(e.size)}, x, x)
	e.move(x, Mem{Base: to, Index: offset, Scale: uint8(e.size)})
	ADDQ(Imm(12), runs)
	SUBQ(Imm(3), left)
	JNZ(LabelRef("run"))
	ADDQ(Imm(4), places)
	ADDQ(srcRow, src)
	DECQ(n)
	JNZ(LabelRef("place"))
	VZEROUPPER()
	RET()
}

// transpose writes the function that turns runs of as many rows as a vector has lanes.
func transpose(e element) {
	name, n := "transpose_"+e.bits, e.lanes()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(src []%[1]s, rows []int, runs []int32, dst []%[1]s, dstRow int)", e.name))
	Doc(fmt.Sprintf("%s copies, for row i < %d and each run (from, to), element rows[i]+from+j of src, j < %[2]d, to (to+j)·dstRow+i of dst,", name, n),
		"in the order of the runs.")
	Pragma("noescape")
	first, at := base("src"), base("rows")
	address := func(i int) reg.GPVirtual {
		row := GP64()
		MOVQ(Mem{Base: at, Disp: 8 * i}, row)
		LEAQ(Mem{Base: first, Index: row, Scale: uint8(e.size)}, row)
		return row
	}
	if n <= 8 { // more addresses have no room in the registers
		address = kept(n, address)
	}
	runs, left, dstRow := base("runs"), length("runs"), byteParam(e, "dstRow")
	Label("run")
	offset, to := GP64(), GP64()
	MOVLQSX(Mem{Base: runs, Disp: 4}, to)
	IMULQ(dstRow, to)
	ADDQ(base("dst"), to)
	MOVLQSX(Mem{Base: runs}, offset)
	columns(e, address, offset, func(x reg.VecVirtual) {
		e.move(x, Mem{Base: to})
		ADDQ(dstRow, to)
	})
	ADDQ(Imm(8), runs)
	SUBQ(Imm(2), left)
	JNZ(LabelRef("run"))
	VZEROUPPER()
	RET()
}

// kept calls f for all i < n once.
func kept(n int, f func(i int) reg.GPVirtual) func(i int) reg.GPVirtual {
	all := make([]reg.GPVirtual, n)
	for i := range all {
		all[i] = f(i)
	}
	return func(i int) reg.GPVirtual { return all[i] }
}

// columns reads a square block whose rows begin at the address of each, plus offset elements, and hands its columns to emit, in order.
// Register i holds rows i, i + 16/size and so on in its parts of 16 bytes, so that no shuffle has to cross them.
func columns(e element, address func(row int) reg.GPVirtual, offset reg.GPVirtual, emit func(reg.VecVirtual)) {
	blocks := make([]vec, vectorSize/16) // of 16 bytes of each row
	together := 16 / e.size
	for i := range e.lanes() {
		row := address(i)
		for b := range blocks {
			m := Mem{Base: row, Index: offset, Scale: uint8(e.size), Disp: 16 * b}
			if i < together {
				x := vector()
				VMOVUPS(m, x.AsX())
				blocks[b] = append(blocks[b], x)
			} else {
				insert(i/together, m, blocks[b][i%together].(reg.VecVirtual))
			}
		}
	}
	for _, x := range blocks {
		for _, c := range unpackColumns(e, x) {
			emit(c.(reg.VecVirtual))
		}
	}
}

// columnsOf returns the columns of 16 bytes of as many rows as a vector has lanes. The registers x are for what is read.
func columnsOf(e element, x vec, row func(i int) Mem) vec {
	together := 16 / e.size
	for i := range together {
		v := x[i].(reg.VecVirtual)
		VMOVUPS(row(i), v.AsX())
		for j := i + together; j < e.lanes(); j += together {
			insert(j/together, row(j), v)
		}
	}
	return unpackColumns(e, x)
}

// unpackColumns returns the columns of rows that lie in the parts of 16 bytes of x.
func unpackColumns(e element, x vec) vec {
	unpacked := func(low, high func(...Op), a, b Op) (lo, hi reg.VecVirtual) {
		return unpack(low, high, a.(reg.VecVirtual), b.(reg.VecVirtual))
	}
	if e.size == 8 {
		lo, hi := unpacked(VUNPCKLPD, VUNPCKHPD, x[0], x[1])
		return vec{lo, hi}
	}
	lo0, hi0 := unpacked(VUNPCKLPS, VUNPCKHPS, x[0], x[1])
	lo1, hi1 := unpacked(VUNPCKLPS, VUNPCKHPS, x[2], x[3])
	c0, c1 := unpack(VUNPCKLPD, VUNPCKHPD, lo0, lo1)
	c2, c3 := unpack(VUNPCKLPD, VUNPCKHPD, hi0, hi1)
	return vec{c0, c1, c2, c3}
}

// insert replaces part i of a register, of 16 bytes.
func insert(i int, from Mem, x reg.VecVirtual) {
	if wide() {
		VINSERTF32X4(Imm(uint64(i)), from, x, x)
	} else {
		VINSERTF128(Imm(uint64(i)), from, x, x)
	}
}

// unpack interleaves the low and the high elements of a and b.
func unpack(low, high func(...Op), a, b reg.VecVirtual) (lo, hi reg.VecVirtual) {
	lo, hi = vector(), vector()
	low(b, a, lo)
	high(b, a, hi)
	return lo, hi
}

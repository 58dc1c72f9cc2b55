package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dotProducts writes the micro-kernels of the product of bfloat16 matrices for AVX512_BF16: those of float32 whose elements are pairs of
// numbers that follow one another along K, and whose multiplications add the products of both. And it writes what brings pairs into panels.
func dotProducts() {
	widen()
	e := float32s
	e.bits, e.fma = "bfloat16", dot
	wideTiles(e)
	splitPairs(1)
	splitPairs(2)
}

// dot stands for VDPBF16PS, x += y₀·z₀ + y₁·z₁: neither avo nor the assembler knows it, so that encodeDots writes it over this instruction.
func dot(ops ...Op) {
	if _, inMemory := ops[0].(Mem); inMemory {
		ops[0] = float32s.loaded(vec{ops[0]})[0]
	}
	VFMADD231PS(ops...)
}

var dotText = regexp.MustCompile(`VFMADD231PS +Z(\d+), Z(\d+), Z(\d+)`)

// encodeDots replaces the instructions of dot by the bytes of VDPBF16PS, EVEX.512.F3.0F38.W0 52 /r.
func encodeDots(text []byte) ([]byte, error) {
	if !dotText.Match(text) {
		return nil, errors.New("no instruction stands for VDPBF16PS")
	}
	return dotText.ReplaceAllFunc(text, func(line []byte) []byte {
		var r [3]byte // z, y, x
		for i, digits := range dotText.FindSubmatch(line)[1:] {
			n, _ := strconv.Atoi(string(digits))
			r[i] = byte(n)
		}
		z, y, x := r[0], r[1], r[2]
		not := func(register byte, bit, to int) byte { return (^register >> bit & 1) << to }
		code := []byte{
			0x62,
			not(x, 3, 7) | not(z, 4, 6) | not(z, 3, 5) | not(x, 4, 4) | 2, // the upper bits of x and z, opcode map 0F38
			^y&15<<3 | 1<<2 | 2, // the lower bits of y, prefix F3
			2<<5 | not(y, 4, 3), // 512 bits, the upper bit of y
			0x52,
			3<<6 | x&7<<3 | z&7,
		}
		return fmt.Appendf(nil, "LONG $0x%02x%02x%02x%02x; WORD $0x%02x%02x // VDPBF16PS Z%d, Z%d, Z%d", code[3], code[2], code[1], code[0], code[5], code[4], z, y, x)
	}), nil
}

// numberMask returns the mask of the first n numbers of 16 bits, n ≤ 32.
func numberMask(n reg.Register) Op {
	bits, mask := GP64(), K()
	MOVQ(I32(-1), bits)
	BZHIQ(n, bits, bits)
	KMOVD(bits.As32(), mask)
	return mask
}

// splitPairs writes the function that makes panels, of at most width vectors of pairs, of rows of numbers.
func splitPairs(width int) {
	e := float32s
	name := fmt.Sprintf("splitPairs%d", width*e.lanes())
	TEXT(name, NOSPLIT, "func(rows, panels, n int, src []uint16, srcRow int, dst []float32, cols, dstPanel int)")
	Doc(fmt.Sprintf("%s makes pairs of the elements at 2i·srcRow+j·n+l and (2i+1)·srcRow+j·n+l of src, the first in the lower half, at", name),
		fmt.Sprintf("j·dstPanel+i·cols+l of dst, for i < rows, j < panels and l < n ≤ %d.", width*e.lanes()))
	Pragma("noescape")
	src, srcRow, dst, cols, dstPanel := base("src"), param("srcRow"), base("dst"), byteParam(e, "cols"), byteParam(e, "dstPanel")
	SHLQ(Imm(1), srcRow)
	n := param("n")
	masks, numbers := opmasks(e, n, width), numberMask(n)
	orders := make(vec, width)
	for v := range orders {
		order := constant(fmt.Sprintf("pairs%d", v), 4, func(i int) uint64 {
			first := uint64(v*e.lanes() + i)
			return first | (first+2*uint64(e.lanes()))<<16
		})
		orders[v] = e.loaded(order)[0]
	}
	SHLQ(Imm(1), n)
	rows := param("rows")
	Label("row")
	from, below, to, left := GP64(), GP64(), GP64(), param("panels")
	MOVQ(src, from)
	LEAQ(Mem{Base: src, Index: srcRow, Scale: 1}, below)
	MOVQ(dst, to)
	Label("panel")
	first, second := vector(), vector()
	part := func(x reg.VecVirtual) Op {
		if width == 1 {
			return x.AsY()
		}
		return x
	}
	VMOVDQU16_Z(Mem{Base: from}, numbers, part(first))
	VMOVDQU16_Z(Mem{Base: below}, numbers, part(second))
	for v, mask := range masks {
		x := e.copied(vec{first}, 1)[0]
		VPERMT2W(second, orders[v], x)
		VMOVDQU32(x, mask, Mem{Base: to, Disp: v * vectorSize})
	}
	PREFETCHT0(Mem{Base: from, Index: srcRow, Scale: 8})
	PREFETCHT0(Mem{Base: below, Index: srcRow, Scale: 8})
	ADDQ(n, from)
	ADDQ(n, below)
	ADDQ(dstPanel, to)
	DECQ(left)
	JNZ(LabelRef("panel"))
	LEAQ(Mem{Base: src, Index: srcRow, Scale: 2}, src)
	ADDQ(cols, dst)
	DECQ(rows)
	JNZ(LabelRef("row"))
	end()
}

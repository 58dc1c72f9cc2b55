package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// dotProducts writes the micro-kernels of the product of bfloat16 matrices for AVX512_BF16: those of float32 whose elements are pairs of
// numbers that follow one another along K, and whose multiplications add the products of both. And it writes what makes pairs.
func dotProducts() {
	widen()
	e := float32s
	e.bits, e.fma = "bfloat16", dot
	wideTiles(e)
	pairRows()
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

// pairRows writes the function that makes one row of pairs of two rows.
func pairRows() {
	TEXT("pairRows", NOSPLIT, "func(a, b []uint16, y []float32)")
	Doc("pairRows writes pairs: the bits of y[i] are a[i] and above them b[i].")
	Pragma("noescape")
	a, b, y, left := base("a"), base("b"), base("y"), length("y")
	SUBQ(Imm(16), left)
	JL(LabelRef("tail"))
	Label("pairs")
	low, high := vector(), vector()
	VPMOVZXWD(Mem{Base: a}, low)
	VPMOVZXWD(Mem{Base: b}, high)
	VPSLLD(Imm(16), high, high)
	VPORD(low, high, high)
	VMOVDQU32(high, Mem{Base: y})
	ADDQ(Imm(32), a)
	ADDQ(Imm(32), b)
	ADDQ(Imm(64), y)
	SUBQ(Imm(16), left)
	JGE(LabelRef("pairs"))
	Label("tail")
	ADDQ(Imm(16), left)
	JZ(LabelRef("done"))
	mask := opmasks(float32s, left, 1)[0]
	VPMOVZXWD_Z(Mem{Base: a}, mask, low)
	VPMOVZXWD_Z(Mem{Base: b}, mask, high)
	VPSLLD(Imm(16), high, high)
	VPORD(low, high, high)
	VMOVDQU32(high, mask, Mem{Base: y})
	Label("done")
	end()
}

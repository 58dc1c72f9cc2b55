package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sumRows writes the function that adds rows to sums of float64. It goes down some columns at a time, whose sums stay in registers.
func sumRows(e element) {
	name := "sumRows_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(rows int, x []%s, row int, acc []float64)", e.name))
	Doc(name + " computes SumRowsInto.")
	Pragma("noescape")
	s := &rowSums{element: e, x: base("x"), acc: base("acc"), row: byteParam(e, "row"), rows: param("rows"), left: length("acc")}
	s.blocks("wide", 8)
	s.blocks("narrow", 2)
	TESTQ(s.left, s.left)
	JZ(LabelRef("done"))
	s.rest()
	Label("done")
	end()
}

// rowSums holds the registers of sumRows.
type rowSums struct {
	element
	x, acc, row, rows, left reg.GPVirtual
}

// blocks does columns by n vectors of float64 while there are as many.
func (s *rowSums) blocks(label string, n int) {
	lanes := float64s.lanes()
	columns := Imm(uint64(lanes * n))
	Label(label)
	CMPQ(s.left, columns)
	JL(LabelRef(label + "_done"))
	sum := registers(n)
	for i := range sum {
		VMOVUPD(Mem{Base: s.acc, Disp: i * vectorSize}, sum[i])
	}
	s.down(label, func(p reg.GPVirtual) {
		for line := 0; line < lanes*n*s.size; line += cacheLine {
			PREFETCHT0(Mem{Base: p, Index: s.row, Scale: 8, Disp: line})
		}
		for i := range sum {
			from := Mem{Base: p, Disp: lanes * i * s.size}
			if s.size == 8 {
				VADDPD(from, sum[i], sum[i])
				continue
			}
			v := vector()
			VCVTPS2PD(from, v)
			VADDPD(v, sum[i], sum[i])
		}
	})
	for i := range sum {
		VMOVUPD(sum[i], Mem{Base: s.acc, Disp: i * vectorSize})
	}
	ADDQ(U32(uint32(n*vectorSize)), s.acc)
	ADDQ(U32(uint32(lanes*n*s.size)), s.x)
	SUBQ(columns, s.left)
	JMP(LabelRef(label))
	Label(label + "_done")
}

// rest does fewer columns than two vectors have.
func (s *rowSums) rest() {
	masks, sum := ones(float64s, s.left, 2), registers(2)
	for i := range sum {
		float64s.maskedMove(Mem{Base: s.acc, Disp: i * vectorSize}, masks[i], sum[i])
	}
	single := ones(float32s, s.left, 1)
	s.down("rest", func(p reg.GPVirtual) {
		if s.size == 4 {
			x := vector()
			float32s.maskedMove(Mem{Base: p}, single[0], x)
			accumulate(s.widen(vec{x}), sum)
			return
		}
		for i := range sum {
			x := vector()
			float64s.maskedMove(Mem{Base: p, Disp: i * vectorSize}, masks[i], x)
			VADDPD(x, sum[i], sum[i])
		}
	})
	for i := range sum {
		float64s.maskedMove(sum[i], masks[i], Mem{Base: s.acc, Disp: i * vectorSize})
	}
}

// down does body for every row, with where it begins.
func (s *rowSums) down(label string, body func(p reg.GPVirtual)) {
	p, n := GP64(), GP64()
	MOVQ(s.x, p)
	MOVQ(s.rows, n)
	Label(label + "_row")
	body(p)
	ADDQ(s.row, p)
	DECQ(n)
	JNZ(LabelRef(label + "_row"))
}

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dots writes the function that multiplies groups of rows, each as many as a vector has lanes, with one vector of numbers. Blocks of the
// rows are turned in registers, so that each row keeps an element of a sum and adds in the order of its elements, as the micro-kernels do.
// Of a row a line of the cache is used up before the next group is read: rows that are a power of two apart have only a few lines to share.
func dots(e element, groups int) {
	n := e.lanes()
	name := fmt.Sprintf("dots%d_%s", groups*n, e.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(blocks int, x, b []%[1]s, bRow int, c []%[1]s)", e.name))
	Doc(fmt.Sprintf("%s adds x[p]·b[i·bRow+p] to c[i], for i < %d and p < blocks·%d, in the order of p.", name, groups*n, cacheLine/e.size))
	Pragma("noescape")
	left, x, c := param("blocks"), base("x"), base("c")
	at := rowsOfGroups(e, groups)
	turned := registers(16 / e.size)
	sums := make([]reg.VecVirtual, groups)
	for g := range sums {
		sums[g] = vector()
		e.move(Mem{Base: c, Disp: g * vectorSize}, sums[g])
	}
	Label("block")
	for g := range sums {
		for part := range cacheLine / 16 {
			for j, column := range columnsOf(e, turned, func(i int) Mem { return at.row(g, i).Offset(16 * part) }) {
				v := vector()
				e.broadcast(Mem{Base: x, Disp: 16*part + j*e.size}, v)
				e.fma(column, v, sums[g])
			}
		}
	}
	ADDQ(Imm(cacheLine), x)
	for _, p := range at.first {
		ADDQ(Imm(cacheLine), p)
	}
	DECQ(left)
	JNZ(LabelRef("block"))
	for g := range sums {
		e.move(sums[g], Mem{Base: c, Disp: g * vectorSize})
	}
	VZEROUPPER()
	RET()
}

// groupRows are the addresses of groups of as many rows as a vector has lanes, at most 8.
type groupRows struct {
	first    []reg.GPVirtual       // of the groups
	multiple map[int]reg.GPVirtual // odd multiples of the distance of rows
}

// rowsOfGroups loads the addresses of the rows of b.
func rowsOfGroups(e element, groups int) groupRows {
	r := groupRows{multiple: map[int]reg.GPVirtual{1: byteParam(e, "bRow")}}
	for i := 3; i < e.lanes(); i += 2 {
		p := GP64()
		LEAQ(Mem{Base: r.at(i - 2), Index: r.at(1), Scale: 2}, p)
		r.multiple[i] = p
	}
	p := base("b")
	for g := range groups {
		if g > 0 {
			next := GP64()
			LEAQ(Mem{Base: p, Index: r.at(1), Scale: uint8(e.lanes())}, next)
			p = next
		}
		r.first = append(r.first, p)
	}
	return r
}

func (r groupRows) at(multiple int) reg.GPVirtual { return r.multiple[multiple] }

// row returns where row i of a group begins.
func (r groupRows) row(group, i int) Mem {
	m := Mem{Base: r.first[group]}
	if i == 0 {
		return m
	}
	scale := i & -i
	m.Index, m.Scale = r.at(i/scale), uint8(scale)
	return m
}

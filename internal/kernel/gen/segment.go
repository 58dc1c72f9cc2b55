package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
)

// segments writes what pooling over sequences takes of each row.
func segments() {
	greaterInto(float32s)
	greaterInto(float64s)
}

// greaterInto writes the function that keeps the greater of two rows, and where it stands.
func greaterInto(e element) {
	name := "greaterInto_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(x, y []%s, arg []int%[2]s, row int%[2]s)", e.name, e.bits))
	Doc(name + " computes greaterInto.")
	Pragma("noescape")
	w := newWalk(e, "x", "y", "arg")
	row := w.constant("row")
	w.run("", length("x"), func() {
		x, y := w.load("x"), w.load("y")
		more := e.bitAnd(e.is(notLessOrEqual, x, y), e.is(ordered, y, y)) // a NaN that is there stays
		w.store(e.where(more, x, y), "y")
		w.store(e.where(more, row, w.load("arg")), "arg")
	})
	end()
}

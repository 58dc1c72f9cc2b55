package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
)

// segments writes what is done with rows: sums and extremes of columns, and of sequences pooling, with one row and with four at a time, so
// that results are in registers for longer, and sums of products.
func segments() {
	for _, e := range []element{float32s, float64s} {
		sumInto(e)
		columnExtremes(e)
		sumRows(e)
		greaterInto(e, 1)
		greaterInto(e, 4)
		column(e, "sumFourInto", "x, x1, x2, x3", "acc", "SumInto for four rows, one after another", func(w *pairWalk) {
			acc := w.load("acc")
			for _, x := range rowNames(4) {
				acc = float64s.plus(acc, w.load(x))
			}
			w.store(acc, "acc")
		})
		column(e, "productsInto", "x, y", "acc", "productsInto", func(w *pairWalk) {
			w.store(float64s.plus(w.load("acc"), float64s.times(w.load("x"), w.load("y"))), "acc")
		})
	}
}

// wideSegments writes the same for AVX-512.
func wideSegments() {
	widen()
	segments()
}

// rowNames returns the names of parameters that are rows.
func rowNames(rows int) []string {
	all := []string{"x"}
	for i := 1; i < rows; i++ {
		all = append(all, fmt.Sprint("x", i))
	}
	return all
}

// greaterInto writes the function that keeps the greater of a row and of each of rows that follow one another, and where it stands.
func greaterInto(e element, rows int) {
	name, doc := "greaterInto_"+e.bits, "greaterInto"
	if rows > 1 {
		name, doc = "greaterFourInto_"+e.bits, "greaterInto for four rows, one after another"
	}
	xs := rowNames(rows)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(%s, y []%s, arg []int%[3]d, row int%[3]d)", strings.Join(xs, ", "), e.name, 8*e.size))
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	w := newWalk(e, append([]string{"y", "arg"}, xs...)...)
	at := []vec{w.constant("row")}
	for i := 1; i < rows; i++ {
		at = append(at, e.apply(e.addInts, at[i-1], e.word(1)))
	}
	w.run("", length("x"), func() {
		y, arg := w.load("y"), w.load("arg")
		for i, name := range xs {
			x := w.load(name)
			more := e.bitAnd(e.is(notLessOrEqual, x, y), e.is(ordered, y, y)) // a NaN that is there stays
			e.replace(y, more, x)
			e.replace(arg, more, at[i])
		}
		w.store(y, "y")
		w.store(arg, "arg")
	})
	end()
}

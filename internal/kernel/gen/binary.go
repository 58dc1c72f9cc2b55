package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// binary writes the function y = f(a, b) whose operands are as long as y or single elements.
func binary(e element, name, doc string, f func(a, b vec) vec) {
	name += "_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(a, b, y []%s)", e.name))
	Doc(fmt.Sprintf("%s computes %s. One of a and b may have a single element, which stands for all.", name, doc))
	Pragma("noescape")
	w := newWalk(e, "a", "b", "y")
	n := length("y")
	CMPQ(length("a"), Imm(1))
	JE(LabelRef("single_a"))
	CMPQ(length("b"), Imm(1))
	JE(LabelRef("single_b"))
	w.run("", n, func() { w.store(f(w.load("a"), w.load("b")), "y") })
	end()
	Label("single_a")
	a := w.single("a")
	w.run("a_", n, func() { w.store(f(a, w.load("b")), "y") })
	end()
	Label("single_b")
	b := w.single("b")
	w.run("b_", n, func() { w.store(f(w.load("a"), b), "y") })
	end()
}

// binaries writes the functions of two numbers.
func binaries(e element) {
	binary(e, "add", "a + b", func(a, b vec) vec { return e.plus(a, b) })
	binary(e, "sub", "a − b", func(a, b vec) vec { return e.minus(a, b) })
	binary(e, "mul", "a·b", func(a, b vec) vec { return e.times(a, b) })
	binary(e, "div", "a/b", func(a, b vec) vec { return e.over(a, b) })
	binary(e, "max", "max(a, b)", e.greatest)
	binary(e, "min", "min(a, b)", e.least)
}

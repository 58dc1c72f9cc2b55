package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// walk is the loop of a function over slices of equal length: some vectors at a time, then one, and at last what is left, by the same
// instructions under a mask, so that the bits of an element do not depend on its place. Nothing behind the slices is touched.
type walk struct {
	element
	most  int                      // vectors at a time
	now   int                      // vectors at hand
	at    reg.GPVirtual            // bytes from the beginning
	first map[string]reg.GPVirtual // of the slices
	mask  Op                       // of the elements that are left; nil for whole vectors
}

// elementwise writes the function name over slices, named "x, y", with constants, named "a, b" or not at all. begin loads what stays in
// registers and returns what is done for the vectors at hand.
func elementwise(e element, name, slices, constants, doc string, begin func(w *walk) (body func())) {
	signature := fmt.Sprintf("func(%s []%s", slices, e.name)
	if constants != "" {
		signature += fmt.Sprintf(", %s %s", constants, e.name)
	}
	name += "_" + e.bits
	TEXT(name, NOSPLIT, signature+")")
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	all := names(slices)
	w := newWalk(e, all...)
	body := begin(w)
	w.run("", length(all[len(all)-1]), body)
	end()
}

// names splits a list of parameters.
func names(list string) []string { return strings.Split(list, ", ") }

// newWalk loads the addresses of slices.
func newWalk(e element, names ...string) *walk {
	w := &walk{element: e, most: 2, first: map[string]reg.GPVirtual{}}
	for _, name := range names {
		w.first[name] = base(name)
	}
	return w
}

// end leaves a function.
func end() {
	VZEROUPPER()
	RET()
}

// run does body for all of left elements. Labels begin with prefix.
func (w *walk) run(prefix string, left reg.GPVirtual, body func()) {
	w.at = GP64()
	XORQ(w.at, w.at)
	if w.most > 1 {
		w.loop(prefix+"vectors", w.most, left, body)
	}
	w.loop(prefix+"vector", 1, left, body)
	TESTQ(left, left)
	JZ(LabelRef(prefix + "done"))
	w.mask = ones(w.element, left, 1)[0]
	body()
	w.mask = nil
	Label(prefix + "done")
}

// loop does body for n vectors while there are as many.
func (w *walk) loop(label string, n int, left reg.GPVirtual, body func()) {
	w.now = n
	elements := Imm(uint64(n * w.lanes()))
	SUBQ(elements, left)
	JL(LabelRef(label + "_done"))
	Label(label)
	body()
	ADDQ(amount(n*vectorSize), w.at)
	SUBQ(elements, left)
	JGE(LabelRef(label))
	Label(label + "_done")
	ADDQ(elements, left)
}

// amount returns a number as an operand of one byte or, since instructions have none of two, of four.
func amount(n int) Op {
	if n < 256 {
		return Imm(uint64(n))
	}
	return U32(uint32(n))
}

// ones returns the masks of width vectors that select the first n elements: it reads the table at the place from which as many ones
// are left as wanted.
func ones(e element, n reg.Register, width int) vec {
	if wide() {
		return opmasks(e, n, width)
	}
	at, from := GP64(), GP64()
	LEAQ(maskTable(), at)
	MOVQ(U32(uint32(maskOnes()/e.size)), from)
	SUBQ(n, from)
	masks := registers(width)
	for j, m := range masks {
		e.move(Mem{Base: at, Index: from, Scale: uint8(e.size), Disp: j * vectorSize}, m)
	}
	return masks
}

// in returns the elements at hand of a slice, in memory if they are whole vectors.
func (w *walk) in(name string) vec {
	v := make(vec, w.now)
	for i := range v {
		v[i] = Mem{Base: w.first[name], Index: w.at, Scale: 1, Disp: i * vectorSize}
	}
	if w.mask != nil {
		x := vector()
		w.maskedMove(v[0], w.mask, x)
		v[0] = x // 0 where there are no elements
	}
	return v
}

// load returns the elements at hand of a slice in registers.
func (w *walk) load(name string) vec { return w.loaded(w.in(name)) }

// store writes to the elements at hand of a slice.
func (w *walk) store(x vec, name string) {
	for i := range w.now {
		to := Mem{Base: w.first[name], Index: w.at, Scale: 1, Disp: i * vectorSize}
		if w.mask == nil {
			w.move(x.at(i), to)
		} else {
			w.maskedMove(x.at(i), w.mask, to)
		}
	}
}

// constant fills a register with a parameter.
func (w *walk) constant(name string) vec { return w.element.fill(argument(Param(name))) }

// single fills a register with the first element of a slice.
func (w *walk) single(name string) vec { return w.element.fill(Mem{Base: w.first[name]}) }

// fill returns a register whose elements are all the one in memory.
func (e element) fill(m Mem) vec {
	x := vector()
	e.broadcast(m, x)
	return vec{x}
}

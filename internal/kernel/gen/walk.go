package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type vec = reg.VecVirtual

// walk is the loop of a function over slices of equal length: a vector at a time, and at last what is left, by the same instructions
// under a mask, so that the bits of an element do not depend on its place. Nothing behind the slices is touched.
type walk struct {
	element
	at    reg.GPVirtual            // bytes from the beginning
	first map[string]reg.GPVirtual // of the slices
	mask  vec                      // of the elements that are left; nil for whole vectors
}

// elementwise writes the function name over slices, named "x, y", with constants, named "a, b" or not at all. begin loads what stays in registers
// and returns what is done for every vector.
func elementwise(e element, name, slices, constants, doc string, begin func(w *walk) (body func())) {
	signature := fmt.Sprintf("func(%s []%s", slices, e.name)
	if constants != "" {
		signature += fmt.Sprintf(", %s %s", constants, e.name)
	}
	name += "_" + e.bits
	TEXT(name, NOSPLIT, signature+")")
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	names := strings.Split(slices, ", ")
	w := newWalk(e, names...)
	w.run("", length(names[len(names)-1]), begin(w))
	end()
}

// newWalk loads the addresses of slices.
func newWalk(e element, names ...string) *walk {
	w := &walk{element: e, first: map[string]reg.GPVirtual{}}
	for _, name := range names {
		w.first[name] = base(name)
	}
	return w
}

// run does body for every vector of left elements. Labels begin with prefix.
func (w *walk) run(prefix string, left reg.GPVirtual, body func()) {
	w.at = GP64()
	XORQ(w.at, w.at)
	SUBQ(Imm(uint64(w.lanes())), left)
	JL(LabelRef(prefix + "tail"))
	Label(prefix + "vector")
	body()
	ADDQ(Imm(vectorSize), w.at)
	SUBQ(Imm(uint64(w.lanes())), left)
	JGE(LabelRef(prefix + "vector"))
	Label(prefix + "tail")
	ADDQ(Imm(uint64(w.lanes())), left)
	JZ(LabelRef(prefix + "done"))
	w.mask = ones(w.element, left, 1)[0]
	body()
	w.mask = nil
	Label(prefix + "done")
}

// ones returns the masks of width vectors that select the first n elements: it reads the table at the place from which as many ones
// are left as wanted.
func ones(e element, n reg.GPVirtual, width int) (masks []vec) {
	at, from := GP64(), GP64()
	LEAQ(maskTable(), at)
	MOVQ(U32(uint32(maskOnes/e.size)), from)
	SUBQ(n, from)
	for j := range width {
		m := YMM()
		e.move(Mem{Base: at, Index: from, Scale: uint8(e.size), Disp: j * vectorSize}, m)
		masks = append(masks, m)
	}
	return masks
}

// place returns where the elements at hand of a slice lie.
func (w *walk) place(name string) Mem {
	return Mem{Base: w.first[name], Index: w.at, Scale: 1}
}

// in returns the elements of a slice as the operand of an instruction.
func (w *walk) in(name string) Op {
	if w.mask == nil {
		return w.place(name)
	}
	return w.load(name)
}

// load brings the elements of a slice into a register; where there are none it has 0.
func (w *walk) load(name string) vec {
	x := YMM()
	if w.mask == nil {
		w.move(w.place(name), x)
	} else {
		w.maskedMove(w.place(name), w.mask, x)
	}
	return x
}

// store writes to the elements of a slice.
func (w *walk) store(x vec, name string) {
	if w.mask == nil {
		w.move(x, w.place(name))
	} else {
		w.maskedMove(x, w.mask, w.place(name))
	}
}

// constant fills a register with a parameter.
func (w *walk) constant(name string) vec {
	x := YMM()
	c, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	w.broadcast(c.Addr, x)
	return x
}

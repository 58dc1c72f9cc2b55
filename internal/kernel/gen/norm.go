package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// norms writes the passes of a batch norm over planes, with an activation in them.
func norms(e element) {
	normSums(e, "normMoments", "x", "", func(w *normWalk) func() (first, second, factor vec) {
		shift := w.channel(2)
		return func() (first, second, factor vec) {
			d := w.counted(w.minus(w.load("x"), shift))
			return d, d, d
		}
	})
	overPlanes(e, "normClamp", "x, y", "low, high, zero", func(w *normWalk) func() {
		low, high, zero := w.constant("low"), w.constant("high"), w.constant("zero")
		return func() {
			w.planes(func() {
				normal := w.normalized()
				w.run("", param("inner"), func() {
					_, v := normal()
					v = w.apply(w.min, high, w.plus(w.apply(w.max, low, v), zero)) // both instructions give v where it is NaN
					w.store(v, "y")
				})
			})
		}
	})
	normGrads(e, "", "", nil)
	normGrads(e, "ReLU", "", func(w *normWalk) func(v, d vec) vec {
		return func(v, d vec) vec { return w.without(d, w.is(lessOrEqual, v, w.zero())) }
	})
	normGrads(e, "Clip", "low, high", func(w *normWalk) func(v, d vec) vec {
		low, high := w.constant("low"), w.constant("high")
		return func(v, d vec) vec {
			return w.bitAnd(w.bitAnd(w.is(greaterOrEqual, v, low), w.is(lessOrEqual, v, high)), d)
		}
	})
}

// normGrads writes the sums for the gradient of a norm with an activation, and the gradient. begin loads what stays in registers.
func normGrads(e element, act, constants string, begin func(w *normWalk) (through func(v, d vec) vec)) {
	normSums(e, "normProducts"+act, "x, dy", constants, func(w *normWalk) func() (first, second, factor vec) {
		if begin == nil {
			mean := w.channel(0)
			return func() (first, second, factor vec) {
				d := w.load("dy")
				return d, d, w.counted(w.minus(w.load("x"), mean))
			}
		}
		through, normal := begin(w), w.normalized()
		return func() (first, second, factor vec) {
			centred, v := normal()
			d := through(v, w.in("dy"))
			return d, d, w.counted(centred)
		}
	})
	overPlanes(e, "normGrad"+act, "x, dy, dx", constants, func(w *normWalk) func() {
		through := func(v, d vec) vec { return d }
		if begin != nil {
			through = begin(w)
		}
		return func() {
			w.planes(func() {
				mean, scale, shift, slope, last := w.channel(0), w.channel(1), w.channel(2), w.channel(3), w.channel(4)
				w.run("", param("inner"), func() {
					centred := w.minus(w.load("x"), mean)
					d := w.load("dy")
					if begin != nil {
						d = through(w.plus(w.times(centred, scale), shift), d)
					}
					w.store(w.plus(w.plus(w.times(scale, d), w.times(centred, slope)), last), "dx")
				})
			})
		}
	})
}

// normWalk is a walk over one plane after another, each with the constants of its channel: mean, scale, shift, slope and base.
type normWalk struct {
	*walk
	names []string
	k     reg.GPVirtual
}

// normChannel is the number of constants of a channel.
const normChannel = 5

// overPlanes writes the function name. begin loads what stays in registers and returns what does all planes.
func overPlanes(e element, name, slices, constants string, begin func(w *normWalk) func()) {
	name += "_" + e.bits
	signature := fmt.Sprintf("func(planes, inner int, %s []%[2]s, k *%[2]s", slices, e.name)
	if constants != "" {
		signature += ", " + constants + " " + e.name
	}
	TEXT(name, NOSPLIT, signature+")")
	Doc(name + " computes what Norm says for planes of inner elements, with their constants at k.")
	Pragma("noescape")
	w := &normWalk{newWalk(e, names(slices)...), names(slices), param("k")}
	begin(w)()
	end()
}

// planes does body for each plane.
func (w *normWalk) planes(body func()) {
	left, size := param("planes"), byteParam(w.element, "inner")
	Label("plane")
	body()
	for _, name := range w.names {
		ADDQ(size, w.first[name])
	}
	ADDQ(Imm(uint64(normChannel*w.size)), w.k)
	DECQ(left)
	JNZ(LabelRef("plane"))
}

// channel fills a register with constant i of the plane's channel.
func (w *normWalk) channel(i int) vec { return w.fill(Mem{Base: w.k, Disp: i * w.size}) }

// normalized returns what computes x − mean and (x − mean)·scale + shift.
func (w *normWalk) normalized() func() (centred, v vec) {
	mean, scale, shift := w.channel(0), w.channel(1), w.channel(2)
	return func() (centred, v vec) {
		centred = w.minus(w.load("x"), mean)
		return centred, w.plus(w.times(centred, scale), shift)
	}
}

// counted returns the elements of v that there are, and 0 for the others.
func (w *normWalk) counted(v vec) vec {
	if w.mask == nil {
		return v
	}
	return w.bitAnd(vec{w.mask}, v)
}

// normSums writes a function that adds two sums to those of each plane's channel, that of first and that of second·factor, each added up in e
// in two vectors.
func normSums(e element, name, slices, constants string, begin func(w *normWalk) (terms func() (first, second, factor vec))) {
	name += "_" + e.bits
	signature := fmt.Sprintf("func(planes, inner int, %s []%[2]s, k *%[2]s, sum, products []float64", slices, e.name)
	if constants != "" {
		signature += ", " + constants + " " + e.name
	}
	TEXT(name, NOSPLIT, signature+")")
	Doc(name + " computes what Norm says for planes of inner elements, with their constants at k, added up in " + e.name + ".")
	Pragma("noescape")
	w := &normWalk{newWalk(e, names(slices)...), names(slices), param("k")}
	to := []reg.GPVirtual{base("sum"), base("products")}
	w.planes(func() {
		sums := []vec{registers(2), registers(2)}
		for _, s := range sums {
			e.xor(s[0], s[0], s[0])
			e.xor(s[1], s[1], s[1])
		}
		terms := begin(w)
		w.run("", param("inner"), func() { w.oneByOne(terms, sums[0], sums[1]) })
		for i, s := range sums {
			e.joined(s, Mem{Base: to[i]})
			ADDQ(Imm(8), to[i])
		}
	})
	end()
}

// oneByOne adds the terms of the vectors at hand, for want of registers one after the other.
func (w *normWalk) oneByOne(terms func() (first, second, factor vec), sum, products vec) {
	n := w.now
	w.now = 1
	for i := range n {
		first, second, factor := terms()
		w.add(first[0], sum[i], sum[i])
		w.fma(factor[0], second[0], products[i])
		if i < n-1 {
			ADDQ(Imm(uint64(vectorSize)), w.at)
		}
	}
	if n > 1 {
		SUBQ(Imm(uint64((n-1)*vectorSize)), w.at)
	}
}

// joined adds the sum of the elements of two vectors to a float64.
func (e element) joined(v vec, to Mem) {
	x := e.widened(e.plus(v[:1], v[1:2])[0].(reg.VecVirtual))
	high := XMM()
	VEXTRACTF128(Imm(1), x, high)
	VADDPD(high, x.AsX(), x.AsX())
	VPERMILPD(Imm(1), x.AsX(), high)
	VADDSD(high, x.AsX(), x.AsX())
	VADDSD(to, x.AsX(), x.AsX())
	VMOVSD(x.AsX(), to)
}

// widened returns a vector as one of float64, of 256 bits, whose elements are sums where there were more.
func (e element) widened(x reg.VecVirtual) reg.VecVirtual {
	if e.size == 4 {
		both := e.widen(vec{x})
		x = float64s.plus(both[:1], both[1:])[0].(reg.VecVirtual)
	}
	if !wide() {
		return x
	}
	low, high := lowHalf(x), YMM()
	VEXTRACTF64X4(Imm(1), x, high)
	VADDPD(high, low, low)
	return low
}

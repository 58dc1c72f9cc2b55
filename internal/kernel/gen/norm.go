package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// norms writes the passes of a batch norm over a piece of a channel, with an activation in them.
func norms(e element) {
	normSums(e, "normMoments", "x", "shift", func(w *walk) func() (first, second, factor vec) {
		shift := w.constant("shift")
		return func() (first, second, factor vec) {
			d := w.counted(w.minus(w.load("x"), shift))
			return d, d, d
		}
	})
	elementwise(e, "normClamp", "x, y", "mean, scale, shift, low, high, zero", "Norm.Output", func(w *walk) func() {
		normal, low, high, zero := normalized(w), w.constant("low"), w.constant("high"), w.constant("zero")
		return func() {
			_, v := normal()
			v = w.apply(w.min, high, w.plus(w.apply(w.max, low, v), zero)) // both instructions give v where it is NaN
			w.store(v, "y")
		}
	})
	for _, act := range []struct {
		name, constants string
		begin           func(w *walk) (through func(v, d vec) vec)
	}{
		{"", "mean", nil},
		{"ReLU", "mean, scale, shift", func(w *walk) func(v, d vec) vec {
			return func(v, d vec) vec { return w.without(d, w.is(lessOrEqual, v, w.zero())) }
		}},
		{"Clip", "mean, scale, shift, low, high", func(w *walk) func(v, d vec) vec {
			low, high := w.constant("low"), w.constant("high")
			return func(v, d vec) vec {
				return w.bitAnd(w.bitAnd(w.is(greaterOrEqual, v, low), w.is(lessOrEqual, v, high)), d)
			}
		}},
	} {
		normSums(e, "normProducts"+act.name, "x, dy", act.constants, func(w *walk) func() (first, second, factor vec) {
			if act.begin == nil {
				mean := w.constant("mean")
				return func() (first, second, factor vec) {
					d := w.load("dy")
					return d, d, w.counted(w.minus(w.load("x"), mean))
				}
			}
			normal, through := normalized(w), act.begin(w)
			return func() (first, second, factor vec) {
				centred, v := normal()
				d := through(v, w.in("dy"))
				return d, d, w.counted(centred)
			}
		})
		if act.begin == nil {
			continue
		}
		elementwise(e, "normGrad"+act.name, "x, dy, dx", act.constants+", slope, base", "Norm.Gradient", func(w *walk) func() {
			mean, scale, shift := w.constant("mean"), w.constant("scale"), w.constant("shift")
			slope, last, through := w.constant("slope"), w.constant("base"), act.begin(w)
			return func() {
				centred := w.minus(w.load("x"), mean)
				d := through(w.plus(w.times(centred, scale), shift), w.load("dy"))
				w.store(w.plus(w.plus(w.times(scale, d), w.times(centred, slope)), last), "dx")
			}
		})
	}
}

// normalized returns what computes x − mean and (x − mean)·scale + shift.
func normalized(w *walk) func() (centred, v vec) {
	mean, scale, shift := w.constant("mean"), w.constant("scale"), w.constant("shift")
	return func() (centred, v vec) {
		centred = w.minus(w.load("x"), mean)
		return centred, w.plus(w.times(centred, scale), shift)
	}
}

// counted returns the elements of v that there are, and 0 for the others.
func (w *walk) counted(v vec) vec {
	if w.mask == nil {
		return v
	}
	return w.bitAnd(vec{w.mask}, v)
}

// normSums writes a function of two sums, that of first and that of second·factor, each added up in e in two vectors.
func normSums(e element, name, slices, constants string, begin func(w *walk) (terms func() (first, second, factor vec))) {
	name += "_" + e.bits
	TEXT(name, NOSPLIT, fmt.Sprintf("func(%s []%s, %s %[2]s) (sum, products float64)", slices, e.name, constants))
	Doc(name + " computes what Norm says, added up in " + e.name + ".")
	Pragma("noescape")
	all := names(slices)
	w := newWalk(e, all...)
	sum, products := registers(2), registers(2)
	for i := range sum {
		e.xor(sum[i], sum[i], sum[i])
		e.xor(products[i], products[i], products[i])
	}
	terms := begin(w)
	w.run("", length(all[len(all)-1]), func() {
		n := w.now
		w.now = 1 // one after the other, for want of registers
		for i := range n {
			first, second, factor := terms()
			e.add(first[0], sum[i], sum[i])
			e.fma(factor[0], second[0], products[i])
			if i < n-1 {
				ADDQ(Imm(uint64(vectorSize)), w.at)
			}
		}
		if n > 1 {
			SUBQ(Imm(uint64((n-1)*vectorSize)), w.at)
		}
	})
	e.joined(sum, argument(Return("sum")))
	e.joined(products, argument(Return("products")))
	end()
}

// joined stores the sum of the elements of two vectors as a float64.
func (e element) joined(v vec, to Mem) {
	x := e.widened(e.plus(v[:1], v[1:2])[0].(reg.VecVirtual))
	high := XMM()
	VEXTRACTF128(Imm(1), x, high)
	VADDPD(high, x.AsX(), x.AsX())
	VPERMILPD(Imm(1), x.AsX(), high)
	VADDSD(high, x.AsX(), x.AsX())
	VMOVSD(x.AsX(), to)
}

// widened returns a vector as one of float64, whose elements are sums of two where there were more.
func (e element) widened(x reg.VecVirtual) reg.VecVirtual {
	if e.size == 8 {
		return x
	}
	low, high := YMM(), YMM()
	VEXTRACTF128(Imm(1), x, high.AsX())
	VCVTPS2PD(x.AsX(), low)
	VCVTPS2PD(high.AsX(), high)
	VADDPD(high, low, low)
	return low
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairWalk is a walk in which elements are eight at a time, two vectors of float64: that of functions that compute in float64. Slices of
// float32 are widened.
type pairWalk struct {
	at    reg.GPVirtual            // elements from the beginning
	first map[string]reg.GPVirtual // of the slices
	wide  map[string]bool          // the slices of float64

	rest   reg.Register // the elements that are left; nil for whole vectors
	single vec          // their mask, for float32, once it is wanted
	double vec          // the same for float64
}

// newPairWalk loads the addresses of slices of e and of float64.
func newPairWalk(e element, slices, doubles []string) *pairWalk {
	w := &pairWalk{first: map[string]reg.GPVirtual{}, wide: map[string]bool{}}
	for _, name := range slices {
		w.first[name], w.wide[name] = base(name), e.size == 8
	}
	for _, name := range doubles {
		w.first[name], w.wide[name] = base(name), true
	}
	return w
}

// run does body for every eight of left elements, and once for those that are left then.
func (w *pairWalk) run(left reg.GPVirtual, body func()) {
	w.at = GP64()
	XORQ(w.at, w.at)
	SUBQ(Imm(8), left)
	JL(LabelRef("tail"))
	Label("pair")
	body()
	ADDQ(Imm(8), w.at)
	SUBQ(Imm(8), left)
	JGE(LabelRef("pair"))
	Label("tail")
	ADDQ(Imm(8), left)
	JZ(LabelRef("done"))
	w.rest = left
	body()
	w.rest, w.single, w.double = nil, nil, nil
	Label("done")
}

// singleMask selects the elements that are left, of float32.
func (w *pairWalk) singleMask() Op {
	if w.single == nil {
		w.single = ones(float32s, w.rest, 1)
	}
	return w.single[0]
}

// doubleMask selects the elements that are left, of float64.
func (w *pairWalk) doubleMask() vec {
	if w.double == nil {
		w.double = ones(float64s, w.rest, 2)
	}
	return w.double
}

// place returns where half of the elements at hand lie.
func (w *pairWalk) place(name string, half int) Mem {
	if w.wide[name] {
		return Mem{Base: w.first[name], Index: w.at, Scale: 8, Disp: half * vectorSize}
	}
	return Mem{Base: w.first[name], Index: w.at, Scale: 4, Disp: half * vectorSize / 2}
}

// load brings eight elements into registers, as float64; where there are none it has 0.
func (w *pairWalk) load(name string) vec {
	p := registers(2)
	switch {
	case w.wide[name] && w.rest == nil:
		VMOVUPD(w.place(name, 0), p[0])
		VMOVUPD(w.place(name, 1), p[1])
	case w.wide[name]:
		VMASKMOVPD(w.place(name, 0), w.doubleMask()[0], p[0])
		VMASKMOVPD(w.place(name, 1), w.doubleMask()[1], p[1])
	case w.rest == nil:
		VCVTPS2PD(w.place(name, 0), p[0])
		VCVTPS2PD(w.place(name, 1), p[1])
	default:
		x, high := vector(), XMM()
		VMASKMOVPS(w.place(name, 0), w.singleMask(), x)
		VEXTRACTF128(Imm(1), x, high)
		VCVTPS2PD(x.AsX(), p[0])
		VCVTPS2PD(high, p[1])
	}
	return p
}

// store writes to the elements of a slice, rounded if it is of float32.
func (w *pairWalk) store(p vec, name string) {
	if !w.wide[name] {
		w.storeSingle(p, name)
		return
	}
	for i, x := range p {
		if w.rest == nil {
			VMOVUPD(x, w.place(name, i))
		} else {
			VMASKMOVPD(x, w.doubleMask()[i], w.place(name, i))
		}
	}
}

// storeSingle writes to the elements of a slice of float32.
func (w *pairWalk) storeSingle(p vec, name string) {
	low := narrow(p)[0]
	if w.rest == nil {
		VMOVUPS(low, w.place(name, 0))
	} else {
		VMASKMOVPS(low, w.singleMask(), w.place(name, 0))
	}
}

// narrow rounds two vectors of float64 to one of float32.
func narrow(x vec) vec {
	low, high := vector(), XMM()
	VXORPS(low, low, low) // avo takes the upper half for alive before otherwise
	VCVTPD2PSY(x[0], low.AsX())
	VCVTPD2PSY(x[1], high)
	VINSERTF128(Imm(1), high, low, low)
	return vec{low}
}

// kept returns p, with 0 where there are no elements.
func (w *pairWalk) kept(p vec) vec {
	if w.rest == nil {
		return p
	}
	return float64s.bitAnd(p, w.doubleMask())
}

// everywhere fills a register with a parameter of float64.
func everywhere(name string) vec { return float64s.fill(argument(Param(name))) }

// widened fills a register with a parameter of float32, as float64.
func widened(name string) vec {
	x := vector()
	VBROADCASTSS(argument(Param(name)), x)
	VCVTPS2PD(x.AsX(), x)
	return vec{x}
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairWalk is a walk in which elements are eight at a time, two vectors of float64 or one of AVX-512: that of functions that compute in
// float64. Slices of float32 are widened.
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
		w.double = ones(float64s, w.rest, len(eight()))
	}
	return w.double
}

// eight returns registers for eight elements of float64.
func eight() vec { return registers(64 / vectorSize) }

// place returns where the elements of vector i at hand lie.
func (w *pairWalk) place(name string, i int) Mem {
	if w.wide[name] {
		return Mem{Base: w.first[name], Index: w.at, Scale: 8, Disp: i * vectorSize}
	}
	return Mem{Base: w.first[name], Index: w.at, Scale: 4, Disp: i * vectorSize / 2}
}

// load brings eight elements into registers, as float64; where there are none it has 0.
func (w *pairWalk) load(name string) vec {
	if !w.wide[name] && w.rest != nil {
		x := YMM()
		float32s.maskedMove(w.place(name, 0), w.singleMask(), x)
		return widenEight(x)
	}
	p := eight()
	for i := range p {
		switch from := w.place(name, i); {
		case !w.wide[name]:
			VCVTPS2PD(from, p[i])
		case w.rest == nil:
			VMOVUPD(from, p[i])
		default:
			float64s.maskedMove(from, w.doubleMask()[i], p[i])
		}
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
			float64s.maskedMove(x, w.doubleMask()[i], w.place(name, i))
		}
	}
}

// storeSingle writes to the elements of a slice of float32.
func (w *pairWalk) storeSingle(p vec, name string) {
	low := narrow(p)[0]
	if w.rest == nil {
		VMOVUPS(low, w.place(name, 0))
	} else {
		float32s.maskedMove(low, w.singleMask(), w.place(name, 0))
	}
}

// widenEight widens eight elements of float32.
func widenEight(x reg.VecVirtual) vec {
	p := eight()
	if wide() {
		VCVTPS2PD(x, p[0])
		return p
	}
	high := XMM()
	VEXTRACTF128(Imm(1), x, high)
	VCVTPS2PD(x.AsX(), p[0])
	VCVTPS2PD(high, p[1])
	return p
}

// narrow rounds two vectors of float64 to one of float32, or one vector to half of one.
func narrow(x vec) vec {
	if len(x) == 1 {
		low := YMM()
		VCVTPD2PS(x[0], low)
		return vec{low}
	}
	low := vector()
	VXORPS(low, low, low) // avo takes the upper half for alive before otherwise
	if wide() {
		high := YMM()
		VCVTPD2PS(x[0], low.AsY())
		VCVTPD2PS(x[1], high)
		VINSERTF64X4(Imm(1), high, low, low)
		return vec{low}
	}
	high := XMM()
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
	VCVTPS2PD(lowHalf(x), x)
	return vec{x}
}

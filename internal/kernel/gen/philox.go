package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The factors of Philox4x32 and the steps of its keys.
const (
	philoxFactor0, philoxFactor1 = 0xD2511F53, 0xCD9E8D57
	philoxStep0, philoxStep1     = 0x9E3779B9, 0xBB67AE85
	philoxRounds                 = 10
)

// philox makes random words of a kernel.Stream: four of each of eight blocks at a time. A number of 32 bits stands in the low half of
// one of 64; what is in the high half does not matter.
type philox struct{ block []vec } // numbers of as many blocks as a vector has lanes

// newPhilox begins at the first of the blocks that the parameters name.
func newPhilox() *philox {
	p := &philox{}
	first := quad("block")
	for at := 0; at < 8; at += float64s.lanes() {
		from := constant(fmt.Sprintf("count%d", at), 8, func(j int) uint64 { return uint64(at + j) })
		p.block = append(p.block, float64s.apply(VPADDQ, first, from))
	}
	return p
}

// quad fills a register with a parameter of 64 bits.
func quad(name string) vec {
	x := vector()
	VPBROADCASTQ(argument(Param(name)), x)
	return vec{x}
}

// words returns the words of eight blocks, in order, and goes on to the next eight.
func (p *philox) words() vec {
	e := float64s
	c := make([][4]vec, len(p.block))
	for g, block := range p.block {
		high := quad("high")
		c[g] = [4]vec{e.copied(block, 1), shiftRight(block), high, shiftRight(high)}
		VPADDQ(e.word(8)[0], block[0], block[0])
	}
	k0 := quad("key")
	k1 := shiftRight(k0)
	for range philoxRounds {
		for g := range c {
			c[g] = philoxRound(c[g], k0, k1)
		}
		VPADDD(e.word(philoxStep0)[0], k0[0], k0[0])
		VPADDD(e.word(philoxStep1)[0], k1[0], k1[0])
	}
	var words vec
	for _, x := range c {
		words = append(words, inOrder(x)...)
	}
	return words
}

func shiftRight(x vec) vec {
	r := registers(1)
	VPSRLQ(Imm(32), x[0], r[0])
	return r
}

// philoxRound is one round for a vector of blocks.
func philoxRound(c [4]vec, k0, k1 vec) [4]vec {
	e := float64s
	p0 := e.apply(VPMULUDQ, c[0], e.word(philoxFactor0))
	p1 := e.apply(VPMULUDQ, c[2], e.word(philoxFactor1))
	return [4]vec{
		e.bitXor(e.bitXor(shiftRight(p1), c[1]), k0), p1,
		e.bitXor(e.bitXor(shiftRight(p0), c[3]), k1), p0,
	}
}

// inOrder returns the words of a vector of blocks as two vectors, block after block.
func inOrder(c [4]vec) vec {
	e := float64s
	join := func(low, high vec) vec {
		VPSLLQ(Imm(32), high[0], high[0])
		if wide() {
			return e.bitOr(e.bitAnd(low, e.word(math.MaxUint32)), high)
		}
		r := registers(1)
		VPBLENDD(Imm(0xaa), high[0], low[0], r[0])
		return r
	}
	a, b := join(c[0], c[1]), join(c[2], c[3])
	if wide() {
		r := vec{e.copied(a, 1)[0], a[0]}
		for i := range r {
			turns := constant(fmt.Sprintf("turns%d", i), 8, func(j int) uint64 { return uint64(4*i + j/2 + 8*(j%2)) })
			VPERMT2Q(b[0], e.loaded(turns)[0], r[i])
		}
		return r
	}
	even, odd, r := vector(), vector(), registers(2)
	VPUNPCKLQDQ(b[0], a[0], even)
	VPUNPCKHQDQ(b[0], a[0], odd)
	VPERM2I128(Imm(0x20), odd, even, r[0])
	VPERM2I128(Imm(0x31), odd, even, r[1])
	return r
}

// randoms writes the functions with random words, for a number of elements that is a multiple of 32. They give the bits of plain Go.
func randoms() {
	e := float32s
	randomly("dropout", "x, y []float32, last uint32, scale float32", "y = 0 where the word is at most last, else x·scale", "x, y", func(w *walk, words vec) {
		scale, last := w.constant("scale"), w.constant("last")
		for i, word := range words {
			dropped := wordsAtMost(vec{word}, last)
			at := Mem{Base: w.first["x"], Index: w.at, Scale: 1, Disp: i * vectorSize}
			kept := e.without(e.times(scale, vec{at}), dropped)
			e.move(kept[0], Mem{Base: w.first["y"], Index: w.at, Scale: 1, Disp: i * vectorSize})
		}
	})
	randomly("words", "y []float32", "y = the words, as bits", "y", func(w *walk, words vec) {
		for i, word := range words {
			e.move(word, Mem{Base: w.first["y"], Index: w.at, Scale: 1, Disp: i * vectorSize})
		}
	})
	boxMuller()
	randomly("uniform", "lo, width float64, last float32, y []float32", "y = lo + width·u, at most last, with a u in [0, 1) from each word", "y", func(w *walk, words vec) {
		for i := range words {
			y := e.apply(e.min, w.constant("last"), narrow(uniform(words[i:i+1])))
			e.move(y[0], Mem{Base: w.first["y"], Index: w.at, Scale: 1, Disp: i * vectorSize})
		}
	})
}

// boxMuller writes the function that makes normally distributed numbers of random words in their place, by twos (Box and Muller, 1958), in float64.
func boxMuller() {
	e := float64s
	name := "boxMuller_" + float32s.bits
	TEXT(name, NOSPLIT, "func(y []float32, mean, deviation float64)")
	Doc(name + " computes y = mean + deviation·√(−2·log(1−u))·(cos 2πv, sin 2πv) of words u and v of [0, 1), for a multiple of 32 elements.")
	Pragma("noescape")
	y, left := Mem{Base: base("y")}, length("y")
	Label("pairs")
	words := e.loaded(vec{y})
	u := e.remainder(e.number(1), wordNumber(words), e.number(0x1p-32))
	r := e.times(e.root(e.times(log64(u), e.number(-2))), everywhere("deviation"))
	quarters := e.times(wordNumber(shiftRight(words)), e.number(0x1p-30))
	t := e.plus(quarters, e.number(e.shifter()))
	rest := e.minus(quarters, e.minus(t, e.number(e.shifter())))
	sin, cos := circle(e.times(rest, e.number(math.Pi/2)))
	first := singleWords(e.plus(e.times(r, turned(sin, cos, t, 1)), everywhere("mean")))
	second := singleWords(e.plus(e.times(r, turned(sin, cos, t, 0)), everywhere("mean")))
	VPSLLQ(Imm(32), second[0], second[0])
	e.move(e.bitOr(first, second)[0], y)
	ADDQ(Imm(uint64(vectorSize)), y.Base)
	SUBQ(Imm(uint64(float32s.lanes())), left)
	JNZ(LabelRef("pairs"))
	end()
}

// wordNumber returns the low halves of words of 64 bits as numbers.
func wordNumber(words vec) vec {
	e := float64s
	return e.minus(e.bitOr(e.bitAnd(words, e.word(math.MaxUint32)), e.number(1<<52)), e.number(1<<52))
}

// singleWords rounds numbers to float32, whose bits are the low halves of words of 64 bits.
func singleWords(x vec) vec {
	r := registers(1)
	if wide() {
		low := YMM()
		VCVTPD2PS(x[0], low)
		VPMOVZXDQ(low, r[0])
		return r
	}
	low := XMM()
	VCVTPD2PSY(x[0], low)
	VPMOVZXDQ(low, r[0])
	return r
}

// wordsAtMost returns the mask of the words that are not greater than those of limit.
func wordsAtMost(words, limit vec) vec {
	if !wide() {
		e := float32s
		return e.apply(VPCMPEQD, e.apply(VPMINUD, words, limit), words)
	}
	r := newMasks(1)
	VPCMPUD(Imm(lessOrEqual), limit[0], words[0], r[0])
	return r
}

// uniform computes lo + width·w/2³² of the words w of a vector, in float64.
func uniform(words vec) vec {
	e := float64s
	lower, upper, r := words[0].(reg.VecVirtual), XMM(), registers(2)
	if wide() {
		upper = YMM()
		VEXTRACTI64X4(Imm(1), lower, upper)
	} else {
		VEXTRACTI128(Imm(1), lower, upper)
	}
	VPMOVZXDQ(lowHalf(lower), r[0])
	VPMOVZXDQ(upper, r[1])
	r = e.minus(e.bitOr(r, e.number(1<<52)), e.number(1<<52)) // the bits of a word as a number
	return e.plus(e.times(e.times(r, e.number(0x1p-32)), everywhere("width")), everywhere("lo"))
}

// randomly writes a function over slices that is given 32 random words at a time.
func randomly(name, params, doc, slices string, body func(w *walk, words vec)) {
	name += "_" + float32s.bits
	TEXT(name, NOSPLIT, "func(key, high, block uint64, "+params+")")
	Doc(name + " computes " + doc + ".")
	Pragma("noescape")
	w := newWalk(float32s, names(slices)...)
	p := newPhilox()
	left := length("y")
	w.at = GP64()
	XORQ(w.at, w.at)
	Label("blocks")
	body(w, p.words())
	ADDQ(Imm(uint64(32*float32s.size)), w.at)
	SUBQ(Imm(32), left)
	JNZ(LabelRef("blocks"))
	end()
}

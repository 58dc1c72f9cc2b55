package main

import "math"

// neonPhilox makes random words of a kernel.Stream, four of each of eight blocks at a time: two groups, whose registers hold the same word
// of four blocks.
type neonPhilox struct {
	*routine
	block          [2]quads // numbers of the first and the last two blocks of each group, as integers of 64 bits
	high, key0     quads
	upper, key1    quads // the upper halves
	singly, doubly typed
}

// newPhilox begins at the first of the blocks that the parameters name.
func (r *routine) newPhilox() *neonPhilox {
	p := &neonPhilox{routine: r, singly: r.singles(), doubly: r.doubles()}
	block := p.doubly.addInts(r.spread(r.param("block"), 8), r.lanes(8)[:1])
	for g := range p.block {
		p.block[g] = append(block, p.doubly.addInts(block, p.doubly.word(2))...)
		block = p.doubly.addInts(block, p.doubly.word(4))
	}
	p.high, p.upper = r.halves("high")
	p.key0, p.key1 = r.halves("key")
	return p
}

// halves returns registers filled with the lower and the upper half of a parameter.
func (r *routine) halves(name string) (low, high quads) {
	x := r.param(name)
	low = r.spread(x, 4)
	r.emit("LSR $32, %v, %v", x, x)
	return low, r.spread(x, 4)
}

// words returns the words of eight blocks, in order, and goes on to the next eight.
func (p *neonPhilox) words() (words quads) {
	e := p.singly
	var c [2][4]quads
	for g, block := range p.block {
		c[g] = [4]quads{e.apply(three("uzp1", 4), block[:1], block[1:]), e.apply(three("uzp2", 4), block[:1], block[1:]), p.high, p.upper}
		p.inPlace(three("add", 8), block, block, p.doubly.word(8))
	}
	k0, k1 := p.key0, p.key1
	for range philoxRounds {
		for g := range c {
			high0, low0 := p.product(c[g][0], philoxFactor0)
			high1, low1 := p.product(c[g][2], philoxFactor1)
			c[g] = [4]quads{e.xor(e.xor(high1, c[g][1]), k0), low1, e.xor(e.xor(high0, c[g][3]), k1), low0}
		}
		k0, k1 = e.addInts(k0, e.word(philoxStep0)), e.addInts(k1, e.word(philoxStep1))
	}
	for _, x := range c {
		words = append(words, p.square(4, append(append(append(append(quads{}, x[0]...), x[1]...), x[2]...), x[3]...))...)
	}
	return words
}

// product returns the halves of the products of words and a factor.
func (p *neonPhilox) product(x quads, factor uint64) (high, low quads) {
	f := p.singly.word(factor)
	a, b := p.apply(productsLow, x, f), p.apply(productsHigh, x, f)
	return p.apply(three("uzp2", 4), a, b), p.apply(three("uzp1", 4), a, b)
}

// neonRandoms writes the functions with random words, for a number of elements that is a multiple of 32. They give the bits of plain Go.
func neonRandoms(f *neonFile) {
	f.randomly("dropout", "x, y []float32, last uint32, scale float32", "y = 0 where the word is at most last, else x·scale", func(r *routine) func(words quads, at *register) quads {
		e, x := r.singles(), r.base("x")
		last := r.general()
		r.emit("MOVWU %v, %v", r.argument("last", ""), last)
		limit, scale := r.spread(last, 4), r.fill("scale")
		return func(words quads, at *register) quads {
			values := r.wholes(r.element(x, at, 4), 128)
			return e.without(e.times(scale, values), e.apply(three("cmhs", 4), limit, words))
		}
	})
	f.randomly("words", "y []float32", "y = the words, as bits", func(*routine) func(words quads, at *register) quads {
		return func(words quads, _ *register) quads { return words }
	})
	neonBoxMuller(f)
	f.randomly("uniform", "lo, width float64, last float32, y []float32", "y = lo + width·u, at most last, with a u in [0, 1) from each word", func(r *routine) func(words quads, at *register) quads {
		e, lo, width, last := r.doubles(), r.fill("lo"), r.fill("width"), r.fill("last")
		return func(words quads, _ *register) (y quads) {
			for i := range words {
				u := e.times(e.ofWords(words[i:i+1]), e.number(0x1p-32))
				y = append(y, r.singles().lesser(r.narrowed(e.plus(e.times(u, width), lo)), last)...)
			}
			return y
		}
	})
}

// ofWords returns unsigned words as float64.
func (e typed) ofWords(words quads) quads {
	return e.each(two("ucvtf", 8), append(e.each(longLow, words), e.each(longHigh, words)...))
}

// neonBoxMuller writes the function that makes normally distributed numbers of random words in their place; see boxMuller.
func neonBoxMuller(f *neonFile) {
	doc := "computes y = mean + deviation·√(−2·log(1−u))·(cos 2πv, sin 2πv) of words u and v of [0, 1), for a multiple of 32 elements"
	f.function("boxMuller_32", "func(y []float32, mean, deviation float64)", doc, func(r *routine) {
		e, y, left, mean, deviation := r.doubles(), r.base("y"), r.length("y"), r.fill("mean"), r.fill("deviation")
		r.label("pairs")
		words := r.wholes(y, 32)
		u := e.remainder(e.number(1), e.ofWords(r.apply(three("uzp1", 4), words[:1], words[1:])), e.number(0x1p-32))
		radius := e.times(e.root(e.times(e.log64(u), e.number(-2))), deviation)
		quarters := e.times(e.ofWords(r.apply(three("uzp2", 4), words[:1], words[1:])), e.number(0x1p-30))
		t := e.plus(quarters, e.number(e.shifter()))
		rest := e.minus(quarters, e.minus(t, e.number(e.shifter())))
		sin, cos := e.circle(e.times(rest, e.number(math.Pi/2)))
		first := r.narrowed(e.plus(e.times(radius, e.turned(sin, cos, t, 1)), mean))
		second := r.narrowed(e.plus(e.times(radius, e.turned(sin, cos, t, 0)), mean))
		both := append(r.apply(three("zip1", 4), first, second), r.apply(three("zip2", 4), first, second)...)
		r.storeWholes(both, y, 32)
		r.emit("ADD $32, %v, %v", y, y)
		r.next(left, 8, "pairs")
	})
}

// randomly writes a function that is given 32 random words at a time, and where their elements lie, and returns those of y.
func (f *neonFile) randomly(name, parameters, doc string, begin func(r *routine) func(words quads, at *register) quads) {
	f.function(name+"_32", "func(key, high, block uint64, "+parameters+")", "computes "+doc, func(r *routine) {
		body, p, y, left, at := begin(r), r.newPhilox(), r.base("y"), r.length("y"), r.general()
		r.emit("MOVD ZR, %v", at)
		r.label("blocks")
		values := body(p.words(), at)
		r.storeWholes(values, r.element(y, at, 4), 128)
		r.emit("ADD $32, %v, %v", at, at)
		r.next(left, 32, "blocks")
	})
}

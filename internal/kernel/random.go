package kernel

import "math"

// Philox computes ten rounds of Philox4x32 (Salmon, Moraes, Dror and Shaw, 2011: Parallel random numbers: as easy as 1, 2, 3): four
// random words that depend on the counter and the key only.
func Philox(c0, c1, c2, c3, k0, k1 uint32) (w0, w1, w2, w3 uint32) {
	for range 10 {
		p0, p1 := 0xD2511F53*uint64(c0), 0xCD9E8D57*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k0, uint32(p1), uint32(p0>>32)^c3^k1, uint32(p0)
		k0 += 0x9E3779B9
		k1 += 0xBB67AE85
	}
	return c0, c1, c2, c3
}

// Stream is a sequence of random words, four for each of 2⁶⁴ blocks; any block can be had at once.
type Stream struct{ key, high uint64 } // high is the upper half of the counter

// NewStream returns the stream of a seed, a node and a step. For one seed, streams of different nodes or steps have nothing in common.
func NewStream(seed, node, step uint64) Stream {
	return Stream{key: mix(mix(seed) ^ node), high: step}
}

// mix is a one-to-one function on words in which each bit of the result depends on all of x (the finaliser of SplitMix64: Steele, Lea
// and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// wordsAtOnce is how many words the assembly makes at a time.
const wordsAtOnce = 32

// Block returns the four words of block n.
func (s Stream) Block(n uint64) (w0, w1, w2, w3 uint32) {
	return Philox(uint32(n), uint32(n>>32), uint32(s.high), uint32(s.high>>32), uint32(s.key), uint32(s.key>>32))
}

// PerBlock returns how many elements of type T one block of a Stream gives to Uniform and Normal: 4 float32 or 2 float64.
func PerBlock[T Float]() int {
	if single[T]() {
		return 4
	}
	return 2
}

// units makes PerBlock numbers of [0, 1) of a block, of 32 bits for float32 and 53 for float64.
func units[T Float](s Stream, block uint64, u *[4]float64) {
	w0, w1, w2, w3 := s.Block(block)
	if single[T]() {
		u[0], u[1] = float64(w0)*0x1p-32, float64(w1)*0x1p-32
		u[2], u[3] = float64(w2)*0x1p-32, float64(w3)*0x1p-32
		return
	}
	u[0] = float64((uint64(w1)<<32|uint64(w0))>>11) * 0x1p-53
	u[1] = float64((uint64(w3)<<32|uint64(w2))>>11) * 0x1p-53
}

// Uniform fills y with numbers that are equally likely anywhere in [lo, hi). The first element is the first of the given block.
func Uniform[T Float](s Stream, block uint64, lo, hi float64, y []T) {
	width, last := hi-lo, before[T](lo, hi)
	if n := len(y) / wordsAtOnce * wordsAtOnce; n > 0 {
		if f := vectors[T]().uniform; f != nil {
			f(s.key, s.high, block, lo, width, last, y[:n])
			block, y = block+uint64(n/PerBlock[T]()), y[n:]
		}
	}
	var u [4]float64
	for n := PerBlock[T](); len(y) > 0; block++ {
		units[T](s, block, &u)
		n = min(n, len(y))
		for i := range y[:n] {
			y[i] = min(T(lo+float64(u[i]*width)), last)
		}
		y = y[n:]
	}
}

// before returns the greatest T below hi, or lo where [lo, hi) is empty; rounding may have made a number as great as hi.
func before[T Float](lo, hi float64) T {
	switch {
	case T(lo) >= T(hi):
		return T(lo)
	case single[T]():
		return T(math.Nextafter32(float32(hi), float32(lo)))
	}
	return T(math.Nextafter(hi, lo))
}

// Normal fills y with normally distributed numbers (Box and Muller, 1958). The first element is the first of the given block.
func Normal[T Float](s Stream, block uint64, mean, deviation float64, y []T) {
	if n := len(y) / wordsAtOnce * wordsAtOnce; n > 0 {
		if v := vectors[T](); v.near.boxMuller != nil {
			v.words(s.key, s.high, block, y[:n])
			v.near.boxMuller(y[:n], mean, deviation)
			block, y = block+uint64(n/PerBlock[T]()), y[n:]
		}
	}
	var u [4]float64
	for n := PerBlock[T](); len(y) > 0; block++ {
		units[T](s, block, &u)
		for i := 0; i < n; i += 2 {
			r := math.Sqrt(-2 * log[T](1-u[i])) // 1−u is in (0, 1]
			sin, cos := math.Sincos(2 * math.Pi * u[i+1])
			u[i], u[i+1] = r*cos, r*sin
		}
		n = min(n, len(y))
		for i := range y[:n] {
			y[i] = T(mean + float64(deviation*u[i]))
		}
		y = y[n:]
	}
}

// Dropout sets an element of y to 0 with probability p, else to x·scale; y may be x. Each block decides about four elements, of either
// type, beginning with the given one.
func Dropout[T Float](s Stream, block uint64, p, scale float64, x, y []T) {
	limit, c := uint64(math.Round(p*(1<<32))), T(scale)
	if n := len(x) / wordsAtOnce * wordsAtOnce; n > 0 && limit > 0 {
		if f := vectors[T]().dropout; f != nil {
			f(s.key, s.high, block, x[:n], y[:n], uint32(limit-1), c)
			block, x, y = block+uint64(n/4), x[n:], y[n:]
		}
	}
	for ; len(x) > 0; block++ {
		var w [4]uint32
		w[0], w[1], w[2], w[3] = s.Block(block)
		n := min(len(w), len(x))
		for i, v := range x[:n] {
			y[i] = pick(uint64(w[i]) < limit, 0, v*c)
		}
		x, y = x[n:], y[n:]
	}
}

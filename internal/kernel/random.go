package kernel

import (
	"math"
	"math/bits"
)

// Philox computes ten rounds of Philox4x32 (Salmon, Moraes, Dror and Shaw, 2011: Parallel random numbers: as easy as 1, 2, 3): four
// random words that depend on the counter and the key only.
func Philox(counter [4]uint32, key [2]uint32) [4]uint32 {
	c0, c1, c2, c3 := counter[0], counter[1], counter[2], counter[3]
	k0, k1 := key[0], key[1]
	for range 10 {
		hi0, lo0 := bits.Mul32(0xD2511F53, c0)
		hi1, lo1 := bits.Mul32(0xCD9E8D57, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += 0x9E3779B9
		k1 += 0xBB67AE85
	}
	return [4]uint32{c0, c1, c2, c3}
}

// Stream is a sequence of random words, four for each of 2⁶⁴ blocks; any block can be had at once.
type Stream struct {
	key  [2]uint32
	high [2]uint32 // of the counter
}

// NewStream returns the stream of a seed, a node and a step. For one seed, streams of different nodes or steps have nothing in common.
func NewStream(seed, node, step uint64) Stream {
	k := mix(mix(seed) ^ node)
	return Stream{key: [2]uint32{uint32(k), uint32(k >> 32)}, high: [2]uint32{uint32(step), uint32(step >> 32)}}
}

// mix is a one-to-one function on words in which each bit of the result depends on all of x (the finaliser of SplitMix64: Steele, Lea
// and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Block returns the four words of block n.
func (s *Stream) Block(n uint64) [4]uint32 {
	return Philox([4]uint32{uint32(n), uint32(n >> 32), s.high[0], s.high[1]}, s.key)
}

// PerBlock returns how many elements of type T one block of a Stream gives to Uniform and Normal: 4 float32 or 2 float64.
func PerBlock[T Float]() int {
	if single[T]() {
		return 4
	}
	return 2
}

// units turns a block into PerBlock numbers of [0, 1), of 32 bits for float32 and 53 for float64.
func units[T Float](w [4]uint32) (u [4]float64, n int) {
	if single[T]() {
		for i, v := range w {
			u[i] = float64(v) * 0x1p-32
		}
		return u, 4
	}
	u[0] = float64((uint64(w[1])<<32|uint64(w[0]))>>11) * 0x1p-53
	u[1] = float64((uint64(w[3])<<32|uint64(w[2]))>>11) * 0x1p-53
	return u, 2
}

// Uniform fills y with numbers that are equally likely anywhere in [lo, hi). The first element is the first of the given block.
func Uniform[T Float](s Stream, block uint64, lo, hi float64, y []T) {
	for ; len(y) > 0; block++ {
		u, n := units[T](s.Block(block))
		n = min(n, len(y))
		for i := range y[:n] {
			y[i] = below(T(lo+u[i]*(hi-lo)), lo, hi)
		}
		y = y[n:]
	}
}

// below returns v, or the T before hi where rounding has made v as great as hi.
func below[T Float](v T, lo, hi float64) T {
	if v < T(hi) || lo >= hi {
		return v
	}
	if single[T]() {
		return T(math.Nextafter32(float32(hi), float32(lo)))
	}
	return T(math.Nextafter(hi, lo))
}

// Normal fills y with normally distributed numbers (Box and Muller, 1958). The first element is the first of the given block.
func Normal[T Float](s Stream, block uint64, mean, deviation float64, y []T) {
	for ; len(y) > 0; block++ {
		u, n := units[T](s.Block(block))
		for i := 0; i < n; i += 2 {
			r := math.Sqrt(-2 * math.Log(1-u[i])) // 1−u is in (0, 1]
			sin, cos := math.Sincos(2 * math.Pi * u[i+1])
			u[i], u[i+1] = r*cos, r*sin
		}
		n = min(n, len(y))
		for i := range y[:n] {
			y[i] = T(mean + deviation*u[i])
		}
		y = y[n:]
	}
}

// Dropout sets an element of y to 0 with probability p, else to x·scale; y may be x. Each block decides about four elements, of either
// type, beginning with the given one.
func Dropout[T Float](s Stream, block uint64, p, scale float64, x, y []T) {
	limit, c := uint64(math.Round(p*(1<<32))), T(scale)
	for ; len(x) > 0; block++ {
		w := s.Block(block)
		n := min(len(w), len(x))
		for i, v := range x[:n] {
			y[i] = pick(uint64(w[i]) < limit, 0, v*c)
		}
		x, y = x[n:], y[n:]
	}
}

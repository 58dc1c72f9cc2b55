package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

var constants = map[string]Mem{} // by name

// constant returns a vector in memory with words of size bytes, which it declares the first time.
func constant(name string, size int, word func(i int) uint64) vec {
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for i := range vectorSize / size {
			if size == 4 {
				DATA(4*i, U32(uint32(word(i))))
			} else {
				DATA(8*i, U64(word(i)))
			}
		}
		constants[name] = m
	}
	return vec{m}
}

// repeat returns a vector in memory whose words of size bytes are all the same.
func repeat(size int, word uint64) vec {
	return constant(fmt.Sprintf("c%d_%0*x", 8*size, 2*size, word), size, func(int) uint64 { return word })
}

// number returns a vector whose elements are all v.
func (e element) number(v float64) vec {
	if e.size == 4 {
		return repeat(4, uint64(math.Float32bits(float32(v))))
	}
	return repeat(8, math.Float64bits(v))
}

// word returns a vector of integers of the size of the elements.
func (e element) word(v int64) vec {
	if e.size == 4 {
		return repeat(4, uint64(uint32(v)))
	}
	return repeat(8, uint64(v))
}

// signs returns a vector with only the bits of the signs set.
func (e element) signs() vec { return e.number(math.Copysign(0, -1)) }

// magnitudes returns a vector with all bits but the signs set.
func (e element) magnitudes() vec {
	if e.size == 4 {
		return e.word(math.MaxInt32)
	}
	return e.word(math.MaxInt64)
}

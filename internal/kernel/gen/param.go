package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// param loads a number.
func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// byteParam loads a number of elements as bytes.
func byteParam(e element, name string) reg.GPVirtual {
	r := param(name)
	SHLQ(Imm(e.shift), r)
	return r
}

// base loads the address of a slice's first element.
func base(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name).Base(), r)
	return r
}

// length loads the length of a slice.
func length(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name).Len(), r)
	return r
}

// argument returns where a parameter or a result lies.
func argument(c gotypes.Component) Mem {
	b, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

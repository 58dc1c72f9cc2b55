package main

import (
	"fmt"
	"math/bits"
)

// encoding is an instruction that Go's assembler does not know: its word with registers 0, and how the GNU assembler writes it, with %d for
// the number of each register. The first register stands at bit 0 of the word, the second at bit 5 and the third at bit 16.
type encoding struct {
	word   uint32
	syntax string
}

// The words of instructions on four elements of 32 bits; bit 22 makes them those on two of 64.
var (
	threeSame = map[string]uint32{
		"fadd": 0x4e20d400, "fsub": 0x4ea0d400, "fmul": 0x6e20dc00, "fdiv": 0x6e20fc00, "fmax": 0x4e20f400, "fmin": 0x4ea0f400,
		"fmla": 0x4e20cc00, "fmls": 0x4ea0cc00, "fcmeq": 0x4e20e400, "fcmge": 0x6e20e400, "fcmgt": 0x6ea0e400,
		"add": 0x4ea08400, "sub": 0x6ea08400, "cmeq": 0x6ea08c00, "cmgt": 0x4ea03400, "cmge": 0x4ea03c00, "umin": 0x6ea06c00, "cmhs": 0x6ea03c00,
		"zip1": 0x4e803800, "zip2": 0x4e807800, "uzp1": 0x4e801800, "uzp2": 0x4e805800,
	}
	twoSame = map[string]uint32{
		"fsqrt": 0x6ea1f800, "fneg": 0x6ea0f800, "fabs": 0x4ea0f800, "frintn": 0x4e218800, "frintm": 0x4e219800, "frintp": 0x4ea18800,
		"scvtf": 0x4e21d800, "ucvtf": 0x6e21d800, "fcvtzs": 0x4ea1b800, "fcvtzu": 0x6ea1b800,
	}
)

// The words of instructions on bits.
var threeBits = map[string]uint32{
	"and": 0x4e201c00, "bic": 0x4e601c00, "orr": 0x4ea01c00, "eor": 0x6e201c00, "bsl": 0x6e601c00, "bit": 0x6ea01c00,
}

// arrangement returns the names of as many elements as a vector has.
func arrangement(size int) string { return map[int]string{2: "8h", 4: "4s", 8: "2d"}[size] }

// double returns bit 22, which makes elements twice as large, if they are of 8 bytes.
func double(size int) uint32 { return uint32(size) / 8 << 22 }

// three returns the instruction name of three registers.
func three(name string, size int) encoding {
	a := arrangement(size)
	word, ok := threeSame[name]
	if word |= double(size); !ok {
		word, a = threeBits[name], "16b"
	}
	if word == 0 {
		panic("no word for " + name)
	}
	return encoding{word, fmt.Sprintf("%s v%%d.%s, v%%d.%[2]s, v%%d.%[2]s", name, a)}
}

// two returns the instruction name of two registers.
func two(name string, size int) encoding {
	word, ok := twoSame[name]
	if !ok {
		panic("no word for " + name)
	}
	return encoding{word | double(size), fmt.Sprintf("%s v%%d.%s, v%%d.%[2]s", name, arrangement(size))}
}

// copying returns the instruction that copies a register: the or of it with itself.
func copying() encoding { return encoding{threeBits["orr"], "orr v%d.16b, v%d.16b, v%d.16b"} }

// clearing returns the instruction that makes all elements 0.
func clearing() encoding { return encoding{0x6f00e400, "movi v%d.2d, #0"} }

// fmlaBy returns the instruction that adds the products of a vector and element i of another.
func fmlaBy(size, i int) encoding {
	word, name := uint32(0x4f801000), "s"
	if size == 8 {
		word, name, i = 0x4fc01000, "d", 2*i // an element of 8 bytes is two
	}
	word |= uint32(i)&1<<21 | uint32(i)>>1<<11
	return encoding{word, fmt.Sprintf("fmla v%%d.%s, v%%d.%[1]s, v%%d.%s[%d]", arrangement(size), name, i*4/size)}
}

// duplicate returns the instruction that copies element i to all.
func duplicate(size, i int) encoding {
	name := map[int]string{4: "s", 8: "d"}[size]
	immediate := uint32(i<<1|1) << bits.TrailingZeros(uint(size))
	return encoding{0x4e000400 | immediate<<16, fmt.Sprintf("dup v%%d.%s, v%%d.%s[%d]", arrangement(size), name, i)}
}

// shifting returns the instruction name, shl, sshr or ushr, that shifts all elements by n bits.
func shifting(name string, size, n int) encoding {
	words := map[string]uint32{"shl": 0x4f005400, "sshr": 0x4f000400, "ushr": 0x6f000400}
	immediate := 16*size - n
	if name == "shl" {
		immediate = 8*size + n
	}
	return encoding{words[name] | uint32(immediate)<<16, fmt.Sprintf("%s v%%d.%s, v%%d.%[2]s, #%d", name, arrangement(size), n)}
}

// The instructions that change the size of elements, and the last steps of reductions.
var (
	widenLow   = encoding{0x0e617800, "fcvtl v%d.2d, v%d.2s"}
	widenHigh  = encoding{0x4e617800, "fcvtl2 v%d.2d, v%d.4s"}
	narrowLow  = encoding{0x0e616800, "fcvtn v%d.2s, v%d.2d"}
	narrowHigh = encoding{0x4e616800, "fcvtn2 v%d.4s, v%d.2d"} // leaves the lower half as it is

	widenHalfLow   = encoding{0x0e217800, "fcvtl v%d.4s, v%d.4h"}
	widenHalfHigh  = encoding{0x4e217800, "fcvtl2 v%d.4s, v%d.8h"}
	narrowHalfLow  = encoding{0x0e216800, "fcvtn v%d.4h, v%d.4s"}
	narrowHalfHigh = encoding{0x4e216800, "fcvtn2 v%d.8h, v%d.4s"}

	raiseLow  = encoding{0x2e613800, "shll v%d.4s, v%d.4h, #16"}
	raiseHigh = encoding{0x6e613800, "shll2 v%d.4s, v%d.8h, #16"}
	upperLow  = encoding{0x0f108400, "shrn v%d.4h, v%d.4s, #16"}
	upperHigh = encoding{0x4f108400, "shrn2 v%d.8h, v%d.4s, #16"}

	productsLow  = encoding{0x2ea0c000, "umull v%d.2d, v%d.2s, v%d.2s"}
	productsHigh = encoding{0x6ea0c000, "umull2 v%d.2d, v%d.4s, v%d.4s"}
	longLow      = encoding{0x2f20a400, "ushll v%d.2d, v%d.2s, #0"}
	longHigh     = encoding{0x6f20a400, "ushll2 v%d.2d, v%d.4s, #0"}
	signedLow    = encoding{0x0f20a400, "sshll v%d.2d, v%d.2s, #0"}
	signedHigh   = encoding{0x4f20a400, "sshll2 v%d.2d, v%d.4s, #0"}
	halvesLow    = encoding{0x2f10a400, "ushll v%d.4s, v%d.4h, #0"}
	halvesHigh   = encoding{0x6f10a400, "ushll2 v%d.4s, v%d.8h, #0"}
	bytesLow     = encoding{0x2f08a400, "ushll v%d.8h, v%d.8b, #0"}
	bytesHigh    = encoding{0x6f08a400, "ushll2 v%d.8h, v%d.16b, #0"}

	addPair = encoding{0x7e70d800, "faddp d%d, v%d.2d"}
)

// across returns the instruction that gives the greatest or the least of the elements of a vector, NaN if one is.
func across(greatest bool, size int) encoding {
	switch {
	case size == 4 && greatest:
		return encoding{0x6e30f800, "fmaxv s%d, v%d.4s"}
	case size == 4:
		return encoding{0x6eb0f800, "fminv s%d, v%d.4s"}
	case greatest:
		return encoding{0x7e70f800, "fmaxp d%d, v%d.2d"}
	}
	return encoding{0x7ef0f800, "fminp d%d, v%d.2d"}
}

package safetensors

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// DType is the name that the format gives to an element type.
type DType string

// The element types that the library computes with. Files with the format's other types open too.
const (
	Bool DType = "BOOL" // one byte, 0 or 1
	U8   DType = "U8"
	I32  DType = "I32"
	I64  DType = "I64"
	F16  DType = "F16"  // IEEE 754 binary16
	BF16 DType = "BF16" // the upper half of an F32
	F32  DType = "F32"
	F64  DType = "F64"
)

// bits returns the bits of one element, 0 for a name that the format does not have.
func (d DType) bits() int {
	switch d {
	case "F4":
		return 4
	case "F6_E2M3", "F6_E3M2":
		return 6
	case Bool, U8, "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0":
		return 8
	case "I16", "U16", F16, BF16:
		return 16
	case I32, "U32", F32:
		return 32
	case I64, "U64", F64, "C64":
		return 64
	}
	return 0
}

// word returns the bytes whose order depends on the machine: an element, or one of its two parts for complex numbers.
func (d DType) word() int {
	if d == "C64" {
		return 4
	}
	return max(d.bits()/8, 1)
}

// byteSize returns the bytes of a tensor, or why there is no such tensor.
func byteSize(d DType, shape []int) (int64, error) {
	total, empty := uint64(d.bits()), false
	if total == 0 {
		return 0, fmt.Errorf("has dtype %q, want one of the format's, such as F32", string(d))
	}
	for _, n := range shape {
		if n < 0 {
			return 0, fmt.Errorf("has shape %s, want no negative size", formatShape(shape))
		}
		empty = empty || n == 0
		hi, lo := bits.Mul64(total, uint64(max(n, 1)))
		if hi != 0 || lo > math.MaxInt64 {
			return 0, fmt.Errorf("has shape %s, too large for any file", formatShape(shape))
		}
		total = lo
	}
	if empty {
		return 0, nil
	}
	if total%8 != 0 {
		return 0, fmt.Errorf("has shape %s, want whole bytes of %s", formatShape(shape), d)
	}
	return int64(total / 8), nil
}

// formatShape prints (2, 3).
func formatShape(shape []int) string {
	sizes := make([]string, len(shape))
	for i, n := range shape {
		sizes[i] = strconv.Itoa(n)
	}
	return "(" + strings.Join(sizes, ", ") + ")"
}

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFloat16ByVectors compares the assembly with plain Go, at all lengths, for numbers near ties of normal and subnormal results, numbers
// beyond the range, and NaN.
func TestFloat16ByVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 200 {
		x := make([]float32, n)
		for i := range x {
			x[i] = math.Float32frombits(r.Uint32()&0x87ffe000 | (100+r.Uint32N(46))<<23 | []uint32{0, 1, 0xfff, 0x1000, 0x1001, 0x1fff}[r.IntN(6)])
			switch r.IntN(10) {
			case 0:
				x[i] = math.Float32frombits(0x7f800000 | r.Uint32())
			case 1:
				x[i] *= 0
			}
		}
		got, want := make([]uint16, n), make([]uint16, n)
		EncodeFloat16(x, got)
		plainly(func() { EncodeFloat16(x, want) })
		if !slices.Equal(got, want) {
			t.Fatalf("EncodeFloat16(%x) = %x, plain Go gives %x", x, got, want)
		}
		wide, plain := make([]float32, n), make([]float32, n)
		DecodeFloat16(got, wide)
		plainly(func() { DecodeFloat16(got, plain) })
		for i := range wide {
			if math.Float32bits(wide[i]) != math.Float32bits(plain[i]) {
				t.Fatalf("DecodeFloat16(%x) = %x, plain Go gives %x", got[i], wide[i], plain[i])
			}
		}
	}
}

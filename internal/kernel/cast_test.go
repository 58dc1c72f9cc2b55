package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// nearestHalf rounds v to the format by looking through all of its numbers: slow and obvious. Ties go to the even code.
func nearestHalf(v float64, value func(code uint16) float64, infinity uint16) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign, v = 0x8000, -v
	}
	if math.IsInf(v, 0) {
		return sign | infinity
	}
	at := func(c uint16) float64 {
		if c == infinity { // for rounding, one step above the greatest number
			return 2*value(infinity-1) - value(infinity-2)
		}
		return value(c)
	}
	lo, hi := uint16(0), infinity // at(lo) ≤ v < at(hi)
	if v >= at(infinity) {
		return sign | infinity
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; at(mid) <= v {
			lo = mid
		} else {
			hi = mid
		}
	}
	below, above := v-at(lo), at(hi)-v
	if above < below || above == below && hi%2 == 0 {
		return sign | hi
	}
	return sign | lo
}

func TestHalfFormats(t *testing.T) { withKernels(t, testHalfFormats) }

func testHalfFormats(t *testing.T) {
	formats := []struct {
		name     string
		infinity uint16
		decode   func(x []uint16, y []float32)
		encode32 func(x []float32, y []uint16)
		encode64 func(x []float64, y []uint16)
		value    func(code uint16) float64
	}{
		{"bfloat16", 0x7f80, DecodeBFloat16, EncodeBFloat16[float32], EncodeBFloat16[float64], func(c uint16) float64 {
			return halfValue(c, 8, 7)
		}},
		{"float16", 0x7c00, DecodeFloat16, EncodeFloat16[float32], EncodeFloat16[float64], func(c uint16) float64 {
			return halfValue(c, 5, 10)
		}},
	}
	for _, f := range formats {
		codes, back, wide := make([]uint16, 1<<16), make([]uint16, 1<<16), make([]float32, 1<<16)
		for i := range codes {
			codes[i] = uint16(i)
		}
		f.decode(codes, wide)
		f.encode32(wide, back)
		for i, c := range codes {
			isNaN := c&0x7fff > f.infinity
			if want := f.value(c & 0x7fff); !isNaN && math.Abs(float64(wide[i])) != want || isNaN != (wide[i] != wide[i]) {
				t.Fatalf("%s: code %#x decodes to %g, want ±%g", f.name, c, wide[i], want)
			}
			if back[i] != c && !isNaN || isNaN && back[i]&0x7fff <= f.infinity {
				t.Fatalf("%s: code %#x comes back as %#x", f.name, c, back[i])
			}
		}
		r := rand.New(rand.NewPCG(5, 6))
		for range 30000 {
			v := float64(wide[r.IntN(int(f.infinity))]) // a number, one next to a tie, or anything
			switch r.IntN(4) {
			case 0:
				v = (v + float64(wide[min(int(back[r.IntN(int(f.infinity))])+1, int(f.infinity)-1)])) / 2
			case 1:
				v = math.Nextafter(v*(1+1.0/256), math.Inf(1-2*r.IntN(2)))
			case 2:
				v = math.Ldexp(r.NormFloat64(), r.IntN(40)-26)
			}
			var got [2]uint16
			f.encode64([]float64{v}, got[:1])
			f.encode32([]float32{float32(v)}, got[1:])
			if want := nearestHalf(v, f.value, f.infinity); got[0] != want {
				t.Fatalf("%s: %g (%x) encodes to %#x, want %#x", f.name, v, v, got[0], want)
			}
			if want := nearestHalf(float64(float32(v)), f.value, f.infinity); got[1] != want {
				t.Fatalf("%s: float32 %g encodes to %#x, want %#x", f.name, v, got[1], want)
			}
		}
	}
}

// halfValue is the value of a positive code by the definition of IEEE 754 formats.
func halfValue(c uint16, exponentBits, mantissaBits int) float64 {
	e, m := int(c>>mantissaBits), float64(c&(1<<mantissaBits-1))
	bias := 1<<(exponentBits-1) - 1
	if e == 1<<exponentBits-1 {
		return math.Inf(1)
	}
	if e == 0 {
		return math.Ldexp(m, 1-bias-mantissaBits)
	}
	return math.Ldexp(m+float64(int(1)<<mantissaBits), e-bias-mantissaBits)
}

// TestBFloat16ByVectors compares the assembly with plain Go, at all lengths, for numbers near all kinds of ties, and NaN.
func TestBFloat16ByVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 70 {
		x := make([]float32, n)
		for i := range x {
			x[i] = math.Float32frombits(r.Uint32()&0xffff0000 | []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff}[r.IntN(6)])
			if r.IntN(5) == 0 {
				x[i] = math.Float32frombits(0x7f800000 | r.Uint32())
			}
		}
		got, want := make([]uint16, n), make([]uint16, n)
		EncodeBFloat16(x, got)
		plainly(func() { EncodeBFloat16(x, want) })
		if !slices.Equal(got, want) {
			t.Fatalf("EncodeBFloat16(%x) = %x, plain Go gives %x", x, got, want)
		}
		wide, plain := make([]float32, n), make([]float32, n)
		DecodeBFloat16(got, wide)
		plainly(func() { DecodeBFloat16(got, plain) })
		for i := range wide {
			if math.Float32bits(wide[i]) != math.Float32bits(plain[i]) {
				t.Fatalf("DecodeBFloat16(%x) = %x, plain Go gives %x", got[i], wide[i], plain[i])
			}
		}
	}
}

func TestTruncate(t *testing.T) {
	x := []float64{0, -0.9, 1.9, -1.9, 255.5, 256, -1, 3e9, -3e9, 1e19, -1e19, math.NaN(), math.Inf(1), math.Inf(-1)}
	i32, i64, u8 := make([]int32, len(x)), make([]int64, len(x)), make([]uint8, len(x))
	Truncate(x, i32)
	Truncate(x, i64)
	Truncate(x, u8)
	const min32, max32, min64, max64 = math.MinInt32, math.MaxInt32, math.MinInt64, math.MaxInt64
	want32 := []int32{0, 0, 1, -1, 255, 256, -1, max32, min32, max32, min32, 0, max32, min32}
	want64 := []int64{0, 0, 1, -1, 255, 256, -1, 3e9, -3e9, max64, min64, 0, max64, min64}
	want8 := []uint8{0, 0, 1, 0, 255, 255, 0, 255, 0, 255, 0, 0, 255, 0}
	for i, v := range x {
		if i32[i] != want32[i] || i64[i] != want64[i] || u8[i] != want8[i] {
			t.Errorf("Truncate(%g) = %d, %d, %d, want %d, %d, %d", v, i32[i], i64[i], u8[i], want32[i], want64[i], want8[i])
		}
	}
}

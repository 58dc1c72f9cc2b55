package kernel

import "math"

// halvesAtOnce is how many 16-bit numbers the assembly converts at a time.
const halvesAtOnce = 16

// DecodeBFloat16 widens bfloat16 numbers, the upper halves of float32 ones.
func DecodeBFloat16(x []uint16, y []float32) {
	if n := len(x) / halvesAtOnce * halvesAtOnce; n > 0 && haveVectors {
		decodeBFloat16s(x[:n], y[:n])
		x, y = x[n:], y[n:]
	}
	each(x, y, func(v uint16) float32 { return math.Float32frombits(uint32(v) << 16) })
}

// EncodeBFloat16 rounds to bfloat16, halves to even. NaN stays NaN.
func EncodeBFloat16[T Float](x []T, y []uint16) {
	if n := len(x) / halvesAtOnce * halvesAtOnce; n > 0 && haveVectors {
		if singles, ok := any(x).([]float32); ok {
			encodeBFloat16s(singles[:n], y[:n])
			x, y = x[n:], y[n:]
		}
	}
	each(x, y, func(v T) uint16 { return bfloat16(narrow(v)) })
}

// DecodeFloat16 widens IEEE 754 half-precision numbers.
func DecodeFloat16(x []uint16, y []float32) {
	if n := len(x) / halvesAtOnce * halvesAtOnce; n > 0 && haveVectors {
		decodeFloat16s(x[:n], y[:n])
		x, y = x[n:], y[n:]
	}
	each(x, y, fromFloat16)
}

// EncodeFloat16 rounds to IEEE 754 half precision, halves to even. NaN stays NaN.
func EncodeFloat16[T Float](x []T, y []uint16) {
	if n := len(x) / halvesAtOnce * halvesAtOnce; n > 0 && haveVectors {
		if singles, ok := any(x).([]float32); ok {
			encodeFloat16s(singles[:n], y[:n])
			x, y = x[n:], y[n:]
		}
	}
	each(x, y, func(v T) uint16 { return float16(narrow(v)) })
}

// narrow gives a float32 that rounds to every shorter format as v does: where v is no float32, the neighbour with the odd last bit.
func narrow[T Float](v T) float32 {
	f := float32(v)
	if single[T]() || float64(f) == float64(v) || v != v {
		return f
	}
	u := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(float64(v)) {
		u-- // towards zero
	}
	return math.Float32frombits(u | 1)
}

// bfloat16 rounds f to the upper half of its bits.
func bfloat16(f float32) uint16 {
	u := math.Float32bits(f)
	if f != f {
		return uint16(u>>16) | 0x40 // quiet
	}
	return uint16((u + 0x7fff + u>>16&1) >> 16)
}

// float16 rounds f to 1 sign, 5 exponent and 10 mantissa bits.
func float16(f float32) uint16 {
	u := math.Float32bits(f)
	sign, a := uint16(u>>16)&0x8000, u&0x7fffffff
	switch {
	case a > 0x7f800000: // NaN
		return sign | 0x7e00 | uint16(a>>13)&0x3ff
	case a >= 0x47800000: // 2¹⁶ and more
		return sign | 0x7c00
	case a < 0x38800000: // below 2⁻¹⁴: the sum with ½ has its last bit at 2⁻²⁴, as the subnormal result
		return sign | uint16(math.Float32bits(math.Float32frombits(a)+0.5)-0x3f000000)
	}
	a -= (127 - 15) << 23
	return sign | uint16((a+0xfff+a>>13&1)>>13)
}

// fromFloat16 widens a half-precision number.
func fromFloat16(h uint16) float32 {
	sign, a := uint32(h&0x8000)<<16, uint32(h&0x7fff)
	if a >= 0x7c00 { // Inf and NaN
		return math.Float32frombits(sign | 0x7f800000 | a<<13&0x7fffff)
	}
	f := math.Float32frombits(a<<13) * 0x1p112 // exact, subnormals too
	return math.Float32frombits(sign | math.Float32bits(f))
}

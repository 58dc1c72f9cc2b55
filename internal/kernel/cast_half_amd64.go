//go:build !purego

package kernel

// These functions choose between AVX2 and AVX-512, which give the same bits, for a multiple of halvesAtOnce elements; haveVectors is true.

func decodeBFloat16s(x []uint16, y []float32) {
	if haveAVX512 {
		decodeBFloat16_avx512(x, y)
	} else {
		decodeBFloat16(x, y)
	}
}

func encodeBFloat16s(x []float32, y []uint16) {
	if haveAVX512 {
		encodeBFloat16_avx512(x, y)
	} else {
		encodeBFloat16(x, y)
	}
}

func decodeFloat16s(x []uint16, y []float32) {
	if haveAVX512 {
		decodeFloat16_avx512(x, y)
	} else {
		decodeFloat16(x, y)
	}
}

func encodeFloat16s(x []float32, y []uint16) {
	if haveAVX512 {
		encodeFloat16_avx512(x, y)
	} else {
		encodeFloat16(x, y)
	}
}

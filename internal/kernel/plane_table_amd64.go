//go:build !purego

package kernel

var (
	planes32 = planeTable[float32]{
		byColumns: []rowTable[float32]{
			{8, tapSums8_32, copyRows8_32, evenRows8_32, zipRows8_32},
			{4, tapSums4_32, copyRows4_32, evenRows4_32, zipRows4_32},
		},
		tapDots: tapDots_32,
		norm: normTable[float32]{
			normMoments_32, normClamp_32, normProducts_32, normProductsReLU_32, normProductsClip_32, normGrad_32, normGradReLU_32, normGradClip_32,
		},
	}
	planes64 = planeTable[float64]{
		byColumns: []rowTable[float64]{
			{4, tapSums4_64, copyRows4_64, evenRows4_64, zipRows4_64},
			{2, tapSums2_64, copyRows2_64, evenRows2_64, zipRows2_64},
		},
		tapDots: tapDots_64,
		norm: normTable[float64]{
			normMoments_64, normClamp_64, normProducts_64, normProductsReLU_64, normProductsClip_64, normGrad_64, normGradReLU_64, normGradClip_64,
		},
	}
)

// The tables of AVX-512. Rows of less than its vectors are AVX2's.
var (
	widePlanes32 = planeTable[float32]{
		byColumns: append([]rowTable[float32]{{16, tapSums16_32_avx512, copyRows16_32_avx512, evenRows16_32_avx512, zipRows16_32_avx512}}, planes32.byColumns...),
		tapDots:   tapDots_32_avx512,
		norm: normTable[float32]{
			normMoments_32_avx512, normClamp_32_avx512, normProducts_32_avx512, normProductsReLU_32_avx512, normProductsClip_32_avx512, normGrad_32_avx512, normGradReLU_32_avx512, normGradClip_32_avx512,
		},
	}
	widePlanes64 = planeTable[float64]{
		byColumns: append([]rowTable[float64]{{8, tapSums8_64_avx512, copyRows8_64_avx512, evenRows8_64_avx512, zipRows8_64_avx512}}, planes64.byColumns...),
		tapDots:   tapDots_64_avx512,
		norm: normTable[float64]{
			normMoments_64_avx512, normClamp_64_avx512, normProducts_64_avx512, normProductsReLU_64_avx512, normProductsClip_64_avx512, normGrad_64_avx512, normGradReLU_64_avx512, normGradClip_64_avx512,
		},
	}
)

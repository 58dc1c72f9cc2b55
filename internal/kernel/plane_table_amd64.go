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

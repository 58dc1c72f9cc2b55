//go:build !purego

package kernel

func cells32() *cellTable[float32] {
	switch {
	case haveAVX512:
		return &avx512Cells
	case haveVectors:
		return &avx2Cells
	}
	return plainCells32
}

var avx2Cells = cellTable[float32]{
	lstm: lstm_32, lstmPeephole: lstmPeephole_32, lstmGrad: lstmGrad_32, lstmPeepholeGrad: lstmPeepholeGrad_32,
	gru: gru_32, gruGrad: gruGrad_32,
	gruReset: gruReset_32, gruUpdate: gruUpdate_32, gruUpdateGrad: gruUpdateGrad_32, gruResetGrad: gruResetGrad_32,
}

var avx512Cells = cellTable[float32]{
	lstm: lstm_32_avx512, lstmPeephole: lstmPeephole_32_avx512, lstmGrad: lstmGrad_32_avx512, lstmPeepholeGrad: lstmPeepholeGrad_32_avx512,
	gru: gru_32_avx512, gruGrad: gruGrad_32_avx512,
	gruReset: gruReset_32_avx512, gruUpdate: gruUpdate_32_avx512, gruUpdateGrad: gruUpdateGrad_32_avx512, gruResetGrad: gruResetGrad_32_avx512,
}

//go:build !purego

package kernel

func cells32() *cellTable[float32] {
	if haveVectors {
		return &neonCells
	}
	return plainCells32
}

var neonCells = cellTable[float32]{
	lstm: lstm_32, lstmPeephole: lstmPeephole_32, lstmGrad: lstmGrad_32, lstmPeepholeGrad: lstmPeepholeGrad_32,
	gru: gru_32, gruGrad: gruGrad_32,
	gruReset: gruReset_32, gruUpdate: gruUpdate_32, gruUpdateGrad: gruUpdateGrad_32, gruResetGrad: gruResetGrad_32,
}

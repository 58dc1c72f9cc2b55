//go:build !purego

package kernel

var (
	planes32 = planeTable[float32]{
		byColumns: []rowTable[float32]{
			{lanes: 8, tapSums: tapSums8_32, copyRows: copyRows8_32, evenRows: evenRows8_32, zipRows: zipRows8_32},
			{lanes: 4, tapSums: tapSums4_32, copyRows: copyRows4_32, evenRows: evenRows4_32, zipRows: zipRows4_32},
		},
		tapDots: tapDots_32,
	}
	planes64 = planeTable[float64]{
		byColumns: []rowTable[float64]{
			{lanes: 4, tapSums: tapSums4_64, copyRows: copyRows4_64, evenRows: evenRows4_64, zipRows: zipRows4_64},
			{lanes: 2, tapSums: tapSums2_64, copyRows: copyRows2_64, evenRows: evenRows2_64, zipRows: zipRows2_64},
		},
		tapDots: tapDots_64,
	}
)

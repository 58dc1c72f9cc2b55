//go:build !purego

package kernel

// The kernels of AVX-512, with tiles of up to 14 rows and two vectors: 28 sums, two vectors of B and an element of A are the 32 registers
// but one. Tiles of all heights let the rows of a product be shared evenly. Pooling of few windows is AVX2's, and so are
// the products of a row by a transposed matrix.

var avx512Single = table[float32]{
	rows: 14, cols: 32, lanes: 16,
	kBlock: 256, mBlock: 168,
	full: []tileFunc[float32]{
		1: tile1x32_32_avx512, 2: tile2x32_32_avx512, 3: tile3x32_32_avx512, 4: tile4x32_32_avx512, 5: tile5x32_32_avx512, 6: tile6x32_32_avx512, 7: tile7x32_32_avx512,
		8: tile8x32_32_avx512, 9: tile9x32_32_avx512, 10: tile10x32_32_avx512, 11: tile11x32_32_avx512, 12: tile12x32_32_avx512, 13: tile13x32_32_avx512, 14: tile14x32_32_avx512,
	},
	narrow: []tileFunc[float32]{
		1: tile1x16_32_avx512, 2: tile2x16_32_avx512, 3: tile3x16_32_avx512, 4: tile4x16_32_avx512, 5: tile5x16_32_avx512, 6: tile6x16_32_avx512, 7: tile7x16_32_avx512,
		8: tile8x16_32_avx512, 9: tile9x16_32_avx512, 10: tile10x16_32_avx512, 11: tile11x16_32_avx512, 12: tile12x16_32_avx512, 13: tile13x16_32_avx512, 14: tile14x16_32_avx512,
	},
	wide: []wideTiles[float32]{
		1: {128, []tileFunc[float32]{1: tile1x128_32_avx512}},
		2: {64, []tileFunc[float32]{2: tile2x64_32_avx512}},
		3: {64, []tileFunc[float32]{3: tile3x64_32_avx512}},
	},
	split1: split16_32_avx512, split2: split32_32_avx512,
	gather: gather_32_avx512, scatter: scatter_32_avx512, transpose: transpose_32_avx512,
	maxRows: append([]maxRows[float32]{{16, []maxRow[float32]{1: maxRow16x1_32_avx512, 2: maxRow16x2_32_avx512}}}, avx2Single.maxRows...),
	dots:    avx2Single.dots,
}

var avx512Double = table[float64]{
	rows: 14, cols: 16, lanes: 8,
	kBlock: 256, mBlock: 112,
	full: []tileFunc[float64]{
		1: tile1x16_64_avx512, 2: tile2x16_64_avx512, 3: tile3x16_64_avx512, 4: tile4x16_64_avx512, 5: tile5x16_64_avx512, 6: tile6x16_64_avx512, 7: tile7x16_64_avx512,
		8: tile8x16_64_avx512, 9: tile9x16_64_avx512, 10: tile10x16_64_avx512, 11: tile11x16_64_avx512, 12: tile12x16_64_avx512, 13: tile13x16_64_avx512, 14: tile14x16_64_avx512,
	},
	narrow: []tileFunc[float64]{
		1: tile1x8_64_avx512, 2: tile2x8_64_avx512, 3: tile3x8_64_avx512, 4: tile4x8_64_avx512, 5: tile5x8_64_avx512, 6: tile6x8_64_avx512, 7: tile7x8_64_avx512,
		8: tile8x8_64_avx512, 9: tile9x8_64_avx512, 10: tile10x8_64_avx512, 11: tile11x8_64_avx512, 12: tile12x8_64_avx512, 13: tile13x8_64_avx512, 14: tile14x8_64_avx512,
	},
	wide: []wideTiles[float64]{
		1: {64, []tileFunc[float64]{1: tile1x64_64_avx512}},
		2: {32, []tileFunc[float64]{2: tile2x32_64_avx512}},
		3: {32, []tileFunc[float64]{3: tile3x32_64_avx512}},
	},
	split1: split8_64_avx512, split2: split16_64_avx512,
	gather: gather_64_avx512, scatter: scatter_64_avx512, transpose: transpose_64_avx512,
	maxRows: append([]maxRows[float64]{{8, []maxRow[float64]{1: maxRow8x1_64_avx512, 2: maxRow8x2_64_avx512}}}, avx2Double.maxRows...),
	dots:    avx2Double.dots,
}

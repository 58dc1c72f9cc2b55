//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// The levels of assembly, AVX2 and AVX-512, of which the highest is chosen; tests clear them.
var (
	haveVectors = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	haveAVX512  = haveVectors && cpu.X86.HasBMI2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
)

func table32() *table[float32] {
	switch {
	case haveAVX512:
		return &avx512Single
	case haveVectors:
		return &avx2Single
	}
	return plain32
}

func table64() *table[float64] {
	switch {
	case haveAVX512:
		return &avx512Double
	case haveVectors:
		return &avx2Double
	}
	return plain64
}

var avx2Single = table[float32]{
	rows: 6, cols: 16, lanes: 8,
	kBlock: 256, mBlock: 168,
	full:   []tileFunc[float32]{1: tile1x16_32, 2: tile2x16_32, 3: tile3x16_32, 4: tile4x16_32, 5: tile5x16_32, 6: tile6x16_32},
	narrow: []tileFunc[float32]{1: tile1x8_32, 2: tile2x8_32, 3: tile3x8_32, 4: tile4x8_32, 5: tile5x8_32, 6: tile6x8_32},
	wide:   []wideTiles[float32]{1: {64, []tileFunc[float32]{1: tile1x64_32}}, 2: {32, []tileFunc[float32]{2: tile2x32_32}}},
	dots:   []dotRows[float32]{{16, dots16_32}, {8, dots8_32}},
	split1: split8_32, split2: split16_32,
	gather: gather_32, scatter: scatter_32, transpose: transpose_32,
	maxRows: []maxRows[float32]{{8, []maxRow[float32]{1: maxRow8x1_32, 2: maxRow8x2_32}}, {4, []maxRow[float32]{1: maxRow4x1_32, 2: maxRow4x2_32}}},
}

var avx2Double = table[float64]{
	rows: 6, cols: 8, lanes: 4,
	kBlock: 256, mBlock: 96,
	full:   []tileFunc[float64]{1: tile1x8_64, 2: tile2x8_64, 3: tile3x8_64, 4: tile4x8_64, 5: tile5x8_64, 6: tile6x8_64},
	narrow: []tileFunc[float64]{1: tile1x4_64, 2: tile2x4_64, 3: tile3x4_64, 4: tile4x4_64, 5: tile5x4_64, 6: tile6x4_64},
	wide:   []wideTiles[float64]{1: {32, []tileFunc[float64]{1: tile1x32_64}}, 2: {16, []tileFunc[float64]{2: tile2x16_64}}},
	dots:   []dotRows[float64]{{8, dots8_64}, {4, dots4_64}},
	split1: split4_64, split2: split8_64,
	gather: gather_64, scatter: scatter_64, transpose: transpose_64,
	maxRows: []maxRows[float64]{{4, []maxRow[float64]{1: maxRow4x1_64, 2: maxRow4x2_64}}},
}

//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// haveBFloat16 chooses the dot products of bfloat16 numbers, where haveAVX512 is true as well; tests clear it.
var haveBFloat16 = haveAVX512 && cpu.X86.HasAVX512BF16

// tableBFloat16 returns the kernels whose elements of A and B are pairs of bfloat16 numbers, nil if the CPU has none.
func tableBFloat16() *table[float32] {
	if haveAVX512 && haveBFloat16 {
		return &avx512BFloat16
	}
	return nil
}

var avx512BFloat16 = table[float32]{
	rows: 14, cols: 32, lanes: 16,
	kBlock: 256, mBlock: 168,
	full: []tileFunc[float32]{
		1: tile1x32_bfloat16, 2: tile2x32_bfloat16, 3: tile3x32_bfloat16, 4: tile4x32_bfloat16, 5: tile5x32_bfloat16, 6: tile6x32_bfloat16, 7: tile7x32_bfloat16,
		8: tile8x32_bfloat16, 9: tile9x32_bfloat16, 10: tile10x32_bfloat16, 11: tile11x32_bfloat16, 12: tile12x32_bfloat16, 13: tile13x32_bfloat16, 14: tile14x32_bfloat16,
	},
	narrow: []tileFunc[float32]{
		1: tile1x16_bfloat16, 2: tile2x16_bfloat16, 3: tile3x16_bfloat16, 4: tile4x16_bfloat16, 5: tile5x16_bfloat16, 6: tile6x16_bfloat16, 7: tile7x16_bfloat16,
		8: tile8x16_bfloat16, 9: tile9x16_bfloat16, 10: tile10x16_bfloat16, 11: tile11x16_bfloat16, 12: tile12x16_bfloat16, 13: tile13x16_bfloat16, 14: tile14x16_bfloat16,
	},
	wide: []wideTiles[float32]{
		1: {128, []tileFunc[float32]{1: tile1x128_bfloat16}},
		2: {64, []tileFunc[float32]{2: tile2x64_bfloat16}},
		3: {64, []tileFunc[float32]{3: tile3x64_bfloat16}},
	},
	split1: split16_32_avx512, split2: split32_32_avx512,
	gather: gather_32_avx512, scatter: scatter_32_avx512, transpose: transpose_32_avx512,
}

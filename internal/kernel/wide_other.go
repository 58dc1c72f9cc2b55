//go:build !amd64 || purego

package kernel

// What only amd64 has: the levels above the first, which tests clear, and their kernels.
var haveAVX512, haveBFloat16 = false, false

var (
	wideVectors32 vectorTable[float32]
	wideVectors64 vectorTable[float64]
	widePlanes32  planeTable[float32]
	widePlanes64  planeTable[float64]
)

// tableBFloat16 returns no kernels: the operands are widened.
func tableBFloat16() *table[float32] { return nil }

// Pairs are brought into panels where there are such kernels.

func splitPairs16(_, _, _ int, _ []uint16, _ int, _ []float32, _, _ int) {}
func splitPairs32(_, _, _ int, _ []uint16, _ int, _ []float32, _, _ int) {}

//go:build (!amd64 && !arm64) || purego

package kernel

var (
	vectors32 vectorTable[float32]
	vectors64 vectorTable[float64]
)

// The assembly that is called by name, where haveVectors is true; here it never is.

func prefetchRows_32(_ *byte, _, _ int, _ []int32) {}
func prefetchRows_64(_ *byte, _, _ int, _ []int64) {}

func turn8_32(_ int, _ []uint32, _ int, _ []uint32, _ int)  {}
func turn16_32(_ int, _ []uint32, _ int, _ []uint32, _ int) {}
func turn4_64(_ int, _ []uint64, _ int, _ []uint64, _ int)  {}
func turn8_64(_ int, _ []uint64, _ int, _ []uint64, _ int)  {}

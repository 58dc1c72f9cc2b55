//go:build !amd64 || purego

package kernel

var (
	vectors32 vectorTable[float32]
	vectors64 vectorTable[float64]
)

func sumInto32(_ []float32, _ []float64) {}
func sumInto64(_ []float64, _ []float64) {}

func prefetchRows32(_ *byte, _, _ int, _ []int32) {}
func prefetchRows64(_ *byte, _, _ int, _ []int64) {}

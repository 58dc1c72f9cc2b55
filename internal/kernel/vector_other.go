//go:build !amd64 || purego

package kernel

var (
	vectors32 vectorTable[float32]
	vectors64 vectorTable[float64]
)

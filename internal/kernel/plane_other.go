//go:build !amd64 || purego

package kernel

var (
	planes32 planeTable[float32]
	planes64 planeTable[float64]
)

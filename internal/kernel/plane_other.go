//go:build (!amd64 && !arm64) || purego

package kernel

var (
	planes32 planeTable[float32]
	planes64 planeTable[float64]
)

//go:build (!amd64 && !arm64) || purego

package kernel

var (
	planes32, widePlanes32 planeTable[float32]
	planes64, widePlanes64 planeTable[float64]
)

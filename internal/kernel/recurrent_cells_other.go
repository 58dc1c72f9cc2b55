//go:build (!amd64 && !arm64) || purego

package kernel

func cells32() *cellTable[float32] { return plainCells32 }

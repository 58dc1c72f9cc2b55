//go:build (!amd64 && !arm64) || purego

package kernel

// The conversions that are called where haveVectors is true; here it never is.

func decodeBFloat16s(_ []uint16, _ []float32) {}
func encodeBFloat16s(_ []float32, _ []uint16) {}
func decodeFloat16s(_ []uint16, _ []float32)  {}
func encodeFloat16s(_ []float32, _ []uint16)  {}

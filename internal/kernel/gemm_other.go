//go:build !amd64 || purego

package kernel

// tableBFloat16 returns no kernels: the operands are widened.
func tableBFloat16() *table[float32] { return nil }

// pairRows is called where there are such kernels.
func pairRows(_, _ []uint16, _ []float32) {}

// haveAVX2, haveAVX512 and haveBFloat16 are the switches that tests clear; there is nothing to switch off here.
var haveAVX2, haveAVX512, haveBFloat16 = false, false, false

func table32() *table[float32] { return plain32 }

func table64() *table[float64] { return plain64 }

//go:build (!amd64 && !arm64) || purego

package kernel

// haveVectors is the switch that tests clear; there is nothing to switch off here.
var haveVectors = false

func table32() *table[float32] { return plain32 }

func table64() *table[float64] { return plain64 }

//go:build !amd64 || purego

package kernel

// haveAVX2 is the switch that tests clear; there is nothing to switch off here.
var haveAVX2 = false

func table32() *table[float32] { return plain32 }

func table64() *table[float64] { return plain64 }

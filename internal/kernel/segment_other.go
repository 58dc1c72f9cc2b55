//go:build !amd64 || purego

package kernel

func greaterInto_32(_, _ []float32, _ []int32, _ int32) {}
func greaterInto_64(_, _ []float64, _ []int64, _ int64) {}

func greaterFourInto_32(_, _, _, _, _ []float32, _ []int32, _ int32) {}
func greaterFourInto_64(_, _, _, _, _ []float64, _ []int64, _ int64) {}

func sumFourInto_32(_, _, _, _ []float32, _ []float64) {}
func sumFourInto_64(_, _, _, _ []float64, _ []float64) {}

func productsInto_32(_, _ []float32, _ []float64) {}
func productsInto_64(_, _ []float64, _ []float64) {}

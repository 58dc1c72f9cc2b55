//go:build (!amd64 && !arm64) || purego

package kernel

// The assembly for rows is called where haveVectors is true; here it never is.

func sumInto32(_ []float32, _ []float64) {}
func sumInto64(_ []float64, _ []float64) {}

func sumRows32(_ int, _ []float32, _ int, _ []float64) {}
func sumRows64(_ int, _ []float64, _ int, _ []float64) {}

func greatestInto32(_ []float32, _ []float64) {}
func greatestInto64(_ []float64, _ []float64) {}

func leastInto32(_ []float32, _ []float64) {}
func leastInto64(_ []float64, _ []float64) {}

func sumFourInto32(_, _, _, _ []float32, _ []float64) {}
func sumFourInto64(_, _, _, _ []float64, _ []float64) {}

func greaterInto32(_, _ []float32, _ []int32, _ int32) {}
func greaterInto64(_, _ []float64, _ []int64, _ int64) {}

func greaterFourInto32(_, _, _, _, _ []float32, _ []int32, _ int32) {}
func greaterFourInto64(_, _, _, _, _ []float64, _ []int64, _ int64) {}

func productsInto32(_, _ []float32, _ []float64) {}
func productsInto64(_, _ []float64, _ []float64) {}

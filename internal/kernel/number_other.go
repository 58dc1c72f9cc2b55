//go:build (!amd64 && !arm64) || purego

package kernel

var (
	comparisons32    compareTable[float32]
	comparisons64    compareTable[float64]
	comparisonsInt32 compareTable[int32]
	comparisonsInt64 compareTable[int64]
)

// The assembly that is called by name, where haveVectors is true; here it never is.

func notEqual_32(_, _ []float32, _ []bool)  {}
func notEqual_64(_, _ []float64, _ []bool)  {}
func notEqual_int32(_, _ []int32, _ []bool) {}
func notEqual_int64(_, _ []int64, _ []bool) {}

func isFinite_32(_ []float32, _ []bool) {}
func isFinite_64(_ []float64, _ []bool) {}

func pow_32(_, _, _ []float32) {}

func where_32(_ []bool, _, _, _ []uint32) {}
func where_64(_ []bool, _, _, _ []uint64) {}

func int32ToFloat32(_ []int32, _ []float32)     {}
func int32ToFloat64(_ []int32, _ []float64)     {}
func int32ToInt64(_ []int32, _ []int64)         {}
func int64ToInt32(_ []int64, _ []int32)         {}
func uint8ToFloat32(_ []uint8, _ []float32)     {}
func uint8ToInt32(_ []uint8, _ []int32)         {}
func uint8ToInt64(_ []uint8, _ []int64)         {}
func float32ToFloat64(_ []float32, _ []float64) {}
func float64ToFloat32(_ []float64, _ []float32) {}
func float32ToInt32(_ []float32, _ []int32)     {}
func float32ToUint8(_ []float32, _ []uint8)     {}

//go:build !purego

package kernel

var (
	comparisons32    = compareTable[float32]{equal_32, notEqual_32, less_32, lessOrEqual_32}
	comparisons64    = compareTable[float64]{equal_64, notEqual_64, less_64, lessOrEqual_64}
	comparisonsInt32 = compareTable[int32]{equal_int32, notEqual_int32, less_int32, lessOrEqual_int32}
	comparisonsInt64 = compareTable[int64]{equal_int64, notEqual_int64, less_int64, lessOrEqual_int64}
)

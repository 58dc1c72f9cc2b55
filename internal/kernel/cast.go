package kernel

import "math"

// FromFloat converts v to T: floats are rounded, integers truncated toward zero and limited to T's range; NaN counts as 0.
func FromFloat[T Number](v float64) T {
	switch any(*new(T)).(type) {
	case int32:
		return T(truncate(v, math.MinInt32, math.MaxInt32))
	case int64:
		return T(truncate(v, math.MinInt64, math.MaxInt64))
	case uint8:
		return T(truncate(v, 0, math.MaxUint8))
	}
	return T(v)
}

// truncate rounds v toward zero and limits it to [lo, hi]; NaN counts as 0.
func truncate(v float64, lo, hi int64) int64 {
	switch {
	case v >= float64(hi):
		return hi
	case v <= float64(lo):
		return lo
	case v != v:
		return 0
	}
	return int64(v)
}

// Convert computes y = x by Go's conversion, for all pairs of types but a float to an integer: floats round to the nearest, integers
// keep their low bits.
func Convert[S, D Number](x []S, y []D) {
	n := converted(x, y)
	each(x[n:], y[n:], func(v S) D { return D(v) })
}

// Truncate converts floats to integers as FromFloat does.
func Truncate[S Float, D Integer](x []S, y []D) {
	n := converted(x, y)
	lo, hi := int64(FromFloat[D](math.Inf(-1))), int64(FromFloat[D](math.Inf(1)))
	each(x[n:], y[n:], func(v S) D { return D(truncate(float64(v), lo, hi)) })
}

// ToBool computes y = (x ≠ 0); NaN is true.
func ToBool[S Number](x []S, y []bool) {
	n := 0
	if haveVectors {
		n = comparedWithZero(x[:len(x)/boolsAtOnce*boolsAtOnce], y)
	}
	each(x[n:], y[n:], func(v S) bool { return v != 0 })
}

// comparedWithZero lets the assembly compute ToBool of a multiple of boolsAtOnce elements, and returns how many are done.
func comparedWithZero[S Number](x []S, y []bool) int {
	y = y[:len(x)]
	if len(x) == 0 {
		return 0
	}
	switch x := any(x).(type) {
	case []float32:
		notEqual_32(x, []float32{0}, y)
	case []float64:
		notEqual_64(x, []float64{0}, y)
	case []int32:
		notEqual_int32(x, []int32{0}, y)
	case []int64:
		notEqual_int64(x, []int64{0}, y)
	default:
		return 0
	}
	return len(x)
}

// castAtOnce is how many numbers the assembly converts at a time.
const castAtOnce = 16

// converted lets the assembly convert what it can of x, and returns how many elements are done.
func converted[S, D Number](x []S, y []D) (n int) {
	n = len(x) / castAtOnce * castAtOnce
	if n == 0 || !haveVectors {
		return 0
	}
	done := false
	switch x := any(x[:n]).(type) {
	case []float32:
		done = convertedFloats(x, y)
	case []float64:
		if y, ok := any(y).([]float32); ok {
			float64ToFloat32(x, y[:n])
			done = ok
		}
	case []int32:
		done = convertedInts(x, y)
	case []int64:
		if y, ok := any(y).([]int32); ok {
			int64ToInt32(x, y[:n])
			done = ok
		}
	case []uint8:
		done = convertedBytes(x, y)
	}
	if !done {
		return 0
	}
	return n
}

func convertedFloats[D Number](x []float32, y []D) bool {
	switch y := any(y[:len(x)]).(type) {
	case []float64:
		float32ToFloat64(x, y)
	case []int32:
		float32ToInt32(x, y)
	case []uint8:
		float32ToUint8(x, y)
	default:
		return false
	}
	return true
}

func convertedInts[D Number](x []int32, y []D) bool {
	switch y := any(y[:len(x)]).(type) {
	case []float32:
		int32ToFloat32(x, y)
	case []float64:
		int32ToFloat64(x, y)
	case []int64:
		int32ToInt64(x, y)
	default:
		return false
	}
	return true
}

func convertedBytes[D Number](x []uint8, y []D) bool {
	switch y := any(y[:len(x)]).(type) {
	case []uint8:
		copy(y, x)
	case []float32:
		uint8ToFloat32(x, y)
	case []int32:
		uint8ToInt32(x, y)
	case []int64:
		uint8ToInt64(x, y)
	default:
		return false
	}
	return true
}

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
func Convert[S, D Number](x []S, y []D) { each(x, y, func(v S) D { return D(v) }) }

// Truncate converts floats to integers as FromFloat does.
func Truncate[S Float, D Integer](x []S, y []D) {
	lo, hi := int64(FromFloat[D](math.Inf(-1))), int64(FromFloat[D](math.Inf(1)))
	each(x, y, func(v S) D { return D(truncate(float64(v), lo, hi)) })
}

// ToBool computes y = (x ≠ 0); NaN is true.
func ToBool[S Number](x []S, y []bool) { each(x, y, func(v S) bool { return v != 0 }) }

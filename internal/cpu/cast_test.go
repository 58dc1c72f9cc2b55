package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

// castReference is the value of v, an element of type from, in type to, by definition; 16-bit floats are left to the kernels' tests and
// get whole numbers here, which they hold.
func castReference(v float64, from, to op.DType) float64 {
	trunc := func(lo, hi float64) float64 {
		if v != v {
			return 0
		}
		return math.Trunc(math.Min(math.Max(v, lo), hi))
	}
	switch {
	case to == op.Bool:
		return truth(v != 0)
	case to == op.Float32:
		return float64(float32(v))
	case to == op.Float64 || to == op.BFloat16 || to == op.Float16:
		return v
	case from.IsFloat() && to == op.Uint8:
		return trunc(0, 255)
	case from.IsFloat() && to == op.Int32:
		return trunc(math.MinInt32, math.MaxInt32)
	case from.IsFloat():
		return math.Trunc(v)
	case to == op.Uint8:
		return float64(uint8(int64(v)))
	case to == op.Int32:
		return float64(int32(int64(v)))
	}
	return v
}

func TestCast(t *testing.T) {
	r, b := newRand(1), New()
	b.SetThreads(2)
	for _, from := range allTypes {
		for _, to := range allTypes {
			for _, n := range []int{0, 1, 255, 256, 257, lightGrain + 300} {
				x, v := op.NewBuffer(from, n), make([]float64, n)
				for i := range v {
					v[i] = float64(r.IntN(500) - 200)
					short := to == op.BFloat16 || to == op.Float16 || from == op.BFloat16 || from == op.Float16
					if from.IsFloat() && !short {
						v[i] += r.NormFloat64()
					}
					if short {
						v[i] = math.Mod(v[i], 120)
					}
				}
				wide := op.NewBuffer(op.Float64, n)
				copy(wide.Float64s(), v)
				if b.Cast(wide, x); n > 0 && from != op.Float64 { // v in type from
					back := op.NewBuffer(op.Float64, n)
					b.Cast(x, back)
					copy(v, back.Float64s())
				}
				y := garbage(to, n)
				b.Cast(x, y)
				if to == op.BFloat16 || to == op.Float16 {
					y = op.NewBuffer(op.Float64, n)
					z := op.NewBuffer(to, n)
					b.Cast(x, z)
					b.Cast(z, y)
				}
				want := make([]float64, n)
				for i := range want {
					want[i] = castReference(v[i], from, to)
				}
				check(t, name("cast from ", from, " to ", to), y, want, 0)
			}
		}
	}
}

func TestCastSpecialValues(t *testing.T) {
	b := New()
	x := buffer(op.Float64, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -0.5, 0)
	for to, want := range map[op.DType][]float64{
		op.Int32: {0, math.MaxInt32, math.MinInt32, math.MaxInt32, 0, 0},
		op.Uint8: {0, 255, 0, 255, 0, 0},
		op.Bool:  {1, 1, 1, 1, 1, 0},
	} {
		y := garbage(to, x.Len())
		b.Cast(x, y)
		check(t, name("cast to ", to), y, want, 0)
	}
	exact, y := buffer(op.Int64, 1<<53, 0), op.NewBuffer(op.Int32, 2)
	exact.Int64s()[1] = 1<<40 + 7
	b.Cast(exact, y)
	check(t, "int64 to int32 keeps the low bits", y, []float64{0, 7}, 0)
}

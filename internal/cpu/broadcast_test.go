package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

var binaryReference = map[op.BinaryFunc]func(a, b float64) float64{
	op.BinaryAdd: func(a, b float64) float64 { return a + b },
	op.BinarySub: func(a, b float64) float64 { return a - b },
	op.BinaryMul: func(a, b float64) float64 { return a * b },
	op.BinaryDiv: func(a, b float64) float64 { return a / b },
	op.BinaryPow: math.Pow,
	op.BinaryMax: math.Max,
	op.BinaryMin: math.Min,
	op.BinaryLogisticLoss: func(a, b float64) float64 {
		return math.Max(a, 0) - a*b + math.Log1p(math.Exp(-math.Abs(a)))
	},
	op.BinaryLogisticSlope: func(a, b float64) float64 { return 1/(1+math.Exp(-a)) - b },

	op.BinaryEqual:        func(a, b float64) float64 { return truth(a == b) },
	op.BinaryNotEqual:     func(a, b float64) float64 { return truth(a != b) },
	op.BinaryLess:         func(a, b float64) float64 { return truth(a < b) },
	op.BinaryLessEqual:    func(a, b float64) float64 { return truth(a <= b) },
	op.BinaryGreater:      func(a, b float64) float64 { return truth(a > b) },
	op.BinaryGreaterEqual: func(a, b float64) float64 { return truth(a >= b) },

	op.BinaryAnd: func(a, b float64) float64 { return truth(a != 0 && b != 0) },
	op.BinaryOr:  func(a, b float64) float64 { return truth(a != 0 || b != 0) },
	op.BinaryXor: func(a, b float64) float64 { return truth(a != b) },
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// integerResult is the value of f for integers of type d.
func integerResult(d op.DType, f op.BinaryFunc, a, b float64) float64 {
	v := binaryReference[f](a, b)
	switch {
	case f == op.BinaryDiv && b == 0:
		return 0
	case f == op.BinaryPow && a == 0 && b < 0:
		return 0
	case f == op.BinaryDiv || f == op.BinaryPow:
		v = math.Trunc(v)
	}
	if d == op.Uint8 {
		return float64(uint8(int64(v)))
	}
	return v
}

func TestBinaryBroadcasts(t *testing.T) {
	r, b := newRand(1), New()
	for round := range 3000 {
		b.SetThreads(1 + round%3)
		d := append(numbers, op.Bool)[r.IntN(6)]
		f := op.BinaryFunc(r.IntN(int(op.BinaryAnd)))
		if (f == op.BinaryLogisticLoss || f == op.BinaryLogisticSlope) && !d.IsFloat() {
			f = op.BinaryAdd
		}
		if d == op.Bool {
			f = []op.BinaryFunc{op.BinaryEqual, op.BinaryNotEqual, op.BinaryAnd, op.BinaryOr, op.BinaryXor}[r.IntN(5)]
		}
		shape, from := randomShapes(r, 2)
		x0, x1 := random(r, d, from[0]...), random(r, d, from[1]...)
		y := garbage(d, shape...)
		if f >= op.BinaryEqual {
			y = garbage(op.Bool, shape...)
		}
		want := make([]float64, y.Len())
		positions(shape, func(i int, index []int) {
			p, q := get(x0, stretched(x0, index)), get(x1, stretched(x1, index))
			if want[i] = binaryReference[f](p, q); !d.IsFloat() && f < op.BinaryEqual {
				want[i] = integerResult(d, f, p, q)
			}
		})
		b.Binary(f, x0, x1, y)
		check(t, name("function ", f, " of ", x0.Shape, " and ", x1.Shape), y, want, tolerance(d))
	}
}

func TestBinaryInPlace(t *testing.T) {
	r, b := newRand(2), New()
	b.SetThreads(2)
	for _, small := range [][]int{{}, {7}, {300, 1}, {300, 7}, {1, 7}} {
		x, s := random(r, op.Float32, 300, 7), random(r, op.Float32, small...)
		want := like(x)
		b.Binary(op.BinarySub, x, s, want)
		left := clone(x)
		b.Binary(op.BinarySub, left, s, left)
		check(t, name("x ← x − ", small), left, values(want), 0)
		b.Binary(op.BinarySub, s, x, want)
		b.Binary(op.BinarySub, s, x, x)
		check(t, name("x ← ", small, " − x"), x, values(want), 0)
	}
}

func TestBinaryLongRows(t *testing.T) {
	r, b := newRand(3), New()
	b.SetThreads(2)
	x, bias := random(r, op.Float32, 3, 3*lightGrain+5), random(r, op.Float32, 3*lightGrain+5)
	y := like(x)
	b.Binary(op.BinaryAdd, x, bias, y)
	for i := range y.Len() {
		if want := x.Float32s()[i] + bias.Float32s()[i%bias.Len()]; y.Float32s()[i] != want {
			t.Fatalf("element %d is %g, want %g", i, y.Float32s()[i], want)
		}
	}
}

func TestMaxAndMinKeepNaN(t *testing.T) {
	nan, b := math.NaN(), New()
	x0, x1 := buffer(op.Float32, nan, 1, nan), buffer(op.Float32, 1, nan, nan)
	for _, f := range []op.BinaryFunc{op.BinaryMax, op.BinaryMin} {
		y := like(x0)
		b.Binary(f, x0, x1, y)
		check(t, name("function ", f), y, []float64{nan, nan, nan}, 0)
	}
}

func TestIntegerPowers(t *testing.T) {
	b := New()
	x0, x1 := buffer(op.Int64, 2, -2, 3, -1, -1, 1, 0, 0, 2, 10), buffer(op.Int64, 62, 63, 4, -3, -4, -9, 0, -1, -1, 18)
	y := like(x0)
	b.Binary(op.BinaryPow, x0, x1, y)
	for i, want := range []int64{1 << 62, math.MinInt64, 81, -1, 1, 1, 1, 0, 0, 1e18} {
		if got := y.Int64s()[i]; got != want {
			t.Errorf("%d to the power of %d = %d, want %d", x0.Int64s()[i], x1.Int64s()[i], got, want)
		}
	}
}

func TestWhereBroadcasts(t *testing.T) {
	r, b := newRand(4), New()
	for round := range 1500 {
		b.SetThreads(1 + round%3)
		d := allTypes[r.IntN(len(allTypes))]
		shape, from := randomShapes(r, 3)
		c, x0, x1 := random(r, op.Bool, from[0]...), random(r, d, from[1]...), random(r, d, from[2]...)
		y := garbage(d, shape...)
		want := make([]float64, y.Len())
		positions(shape, func(i int, index []int) {
			if want[i] = get(x1, stretched(x1, index)); c.Bools()[stretched(c, index)] {
				want[i] = get(x0, stretched(x0, index))
			}
		})
		b.Where(c, x0, x1, y)
		check(t, name("Where of ", from), y, want, 0)
	}
}

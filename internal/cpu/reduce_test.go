package cpu

import (
	"math"
	"slices"
	"testing"

	"paddle/op"
)

// reduceReference reduces by a walk over all indices, in float64.
func reduceReference(f op.ReduceFunc, axes uint32, x op.Buffer) (shape []int, y []float64) {
	for k, d := range x.Shape {
		if axes>>k&1 == 0 {
			shape = append(shape, d)
		}
	}
	size, count := 1, 1
	for _, d := range shape {
		size *= d
	}
	for k, d := range x.Shape {
		if axes>>k&1 == 1 {
			count *= d
		}
	}
	y = make([]float64, size)
	for i := range y {
		y[i] = reduceIdentity(f)
	}
	positions(x.Shape, func(i int, index []int) {
		at := 0
		for k, d := range x.Shape {
			if axes>>k&1 == 0 {
				at = at*d + index[k]
			}
		}
		switch v := get(x, i); f {
		case op.ReduceSum:
			y[at] += v
		case op.ReduceMean:
			y[at] += v / float64(count)
		case op.ReduceProd:
			y[at] *= v
		case op.ReduceMax, op.ReduceAny:
			y[at] = math.Max(y[at], v)
		case op.ReduceMin, op.ReduceAll:
			y[at] = math.Min(y[at], v)
		}
	})
	return shape, y
}

func TestReduce(t *testing.T) {
	r, b := newRand(1), New()
	for round := range 3000 {
		b.SetThreads(1 + round%3)
		d := numbers[r.IntN(len(numbers))]
		f := op.ReduceFunc(r.IntN(int(op.ReduceAll)))
		if f == op.ReduceMean && !d.IsFloat() {
			continue
		}
		if r.IntN(8) == 0 {
			d, f = op.Bool, op.ReduceAll+op.ReduceFunc(r.IntN(2))
		}
		shape, _ := randomShapes(r, 0)
		x := random(r, d, shape...)
		if f == op.ReduceProd {
			d = op.Float64
			x = random(r, d, shape...)
		}
		axes := r.Uint32() % (1 << len(shape))
		out, want := reduceReference(f, axes, x)
		y := garbage(d, out...)
		for i := range want {
			switch {
			case d == op.Uint8:
				want[i] = float64(uint8(int64(min(max(want[i], 0), 1e9)))) // the least and greatest uint8 for no elements
				if x.Len() == 0 && f == op.ReduceMin {
					want[i] = 255
				}
			case d == op.Int64 && math.IsInf(want[i], 0):
				want[i] = math.Copysign(1<<63, want[i])
			case d == op.Int32 && math.IsInf(want[i], 1):
				want[i] = math.MaxInt32
			case d == op.Int32 && math.IsInf(want[i], -1):
				want[i] = math.MinInt32
			}
		}
		b.Reduce(f, axes, x, y)
		check(t, name("function ", f, " over axes ", axes, " of ", shape), y, want, tolerance(d))
	}
}

// TestReduceLarge goes through all divisions into chunks and columns.
func TestReduceLarge(t *testing.T) {
	r, b := newRand(2), New()
	b.SetThreads(2)
	for _, c := range []struct {
		shape []int
		axes  uint32
	}{
		{[]int{100003}, 1}, {[]int{3, 40001}, 2}, {[]int{40001, 3}, 1}, {[]int{4001, 30}, 1}, {[]int{70, 1000}, 1},
		{[]int{9, 300, 33}, 0b101}, {[]int{64, 20, 57}, 0b101}, {[]int{33, 300, 9}, 0b010}, {[]int{5, 6, 7, 8, 9}, 0b01010},
		{[]int{5, 6, 7, 8, 9}, 0b10101}, {[]int{1, 20000, 1, 2}, 0b0111}, {[]int{200, 200}, 0},
	} {
		for _, d := range []op.DType{op.Float32, op.Float64, op.Int64} {
			for _, f := range []op.ReduceFunc{op.ReduceSum, op.ReduceMax, op.ReduceMin} {
				x := random(r, d, c.shape...)
				out, want := reduceReference(f, c.axes, x)
				y := garbage(d, out...)
				b.Reduce(f, c.axes, x, y)
				check(t, name("function ", f, " over axes ", c.axes, " of ", c.shape), y, want, tolerance(d))
			}
		}
	}
}

func TestSumOfManyOnes(t *testing.T) {
	b := New()
	b.SetThreads(2)
	x := op.NewBuffer(op.Float32, 1e7)
	b.Fill(x, 1)
	y := op.NewBuffer(op.Float32)
	for f, want := range map[op.ReduceFunc]float64{op.ReduceSum: 1e7, op.ReduceMean: 1} {
		b.Reduce(f, 1, x, y)
		check(t, name("function ", f), y, []float64{want}, 0)
		b.Reduce(f, 1, x.Reshaped([]int{1e7, 1}), y.Reshaped([]int{1}))
		check(t, name("function ", f), y, []float64{want}, 0)
	}
	b.Fill(x, 0.1)
	b.Reduce(op.ReduceMean, 1, x, y)
	check(t, "mean of tenths", y, []float64{float64(float32(0.1))}, 1e-7)
}

func TestReduceKeepsNaN(t *testing.T) {
	b, nan := New(), math.NaN()
	x := buffer(op.Float32, 1, 5, nan, 2, 3, 4)
	for _, f := range []op.ReduceFunc{op.ReduceMax, op.ReduceMin, op.ReduceSum} {
		y := op.NewBuffer(op.Float32, 3)
		b.Reduce(f, 0b10, x.Reshaped([]int{3, 2}), y)
		if v := y.Float32s(); v[0] != v[0] || v[1] == v[1] || v[2] != v[2] {
			t.Errorf("function %d of rows [1 5] [NaN 2] [3 4] = %v", f, v)
		}
		b.Reduce(f, 0b01, x.Reshaped([]int{2, 3}), y)
		if v := y.Float32s(); v[0] != v[0] || v[1] != v[1] || v[2] == v[2] {
			t.Errorf("function %d of columns [1 2] [5 3] [NaN 4] = %v", f, v)
		}
	}
}

func TestArg(t *testing.T) {
	r, b := newRand(3), New()
	for round := range 1000 {
		b.SetThreads(1 + round%3)
		d := numbers[r.IntN(len(numbers))]
		shape, _ := randomShapes(r, 0)
		if len(shape) == 0 {
			continue
		}
		x, axis := random(r, d, shape...), r.IntN(len(shape))
		if d == op.Float64 && x.Len() > 0 && r.IntN(2) == 0 {
			set(x, r.IntN(x.Len()), math.NaN())
		}
		for _, greatest := range []bool{true, false} {
			y := garbage(op.Int32, slices.Delete(slices.Clone(shape), axis, axis+1)...)
			want, best := make([]float64, y.Len()), make([]float64, y.Len())
			positions(shape, func(i int, index []int) {
				at := 0
				for k, d := range shape {
					if k != axis {
						at = at*d + index[k]
					}
				}
				v := get(x, i)
				better := v > best[at] == greatest && v != best[at] || v != v
				if index[axis] == 0 || better && best[at] == best[at] {
					best[at], want[at] = v, float64(index[axis])
				}
			})
			b.Arg(greatest, axis, x, y)
			check(t, name("Arg greatest ", greatest, " of ", values(x), " axis ", axis), y, want, 0)
		}
	}
}

func TestSumSquares(t *testing.T) {
	b := New()
	if got := b.SumSquares(buffer(op.Float32, 1e25, 1e25, 1e25, 1e25)); !same(got, 4e50, 1e-6) {
		t.Errorf("sum of squares of four 1e25 = %g, want 4e50", got)
	}
	r := newRand(4)
	for _, d := range bothFloats {
		for _, n := range []int{0, 1, 5, chunkSize, 3*chunkSize + 7} {
			x, want := random(r, d, n), 0.0
			for _, v := range values(x) {
				want += v * v
			}
			if got := b.SumSquares(x); !same(got, want, 1e-12) {
				t.Errorf("sum of squares of %d numbers = %g, want %g", n, got, want)
			}
		}
	}
}

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// compareCase is a comparison and the same by Go's operators.
type compareCase[T Number] struct {
	name string
	f    Binary[T, bool]
	want func(p, q T) bool
}

func compareCases[T Number]() []compareCase[T] {
	return []compareCase[T]{
		{"Equal", Equal[T], func(p, q T) bool { return p == q }},
		{"NotEqual", NotEqual[T], func(p, q T) bool { return p != q }},
		{"Less", Less[T], func(p, q T) bool { return p < q }},
		{"LessEqual", LessEqual[T], func(p, q T) bool { return p <= q }},
		{"Greater", Greater[T], func(p, q T) bool { return p > q }},
		{"GreaterEqual", GreaterEqual[T], func(p, q T) bool { return p >= q }},
	}
}

// drawn returns n elements, of which many are equal or special.
func drawn[T Number](r *rand.Rand, n int, special ...T) []T {
	x := make([]T, n)
	for i := range x {
		if x[i] = T(r.IntN(5)); r.IntN(3) == 0 {
			x[i] = special[r.IntN(len(special))]
		}
	}
	return x
}

func floatSpecials[T Float]() []T {
	return []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), T(math.Copysign(0, -1)), -1, 0x1p-149, -0x1p-130, 3e38, 1 << 31, 1 << 30, -1 << 31, 254.9, 255, 256, -0.9, 1e19}
}

func TestComparisons(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testComparisons(t, floatSpecials[float32]()...)
		testComparisons(t, floatSpecials[float64]()...)
		testComparisons[int32](t, math.MinInt32, math.MaxInt32, -1)
		testComparisons[int64](t, math.MinInt64, math.MaxInt64, -1, 1<<32, 1<<32+1)
		testComparisons[uint8](t, 255, 128)
	})
}

func testComparisons[T Number](t *testing.T, special ...T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range compareCases[T]() {
		for n := range 140 {
			for form := range 4 { // which operands are single
				a, b, y := drawn(r, n, special...), drawn(r, n, special...), make([]bool, n+1)
				if form&1 > 0 {
					a = drawn(r, 1, special...)
				}
				if form&2 > 0 {
					b = drawn(r, 1, special...)
				}
				c.f(a, b, y[:n])
				for i, got := range y[:n] {
					p, q := a[min(i, len(a)-1)], b[min(i, len(b)-1)]
					if got != c.want(p, q) {
						t.Fatalf("%s(%v, %v) is %v at %d of %d", c.name, p, q, got, i, n)
					}
				}
				if y[n] {
					t.Fatalf("%s of %d elements writes one more", c.name, n)
				}
			}
		}
	}
}

func TestIsFinite(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testIsFinite[float32](t)
		testIsFinite[float64](t)
	})
}

func testIsFinite[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 140 {
		x, y, zeros := drawn(r, n, floatSpecials[T]()...), make([]bool, n), make([]bool, n)
		IsFinite(x, y)
		ToBool(x, zeros)
		for i, v := range x {
			if want := !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0); y[i] != want || zeros[i] != (v != 0) {
				t.Fatalf("of %v: finite %v, not 0 %v", v, y[i], zeros[i])
			}
		}
	}
}

func TestWhere(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		testWhere[uint8](t)
		testWhere[uint16](t)
		testWhere[uint32](t)
		testWhere[uint64](t)
	})
}

func testWhere[T uint8 | uint16 | uint32 | uint64](t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 60 {
		for form := range 8 {
			size := func(bit int) int {
				if form&bit > 0 {
					return 1
				}
				return n
			}
			c, a, b, y := coins(r, size(1)), make([]T, size(2)), make([]T, size(4)), make([]T, n)
			for _, x := range [][]T{a, b} {
				for i := range x {
					x[i] = T(r.Uint64())
				}
			}
			Where(c, a, b, y)
			for i, got := range y {
				want := b[min(i, len(b)-1)]
				if c[min(i, len(c)-1)] {
					want = a[min(i, len(a)-1)]
				}
				if got != want {
					t.Fatalf("element %d of %d of form %d is %x, want %x", i, n, form, got, want)
				}
			}
		}
	}
}

// coins returns n bools.
func coins(r *rand.Rand, n int) []bool {
	x := make([]bool, n)
	for i := range x {
		x[i] = r.IntN(2) == 1
	}
	return x
}

func TestLogic(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		name string
		f    Binary[bool, bool]
		want func(p, q bool) bool
	}{
		{"And", And, func(p, q bool) bool { return p && q }},
		{"Or", Or, func(p, q bool) bool { return p || q }},
		{"Xor", Xor, func(p, q bool) bool { return p != q }},
		{"Same", Same, func(p, q bool) bool { return p == q }},
		{"Not", func(a, _, y []bool) { Not(a[:len(y)], y) }, func(p, _ bool) bool { return !p }},
	} {
		for n := range 40 {
			for form := range 4 {
				a, b := coins(r, n), coins(r, n)
				if form&1 > 0 && c.name != "Not" {
					a = coins(r, 1)
				}
				if form&2 > 0 {
					b = coins(r, 1)
				}
				y, want := make([]bool, n), make([]bool, n)
				for i := range want {
					want[i] = c.want(a[min(i, len(a)-1)], b[min(i, len(b)-1)])
				}
				if c.f(a, b, y); !slices.Equal(y, want) {
					t.Fatalf("%s of %v and %v is %v", c.name, a, b, y)
				}
			}
		}
	}
}

package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The functions of AVX-512 give the bits of AVX2's, those that are near plain Go as well.
func TestWiderVectorsGiveTheSameBits(t *testing.T) {
	if !haveAVX512 {
		t.Skip("the CPU has no AVX-512")
	}
	testWiderVectors(t, vectorCases[float32](), sumCases[float32]())
	testWiderVectors(t, vectorCases[float64](), sumCases[float64]())
	testWiderCells(t)
}

func testWiderVectors[T Float](t *testing.T, vectors []vectorCase[T], sums []sumCase[T]) {
	r := rand.New(rand.NewPCG(9, 10))
	same := func(name string, n int, run func() []float64) {
		t.Helper()
		got := run()
		haveAVX512 = false
		defer func() { haveAVX512 = true }()
		if want := run(); !slices.EqualFunc(got, want, equalBits) {
			t.Errorf("%s of %d %T: AVX-512 gives %v, AVX2 %v", name, n, T(0), got, want)
		}
	}
	for _, c := range vectors {
		eachLength(func(n int) {
			before := c.arguments(r, n)
			same(c.name, n, func() (all []float64) {
				s := copies(before)
				c.run(s)
				for _, x := range s {
					for _, v := range x {
						all = append(all, float64(v))
					}
				}
				return all
			})
		})
	}
	for _, c := range sums {
		eachLength(func(n int) {
			x, y := numbers[T](r, n), random[T](r, n)
			mean, first, second := random[float64](r, n), random[float64](r, n), random[float64](r, n)
			same(c.name, n, func() []float64 { return c.run(x, y, mean, slices.Clone(first), slices.Clone(second)) })
		})
	}
}

func testWiderCells(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, c := range cellCases[float32]() {
		eachLength(func(n int) {
			var got, want [][]float32
			for _, size := range c.operands(2, n) {
				x := random[float32](r, size)
				MulConst(x, x, 20, 0) // to the limits of the functions
				got, want = append(got, x), append(want, slices.Clone(x))
			}
			c.run(cells[float32](), 2, n, n, got)
			haveAVX512 = false
			c.run(cells[float32](), 2, n, n, want)
			haveAVX512 = true
			for i := range got {
				if !slices.EqualFunc(got[i], want[i], func(a, b float32) bool { return equalBits(float64(a), float64(b)) }) {
					t.Errorf("%s of 2 rows of %d: of operand %d AVX-512 makes %v, AVX2 %v", c.name, n, i, got[i], want[i])
				}
			}
		})
	}
}

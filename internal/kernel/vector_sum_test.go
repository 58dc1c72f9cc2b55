package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sumCase is a call of a kernel that adds up slices of one length, to results or to the sums that it is given.
type sumCase[T Float] struct {
	name string
	run  func(x, y []T, mean, first, second []float64) []float64
}

func sumCases[T Float]() []sumCase[T] {
	return []sumCase[T]{
		{"Sum", func(x, _ []T, _, _, _ []float64) []float64 { return []float64{Sum[T, float64](x)} }},
		{"SumSquares", func(x, _ []T, _, _, _ []float64) []float64 { return []float64{SumSquares(x)} }},
		{"Dot", func(x, y []T, _, _, _ []float64) []float64 { return []float64{Dot(x, y)} }},
		{"SumSquaredDeviations", func(x, _ []T, _, _, _ []float64) []float64 { return []float64{SumSquaredDeviations(x, 0.3)} }},
		{"SumProducts", func(x, y []T, _, _, _ []float64) []float64 {
			sum, products := SumProducts(x, y, 0.3)
			return []float64{sum, products}
		}},
		{"SumProducts with an infinite mean", func(x, y []T, _, _, _ []float64) []float64 {
			sum, products := SumProducts(x, y, math.Inf(1))
			return []float64{sum, products}
		}},
		{"Greatest", func(x, _ []T, _, _, _ []float64) []float64 {
			if len(x) == 0 {
				return nil
			}
			return []float64{float64(Greatest(x))}
		}},
		{"Least", func(x, _ []T, _, _, _ []float64) []float64 {
			if len(x) == 0 {
				return nil
			}
			return []float64{float64(Least(x))}
		}},
		{"GreatestInto", func(x, _ []T, _, first, _ []float64) []float64 {
			GreatestInto(x, first)
			return first
		}},
		{"LeastInto", func(x, _ []T, _, first, _ []float64) []float64 {
			LeastInto(x, first)
			return first
		}},
		{"SumInto", func(x, _ []T, _, first, _ []float64) []float64 {
			SumInto(x, first)
			return first
		}},
		{"SumRowsInto", func(x, _ []T, _, first, _ []float64) []float64 {
			first = first[:len(x)/3]
			SumRowsInto(len(x)/max(1, len(first)), x, len(first), first)
			return first
		}},
		{"SumRowsInto of the first columns", func(x, _ []T, _, first, _ []float64) []float64 {
			row := len(x) / 2
			SumRowsInto(min(2, row), x, row, first[:row*7/8])
			return first
		}},
		{"sumFourInto", func(x, y []T, _, first, _ []float64) []float64 {
			sumFourInto(x, y, y, x, first)
			return first
		}},
		{"productsInto", func(x, y []T, _, first, _ []float64) []float64 {
			productsInto(x, y, first)
			return first
		}},
		{"SumWeighted", func(x, y []T, _, _, _ []float64) []float64 {
			sum, products := SumWeighted(x, y, y, 0.3)
			return []float64{sum, products}
		}},
		{"SumNormalized", func(x, y []T, _, first, second []float64) []float64 {
			SumNormalized(x, y, 0.3, 1.7, first, second)
			return append(first, second...)
		}},
		{"SumSquaredDeviationsColumns", func(x, _ []T, mean, first, _ []float64) []float64 {
			SumSquaredDeviationsColumns(x, mean, first)
			return first
		}},
		{"SumProductsColumns", func(x, y []T, mean, first, second []float64) []float64 {
			SumProductsColumns(x, y, mean, first, second)
			return append(first, second...)
		}},
	}
}

func TestSumsGivePlainBits(t *testing.T) {
	testPlainSums(t, sumCases[float32]())
	testPlainSums(t, sumCases[float64]())
}

func testPlainSums[T Float](t *testing.T, cases []sumCase[T]) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range cases {
		eachLength(func(n int) {
			for round := range 4 {
				x, y := numbers[T](r, n), numbers[T](r, n)
				if round > 0 {
					x, y = random[T](r, n), random[T](r, n)
				}
				if round == 3 { // zeros of both signs
					for i := range x {
						x[i] *= 0
					}
				}
				mean, first, second := random[float64](r, n), random[float64](r, n), random[float64](r, n)
				got := c.run(x, y, mean, slices.Clone(first), slices.Clone(second))
				plainly(func() {
					if want := c.run(x, y, mean, first, second); !slices.EqualFunc(got, want, equalBits) {
						t.Fatalf("%s of %d %T is %v, plain Go gives %v", c.name, n, T(0), got, want)
					}
				})
			}
		})
	}
}

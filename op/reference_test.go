package op_test

import (
	"math"

	"paddle/op/optest"
)

// The naive functions that ops are compared with.

// each calls f with every index of a shape, in row-major order.
func each(shape []int, f func(index []int)) {
	a := optest.NewArray(shape...)
	index := make([]int, len(shape))
	for range a.Data {
		f(index)
		for k := len(index) - 1; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
}

// broadcast returns the shape that shapes stretch to by NumPy's rule.
func broadcast(shapes ...[]int) []int {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := make([]int, rank)
	for i := range out {
		out[i] = 1
	}
	for _, s := range shapes {
		for i, d := range s {
			if at := &out[rank-len(s)+i]; *at == 1 {
				*at = d
			}
		}
	}
	return out
}

// stretched returns the element of a that stands at index of a shape that a is stretched to.
func stretched(a optest.Array, index []int) float64 {
	own := make([]int, len(a.Shape))
	for i, d := range a.Shape {
		if d != 1 {
			own[i] = index[len(index)-len(a.Shape)+i]
		}
	}
	return a.At(own...)
}

// pairwise is the reference of a function of two numbers.
func pairwise(f func(a, b float64) float64) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		out := optest.NewArray(broadcast(in[0].Shape, in[1].Shape)...)
		each(out.Shape, func(at []int) { out.Set(f(stretched(in[0], at), stretched(in[1], at)), at...) })
		return []optest.Array{out}
	}
}

// reduced folds the axes of a that are set with f, beginning with from; then finish is applied with the number of elements.
func reduced(a optest.Array, axes map[int]bool, from float64, f func(acc, x float64) float64, finish func(acc float64, n int) float64) optest.Array {
	var kept []int
	n := 1
	for i, d := range a.Shape {
		if axes[i] {
			n *= d
		} else {
			kept = append(kept, d)
		}
	}
	out := optest.NewArray(kept...).Map(func(float64) float64 { return from })
	each(a.Shape, func(at []int) {
		var to []int
		for i, k := range at {
			if !axes[i] {
				to = append(to, k)
			}
		}
		out.Set(f(out.At(to...), a.At(at...)), to...)
	})
	return out.Map(func(x float64) float64 { return finish(x, n) })
}

func tanh(x float64) float64 { return math.Tanh(x) }

package gorgop

import (
	"math"
	"slices"

	"paddle/op/optest"
)

// The references compute on index tuples, one element at a time.

type array = optest.Array

// fill returns an array of the given shape whose elements are f of their index.
func fill(shape []int, f func(index []int) float64) array {
	a := optest.NewArray(shape...)
	index := make([]int, len(shape))
	for i := range a.Data {
		rest := i
		for k := len(shape) - 1; k >= 0; k-- {
			index[k], rest = rest%shape[k], rest/shape[k]
		}
		a.Data[i] = f(index)
	}
	return a
}

// each is the reference of a function of one number.
func each(f func(x float64) float64) func(in []array) array {
	return func(in []array) array { return in[0].Map(f) }
}

// pairs is the reference of a function of two numbers; a scalar goes with every element of the other.
func pairs(f func(a, b float64) float64) func(in []array) array {
	return func(in []array) array {
		a, b := in[0], in[1]
		if len(a.Shape) == 0 {
			return b.Map(func(x float64) float64 { return f(a.Data[0], x) })
		}
		return fill(a.Shape, func(at []int) float64 {
			if len(b.Shape) == 0 {
				return f(a.At(at...), b.Data[0])
			}
			return f(a.At(at...), b.At(at...))
		})
	}
}

// reduced is the reference of a reduction over axes from a start value; axes of size 1 that are not reduced stay.
func reduced(start float64, f func(a, x float64) float64, axes ...int) func(in []array) array {
	return func(in []array) array {
		x := in[0]
		if len(axes) == 0 {
			axes = rangeOf(len(x.Shape))
		}
		var shape []int
		for k, d := range x.Shape {
			if !slices.Contains(axes, k) {
				shape = append(shape, d)
			}
		}
		out := fill(shape, func([]int) float64 { return start })
		fill(x.Shape, func(at []int) float64 {
			var to []int
			for k, i := range at {
				if !slices.Contains(axes, k) {
					to = append(to, i)
				}
			}
			out.Set(f(out.At(to...), x.At(at...)), to...)
			return 0
		})
		return out
	}
}

func rangeOf(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func plus(a, b float64) float64 { return a + b }

// permuted is the reference of a transposition.
func permuted(axes ...int) func(in []array) array {
	return func(in []array) array {
		shape := make([]int, len(axes))
		for k, a := range axes {
			shape[k] = in[0].Shape[a]
		}
		return fill(shape, func(at []int) float64 {
			from := make([]int, len(axes))
			for k, a := range axes {
				from[a] = at[k]
			}
			return in[0].At(from...)
		})
	}
}

// reshaped gives the elements another shape.
func reshaped(a array, shape ...int) array { return array{Shape: shape, Data: a.Data} }

// cut is the reference of the slice lo:hi of an axis.
func cut(axis, lo, hi int) func(in []array) array {
	return func(in []array) array {
		shape := slices.Clone(in[0].Shape)
		shape[axis] = hi - lo
		return fill(shape, func(at []int) float64 {
			from := slices.Clone(at)
			from[axis] += lo
			return in[0].At(from...)
		})
	}
}

// joined is the reference of a concatenation.
func joined(axis int) func(in []array) array {
	return func(in []array) array {
		shape := slices.Clone(in[0].Shape)
		shape[axis] = 0
		for _, a := range in {
			shape[axis] += a.Shape[axis]
		}
		return fill(shape, func(at []int) float64 {
			from := slices.Clone(at)
			k := 0
			for from[axis] >= in[k].Shape[axis] {
				from[axis] -= in[k].Shape[axis]
				k++
			}
			return in[k].At(from...)
		})
	}
}

// product is the matrix product of the last two axes, the axes before them being a batch.
func product(a, b array, transA, transB bool) array {
	r := len(a.Shape)
	flip := func(x array, yes bool) array {
		if !yes {
			return x
		}
		axes := rangeOf(r)
		axes[r-1], axes[r-2] = r-2, r-1
		return permuted(axes...)([]array{x})
	}
	a, b = flip(a, transA), flip(b, transB)
	shape := append(slices.Clone(a.Shape[:r-1]), b.Shape[r-1])
	return fill(shape, func(at []int) float64 {
		left, right := slices.Clone(at), slices.Clone(at)
		sum := 0.0
		for k := range a.Shape[r-1] {
			left[r-1], right[r-2] = k, k
			sum += a.At(left...) * b.At(right...)
		}
		return sum
	})
}

// softmax along an axis.
func softmax(axis int, log bool) func(in []array) array {
	return func(in []array) array {
		x := in[0]
		if axis < 0 {
			axis += len(x.Shape)
		}
		return fill(x.Shape, func(at []int) float64 {
			sum := 0.0
			other := slices.Clone(at)
			for other[axis] = range x.Shape[axis] {
				sum += math.Exp(x.At(other...))
			}
			if log {
				return x.At(at...) - math.Log(sum)
			}
			return math.Exp(x.At(at...)) / sum
		})
	}
}

// windows calls f for each element of the window at (row, column) that lies inside an image; k and l are its place in the window.
func windows(h, w, row, column int, kernel, pad, stride, dilation [2]int, f func(i, j, k, l int)) {
	for k := range kernel[0] {
		for l := range kernel[1] {
			i, j := row*stride[0]-pad[0]+k*dilation[0], column*stride[1]-pad[1]+l*dilation[1]
			if i >= 0 && i < h && j >= 0 && j < w {
				f(i, j, k, l)
			}
		}
	}
}

func outSize(n, kernel, pad, stride, dilation int) int {
	return (n+2*pad-dilation*(kernel-1)-1)/stride + 1
}

// convolved is the cross-correlation of images (batch, channels, height, width) with filters.
func convolved(pad, stride, dilation [2]int) func(in []array) array {
	return func(in []array) array {
		x, w := in[0], in[1]
		kernel := [2]int{w.Shape[2], w.Shape[3]}
		shape := []int{x.Shape[0], w.Shape[0], outSize(x.Shape[2], kernel[0], pad[0], stride[0], dilation[0]), outSize(x.Shape[3], kernel[1], pad[1], stride[1], dilation[1])}
		return fill(shape, func(at []int) float64 {
			sum := 0.0
			for c := range x.Shape[1] {
				windows(x.Shape[2], x.Shape[3], at[2], at[3], kernel, pad, stride, dilation, func(i, j, k, l int) {
					sum += x.At(at[0], c, i, j) * w.At(at[1], c, k, l)
				})
			}
			return sum
		})
	}
}

// columns is im2col: (batch, out height, out width, channels·kernel).
func columns(kernel, pad, stride, dilation [2]int) func(in []array) array {
	return func(in []array) array {
		x := in[0]
		shape := []int{x.Shape[0], outSize(x.Shape[2], kernel[0], pad[0], stride[0], dilation[0]), outSize(x.Shape[3], kernel[1], pad[1], stride[1], dilation[1]), x.Shape[1] * kernel[0] * kernel[1]}
		out := optest.NewArray(shape...)
		fill(shape[:3], func(at []int) float64 {
			for c := range x.Shape[1] {
				windows(x.Shape[2], x.Shape[3], at[1], at[2], kernel, pad, stride, dilation, func(i, j, k, l int) {
					out.Set(x.At(at[0], c, i, j), at[0], at[1], at[2], (c*kernel[0]+k)*kernel[1]+l)
				})
			}
			return 0
		})
		return out
	}
}

// pooled takes the maximum of each window.
func pooledMax(kernel, pad, stride [2]int) func(in []array) array {
	return func(in []array) array {
		x := in[0]
		shape := []int{x.Shape[0], x.Shape[1], outSize(x.Shape[2], kernel[0], pad[0], stride[0], 1), outSize(x.Shape[3], kernel[1], pad[1], stride[1], 1)}
		return fill(shape, func(at []int) float64 {
			most := math.Inf(-1)
			windows(x.Shape[2], x.Shape[3], at[2], at[3], kernel, pad, stride, [2]int{1, 1}, func(i, j, _, _ int) {
				most = math.Max(most, x.At(at[0], at[1], i, j))
			})
			return most
		})
	}
}

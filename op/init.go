package op

import "math"

// Init fills a variable with its initial value. The numbers depend on key and on the place in the whole variable only, so that a
// sharded variable starts as the rows of the whole would.
type Init interface {
	// Fill fills y, whose first row is row offset of a variable of the shape global.
	Fill(b Backend, key Key, y Buffer, offset int, global []int)
}

// InitConstant fills with one value.
type InitConstant float64

// Fill implements Init.
func (c InitConstant) Fill(b Backend, _ Key, y Buffer, _ int, _ []int) { b.Fill(y, float64(c)) }

// InitUniform fills with uniform numbers in [Low, High).
type InitUniform struct{ Low, High float64 }

// Fill implements Init.
func (u InitUniform) Fill(b Backend, key Key, y Buffer, offset int, global []int) {
	rowsOf(b, y, offset, global, func(z Buffer) { b.Uniform(key, u.Low, u.High, z) })
}

// InitNormal fills with normally distributed numbers.
type InitNormal struct{ Mean, Deviation float64 }

// Fill implements Init.
func (n InitNormal) Fill(b Backend, key Key, y Buffer, offset int, global []int) {
	rowsOf(b, y, offset, global, func(z Buffer) { b.Normal(key, n.Mean, n.Deviation, z) })
}

// InitXavier fills with uniform numbers in ±√(6/(in+out)) (Glorot and Bengio, 2010, eq. 16). A matrix has the fans (in, out), a filter
// (out, in, height, width).
type InitXavier struct{}

// Fill implements Init.
func (InitXavier) Fill(b Backend, key Key, y Buffer, offset int, global []int) {
	in, out := fans(global)
	bound := math.Sqrt(6 / math.Max(1, in+out))
	InitUniform{-bound, bound}.Fill(b, key, y, offset, global)
}

// InitKaiming fills with normal numbers of deviation √(2/in) (He et al., 2015, eq. 10), for layers that ReLU follows.
type InitKaiming struct{}

// Fill implements Init.
func (InitKaiming) Fill(b Backend, key Key, y Buffer, offset int, global []int) {
	in, _ := fans(global)
	InitNormal{0, math.Sqrt(2 / math.Max(1, in))}.Fill(b, key, y, offset, global)
}

// fans returns how many inputs an output has, and the reverse.
func fans(shape []int) (in, out float64) {
	switch len(shape) {
	case 0:
		return 1, 1
	case 1:
		return float64(shape[0]), float64(shape[0])
	case 2:
		return float64(shape[0]), float64(shape[1])
	}
	field := 1.0
	for _, d := range shape[2:] {
		field *= float64(d)
	}
	return float64(shape[1]) * field, float64(shape[0]) * field
}

// rowsOf calls fill on y if y is the whole variable, of a type that random numbers are drawn in, else on a temporary whole of which y
// gets its rows in its own type.
func rowsOf(b Backend, y Buffer, offset int, global []int, fill func(Buffer)) {
	all := len(global) == 0 || y.Shape[0] == global[0]
	drawn := y.DType == Float32 || y.DType == Float64
	if all && drawn {
		fill(y)
		return
	}
	dtype := y.DType
	if !drawn {
		dtype = Float32
	}
	whole := NewBuffer(dtype, global...)
	fill(whole)
	if !all {
		whole = whole.Rows(offset, offset+y.Shape[0], make([]int, len(global)))
	}
	if drawn {
		copy(y.Bytes(), whole.Bytes())
	} else {
		b.Cast(whole, y)
	}
}

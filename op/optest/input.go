package optest

import "paddle/op"

// Input describes one input of a case.
type Input struct {
	// Name names it in errors; empty is "x0", "x1", … by position.
	Name string
	// DType is its type; zero is the floating-point type under test.
	DType op.DType
	// Shape is its shape, of numbers, op.Batch and Length.
	Shape []op.Dim
	// Values are its elements, row-major, for the first batch size. For others they are repeated or cut. Nil: random values.
	Values []float64
	// Low and High bound random values, Low ≤ x < High; both 0 is −2 to 2 for floats, 0 to 8 for integers. Random floats are all
	// different, so that no two tie in a maximum, and keep away from 0 if the bounds are symmetric.
	Low, High float64
	// Avoid lists points that random values keep away from: kinks and jumps.
	Avoid []float64
	// NoGradient says that no gradient is asked for this input.
	NoGradient bool
	// Optional says that a nil node in the place of this input has a meaning of its own and is no mistake.
	Optional bool
}

// Float is an input of the type under test with random values from −2 to 2.
func Float(shape ...op.Dim) Input { return Input{Shape: shape} }

// Between is an input of the type under test with random values from low to high.
func Between(low, high float64, shape ...op.Dim) Input {
	return Input{Shape: shape, Low: low, High: high}
}

// Given is an input of the type under test with the given values, row-major.
func Given(values []float64, shape ...op.Dim) Input { return Input{Shape: shape, Values: values} }

// Int is an Int32 input with random values 0 ≤ x < limit.
func Int(limit int, shape ...op.Dim) Input {
	return Input{DType: op.Int32, Shape: shape, High: float64(limit)}
}

// Bool is a Bool input with random values.
func Bool(shape ...op.Dim) Input { return Input{DType: op.Bool, Shape: shape} }

// dtype returns the input's type in a check of the type under test.
func (in *Input) dtype(under op.DType) op.DType {
	if in.DType == op.InvalidDType {
		return under
	}
	return in.DType
}

// bounds returns the range of random values.
func (in *Input) bounds() (low, high float64) {
	switch {
	case in.DType == op.Bool:
		return 0, 2
	case in.Low != 0 || in.High != 0:
		return in.Low, in.High
	case in.DType.IsInteger():
		return 0, 8
	}
	return -2, 2
}

// float reports whether the input is of a floating-point type.
func (in *Input) float() bool { return in.DType == op.InvalidDType || in.DType.IsFloat() }

// sizes are the numbers behind op.Batch and Length in one run.
type sizes struct{ batch, length int }

func sizesFor(batch int) sizes { return sizes{batch, batch + 1} }

func (s sizes) of(d op.Dim) int {
	switch d {
	case op.Batch:
		return s.batch
	case Length:
		return s.length
	}
	return int(d)
}

func (s sizes) shape(dims []op.Dim) []int {
	out := make([]int, len(dims))
	for i, d := range dims {
		out[i] = s.of(d)
	}
	return out
}

// firstBatch returns the batch size of the given values, 0 if they do not say.
func (c *Case) firstBatch() int {
	for _, in := range c.In {
		per, symbols := 1, 0
		for _, d := range in.Shape {
			if d == op.Batch {
				symbols++
			} else {
				per *= int(d)
			}
		}
		if in.Values != nil && symbols == 1 && per > 0 {
			return len(in.Values) / per
		}
	}
	return 0
}

// batches returns the batch sizes of the case.
func (c *Case) batches() []int {
	if c.Batches != nil {
		return c.Batches
	}
	if n := c.firstBatch(); n > 0 {
		return []int{n, n + 2}
	}
	return []int{3, 5}
}

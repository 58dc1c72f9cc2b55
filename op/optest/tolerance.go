package optest

import (
	"math"

	"paddle/op"
)

// tolerance says by how much numbers of one type may differ from what they should be: |got − want| ≤ tolerance · (1 + |want|).
type tolerance struct {
	value    float64 // of outputs, against wanted values and reference functions
	gradient float64 // of gradients: Float64 against central differences, other types against Float64
}

// tolerances is the only place where they are set.
var tolerances = map[op.DType]tolerance{
	op.Float64: {value: 1e-10, gradient: 1e-6},
	op.Float32: {value: 1e-5, gradient: 1e-4},
}

// toleranceOf returns how far elements of the type may be off: exactly right, for types that count.
func toleranceOf(d op.DType) tolerance { return tolerances[d] }

// near reports whether got is what it should be; NaN is near NaN, and each infinity near itself.
func near(got, want, tol float64) bool {
	if math.IsNaN(want) || math.IsNaN(got) {
		return math.IsNaN(want) && math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= tol*(1+math.Abs(want))
}

// worst returns the place where got is furthest from want; ok if even that is near enough.
func worst(got, want Array, tol float64) (at int, ok bool) {
	most := -1.0
	ok = true
	for i, g := range got.Data {
		if near(g, want.Data[i], tol) {
			continue
		}
		ok = false
		d := math.Abs(g-want.Data[i]) / (1 + math.Abs(want.Data[i]))
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		if d > most {
			at, most = i, d
		}
	}
	return at, ok
}

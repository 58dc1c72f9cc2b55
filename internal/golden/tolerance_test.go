package golden

import (
	"fmt"
	"math"

	"paddle/op"
)

// tolerance says how far results in one type may lie from PyTorch's in float64.
type tolerance struct {
	value  float64 // of an element of an op's result or gradient: |got − want| ≤ value · (1 + |want|)
	loss   float64 // of the loss of a step, against the loss; of our own curve too, since other CPUs fuse multiply and add differently
	change float64 // of how far a parameter moved: of its digest, against the norm of the movement
}

// tolerances is the only place where they are set. Those of float32 are about ten times what PyTorch's own float32 is off ("deviation32" in
// testdata/models.json).
var tolerances = map[op.DType]tolerance{
	op.Float64: {value: 1e-10, loss: 1e-10, change: 1e-10},
	op.Float32: {value: 1e-5, loss: 1e-5, change: 2e-4},
}

// near reports whether got is what it should be; NaN is near NaN, and each infinity near itself.
func near(got, want, tol float64) bool {
	if math.IsNaN(got) || math.IsNaN(want) {
		return math.IsNaN(got) && math.IsNaN(want)
	}
	return got == want || math.Abs(got-want) <= tol*(1+math.Abs(want))
}

// compare returns an error that says where two digests differ by more than tol times the norm.
func (d digest) compare(want digest, tol float64) error {
	off := func(a, b float64) bool { return !(math.Abs(a-b) <= tol*want.Norm) }
	switch {
	case off(d.Norm, want.Norm):
		return fmt.Errorf("norm %v, want %v", d.Norm, want.Norm)
	case off(d.Dot, want.Dot):
		return fmt.Errorf("dot %v, want %v, norm %v", d.Dot, want.Dot, want.Norm)
	case len(d.Samples) != len(want.Samples):
		return fmt.Errorf("%d samples, want %d", len(d.Samples), len(want.Samples))
	}
	for i, x := range d.Samples {
		if off(x, want.Samples[i]) {
			return fmt.Errorf("sample %d is %v, want %v, norm %v", i, x, want.Samples[i], want.Norm)
		}
	}
	return nil
}

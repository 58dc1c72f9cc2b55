package paddle

import "paddle/op"

// sampleAxis says where the shape of a fed tensor has the number of samples of a batch.
type sampleAxis struct {
	input string // empty: nowhere, a batch counts as one sample
	axis  int
}

// findSamples looks for op.Batch in the shapes of the inputs; where none has it, the first axis of the first input counts samples.
func findSamples(inputs []*op.Node) sampleAxis {
	for _, in := range inputs {
		for axis, d := range in.Shape() {
			if d == op.Batch {
				return sampleAxis{in.Name(), axis}
			}
		}
	}
	for _, in := range inputs {
		if in.Rank() > 0 {
			return sampleAxis{in.Name(), 0}
		}
	}
	return sampleAxis{}
}

// of returns the number of samples in a batch that the program has accepted.
func (s sampleAxis) of(batch op.Feeds) int {
	if s.input == "" {
		return 1
	}
	return batch[s.input].Shape()[s.axis]
}

package paddle

import (
	"strings"

	"paddle/op"
)

// axisOf is an axis of a fed tensor, by which a batch is counted.
type axisOf struct {
	input string // empty: nowhere
	axis  int
}

// findSamples looks for op.Batch in the shapes of the inputs; where none has it, the first axis of the first input counts samples.
func findSamples(inputs []*op.Node) axisOf {
	for _, in := range inputs {
		for axis, d := range in.Shape() {
			if d == op.Batch {
				return axisOf{in.Name(), axis}
			}
		}
	}
	for _, in := range inputs {
		if in.Rank() > 0 {
			return axisOf{in.Name(), 0}
		}
	}
	return axisOf{}
}

// findTokens looks for sequences among the inputs: the first one counts tokens.
func findTokens(inputs []*op.Node) axisOf {
	for _, in := range inputs {
		if in.Rank() > 0 && strings.HasSuffix(in.Graph().DimString(in.Dim(0)), ".tokens") {
			return axisOf{in.Name(), 0}
		}
	}
	return axisOf{}
}

// of returns the size of the axis in a batch that the program has accepted, none where there is no such axis.
func (a axisOf) of(batch op.Feeds, none int) int {
	if a.input == "" {
		return none
	}
	return batch[a.input].Shape()[a.axis]
}

// size is how large a batch is, or several together.
type size struct {
	samples int
	tokens  int // 0 without sequences
}

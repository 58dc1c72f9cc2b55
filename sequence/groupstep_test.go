package sequence_test

import (
	"strings"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// Results of a step that do not fit are mistakes that say which result it is, also where the step wrote to what it was given.
func TestGroupStepMistakes(t *testing.T) {
	for _, c := range []struct {
		name string
		step func(s *sequence.Step) sequence.StepResult
		want string
	}{
		{"rows of a sub-sequence among the outputs", func(s *sequence.Step) sequence.StepResult {
			return sequence.StepResult{Outputs: []*op.Node{s.Nested[0].Rows()}, Memories: s.Memories, SequenceMemories: s.SequenceMemories}
		}, "output 0 that the step returns, Streams[0].Rows[0], has shape ("},
		{"a number among the outputs, behind a sequence", func(s *sequence.Step) sequence.StepResult {
			sum := op.Sum(s.Memories[0])
			return sequence.StepResult{Sequences: s.Nested, Outputs: []*op.Node{s.Memories[0], sum}, Memories: s.Memories, SequenceMemories: s.SequenceMemories}
		}, "output 1 that the step returns, sum, has shape (), want (scan"},
		{"a memory that was overwritten", func(s *sequence.Step) sequence.StepResult {
			s.Memories[0] = op.Concat(1, s.Memories[0], s.Memories[0])
			return sequence.StepResult{Memories: s.Memories, SequenceMemories: s.SequenceMemories}
		}, "memory 0 of the step is float32 (scan"},
		{"a sequence memory that was overwritten", func(s *sequence.Step) sequence.StepResult {
			s.SequenceMemories[0] = s.Nested[0]
			return sequence.StepResult{Memories: s.Memories, SequenceMemories: s.SequenceMemories}
		}, "sequence memory 0 that the step returns, Streams[0].Rows[0], has other lengths than the one before"},
		{"a sequence memory of another type", func(s *sequence.Step) sequence.StepResult {
			half := s.SequenceMemories[0].Map(func(rows *op.Node) *op.Node { return op.Cast(rows, op.Float64) })
			return sequence.StepResult{Memories: s.Memories, SequenceMemories: []*sequence.Node{half}}
		}, "sequence memory 0 that the step returns, cast, is float64 (scan"},
		{"a nil output", func(s *sequence.Step) sequence.StepResult {
			return sequence.StepResult{Outputs: []*op.Node{nil}, Memories: s.Memories, SequenceMemories: s.SequenceMemories}
		}, "the node is nil"},
	} {
		g := op.NewGraph(nil)
		r := sequence.Group{
			Nested:           []*sequence.Nested{sequence.NestedInput(g, "docs", op.Float32, 2)},
			Memories:         []sequence.Memory{{Size: 3}},
			SequenceMemories: []*sequence.Node{sequence.Input(g, "board", op.Float32, 2)},
			Step:             c.step,
		}.Run()
		if err := r.Err(); err == nil || !strings.HasPrefix(err.Error(), "groupstep_test.go:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// Rows of another number are a mistake also where the rows that they are compared with are packed.
func TestPackedOfOtherRows(t *testing.T) {
	g := op.NewGraph(nil)
	x, y := sequence.Input(g, "x", op.Float32), sequence.Input(g, "y", op.Float32)
	if err := x.Pack().Of(y.Rows()).Err(); err == nil || !strings.Contains(err.Error(), "rows have shape (y.tokens,), want (x.tokens, …)") {
		t.Errorf("got %v", err)
	}
}

package sequence

import "paddle/op"

// Group runs a step written by hand over time: PaddlePaddle's recurrent_group. Each step sees one row of every input sequence, the
// rows of those sequences only that are that long, and the memories that the step before left. Everything is computed without
// padding, in any number of sequences of any lengths, and sequences without rows take no step.
//
//	y := sequence.Group{
//		Inputs:   []*sequence.Node{x},
//		Memories: []sequence.Memory{{Size: 128}},
//		Step: func(s *sequence.Step) sequence.StepResult {
//			h := op.Tanh(op.Add(s.Inputs[0], net.Hidden.Forward(s.Memories[0])))
//			return sequence.StepResult{Outputs: []*op.Node{h}, Memories: []*op.Node{h}}
//		},
//	}.Run()
//
// Without memories a step sees its row and what all steps see, as for an attention in which no state takes part; where a step sees its row
// only, Node.Map does the same at once.
//
// Layers used in the step share their parameters over all steps. The step may use any value of the enclosing graph, and may itself run
// a Group. It is called once, to build.
type Group struct {
	// Inputs are sequences of which step n sees row n of each. They have the same lengths (see Node.As).
	Inputs []*Node
	// Nested are two-level sequences, of which step n sees the n-th sub-sequence of every sample. Where there are Inputs too, a sample has
	// as many sub-sequences as they have rows: they come from Nested.Outer.
	Nested []*Nested

	// Static are values with one row a sequence (sequences, …) that every step sees.
	Static []*op.Node
	// StaticSequences are sequences, as many as those of Inputs and of any lengths, that every step sees as a whole: what a decoder
	// attends to.
	StaticSequences []*Node

	// Memories hand values from one step to the next, SequenceMemories whole sequences: one a sequence of Inputs, whose lengths stay
	// those that the memory begins with.
	Memories         []Memory
	SequenceMemories []*Node

	// Reverse begins with the last row of each sequence and ends with its first. Outputs stand where their inputs do.
	Reverse bool

	// Step builds one step.
	Step func(s *Step) StepResult
}

// Step is what one step of a Group sees: values of its sequences that have not ended, live in number.
type Step struct {
	Inputs           []*op.Node // (live, …): a row of each of Group.Inputs
	Nested           []*Node    // live sub-sequences of each of Group.Nested
	Static           []*op.Node // (live, …)
	StaticSequences  []*Node    // live sequences
	Memories         []*op.Node // (live, …): what the step before returned
	SequenceMemories []*Node    // live sequences
}

// StepResult is what one step of a Group computes.
type StepResult struct {
	Outputs          []*op.Node // (live, …)
	Sequences        []*Node    // of the lengths of one of Step.Nested
	Memories         []*op.Node // the next ones, of the shapes of Step.Memories
	SequenceMemories []*Node    // the next ones, of the lengths of Step.SequenceMemories
}

// GroupResult is what a Group computes.
type GroupResult struct {
	Outputs          []*Node    // of the lengths of Group.Inputs
	Sequences        []*Nested  // two-level, as the Group.Nested whose lengths they have
	Memories         []*op.Node // (sequences, …): what the last step of each sequence left; its first memory if it took none
	SequenceMemories []*Node    // likewise

	bad *Node // after a mistake
}

// Memory says how a value that is handed from step to step begins. One of Boot, Size and ID says it.
type Memory struct {
	// Boot (sequences, …) is the first value: computed by a layer, or learned: op.BroadcastTo of a parameter.
	Boot *op.Node
	// Size makes the first value zeros (sequences, Size), of DType, or of the type of the first input of the Group that is of floats.
	Size  int
	DType op.DType
	// ID makes the first value this id for every sequence (sequences), Int32: for a memory that is fed to an embedding.
	ID *int32
}

// Output returns output i: a failed Node after a mistake, whatever i is.
func (r GroupResult) Output(i int) *Node {
	if r.bad != nil {
		return r.bad
	}
	if i < 0 || i >= len(r.Outputs) {
		return failed((*op.Graph)(nil).Fail("output %d of a recurrent group, want 0 to %d", i, len(r.Outputs)-1))
	}
	return r.Outputs[i]
}

// Memory returns memory i after the last step of each sequence: a failed node after a mistake, whatever i is.
func (r GroupResult) Memory(i int) *op.Node {
	if r.bad != nil {
		return r.bad.Node()
	}
	if i < 0 || i >= len(r.Memories) {
		return (*op.Graph)(nil).Fail("memory %d of a recurrent group, want 0 to %d", i, len(r.Memories)-1)
	}
	return r.Memories[i]
}

// Err returns the mistake that made the Group fail, nil if there is none.
func (r GroupResult) Err() error {
	if r.bad != nil {
		return r.bad.Err()
	}
	return nil
}

// Run builds the group.
func (l Group) Run() GroupResult {
	b := &groupBuilder{group: l}
	if !b.find() || !b.check() {
		return GroupResult{bad: b.bad}
	}
	b.gather()
	if b.bad != nil {
		return GroupResult{bad: b.bad}
	}
	outs, last := op.Scan(b.in, b.step)
	if len(outs) > 0 && outs[0].Err() != nil || len(last) > 0 && last[0].Err() != nil {
		bad := append(append([]*op.Node{}, outs...), last...)
		return GroupResult{bad: failed(bad[0])}
	}
	return b.results(outs, last)
}

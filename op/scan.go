package op

import "slices"

// ScanInputs are what a Scan runs over. Sequences are sorted by length, the longest first; batch is their number and steps the length of
// the longest. width(n) = Starts[n+1] − Starts[n] is the number of sequences that are longer than n: it does not grow with n, and row r
// of every step belongs to sequence r.
type ScanInputs struct {
	// Starts (steps+1), Int32, from 0 to rows: step n takes rows Starts[n] ≤ i < Starts[n+1] of each of Rows.
	Starts *Node
	// Rows (rows, …) are packed sequences, time-major: all rows of step 0, then all of step 1, and so on. One or more.
	Rows []*Node
	// Init (batch, …) are the memories before the first step, one row a sequence.
	Init []*Node
	// Static (batch, …) have one row a sequence, the same in every step: step n sees rows [0, width(n)).
	Static []*Node
	// Streams are further values that a step takes rows of, any number of them in each step.
	Streams []Stream
	// Ragged are values with several rows a sequence that are the same in every step.
	Ragged []Ragged
	// Reverse runs the last step first, on the same rows. A sequence then starts at its own last step, and ends with step 0.
	Reverse bool
}

// Stream is a packed value of which step n takes rows Bounds[n] ≤ i < Bounds[n+1], as many as there are: the words of the n-th
// sub-sequence of every sequence, for example.
type Stream struct {
	Bounds *Node   // (steps+1), Int32, ascending from 0 to rows
	Rows   []*Node // (rows, …), one or more
}

// Ragged is a value that holds several rows for each sequence, those of the first sequence first, such as the words of a sentence that
// every step looks at. Step n sees rows [0, Ends[n]): those of the sequences that are live in it.
type Ragged struct {
	Ends   *Node   // (steps), Int32, not growing
	Static []*Node // (rows, …), the same in every step
	Init   []*Node // (rows, …), memories that hold a row for each of these rows
}

// ScanStep is what one step sees. Each value has the shape of the whole but for its first axis, which is a symbol: the rows that the step
// has of it.
type ScanStep struct {
	Rows    []*Node   // rows of ScanInputs.Rows
	Memory  []*Node   // the memories that the step before left: those of Init, then those of each Ragged
	Static  []*Node   // rows of ScanInputs.Static
	Streams [][]*Node // rows of Stream.Rows for each of ScanInputs.Streams
	Ragged  [][]*Node // rows of Ragged.Static for each of ScanInputs.Ragged
}

// Scan runs a step over time, on sequences that end at different times, without padding: memory(n+1), out(n) = step(rows(n), memory(n)).
//
// step is called once. It builds one step from what ScanStep holds and returns the step's outputs and its next memories, in the order and of
// the shapes of ScanStep.Memory. The first axis of an output is that of the step's Rows, or that of the rows of one of the Streams. The
// step may use any value of the enclosing graph, parameters above all: such a value is the same in every step. It may hold another Scan.
// A random op in it draws other numbers in each step.
//
// Scan returns the outputs of all steps, packed as the rows that they have the axis of, and the memories (batch, …) after each sequence's
// last step. A memory's row that no step reaches keeps its initial value.
//
// What a step computes from its rows or statics alone by products with values of the enclosing graph is computed once for all
// steps. The gradient runs the steps the other way round; it keeps the results of a step that are dear to compute, and sums what the
// steps add to the gradient of a weight in one product over all rows.
func Scan(in ScanInputs, step func(s *ScanStep) (out, next []*Node)) (outs, last []*Node) {
	b := newScanBuilder(in)
	if step == nil {
		b.fail("the step is nil")
	}
	if b.err != nil {
		return b.failed()
	}
	s := b.open(in)
	memory := slices.Clone(s.Memory) // the step may write to s
	out, next := b.call(step, s)
	out, next = densified(out), densified(next)
	if b.failure(b.checkStep(memory, out, next)); b.err != nil {
		return b.failed()
	}
	results := b.apply(out, next, in.Reverse)
	if results[0].err != nil {
		return results, results
	}
	return results[len(next) : len(next)+len(out)], results[:len(next):len(next)]
}

// densified returns nodes with sparse values made dense.
func densified(nodes []*Node) []*Node {
	out := slices.Clone(nodes)
	for i, n := range out {
		if n.Sparse() != nil {
			out[i] = Densify(n)
		}
	}
	return out
}

// failed returns failed nodes for whatever Scan returns.
func (b *scanBuilder) failed() (outs, last []*Node) {
	n := (*Node)(nil)
	if e, ok := b.err.(*Error); ok {
		n = &Node{graph: b.graph, err: e}
	} else {
		n = b.graph.fail(b.err)
	}
	return failed(n), failed(n)
}

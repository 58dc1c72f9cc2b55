package optest

import "paddle/op"

// Length is a symbolic size besides op.Batch for the inputs of a case: the symbol "length". It is one more than the batch.
const Length = op.Batch - 1

// Build makes the nodes under test from the inputs of a case.
type Build func(in ...*op.Node) []*op.Node

// Unary is the Build of a function of one node, such as op.Exp.
func Unary(f func(x *op.Node) *op.Node) Build {
	return func(in ...*op.Node) []*op.Node { return []*op.Node{f(in[0])} }
}

// Binary is the Build of a function of two nodes, such as op.Add.
func Binary(f func(a, b *op.Node) *op.Node) Build {
	return func(in ...*op.Node) []*op.Node { return []*op.Node{f(in[0], in[1])} }
}

// One is the Build of a function that makes one node.
func One(f func(in ...*op.Node) *op.Node) Build {
	return func(in ...*op.Node) []*op.Node { return []*op.Node{f(in...)} }
}

// Case is one use of an op: what to build from which inputs, and what has to come out.
type Case struct {
	// Name tells the cases of one Check apart.
	Name string
	// In describes the inputs.
	In []Input
	// Build makes the outputs. It has to return the nodes that op building functions gave it, failed ones too. Only a case that has
	// nothing but Misuse needs neither Build nor Model.
	Build Build
	// Model returns a new model and the Build that uses it, for what has parameters: a layer. It stands in the place of Build. The
	// parameters' gradients are checked as those of inputs are.
	Model func() (model any, build Build)

	// Want holds the elements of each output, row-major, for the first batch size. A nil element is not compared.
	Want [][]float64
	// Reference computes the outputs from the inputs in float64, for every batch size.
	Reference func(in []Array) []Array
	// Property returns an error unless the outputs are as they should be: for random ops, of which no value can be foretold.
	Property func(in, out []Array) error

	// WantGrad holds the elements of each input's gradient of the sum of all outputs, for the first batch size. A nil element is not
	// compared.
	WantGrad [][]float64
	// OnKink says that the given values lie where the function has no derivative: central differences are not taken. WantGrad says what
	// the gradient is there.
	OnKink bool
	// NoGradient says that the op has none: asking for it has to be an error that says so.
	NoGradient bool

	// Batches are the sizes that op.Batch takes in turn; nil is what the given values have, or 3, then 5.
	Batches []int
	// Misuse lists mistakes and their errors.
	Misuse []Misuse
}

// Misuse is a mistake in using an op, and what the user has to be told.
type Misuse struct {
	// In describes the inputs.
	In []Input
	// Build makes the mistake; a mistake that only a run can find is in the values of In.
	Build Build
	// Want is the text of the error after the position in the user's code.
	Want string
}

// T is the part of *testing.T that Check needs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Check holds cases to the rules of this package and reports what does not hold.
func Check(t T, cases ...Case) {
	t.Helper()
	for i := range cases {
		k := &checker{c: &cases[i]}
		k.run()
		for _, p := range k.problems {
			t.Errorf("%s", p)
		}
	}
}

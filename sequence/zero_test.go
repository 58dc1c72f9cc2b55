package sequence_test

import (
	"math"
	"strings"
	"testing"

	"paddle/op"
	"paddle/sequence"
)

// Nil graphs, zero values and sizes that nothing can have are mistakes with a text, not panics.
func TestNilAndZeroValues(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Float32, 3)
	zero := sequence.Packed{}
	failedNode := func(n *op.Node) error {
		if n == nil {
			return nil
		}
		return n.Err()
	}
	_, width := sequence.NewBatch([][]float32{{1}}, math.MaxInt, 4)
	_, wrapped := sequence.NewBatch([][]float32{{1}}, 1<<32, 1<<32)
	_, act := sequence.RNN{Weight: g.Full(op.Float32, 1, 3, 3), Act: 77}.Run(x)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"nil graph", sequence.Input(nil, "x", op.Int32).Err(), `sequence.Input: the graph of input "x" is nil`},
		{"nil graph", sequence.NestedInput(nil, "x", op.Int32).Err(), `sequence.NestedInput: the graph of input "x" is nil`},
		{"rows of a zero Node", failedNode(new(sequence.Node).Map(op.Tanh).Rows()), "the node is nil"},
		{"zero Packed", zero.Of(x.Rows()).Err(), "the node is nil"},
		{"zero Packed", failedNode(zero.Sort(x.Lengths())), "the node is nil"},
		{"zero Packed", failedNode(zero.Restore(nil)), "the node is nil"},
		{"zero Nested", new(sequence.Nested).Flat().Err(), "the sequence is nil"},
		{"zero Group", sequence.Group{}.Run().Err(), "sequence.Group: no inputs, want one sequence or more"},
		{"unknown activation", act.Err(), "the RNN's Act is 77, want NoActivation, ActReLU, ActSigmoid or ActTanh"},
		{"huge width", width, "sequence.NewBatch: width [9223372036854775807 4], want sizes of 1 or more, of at most 2147483647 elements together"},
		{"huge width", wrapped, "of at most 2147483647 elements together"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, c.err, c.want)
		}
	}
	if rows := new(sequence.Node).Rows(); rows.Err() == nil {
		t.Error("the rows of a zero Node are no mistake")
	}
}

// Errors about rows in time-major order name what was fed.
func TestTimeMajorRowsHaveNames(t *testing.T) {
	g := op.NewGraph(nil)
	x := sequence.Input(g, "x", op.Int32)
	p := x.Pack()
	if got := p.Rows.Name(); got != "x, time-major" {
		t.Errorf("packed rows are named %q", got)
	}
	if got := p.Of(p.Rows).Rows().Name(); got != "x" {
		t.Errorf("rows that were packed and brought back are named %q", got)
	}
	_, err := tryPredict(batch(t, [][]int32{{1}, {2, 9}}).Feeds("x"), op.GatherRows(g.Full(op.Float32, 1, 4, 2), p.Rows, -1))
	if err == nil || !strings.Contains(err.Error(), `input "x, time-major": element 2 is 9, want 0 to 3`) {
		t.Errorf("got %v", err)
	}
}

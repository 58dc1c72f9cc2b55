package sequence_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
	"paddle/sequence"
)

// threeOf returns rows (batch, …) as three sequences, of one row, none, and the others; packed or not.
func threeOf(rows *op.Node, packed bool) *sequence.Node {
	if rows.Err() != nil {
		return sequence.New(rows, rows)
	}
	g := rows.Graph()
	rest := op.Reshape(op.Sub(g.DimSize(op.Int32, op.Batch), g.Full(op.Int32, 1)), 1)
	x := sequence.New(rows, op.Concat(0, g.Full(op.Int32, 1, 1), g.Full(op.Int32, 0, 1), rest))
	if packed {
		p := x.Pack()
		return p.Of(p.Rows)
	}
	return x
}

// operation is a function of sequences of two columns, and of a matrix (rows, 2) where rows are not 0.
type operation struct {
	rows int
	f    func(x *sequence.Node, w *op.Node) *op.Node
}

var operationsOfRows = map[string]operation{
	"max":       {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Max(x) }},
	"mean":      {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Mean(x) }},
	"sum":       {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Sum(x) }},
	"root mean": {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.RootMean(x) }},
	"last":      {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Last(x) }},
	"first":     {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.First(x) }},
	"windows": {0, func(x *sequence.Node, _ *op.Node) *op.Node {
		return sequence.PoolWindows(sequence.PoolMean, x, 2).Rows()
	}},
	"expand":  {3, func(x *sequence.Node, w *op.Node) *op.Node { return sequence.Expand(w, x).Rows() }},
	"reverse": {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Reverse(x).Rows() }},
	"concat":  {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Concat(x, x).Rows() }},
	"reshape": {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Reshape(x, 1).Rows() }},
	"softmax": {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Softmax(x).Rows() }},
	"slice":   {0, func(x *sequence.Node, _ *op.Node) *op.Node { return sequence.Slice(x, part(x, 1, 2), nil).Rows() }},
	"context": {0, func(x *sequence.Node, _ *op.Node) *op.Node {
		return sequence.ContextProjection(x, sequence.Centred(3)).Rows()
	}},
	"padded":     {2, func(x *sequence.Node, w *op.Node) *op.Node { return sequence.ContextProjection(x, padded(w)).Rows() }},
	"conv":       {6, func(x *sequence.Node, w *op.Node) *op.Node { return sequence.Conv(x, w, sequence.Centred(3)).Rows() }},
	"conv valid": {4, func(x *sequence.Node, w *op.Node) *op.Node { return sequence.ConvValid(x, w, 2).Rows() }},
	"row conv":   {2, func(x *sequence.Node, w *op.Node) *op.Node { return sequence.RowConv(x, w).Rows() }},
}

// padded returns a context of three with rows of padding.
func padded(w *op.Node) sequence.Context {
	c := sequence.Centred(3)
	c.Padding = w
	return c
}

// TestOperations holds each operation to the rules of optest, and so its gradient, whose gradient is checked that way.
func TestOperations(t *testing.T) {
	for name, o := range operationsOfRows {
		for _, packed := range []bool{false, true} {
			in := []optest.Input{optest.Float(op.Batch, 2)}
			if o.rows > 0 {
				in = append(in, optest.Float(op.Dim(o.rows), 2))
			}
			build := func(in ...*op.Node) *op.Node {
				for _, n := range in {
					if n.Err() != nil {
						return sequence.New(n, n).Node()
					}
				}
				if o.rows == 0 {
					return o.f(threeOf(in[0], packed), nil)
				}
				return o.f(threeOf(in[0], packed), in[1])
			}
			if packed {
				name += ", packed"
			}
			optest.Check(t, optest.Case{Name: name, In: in, Build: optest.One(build)})
			optest.Check(t, optest.Case{Name: "gradient of " + name, In: in, Build: func(in ...*op.Node) []*op.Node {
				y := build(in...)
				if y.Err() != nil {
					return []*op.Node{y}
				}
				var out []*op.Node
				for i, d := range op.VJP([]*op.Node{y}, []*op.Node{op.Sin(y)}, in) {
					if d == nil {
						d = op.Zeros(in[i])
					}
					out = append(out, op.Mul(d, op.Add(in[i], op.Square(d))))
				}
				return out
			}})
		}
	}
}

package sequence

import (
	"fmt"

	"paddle/op"
)

// Concat joins sequences in time: sequence i of the result is that of xs[0], then that of xs[1], …. All have equally many sequences, and rows
// of one type and shape; lengths add up. Features are joined row by row instead, by Combine with op.Concat.
func Concat(xs ...*Node) *Node {
	if bad := joinable(xs); bad != nil {
		return bad
	}
	in, at := make([]*op.Node, len(xs)), make([]*op.Node, len(xs))
	lengths := xs[0].layout.lengths
	for i, x := range xs {
		if x.Len() != xs[0].Len() {
			return x.fail("%s has %s sequences, want %s, as many as %s", x.Name(), x.Graph().DimString(x.Len()), x.Graph().DimString(xs[0].Len()), xs[0].Name())
		}
		in[i], at[i] = x.Rows(), x.layout.starts()
		if i > 0 {
			lengths = op.Add(lengths, x.layout.lengths)
		}
	}
	return New(op.Apply(concatTime{}, append(in, at...)...)[0], lengths.WithName(xs[0].layout.name))
}

// Repeat returns every sequence times times in a row: x x x for 3.
func Repeat(x *Node, times int) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	if times < 1 {
		return x.fail("a sequence %d times, want 1 or more", times)
	}
	xs := make([]*Node, times)
	for i := range xs {
		xs[i] = x
	}
	return Concat(xs...)
}

// joinable returns what keeps sequences from being joined: a mistake among them, or rows that differ in more than their number.
func joinable(xs []*Node) *Node {
	if len(xs) == 0 {
		return failed((*op.Graph)(nil).Fail("no sequences, want one or more"))
	}
	for _, x := range xs {
		if x.Err() != nil {
			return x.failed()
		}
	}
	for _, x := range xs[1:] {
		if x.DType() != xs[0].DType() || !op.SameShape(x.Shape()[1:], xs[0].Shape()[1:]) {
			return x.fail("rows of %s are %v %s, want %v %s but for their number, as those of %s", x.Name(), x.DType(), x.ShapeString(),
				xs[0].DType(), xs[0].ShapeString(), xs[0].Name())
		}
	}
	return nil
}

// concatTime joins sequences. Its inputs are the rows of each part, and then where the sequences of each begin.
type concatTime struct{}

func (concatTime) Name() string { return "concat_time" }

func (concatTime) Infer(s *op.Shapes) ([]op.Spec, error) {
	y := op.Spec{DType: s.In[0].DType, Shape: append([]op.Dim{0}, s.In[0].Shape[1:]...)}
	for _, x := range s.In[:len(s.In)/2] {
		y.Shape[0] = s.Add(y.Shape[0], x.Shape[0])
	}
	return []op.Spec{y}, nil
}

func (concatTime) Run(e *op.Env, in, out []op.Buffer) error {
	k := len(in) / 2
	eachPart(in[k:], out[0], func(part int, m op.Move) { e.Copy(m, in[part], out[0]) })
	return nil
}

// eachPart calls copy for every sequence of every part with how its rows move to those of the whole.
func eachPart(starts []op.Buffer, whole op.Buffer, copy func(part int, m op.Move)) {
	width := 1
	for _, d := range whole.Shape[1:] {
		width *= d
	}
	to := 0
	for s := range starts[0].Len() - 1 {
		for part := range starts {
			at := starts[part].Int32s()
			from, size := int(at[s])*width, int(at[s+1]-at[s])*width
			if size == 0 {
				continue
			}
			m := op.Move{Rank: 1, FromOffset: from, ToOffset: to}
			m.Shape[0], m.From[0], m.To[0] = size, 1, 1
			copy(part, m)
			to += size
		}
	}
}

func (concatTime) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	k := len(c.In) / 2
	o := splitTime{Tokens: make([]op.Dim, k)}
	for i, x := range c.In[:k] {
		o.Tokens[i] = x.Dim(0)
	}
	out := make([]*op.Node, len(c.In))
	for i, dx := range op.Apply(o, append([]*op.Node{dout[0]}, c.In[k:]...)...)[:k] {
		if want[i] {
			out[i] = dx
		}
	}
	return out
}

// splitTime is the transpose of concatTime: it cuts every sequence into its parts. Its inputs are the rows, and where the sequences of each
// part begin among Tokens.
type splitTime struct{ Tokens []op.Dim }

func (splitTime) Name() string { return "split_time" }

func (splitTime) Traits() op.Traits { return op.Traits{OptionalOutputs: true} }

func (o splitTime) Infer(s *op.Shapes) ([]op.Spec, error) {
	if len(s.In) != len(o.Tokens)+1 {
		return nil, fmt.Errorf("%d inputs, want %d", len(s.In), len(o.Tokens)+1)
	}
	out := make([]op.Spec, len(o.Tokens))
	for i, n := range o.Tokens {
		out[i] = op.Spec{DType: s.In[0].DType, Shape: append([]op.Dim{n}, s.In[0].Shape[1:]...)}
	}
	return out, nil
}

func (splitTime) Run(e *op.Env, in, out []op.Buffer) error {
	eachPart(in[1:], in[0], func(part int, m op.Move) {
		if out[part].IsNil() {
			return // nobody reads it
		}
		m.FromOffset, m.ToOffset = m.ToOffset, m.FromOffset
		e.Copy(m, in[0], out[part])
	})
	return nil
}

func (splitTime) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	in := make([]*op.Node, len(dout))
	for i, d := range dout {
		if in[i] = d; d == nil {
			in[i] = op.Zeros(c.Out[i])
		}
	}
	return []*op.Node{op.Apply(concatTime{}, append(in, c.In[1:]...)...)[0]}
}

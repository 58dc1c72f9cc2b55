package sequence

import "paddle/op"

// RowConv mixes each row with those that follow it, every column on its own: yₜ = Σⱼ wⱼ⊙xₜ₊ⱼ over the rows that the sequence has, for x (tokens,
// width) and w (future, width), whose first row goes with the row itself. It is the look-ahead of Deep Speech 2 (Amodei et al., 2016), which
// lets a layer that walks forward see a little of what comes.
func RowConv(x *Node, w *op.Node) *Node {
	switch {
	case x.Err() != nil:
		return x.failed()
	case w.Err() != nil:
		return failed(w)
	case x.Rank() != 2:
		return x.fail("%s has rows %s, want (tokens, width)", x.Name(), x.ShapeString())
	case w.Rank() != 2 || w.Dim(1) != x.Dim(1) || w.DType() != x.DType():
		return x.fail("weights are %v %s, want %v (future, %s)", w.DType(), w.ShapeString(), x.DType(), x.Graph().DimString(x.Dim(1)))
	}
	packed := x.rows == nil
	rows := op.Apply(rowConv{Packed: packed}, append([]*op.Node{x.Node(), w}, x.layout.order(packed)...)...)[0]
	return x.of(rows, packed)
}

// rowConv computes yₜ = Σⱼ wⱼ⊙xₜ₊ⱼ, or back in time, yₜ = Σⱼ wⱼ⊙xₜ₋ⱼ, which is its transpose. Its inputs are the rows, the weights, and those of
// layout.order.
type rowConv struct{ Back, Packed bool }

func (rowConv) Name() string { return "row_conv" }

func (rowConv) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Float(0) }

func (rowConv) FLOPs(in, _ [][]int) int64 { return 2 * elements64(in[0]) * int64(in[1][0]) }

func (o rowConv) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in[2:], o.Packed)
	first := 0
	if o.Back {
		first = 1 - in[1].Shape[0]
	}
	e.SegmentConv(first, o.Back, at.starts, at.index, in[0], in[1], out[0])
	return nil
}

func (o rowConv) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	x, w, order := c.In[0], c.In[1], c.In[2:]
	out := make([]*op.Node, len(c.In))
	if want[0] {
		back := rowConv{Back: !o.Back, Packed: o.Packed}
		out[0] = op.Apply(back, append([]*op.Node{dout[0], w}, order...)...)[0]
	}
	if want[1] {
		ahead, here := x, dout[0]
		if o.Back {
			ahead, here = here, ahead
		}
		out[1] = op.Apply(rowConvWeight{w.Dim(0), o.Packed}, append([]*op.Node{ahead, here}, order...)...)[0]
	}
	return out
}

// rowConvWeight computes dwⱼ = Σₜ xₜ₊ⱼ⊙dyₜ for Future rows j. Its inputs are x, dy, and those of layout.order.
type rowConvWeight struct {
	Future op.Dim
	Packed bool
}

func (rowConvWeight) Name() string { return "row_conv_grad_weight" }

func (o rowConvWeight) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{{DType: s.In[0].DType, Shape: []op.Dim{o.Future, s.In[0].Shape[1]}}}, nil
}

func (rowConvWeight) FLOPs(in, out [][]int) int64 { return 2 * elements64(in[0]) * int64(out[0][0]) }

func (o rowConvWeight) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in[2:], o.Packed)
	e.SegmentConvGradWeight(0, at.starts, at.index, in[0], in[1], out[0])
	return nil
}

func (o rowConvWeight) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	x, dy, order := c.In[0], c.In[1], c.In[2:]
	out := make([]*op.Node, len(c.In))
	for i, v := range []*op.Node{dy, x} { // x is seen ahead of dy
		if want[i] {
			out[i] = op.Apply(rowConv{Back: i == 0, Packed: o.Packed}, append([]*op.Node{v, dout[0]}, order...)...)[0]
		}
	}
	return out
}

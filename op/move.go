package op

import (
	"fmt"
	"slices"
)

// Transpose returns x with its axes in another order: axis i of the result is axis perm[i] of x. Without perm the axes are reversed.
func Transpose(x *Node, perm ...int) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	if len(perm) == 0 {
		for i := x.Rank() - 1; i >= 0; i-- {
			perm = append(perm, i)
		}
	}
	return apply1(transpose{slices.Clone(perm)}, x)
}

type transpose struct{ Perm []int }

func (transpose) Name() string { return "transpose" }

func (o transpose) Infer(s *Shapes) ([]Spec, error) {
	in := s.In[0].Shape
	seen := make([]bool, len(in))
	out := make([]Dim, 0, len(in))
	for _, p := range o.Perm {
		if p < 0 || p >= len(in) || seen[p] || len(o.Perm) != len(in) {
			return nil, s.Wrong(0, "one whose axes %v is an order of", o.Perm)
		}
		seen[p] = true
		out = append(out, in[p])
	}
	if len(o.Perm) != len(in) {
		return nil, s.Wrong(0, "one whose axes %v is an order of", o.Perm)
	}
	return []Spec{{s.In[0].DType, out}}, nil
}

func (o transpose) Run(e *Env, in, out []Buffer) error {
	m := packed(out[0].Shape)
	var from [MaxRank]int
	rowMajor(in[0].Shape, &from)
	for i, p := range o.Perm {
		m.From[i] = from[p]
	}
	e.Copy(m, in[0], out[0])
	return nil
}

func (o transpose) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	inverse := make([]int, len(o.Perm))
	for i, p := range o.Perm {
		inverse[p] = i
	}
	return []*Node{Transpose(dout[0], inverse...)}
}

// packed describes a copy to a whole buffer of the given shape; From is still to be set.
func packed(shape []int) Move {
	m := Move{Rank: len(shape)}
	copy(m.Shape[:], shape)
	rowMajor(shape, &m.To)
	return m
}

// rowMajor writes the strides of a contiguous block.
func rowMajor(shape []int, strides *[MaxRank]int) {
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = n
		n *= shape[i]
	}
}

// Slice returns the elements of x whose index along axis is from ≤ i < to. Bounds may be symbolic, such as op.Batch.
func Slice(x *Node, axis int, from, to Dim) *Node {
	at, err := axisOf(x, axis)
	if err != nil {
		return x.Graph().fail(err)
	}
	if x.err != nil || (from == 0 && to == x.shape[at]) {
		return failedOr(x)
	}
	return apply1(slice{at, from, to}, x)
}

func axisOf(x *Node, axis int) (int, error) {
	if x == nil {
		return 0, errNilNode
	}
	if x.err != nil {
		return 0, nil
	}
	at := axis
	if at < 0 {
		at += x.Rank()
	}
	if at < 0 || at >= x.Rank() {
		return 0, fmt.Errorf("axis %d of input %s, which has shape %s", axis, quoted(x), x.ShapeString())
	}
	return at, nil
}

type slice struct {
	Axis     int
	From, To Dim
}

func (slice) Name() string { return "slice" }

func (o slice) Infer(s *Shapes) ([]Spec, error) {
	size := s.In[0].Shape[o.Axis]
	if !s.graph.dims.valid(o.From) || !s.graph.dims.valid(o.To) {
		return nil, fmt.Errorf("bounds %d to %d, want numbers from 0 up or symbols of this graph", int(o.From), int(o.To))
	}
	length := s.graph.dims.sub(o.To, o.From)
	if size >= 0 && o.To > size || o.From >= 0 && o.To >= 0 && o.From > o.To {
		return nil, s.Wrong(0, "one with elements %s to %s along axis %d", s.DimString(o.From), s.DimString(o.To), o.Axis)
	}
	out := slices.Clone(s.In[0].Shape)
	out[o.Axis] = length
	return []Spec{{s.In[0].DType, out}}, nil
}

func (o slice) Run(e *Env, in, out []Buffer) error {
	from, to := e.Size(o.From), e.Size(o.To)
	if to > in[0].Shape[o.Axis] || from > to || from < 0 {
		return fmt.Errorf("elements %d to %d of %d along axis %d", from, to, in[0].Shape[o.Axis], o.Axis)
	}
	m := packed(out[0].Shape)
	rowMajor(in[0].Shape, &m.From)
	m.FromOffset = from * m.From[o.Axis]
	e.Copy(m, in[0], out[0])
	return nil
}

func (o slice) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	x := c.In[0]
	return []*Node{apply1(place{o.Axis, o.From, x.shape[o.Axis]}, dout[0])}
}

// place puts x at position From along Axis into zeros of size Size: the gradient of a slice.
type place struct {
	Axis       int
	From, Size Dim
}

func (place) Name() string { return "place" }

func (o place) Infer(s *Shapes) ([]Spec, error) {
	out := slices.Clone(s.In[0].Shape)
	out[o.Axis] = o.Size
	return []Spec{{s.In[0].DType, out}}, nil
}

func (o place) Run(e *Env, in, out []Buffer) error {
	e.Fill(out[0], 0)
	m := packed(in[0].Shape)
	m.From = m.To
	rowMajor(out[0].Shape, &m.To)
	m.ToOffset = e.Size(o.From) * m.To[o.Axis]
	e.Copy(m, in[0], out[0])
	return nil
}

func (o place) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	g := c.graph
	return []*Node{Slice(dout[0], o.Axis, o.From, g.AddDims(o.From, c.In[0].shape[o.Axis]))}
}

// Concat joins nodes along axis; their other sizes are equal.
func Concat(axis int, xs ...*Node) *Node {
	g, err := commonGraph(xs)
	if len(xs) == 0 && err == nil {
		err = fmt.Errorf("nothing to join")
	}
	if err != nil {
		return g.fail(err)
	}
	at, err := axisOf(xs[0], axis)
	if err != nil {
		return g.fail(err)
	}
	if len(xs) == 1 {
		return failedOr(xs[0])
	}
	return apply1(concat{at}, xs...)
}

type concat struct{ Axis int }

func (concat) Name() string { return "concat" }

func (o concat) Infer(s *Shapes) ([]Spec, error) {
	if err := s.SameType(); err != nil {
		return nil, err
	}
	out := slices.Clone(s.In[0].Shape)
	for i, in := range s.In[1:] {
		want := slices.Clone(s.In[0].Shape)
		if len(in.Shape) == len(want) {
			want[o.Axis] = in.Shape[o.Axis]
		}
		if !SameShape(in.Shape, want) {
			return nil, s.Wrong(i+1, "%s but for axis %d", s.String(s.In[0].Shape), o.Axis)
		}
		out[o.Axis] = s.Add(out[o.Axis], in.Shape[o.Axis])
	}
	return []Spec{{s.In[0].DType, out}}, nil
}

func (o concat) Run(e *Env, in, out []Buffer) error {
	var to [MaxRank]int
	rowMajor(out[0].Shape, &to)
	at := 0
	for _, x := range in {
		m := packed(x.Shape)
		m.From, m.To = m.To, to
		m.ToOffset = at * to[o.Axis]
		e.Copy(m, x, out[0])
		at += x.Shape[o.Axis]
	}
	return nil
}

func (o concat) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	out := make([]*Node, len(c.In))
	from := Dim(0)
	for i, x := range c.In {
		to := c.graph.AddDims(from, x.shape[o.Axis])
		if want[i] {
			out[i] = Slice(dout[0], o.Axis, from, to)
		}
		from = to
	}
	return out
}

// Stack joins nodes of one shape along a new axis.
func Stack(axis int, xs ...*Node) *Node {
	parts := make([]*Node, len(xs))
	for i, x := range xs {
		parts[i] = Unsqueeze(x, axis)
	}
	return Concat(axis, parts...)
}

// Split cuts x along axis into parts of the given sizes, which add up to the whole.
func Split(x *Node, axis int, sizes ...Dim) []*Node {
	out := make([]*Node, len(sizes))
	at, err := axisOf(x, axis)
	if err != nil {
		failAll(out, x.Graph().fail(err))
		return out
	}
	if x.err != nil {
		failAll(out, x)
		return out
	}
	total := Dim(0)
	for _, d := range sizes {
		total = x.graph.AddDims(total, d)
	}
	if total != x.shape[at] {
		failAll(out, x.graph.fail(fmt.Errorf("the parts add up to %s, and axis %d of input %s has size %s", x.graph.DimString(total), axis, quoted(x), x.graph.DimString(x.shape[at]))))
		return out
	}
	from := Dim(0)
	for i, d := range sizes {
		to := x.graph.dims.add(from, d)
		out[i] = Slice(x, at, from, to)
		from = to
	}
	return out
}

// Pad returns x with before zeros in front and after zeros behind along axis.
func Pad(x *Node, axis, before, after int) *Node {
	at, err := axisOf(x, axis)
	if err == nil && (before < 0 || after < 0) {
		err = fmt.Errorf("padding %d and %d, want 0 or more", before, after)
	}
	if err != nil {
		return x.Graph().fail(err)
	}
	if x.err != nil || before == 0 && after == 0 {
		return failedOr(x)
	}
	return apply1(place{at, Dim(before), x.graph.dims.addConst(x.shape[at], plus(before, after))}, x)
}

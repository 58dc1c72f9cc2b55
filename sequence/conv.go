package sequence

import "paddle/op"

// Conv convolves over time: each row of the result is the product of a row's context, side by side, with the filters w (c.Length·width,
// filters): x (tokens, width) becomes (tokens, filters), the sum over the rows j of the context of xⱼ·wⱼ. It is ContextProjection and a
// product, but computed some rows at a time, so that the contexts are never all in memory.
func Conv(x *Node, w *op.Node, c Context) *Node {
	if bad := c.check(x); bad != nil {
		return bad
	}
	if bad := checkFilters(x, w, c.Length); bad != nil {
		return bad
	}
	table, index := c.rows(x)
	return x.of(gatherProduct(table, index, w), x.rows == nil)
}

// ConvValid convolves as Conv does, but only where a window of length rows lies inside of its sequence: n rows become max(0, n−length+1). With
// Max it is the text convolution of Kim (2014).
func ConvValid(x *Node, w *op.Node, length int) *Node {
	if bad := (Context{Length: length}).check(x); bad != nil {
		return bad
	}
	if bad := checkFilters(x, w, length); bad != nil {
		return bad
	}
	index, lengths := x.windows(length)
	return New(gatherProduct(x.Node(), index, w), lengths)
}

// Windows returns all windows of length rows that lie inside of their sequences, the rows of each side by side: x (tokens, width) becomes
// (windows, length·width), max(0, n−length+1) rows for n.
func Windows(x *Node, length int) *Node {
	if bad := (Context{Length: length}).check(x); bad != nil {
		return bad
	}
	index, lengths := x.windows(length)
	return New(sideBySide(takeRows(x.Node(), index)), lengths)
}

// checkFilters returns what is wrong with filters of contexts of x, nil if nothing is.
func checkFilters(x *Node, w *op.Node, length int) *Node {
	if w.Err() != nil {
		return failed(w)
	}
	if in := x.Graph().MulDims(op.Dim(length), x.Dim(1)); w.Rank() != 2 || w.Dim(0) != in || w.DType() != x.DType() {
		return x.fail("filters are %v %s, want %v (%s, filters) for %d rows of %s", w.DType(), w.ShapeString(), x.DType(), x.Graph().DimString(in), length, x.Name())
	}
	return nil
}

// windows returns the rows of each window, (windows, length), and how many windows each sequence has.
func (x *Node) windows(length int) (index, lengths *op.Node) {
	o := windowRows{Length: length, Packed: x.rows == nil, Tokens: x.layout.tokens}
	out := op.Apply(o, x.layout.order(o.Packed)...)
	return out[0], out[1].WithName(x.layout.name)
}

// windowRows computes which rows the windows of sequences have, and how many windows these have. Its inputs are those of layout.order.
type windowRows struct {
	Length int
	Packed bool
	Tokens op.Dim
}

func (windowRows) Name() string { return "windows" }

func (o windowRows) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{
		{DType: op.Int32, Shape: []op.Dim{s.Count("windows", o.Tokens), op.Dim(o.Length)}},
		{DType: op.Int32, Shape: []op.Dim{s.AddConst(s.In[0].Shape[0], -1)}},
	}, nil
}

func (o windowRows) Run(e *op.Env, in, out []op.Buffer) error {
	at, _ := placesIn(in, o.Packed)
	index, lengths := out[0].Int32s(), out[1].Int32s()
	n := 0
	for s := range lengths {
		from, to := at.bounds(s)
		count := max(0, int(to-from)-o.Length+1)
		for t := range count {
			for j := range o.Length {
				index[(n+t)*o.Length+j] = at.of(from + int32(t+j))
			}
		}
		n += count
		lengths[s] = int32(count)
	}
	return e.SetCount(0, n)
}

package sequence

import (
	"fmt"

	"paddle/op"
)

// Slice returns the rows from[i] ≤ t < to[i] of each sequence i. from and to are (sequences) of type Int32; nil is from the start, or to the end.
// Bounds that are not in order, or beyond the sequence, are an error of the run that names the sequence.
func Slice(x *Node, from, to *op.Node) *Node {
	if x.Err() != nil {
		return x.failed()
	}
	for _, n := range []*op.Node{from, to} {
		switch {
		case n == nil:
		case n.Err() != nil:
			return failed(n)
		case n.DType() != op.Int32 || n.Rank() != 1 || n.Dim(0) != x.Len():
			return x.fail("bound %s is %v %s, want int32 (%s), one for each sequence of %s", n.Name(), n.DType(), n.ShapeString(), x.Graph().DimString(x.Len()), x.Name())
		}
	}
	return x.cut(sliceRows{Most: x.layout.tokens}, from, to, nil)
}

// SubSequence returns size[i] rows of each sequence i, from row offset[i] on; see Slice.
func SubSequence(x *Node, offset, size *op.Node) *Node {
	for _, n := range []*op.Node{offset, size} {
		if n.Err() != nil {
			return failed(n)
		}
	}
	return Slice(x, offset, op.Add(offset, size))
}

// Slices returns several slices of each sequence: sub-sequence j of sample i is the rows from[i][j] ≤ t < to[i][j] of sequence i. from and
// to are sequences of Int32 (slices), as many for x's sequence i as there are; nil is from the start, or to the end. Slices may overlap; all together
// have at most the given number of rows, such as x.Dim(0) where they do not overlap. See Slice; Nested.Flat joins the slices of a sample.
func Slices(x *Node, from, to *Node, most op.Dim) *Nested {
	if x.Err() != nil {
		return &Nested{inner: x.failed()}
	}
	like := from
	if from == nil {
		like = to
	}
	var bounds [2]*op.Node
	for i, n := range []*Node{from, to} {
		if n == nil && like != nil {
			continue
		}
		if n.Err() != nil {
			return &Nested{inner: n.failed()}
		}
		if n.DType() != op.Int32 || n.Rank() != 1 || n.Len() != x.Len() {
			return &Nested{inner: x.fail("bounds %s are %v %s, want int32 (slices), sequences for the %s of %s", n.Name(), n.DType(), n.ShapeString(),
				x.Graph().DimString(x.Len()), x.Name())}
		}
		bounds[i] = n.As(like).Rows()
	}
	inner := x.cut(sliceRows{Most: most}, bounds[0], bounds[1], like.layout.starts())
	return &Nested{inner: inner, outer: like.layout}
}

// cut returns the slices that o describes.
func (x *Node) cut(o sliceRows, from, to, each *op.Node) *Node {
	o.Packed, o.From, o.To, o.Many = x.rows == nil, from != nil, to != nil, each != nil
	o.Lengths = x.layout.name
	in := x.layout.order(o.Packed)
	for _, n := range []*op.Node{from, to, each} {
		if n != nil {
			in = append(in, n)
		}
	}
	out := op.Apply(o, in...)
	return New(takeRows(x.Node(), out[0]), out[1].WithName(x.layout.name))
}

// sliceRows computes which rows slices of sequences have, and the lengths of the slices. Its inputs are those of layout.order, then where each
// slice begins and ends, as far as From and To say, and with Many where the slices of each sequence begin among all; else each has one.
type sliceRows struct {
	Packed, From, To, Many bool
	Most                   op.Dim // rows
	Lengths                string // the name of the sequences' lengths
}

func (sliceRows) Name() string { return "slice_sequences" }

func (o sliceRows) Infer(s *op.Shapes) ([]op.Spec, error) {
	count := s.AddConst(s.In[0].Shape[0], -1)
	if o.Many {
		count = s.In[len(s.In)-2].Shape[0]
	}
	ints := func(d op.Dim) op.Spec { return op.Spec{DType: op.Int32, Shape: []op.Dim{d}} }
	return []op.Spec{ints(s.Count("rows", o.Most)), ints(count)}, nil
}

func (o sliceRows) Run(e *op.Env, in, out []op.Buffer) error {
	at, rest := placesIn(in, o.Packed)
	var from, to, each []int32
	if o.From {
		from, rest = rest[0].Int32s(), rest[1:]
	}
	if o.To {
		to, rest = rest[0].Int32s(), rest[1:]
	}
	if o.Many {
		each = rest[0].Int32s()
	}
	index, lengths := out[0].Int32s(), out[1].Int32s()
	most, n := e.Size(o.Most), 0
	for s := range at.count() {
		first, last := s, s+1
		if each != nil {
			first, last = int(each[s]), int(each[s+1])
		}
		start, end := at.bounds(s)
		for j := first; j < last; j++ {
			lo, hi := int32(0), end-start
			if from != nil {
				lo = from[j]
			}
			if to != nil {
				hi = to[j]
			}
			if lo < 0 || hi < lo || hi > end-start {
				return fmt.Errorf("rows %d to %d of sequence %d by %s, which has %d", lo, hi, s, o.Lengths, end-start)
			}
			if int(hi-lo) > most-n {
				return fmt.Errorf("the slices have more than %d rows, the bound that was given for all together", most)
			}
			for t := lo; t < hi; t++ {
				index[n] = at.of(start + t)
				n++
			}
			lengths[j] = hi - lo
		}
	}
	return e.SetCount(0, n)
}

package sequence

import "paddle/op"

// order returns how an op finds the sequences of l among its rows: by their starts, and for rows in the order of Pack by the
// place of each.
func (l *layout) order(packed bool) []*op.Node {
	if packed {
		return []*op.Node{l.starts(), l.pack().Place}
	}
	return []*op.Node{l.starts()}
}

// segmentReduce computes one row a sequence. Its inputs are the rows, and those of layout.order; its second output says which
// row the greatest element is of.
type segmentReduce struct {
	Func   op.SegmentFunc
	Empty  float64 // the result for a sequence without rows
	Packed bool
}

func (o segmentReduce) Name() string { return "segment_" + segmentNames[o.Func] }

// segmentNames are the names of the functions in errors and drawings.
var segmentNames = [...]string{"sum", "mean", "root_mean", "max", "pick", "first", "last"}

func (o segmentReduce) Infer(s *op.Shapes) ([]op.Spec, error) {
	if o.Func != op.SegmentFirst && o.Func != op.SegmentLast {
		if err := s.Float(0); err != nil {
			return nil, err
		}
	}
	x := s.In[0]
	y := append([]op.Dim{s.AddConst(s.In[1].Shape[0], -1)}, x.Shape[1:]...)
	if o.Func == op.SegmentMax {
		return []op.Spec{{DType: x.DType, Shape: y}, {DType: op.Int32, Shape: y}}, nil
	}
	return []op.Spec{{DType: x.DType, Shape: y}}, nil
}

func (o segmentReduce) Traits() op.Traits {
	t := op.Traits{OptionalOutputs: true, RequiredOutputs: 1}
	if o.sums() {
		t.Precision = op.Keep32
	}
	return t
}

// sums reports whether rows are added up.
func (o segmentReduce) sums() bool {
	return o.Func == op.SegmentSum || o.Func == op.SegmentMean || o.Func == op.SegmentRootMean
}

func (o segmentReduce) FLOPs(in, _ [][]int) int64 {
	if o.sums() || o.Func == op.SegmentMax {
		return elements64(in[0])
	}
	return 0
}

func (o segmentReduce) Run(e *op.Env, in, out []op.Buffer) error {
	at, rest := placesIn(in[1:], o.Packed)
	var arg op.Buffer
	switch o.Func {
	case op.SegmentMax:
		arg = out[1]
	case op.SegmentPick:
		arg = rest[0]
	}
	e.SegmentReduce(o.Func, o.Empty, at.starts, at.index, in[0], out[0], arg)
	return nil
}

// places is what layout.order says in a run: where sequences start, and where a row, counted sample by sample, stands among the rows of
// an op; nil for rows that stand sample by sample.
type places struct{ starts, index []int32 }

// of returns where row i, counted sample by sample, stands.
func (p places) of(i int32) int32 {
	if p.index == nil {
		return i
	}
	return p.index[i]
}

// count returns how many sequences there are.
func (p places) count() int { return len(p.starts) - 1 }

// bounds returns the rows of sequence s, counted sample by sample.
func (p places) bounds(s int) (from, to int32) { return p.starts[s], p.starts[s+1] }

// placesIn returns what the first inputs of an op say, those of layout.order, and the inputs that are left.
func placesIn(in []op.Buffer, packed bool) (places, []op.Buffer) {
	if packed {
		return places{in[0].Int32s(), in[1].Int32s()}, in[2:]
	}
	return places{in[0].Int32s(), nil}, in[1:]
}

// cutOrder divides nodes into those of layout.order, which come first, and the others.
func cutOrder(in []*op.Node, packed bool) (order, rest []*op.Node) {
	n := 1
	if packed {
		n = 2
	}
	return in[:n], in[n:]
}

func (o segmentReduce) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	order, rest := cutOrder(c.In[1:], o.Packed)
	f := o.Func
	if f == op.SegmentMax {
		f, rest = op.SegmentPick, c.Out[1:]
	}
	return []*op.Node{spread(segmentSpread{f, o.Packed, c.In[0].Dim(0)}, dout[0], order, rest)}
}

// segmentSpread is the transpose of segmentReduce: it computes each of Tokens rows from that of its sequence. Its inputs are one row a
// sequence, those of layout.order, and for SegmentPick which row each element goes to.
type segmentSpread struct {
	Func   op.SegmentFunc
	Packed bool
	Tokens op.Dim
}

func spread(o segmentSpread, x *op.Node, order, rest []*op.Node) *op.Node {
	return op.Apply(o, append(append([]*op.Node{x}, order...), rest...)...)[0]
}

func (o segmentSpread) Name() string { return "spread_" + segmentNames[o.Func] }

func (o segmentSpread) Infer(s *op.Shapes) ([]op.Spec, error) {
	return []op.Spec{{DType: s.In[0].DType, Shape: append([]op.Dim{o.Tokens}, s.In[0].Shape[1:]...)}}, nil
}

func (o segmentSpread) Run(e *op.Env, in, out []op.Buffer) error {
	at, rest := placesIn(in[1:], o.Packed)
	var arg op.Buffer
	if o.Func == op.SegmentPick {
		arg = rest[0]
	}
	e.SegmentSpread(o.Func, at.starts, at.index, in[0], arg, out[0])
	return nil
}

func (o segmentSpread) Gradient(c *op.Call, dout []*op.Node, want []bool) []*op.Node {
	order, rest := cutOrder(c.In[1:], o.Packed)
	in := append(append([]*op.Node{dout[0]}, order...), rest...)
	return []*op.Node{op.Apply(segmentReduce{Func: o.Func, Packed: o.Packed}, in...)[0]}
}

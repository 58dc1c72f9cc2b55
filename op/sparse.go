package op

import (
	"fmt"
	"slices"
)

// SparseRows returns a sparse value of the given dense shape: row ids[i] is values[i], or the sum where an id occurs again; other rows are
// zero. ids (count) are Int32 or Int64, values (count, shape[1:]…). Rows of the padding id are left out (negative: none).
func SparseRows(shape []Dim, ids, values *Node, padding int64) *Node {
	g, err := commonGraph([]*Node{ids, values})
	if err != nil {
		return g.fail(err)
	}
	for _, n := range []*Node{ids, values} {
		if n.err != nil {
			return n
		}
	}
	switch {
	case ids.dtype != Int32 && ids.dtype != Int64:
		return g.fail(fmt.Errorf("input %s has type %v, want int32 or int64", quoted(ids), ids.dtype))
	case values.dtype != Float32 && values.dtype != Float64:
		return g.fail(fmt.Errorf("input %s has type %v, want float32 or float64", quoted(values), values.dtype))
	}
	if err := g.checkShape(values.dtype, shape); err != nil {
		return g.fail(err)
	}
	if len(shape) == 0 || ids.Rank() != 1 || values.Rank() != len(shape) || values.Dim(0) != ids.Dim(0) || !SameShape(values.shape[1:], shape[1:]) {
		return g.fail(fmt.Errorf("rows %s with ids %s do not fit into %s", values.ShapeString(), ids.ShapeString(), g.dims.shapeString(shape)))
	}
	n := &Node{
		graph: g, kind: sparseLeaf, dtype: values.dtype, shape: slices.Clone(shape), name: "sparse", phase: values.Phase(),
		rows: &Rows{IDs: ids, Values: values, Padding: padding},
	}
	g.sparse = append(g.sparse, n)
	return n
}

// joinRows adds two sparse values by putting their rows one after another.
func joinRows(a, b *Node) *Node {
	first, second := a.rows.IDs, b.rows.IDs
	if first.dtype != second.dtype {
		first, second = Cast(first, Int64), Cast(second, Int64)
	}
	ids := Concat(0, first, second)
	values := Concat(0, a.rows.Values, b.rows.Values)
	return SparseRows(a.shape, ids, values, a.rows.Padding)
}

// MergeRows returns the sparse value x with each id once, in ascending order, its rows summed in the order in which they stood. The
// number of rows is found at run time.
func MergeRows(x *Node) *Node {
	switch {
	case x.Err() != nil:
		return failedFrom(x)
	case x.rows == nil:
		return x.graph.fail(fmt.Errorf("input %s is dense, want a sparse value", quoted(x)))
	case x.rows.Merged:
		return x
	}
	out := Apply(mergeRows{Rows: x.shape[0], Padding: x.rows.Padding}, x.rows.IDs, x.rows.Values)
	if out[0].err != nil {
		return out[0]
	}
	return MergedRows(x.shape, out[0], out[1], x.rows.Padding)
}

// MergedRows is SparseRows for ids that are distinct and ascending.
func MergedRows(shape []Dim, ids, values *Node, padding int64) *Node {
	merged := SparseRows(shape, ids, values, padding)
	if merged.rows != nil {
		merged.rows.Merged = true
	}
	return merged
}

// mergeRows sums the rows of equal ids, which lie below Rows.
type mergeRows struct {
	Rows    Dim
	Padding int64
}

func (mergeRows) Name() string { return "merge_rows" }

func (mergeRows) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(2); err != nil {
		return nil, err
	}
	count := s.Count("rows", s.In[0].Shape[0])
	values := append([]Dim{count}, s.In[1].Shape[1:]...)
	return []Spec{{s.In[0].DType, []Dim{count}}, {s.In[1].DType, values}}, nil
}

func (o mergeRows) Run(e *Env, in, out []Buffer) error {
	if err := checkIDs(in[0], e.Size(o.Rows), o.Padding); err != nil {
		return err
	}
	return e.SetCount(0, e.MergeRows(o.Padding, in[0], in[1], out[0], out[1]))
}

// checkIDs returns a RangeError for the first id outside of [0, rows) that is not the padding id.
func checkIDs(ids Buffer, rows int, padding int64) error {
	if ids.DType == Int32 {
		return checkRange(ids.Int32s(), rows, padding)
	}
	return checkRange(ids.Int64s(), rows, padding)
}

func checkRange[I int32 | int64](ids []I, rows int, padding int64) error {
	for i, id := range ids {
		if uint64(id) >= uint64(rows) && (padding < 0 || int64(id) != padding) {
			return &RangeError{Row: i, Value: int64(id), Limit: rows}
		}
	}
	return nil
}

// Densify returns the dense form of a sparse value, and any other node as it is.
func Densify(x *Node) *Node {
	if x.Err() != nil {
		return failedFrom(x)
	}
	if x.rows == nil {
		return x
	}
	return x.graph.Apply(densify{Shape: x.shape, Padding: x.rows.Padding}, x.rows.IDs, x.rows.Values)[0]
}

// densify adds rows to zeros.
type densify struct {
	Shape   []Dim
	Padding int64
}

func (densify) Name() string { return "densify" }

func (o densify) Infer(s *Shapes) ([]Spec, error) {
	if err := s.Arity(2); err != nil {
		return nil, err
	}
	return []Spec{{s.In[1].DType, o.Shape}}, nil
}

func (o densify) Run(e *Env, in, out []Buffer) error {
	if err := checkIDs(in[0], out[0].Shape[0], o.Padding); err != nil {
		return err
	}
	e.Fill(out[0], 0)
	e.ScatterAdd(o.Padding, in[0], in[1], out[0])
	return nil
}

func (o densify) Gradient(c *Call, dout []*Node, want []bool) []*Node {
	return []*Node{nil, GatherRows(dout[0], c.In[0], o.Padding)}
}

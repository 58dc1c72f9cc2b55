package op_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// sparseOf builds the sparse value of shape (rows, width…) from ids and values.
func sparseOf(rows op.Dim, padding int64, then func(*op.Node) *op.Node) optest.Build {
	return optest.Binary(func(ids, values *op.Node) *op.Node {
		shape := []op.Dim{rows}
		if values.Err() == nil {
			shape = append(shape, values.Shape()[1:]...)
		}
		return then(op.SparseRows(shape, ids, values, padding))
	})
}

// scattered is the reference of a sparse value's dense form.
func scattered(rows, padding int) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		ids, values := in[0], in[1]
		out := optest.NewArray(append([]int{rows}, values.Shape[1:]...)...)
		each(values.Shape, func(at []int) {
			if id := int(ids.At(at[0])); id != padding {
				to := append([]int{id}, at[1:]...)
				out.Set(out.At(to...)+values.At(at...), to...)
			}
		})
		return []optest.Array{out}
	}
}

func TestDensify(t *testing.T) {
	long := optest.Input{DType: op.Int64, Shape: []op.Dim{op.Batch}, High: 5}
	optest.Check(t,
		optest.Case{Name: "matrix", In: []optest.Input{optest.Int(5, op.Batch), optest.Float(op.Batch, 3)}, Build: sparseOf(5, -1, op.Densify), Reference: scattered(5, -1), Batches: []int{4, 12, 0}},
		optest.Case{Name: "int64 and padding", In: []optest.Input{long, optest.Float(op.Batch, 3)}, Build: sparseOf(5, 2, op.Densify), Reference: scattered(5, 2), Batches: []int{4, 12, 1}},
		optest.Case{Name: "rows of two axes", In: []optest.Input{optest.Int(5, op.Batch), optest.Float(op.Batch, 2, 2)}, Build: sparseOf(5, -1, op.Densify), Reference: scattered(5, -1)},
		optest.Case{Name: "rows of one number", In: []optest.Input{optest.Int(5, op.Batch), optest.Float(op.Batch)}, Build: sparseOf(5, -1, op.Densify), Reference: scattered(5, -1)},
		optest.Case{Name: "a dense value", In: []optest.Input{optest.Float(op.Batch, 2)}, Build: optest.Unary(op.Densify), Reference: elementwise(func(x float64) float64 { return x })},
	)
}

// Ops that do not know of sparse values get them made dense.
func TestSparseInOps(t *testing.T) {
	optest.Check(t,
		optest.Case{Name: "one input", In: []optest.Input{optest.Int(4, op.Batch), optest.Float(op.Batch, 2)}, Build: sparseOf(4, -1, op.Tanh),
			Reference: func(in []optest.Array) []optest.Array { return elementwise(tanh)(scattered(4, -1)(in)) }},
		optest.Case{Name: "reshape", In: []optest.Input{optest.Int(4, op.Batch), optest.Float(op.Batch, 2)}, Build: sparseOf(4, -1, func(x *op.Node) *op.Node { return op.Reshape(x, 8) }),
			Reference: func(in []optest.Array) []optest.Array {
				return same(func([]int) []int { return []int{8} })(scattered(4, -1)(in))
			}},
		optest.Case{Name: "reshape to itself", In: []optest.Input{optest.Int(4, op.Batch), optest.Float(op.Batch, 2)},
			Build: sparseOf(4, -1, func(x *op.Node) *op.Node { return op.Reshape(x, 4, 2) }), Reference: scattered(4, -1)},
		optest.Case{Name: "broadcast to itself", In: []optest.Input{optest.Int(4, op.Batch), optest.Float(op.Batch, 2)},
			Build: sparseOf(4, -1, func(x *op.Node) *op.Node { return op.BroadcastTo(x, 4, 2) }), Reference: scattered(4, -1)},
	)
}

func TestMergeRows(t *testing.T) {
	merged := func(rows op.Dim, padding int64) optest.Build {
		return func(in ...*op.Node) []*op.Node {
			m := sparseOf(rows, padding, op.MergeRows)(in...)[0]
			if m.Err() != nil {
				return []*op.Node{m, m}
			}
			return []*op.Node{m.Sparse().IDs, m.Sparse().Values}
		}
	}
	reference := func(rows, padding int) func([]optest.Array) []optest.Array {
		return func(in []optest.Array) []optest.Array {
			dense := scattered(rows, padding)(in)[0]
			present := map[int]bool{}
			for _, id := range in[0].Data {
				present[int(id)] = int(id) != padding
			}
			ids := optest.Array{Shape: []int{0}}
			values := optest.Array{Shape: append([]int{0}, dense.Shape[1:]...)}
			width := len(dense.Data) / rows
			for id := range rows {
				if present[id] {
					ids.Data = append(ids.Data, float64(id))
					values.Data = append(values.Data, dense.Data[id*width:(id+1)*width]...)
				}
			}
			ids.Shape[0], values.Shape[0] = len(ids.Data), len(ids.Data)
			return []optest.Array{ids, values}
		}
	}
	long := optest.Input{DType: op.Int64, Shape: []op.Dim{op.Batch}, High: 5}
	optest.Check(t,
		optest.Case{Name: "matrix", In: []optest.Input{optest.Int(5, op.Batch), optest.Float(op.Batch, 3)}, Build: merged(5, -1), Reference: reference(5, -1), Batches: []int{4, 12, 0, 1, 12}, NoGradient: true},
		optest.Case{Name: "padding", In: []optest.Input{long, optest.Float(op.Batch, 3)}, Build: merged(5, 0), Reference: reference(5, 0), Batches: []int{4, 12, 1}, NoGradient: true},
		optest.Case{Name: "only padding", In: []optest.Input{optest.Int(1, op.Batch), optest.Float(op.Batch, 3)}, Build: merged(5, 0), Reference: reference(5, 0), NoGradient: true},
		optest.Case{Name: "by hand", NoGradient: true, Build: merged(9, -1), Want: [][]float64{{0, 2, 7}, {2, 4, 10}},
			In: []optest.Input{{DType: op.Int32, Shape: []op.Dim{4}, Values: []float64{7, 2, 7, 0}}, optest.Given([]float64{1, 4, 9, 2}, 4)}},
		// What is computed from a run-time count of rows follows it.
		optest.Case{Name: "further ops", In: []optest.Input{optest.Int(5, op.Batch), optest.Float(op.Batch, 3)}, Batches: []int{4, 12, 0, 2}, NoGradient: true,
			Build: func(in ...*op.Node) []*op.Node {
				rows := merged(5, -1)(in...)[1]
				return []*op.Node{op.Sum(op.Square(rows), 1)}
			},
			Reference: func(in []optest.Array) []optest.Array {
				rows := reference(5, -1)(in)[1]
				return []optest.Array{reduced(rows.Map(func(x float64) float64 { return x * x }), map[int]bool{1: true}, 0, func(a, x float64) float64 { return a + x }, plain)}
			}},
		optest.Case{Name: "merged and dense again", In: []optest.Input{optest.Int(5, op.Batch), optest.Float(op.Batch, 3)}, NoGradient: true,
			Build: sparseOf(5, -1, func(x *op.Node) *op.Node { return op.Densify(op.MergeRows(op.MergeRows(x))) }), Reference: scattered(5, -1)},
	)
}

// The gradient of a lookup stays sparse, alone and as a sum of several.
func TestGradientOfLookupIsSparse(t *testing.T) {
	g := op.NewGraph(nil)
	table, ids := g.Input("table", op.Float32, 1000, 8), g.Input("ids", op.Int32, op.Batch)
	more := g.Input("more", op.Int64, op.Batch)
	one := op.Sum(op.GatherRows(table, ids, -1))
	two := op.Add(one, op.Sum(op.Square(op.GatherRows(table, more, -1))))
	dense := op.Add(two, op.Mean(table))
	for name, c := range map[string]struct {
		loss   *op.Node
		sparse bool
	}{"one": {one, true}, "two": {two, true}, "dense": {dense, false}} {
		d := op.Gradient(c.loss, table)[0]
		if d.Err() != nil {
			t.Fatal(name, d.Err())
		}
		if (d.Sparse() != nil) != c.sparse {
			t.Errorf("%s: the gradient is sparse: %v, want %v", name, d.Sparse() != nil, c.sparse)
		}
		if !op.SameShape(d.Shape(), table.Shape()) {
			t.Errorf("%s: the gradient has shape %s, want %s", name, d.ShapeString(), table.ShapeString())
		}
	}
}

func TestSparseMisuse(t *testing.T) {
	in := []optest.Input{{Name: "ids", DType: op.Int32, Shape: []op.Dim{op.Batch}}, {Name: "values", Shape: []op.Dim{op.Batch, 3}}}
	rows := func(then func(*op.Node) *op.Node, shape ...op.Dim) optest.Build {
		return optest.Binary(func(ids, values *op.Node) *op.Node { return then(op.SparseRows(shape, ids, values, -1)) })
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: in, Build: rows(op.Densify, 5, 4), Want: `op.SparseRows: rows (batch, 3) with ids (batch,) do not fit into (5, 4)`},
		{In: in, Build: rows(op.Densify, 5), Want: `op.SparseRows: rows (batch, 3) with ids (batch,) do not fit into (5,)`},
		{In: in, Build: optest.Binary(func(_, values *op.Node) *op.Node { return op.MergeRows(values) }), Want: `op.MergeRows: input "values" is dense, want a sparse value`},
		{In: []optest.Input{{Name: "ids", DType: op.Float32, Shape: []op.Dim{op.Batch}}, in[1]}, Build: rows(op.Densify, 5, 3), Want: `op.SparseRows: input "ids" has type float32, want int32 or int64`},
		{In: []optest.Input{{DType: op.Int32, Shape: []op.Dim{2}, Values: []float64{1, 5}}, optest.Float(2, 3)}, Build: rows(op.Densify, 5, 3), Want: `op.Densify: input "x0": element 1 is 5, want 0 to 4`},
	}})
}

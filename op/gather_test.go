package op_test

import (
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// lookup is the reference of GatherRows.
func lookup(padding int) func([]optest.Array) []optest.Array {
	return func(in []optest.Array) []optest.Array {
		table, ids := in[0], in[1]
		out := optest.NewArray(append(append([]int{}, ids.Shape...), table.Shape[1:]...)...)
		each(out.Shape, func(at []int) {
			id := int(ids.At(at[:len(ids.Shape)]...))
			if id != padding {
				out.Set(table.At(append([]int{id}, at[len(ids.Shape):]...)...), at...)
			}
		})
		return []optest.Array{out}
	}
}

func gatherWith(padding int64) optest.Build {
	return optest.Binary(func(table, ids *op.Node) *op.Node { return op.GatherRows(table, ids, padding) })
}

func TestGatherRows(t *testing.T) {
	long := func(shape ...op.Dim) optest.Input { return optest.Input{DType: op.Int64, Shape: shape, High: 6} }
	for name, c := range map[string]struct {
		table   []op.Dim
		ids     optest.Input
		padding int
		batches []int
	}{
		"vector of ids":       {[]op.Dim{6, 3}, optest.Int(6, op.Batch), -1, []int{4, 9, 1}},
		"matrix of ids":       {[]op.Dim{6, 3}, optest.Int(6, op.Batch, 2), -1, nil},
		"one id":              {[]op.Dim{6, 3}, optest.Int(6), -1, nil},
		"int64":               {[]op.Dim{6, 3}, long(op.Batch), -1, nil},
		"padding":             {[]op.Dim{6, 3}, optest.Int(6, op.Batch, 3), 2, nil},
		"padding 0":           {[]op.Dim{6, 3}, long(op.Batch, 4), 0, nil},
		"rows of two axes":    {[]op.Dim{6, 2, 2}, optest.Int(6, op.Batch), 5, nil},
		"rows of one number":  {[]op.Dim{6}, optest.Int(6, op.Batch, 2), -1, nil},
		"a table of the run":  {[]op.Dim{optest.Length, 2}, optest.Int(3, op.Batch), -1, nil},
		"no ids":              {[]op.Dim{6, 3}, optest.Int(6, op.Batch), -1, []int{0, 2, 0}},
		"rows without number": {[]op.Dim{6, 0}, optest.Int(6, op.Batch), -1, nil},
	} {
		optest.Check(t, optest.Case{
			Name: name, In: []optest.Input{optest.Float(c.table...), c.ids},
			Build: gatherWith(int64(c.padding)), Reference: lookup(c.padding), Batches: c.batches,
		})
	}
}

func TestGatherRowsByHand(t *testing.T) {
	table := optest.Given([]float64{1, 2, 3, 4, 5, 6}, 3, 2)
	ids := optest.Input{DType: op.Int32, Shape: []op.Dim{4}, Values: []float64{2, 0, 2, 1}}
	optest.Check(t,
		optest.Case{Name: "repeated ids add up", In: []optest.Input{table, ids}, Build: gatherWith(-1),
			Want: [][]float64{{5, 6, 1, 2, 5, 6, 3, 4}}, WantGrad: [][]float64{{1, 1, 1, 1, 2, 2}}},
		optest.Case{Name: "padding gives zeros and gets no gradient", In: []optest.Input{table, ids}, Build: gatherWith(2),
			Want: [][]float64{{0, 0, 1, 2, 0, 0, 3, 4}}, WantGrad: [][]float64{{1, 1, 1, 1, 0, 0}}},
		optest.Case{Name: "two lookups in one table", In: []optest.Input{table, ids}, Build: optest.Binary(func(table, ids *op.Node) *op.Node {
			return op.Add(op.GatherRows(table, ids, -1), op.GatherRows(table, op.Cast(ids, op.Int64), -1))
		}), Want: [][]float64{{10, 12, 2, 4, 10, 12, 6, 8}}, WantGrad: [][]float64{{2, 2, 2, 2, 4, 4}}},
		optest.Case{Name: "lookups with two paddings", In: []optest.Input{table, ids}, Build: optest.Binary(func(table, ids *op.Node) *op.Node {
			return op.Add(op.GatherRows(table, ids, 0), op.GatherRows(table, ids, 1))
		}), WantGrad: [][]float64{{1, 1, 1, 1, 4, 4}}},
		optest.Case{Name: "a table that is read densely too", In: []optest.Input{table, ids}, Build: optest.Binary(func(table, ids *op.Node) *op.Node {
			return op.Add(op.Sum(op.GatherRows(table, ids, -1)), op.Sum(op.MulConst(table, 10)))
		}), WantGrad: [][]float64{{11, 11, 11, 11, 12, 12}}},
		optest.Case{Name: "rows of rows", In: []optest.Input{table, ids}, Build: optest.Binary(func(table, ids *op.Node) *op.Node {
			return op.GatherRows(op.GatherRows(table, ids, -1), ids, -1)
		}), Want: [][]float64{{5, 6, 5, 6, 5, 6, 1, 2}}, WantGrad: [][]float64{{1, 1, 0, 0, 3, 3}}},
	)
}

func TestE02IdOutOfRange(t *testing.T) {
	in := func(d op.DType, ids ...float64) []optest.Input {
		return []optest.Input{{Name: "table", Shape: []op.Dim{4, 2}}, {Name: "ids", DType: d, Shape: []op.Dim{op.Dim(len(ids))}, Values: ids}}
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: in(op.Int32, 0, 4), Build: gatherWith(-1), Want: `op.GatherRows: input "ids": element 1 is 4, want 0 to 3`},
		{In: in(op.Int32, -1), Build: gatherWith(-1), Want: `op.GatherRows: input "ids": element 0 is -1, want 0 to 3`},
		{In: in(op.Int64, 1, 2, -1), Build: gatherWith(0), Want: `op.GatherRows: input "ids": element 2 is -1, want 0 to 3`},
		{In: in(op.Int64, 1<<40), Build: gatherWith(0), Want: `op.GatherRows: input "ids": element 0 is 1099511627776, want 0 to 3`},
		{In: in(op.Float64, 1), Build: gatherWith(0), Want: `op.GatherRows: input "ids" has type float64, want int32 or int64`},
		{In: in(op.Int32, 1), Build: gatherWith(4), Want: `op.GatherRows: padding id 4, want one below 4`},
		{In: []optest.Input{{Name: "table", Shape: []op.Dim{}}, optest.Int(3, 2)}, Build: gatherWith(-1), Want: `op.GatherRows: input "table" has shape (), want at least one axis`},
	}})
}

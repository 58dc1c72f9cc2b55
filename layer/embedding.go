package layer

import "paddle/op"

// Embedding looks up rows of a table by id. ids are Int32 or Int64 of any shape, from 0 to Vocabulary−1, and the result has their
// shape followed by Width. An id outside of the table is an error of the run that names its position and value. The
// gradient is sparse: it has a row for each id that occurs.
type Embedding struct {
	Vocabulary int // number of ids
	Width      int // of a row

	// Padding is an id that stands for nothing: it always gives the zero vector, whatever the table holds, and its row of the table
	// gets no gradient. nil means that there is none.
	Padding *int

	DType op.DType // of the table; the zero value is Float32

	Weight *op.Parameter // table (Vocabulary, Width), by default Xavier uniform, with zeros in the row of Padding

	_ noCopy
}

// Forward builds the layer on ids.
func (l *Embedding) Forward(ids *op.Node) *op.Node {
	s := op.Enter(l, ids)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	padding, dtype := -1, l.DType
	if dtype == op.InvalidDType {
		dtype = op.Float32
	}
	var init op.Init = op.InitXavier{}
	if l.Padding != nil {
		padding = *l.Padding
		init = exceptRow{init, padding}
	}
	switch {
	case l.Vocabulary < 1 || l.Width < 1:
		return s.Fail("a table of %d rows of width %d, want 1 or more of both", l.Vocabulary, l.Width)
	case !dtype.IsFloat():
		return s.Fail("a table of %v, want a floating-point type", dtype)
	case l.Padding != nil && (padding < 0 || padding >= l.Vocabulary):
		return s.Fail("padding id %d, want one from 0 to %d", padding, l.Vocabulary-1)
	}
	return op.GatherRows(s.Parameter("Weight", l.Weight, dtype, init, l.Vocabulary, l.Width), ids, int64(padding))
}

// exceptRow fills as another Init does, but one row with zeros.
type exceptRow struct {
	op.Init
	row int
}

// Fill implements op.Init.
func (i exceptRow) Fill(b op.Backend, key op.Key, y op.Buffer, offset int, global []int) {
	i.Init.Fill(b, key, y, offset, global)
	if at := i.row - offset; at >= 0 && at < y.Shape[0] {
		b.Fill(y.Rows(at, at+1, make([]int, len(y.Shape))), 0)
	}
}

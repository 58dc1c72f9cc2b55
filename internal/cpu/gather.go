package cpu

import (
	"paddle/internal/kernel"
	"paddle/op"
)

// gatherTasks are the tasks of Gather, ScatterAdd and MergeRows.
type gatherTasks struct {
	gather  gatherTask
	scatter scatterTask
	merge   mergeTask
}

// checkIDs returns a RangeError for the first id outside of [0, limit), but for the id pass where passes is true.
func checkIDs[I kernel.ID](ids []I, limit int, pass int64, passes bool) error {
	for i := kernel.Outside(ids, limit, 0); i < len(ids); i = kernel.Outside(ids, limit, i+1) {
		if v := int64(ids[i]); !passes || v != pass {
			return &op.RangeError{Row: i, Value: v, Limit: limit}
		}
	}
	return nil
}

// rowWidth returns how many elements a row of b has: the product of all axes but the first.
func rowWidth(b op.Buffer) int { return product(b.Shape[1:]) }

// gatherTask copies rows of a table.
type gatherTask struct {
	padding       int64
	table, ids, y op.Buffer
	bytes         int // of a row
	span          span
}

// Gather implements op.Backend. The padding id may lie outside of the table.
func (b *Backend) Gather(padding int64, table, ids, y op.Buffer) (err error) {
	rows, pads := table.Shape[0], padding >= 0
	if ids.DType == op.Int32 {
		err = checkIDs(ids.Int32s(), rows, padding, pads)
	} else {
		err = checkIDs(ids.Int64s(), rows, padding, pads)
	}
	if err != nil {
		return err
	}
	t := &b.gather
	width := rowWidth(table)
	*t = gatherTask{padding, table, ids, y, width * table.DType.Size(), rowSpan(ids.Len(), width, heavyGrain)}
	b.run(t.span.parts(), t)
	*t = gatherTask{}
	return nil
}

// Do computes one part.
func (t *gatherTask) Do(part int) {
	lo, hi := t.span.bounds(part)
	y := t.y.Bytes()[lo*t.bytes : hi*t.bytes]
	if t.ids.DType == op.Int32 {
		kernel.Gather(t.padding, t.bytes, t.table.Bytes(), t.ids.Int32s()[lo:hi], y)
	} else {
		kernel.Gather(t.padding, t.bytes, t.table.Bytes(), t.ids.Int64s()[lo:hi], y)
	}
}

// scatterTask adds rows to the rows that ids name. Each part looks at all ids and heeds those of its own rows, every parts-th one, so that
// each row has one part that adds to it, in order.
type scatterTask struct {
	scatter      kernel.Scatter
	ids, rows, y op.Buffer
}

// ScatterAdd implements op.Backend. Ids outside of y are passed over: the Gather that they belong to has refused them.
func (b *Backend) ScatterAdd(padding int64, ids, rows, y op.Buffer) {
	const mostParts = 16
	width, parts := rowWidth(y), 1
	for parts < min(mostParts, width/2) && ids.Len()*width > parts*heavyGrain {
		parts *= 2
	}
	t := &b.scatter
	*t = scatterTask{kernel.Scatter{Padding: padding, Width: width, Parts: parts}, ids, rows, y}
	b.run(parts, t)
	*t = scatterTask{}
}

// Do computes one part.
func (t *scatterTask) Do(part int) {
	if t.y.DType == op.Float32 {
		scatterPart[float32](t, part)
	} else {
		scatterPart[float64](t, part)
	}
}

func scatterPart[T kernel.Float](t *scatterTask, part int) {
	s := t.scatter
	s.Part = part
	if t.ids.DType == op.Int32 {
		kernel.ScatterAdd(s, t.ids.Int32s(), elements[T](t.rows), elements[T](t.y))
	} else {
		kernel.ScatterAdd(s, t.ids.Int64s(), elements[T](t.rows), elements[T](t.y))
	}
}

// mergeTask sums the rows of equal ids.
type mergeTask struct {
	groups          kernel.Groups
	ids, rows       op.Buffer
	outIDs, outRows op.Buffer
	width           int
	span            span // of groups
}

// MergeRows implements op.Backend. What lies in outIDs and outRows beyond the count is left alone.
func (b *Backend) MergeRows(padding int64, ids, rows, outIDs, outRows op.Buffer) (count int) {
	t := &b.merge
	if ids.DType == op.Int32 {
		count = kernel.Group(&t.groups, padding, ids.Int32s())
	} else {
		count = kernel.Group(&t.groups, padding, ids.Int64s())
	}
	t.ids, t.rows, t.outIDs, t.outRows = ids, rows, outIDs, outRows
	t.width = rowWidth(rows)
	t.span = rowSpan(count, t.width, heavyGrain)
	b.run(t.span.parts(), t)
	t.ids, t.rows, t.outIDs, t.outRows = op.Buffer{}, op.Buffer{}, op.Buffer{}, op.Buffer{}
	return count
}

// Do computes one part.
func (t *mergeTask) Do(part int) {
	if t.rows.DType == op.Float32 {
		mergePart[float32](t, part)
	} else {
		mergePart[float64](t, part)
	}
}

func mergePart[T kernel.Float](t *mergeTask, part int) {
	lo, hi := t.span.bounds(part)
	if t.ids.DType == op.Int32 {
		kernel.SumGroups(&t.groups, lo, hi, t.width, elements[T](t.rows), t.outIDs.Int32s(), elements[T](t.outRows))
	} else {
		kernel.SumGroups(&t.groups, lo, hi, t.width, elements[T](t.rows), t.outIDs.Int64s(), elements[T](t.outRows))
	}
}

package datasets

import (
	"fmt"
	"maps"
	"slices"

	"paddle/op"
)

// Stack makes one batch of records: under each name the records' tensors, of the same shape (…) and type, along a new first axis,
// (len(records), …). Its usual place is a Map behind a Batch of records that were read one by one. Tensors are copied. It is an error
// when there are no records, or when their names, shapes or types differ.
func Stack(records []op.Feeds) (op.Feeds, error) {
	if len(records) == 0 {
		return nil, fmt.Errorf("datasets.Stack: there are no records")
	}
	for i, record := range records {
		if len(record) != len(records[0]) {
			return nil, fmt.Errorf("datasets.Stack: record %d has inputs %q, want %q", i, names(record), names(records[0]))
		}
	}
	batch := make(op.Feeds, len(records[0]))
	for _, name := range names(records[0]) {
		column, err := stackColumn(records, name)
		if err != nil {
			return nil, fmt.Errorf("datasets.Stack: %w", err)
		}
		batch[name] = column.Dense()
	}
	return batch, nil
}

func stackColumn(records []op.Feeds, name string) (column op.Buffer, err error) {
	for i, record := range records {
		t, ok := record[name]
		if !ok {
			return column, fmt.Errorf("record %d has inputs %q, want %q", i, names(record), names(records[0]))
		}
		b, err := op.Contiguous(t)
		if err != nil {
			return column, fmt.Errorf("%q of record %d: %w", name, i, err)
		}
		if i == 0 {
			column = op.NewBuffer(b.DType, append([]int{len(records)}, b.Shape...)...)
		}
		if b.DType != column.DType || !slices.Equal(b.Shape, column.Shape[1:]) {
			return column, fmt.Errorf("%q of record %d is %s of shape %s, want %s of shape %s",
				name, i, b.DType, shapeText(b.Shape), column.DType, shapeText(column.Shape[1:]))
		}
		size := len(b.Bytes())
		copy(column.Bytes()[i*size:], b.Bytes())
	}
	return column, nil
}

// names returns the names of f, sorted.
func names(f op.Feeds) []string { return slices.Sorted(maps.Keys(f)) }

// shapeText returns a shape as errors print it, such as (4, 3).
func shapeText(shape []int) string {
	text := "("
	for i, d := range shape {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(d)
	}
	return text + ")"
}

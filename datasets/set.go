package datasets

import (
	"fmt"

	"paddle/op"
)

// Set is a set of records in memory: one array for each named input, whose first axis is the record. It never changes, so it may
// be read from many goroutines.
type Set struct {
	names   []string    // sorted
	columns []op.Buffer // by the index of names
	records int
}

// NewSet returns the set whose inputs are columns: tensors (records, …) that all have the same number of records. A tensor whose
// elements lie in row-major order is used in place, and must not be written to from then on; a strided view is copied.
func NewSet(columns op.Feeds) (*Set, error) {
	if len(columns) == 0 {
		return nil, fmt.Errorf("datasets.NewSet: there are no columns")
	}
	s := &Set{}
	for _, name := range names(columns) {
		b, err := op.Contiguous(columns[name])
		if err != nil {
			return nil, fmt.Errorf("datasets.NewSet: %q: %w", name, err)
		}
		if len(b.Shape) == 0 {
			return nil, fmt.Errorf("datasets.NewSet: %q is a scalar, want a first axis of records", name)
		}
		if len(s.names) > 0 && b.Shape[0] != s.records {
			return nil, fmt.Errorf("datasets.NewSet: %q has %d records, %q has %d", name, b.Shape[0], s.names[0], s.records)
		}
		s.add(name, b)
	}
	return s, nil
}

// add appends a column; names must come in order.
func (s *Set) add(name string, column op.Buffer) {
	s.names, s.columns = append(s.names, name), append(s.columns, column)
	s.records = column.Shape[0]
}

// Len returns the number of records.
func (s *Set) Len() int { return s.records }

// Slice returns the records lo to hi−1 as a set that shares the memory of s, such as the part held out for validation.
func (s *Set) Slice(lo, hi int) (*Set, error) {
	if lo < 0 || hi < lo || hi > s.records {
		return nil, fmt.Errorf("datasets.Set.Slice: records %d to %d of %d", lo, hi, s.records)
	}
	part := &Set{}
	for i, name := range s.names {
		part.add(name, rows(s.columns[i], lo, hi))
	}
	return part, nil
}

// Gather returns a batch of the records at the given indices, in their order, in memory of its own.
func (s *Set) Gather(index ...int) (op.Feeds, error) {
	if len(index) == 0 {
		return nil, fmt.Errorf("datasets.Set.Gather: there are no indices")
	}
	for _, i := range index {
		if i < 0 || i >= s.records {
			return nil, fmt.Errorf("datasets.Set.Gather: index %d of %d records", i, s.records)
		}
	}
	b := s.newBatch(len(index))
	b.gather(s, index)
	return b.feeds, nil
}

// A batch is memory for some records of a set, with the tensors over it.
type batch struct {
	columns []op.Buffer
	feeds   op.Feeds
}

// newBatch returns memory for n ≥ 1 records.
func (s *Set) newBatch(n int) *batch {
	columns := make([]op.Buffer, len(s.columns))
	for i, c := range s.columns {
		columns[i] = op.NewBuffer(c.DType, append([]int{n}, c.Shape[1:]...)...)
	}
	return s.batchOver(columns)
}

// view returns the records lo to hi−1, at least one, where they lie.
func (s *Set) view(lo, hi int) *batch {
	columns := make([]op.Buffer, len(s.columns))
	for i, c := range s.columns {
		columns[i] = rows(c, lo, hi)
	}
	return s.batchOver(columns)
}

func (s *Set) batchOver(columns []op.Buffer) *batch {
	b := &batch{columns: columns, feeds: make(op.Feeds, len(columns))}
	for i, name := range s.names {
		b.feeds[name] = columns[i].Dense()
	}
	return b
}

// gather copies the records at the given indices, as many as b has room for.
func (b *batch) gather(s *Set, index []int) {
	for k, column := range s.columns {
		from, to := column.Bytes(), b.columns[k].Bytes()
		size := len(to) / len(index)
		for i, at := range index {
			copy(to[i*size:(i+1)*size], from[at*size:])
		}
	}
}

// rows returns rows lo to hi−1 of a buffer.
func rows(b op.Buffer, lo, hi int) op.Buffer {
	if lo == hi {
		lo, hi = 0, 0 // no pointer behind the end of the memory
	}
	return b.Rows(lo, hi, make([]int, len(b.Shape)))
}

// pairSet makes a set of two columns whose names differ.
func pairSet(name string, column op.Buffer, other string, second op.Buffer) *Set {
	s := &Set{}
	if other < name {
		name, column, other, second = other, second, name, column
	}
	s.add(name, column)
	s.add(other, second)
	return s
}

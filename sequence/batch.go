package sequence

import (
	"fmt"
	"math"

	"gorgonia.org/tensor"

	"paddle/op"
)

// Element is a type that rows of sequences can consist of.
type Element interface {
	float32 | float64 | int32 | int64 | uint8 | bool
}

// Batch is a batch of sequences on the host: what Input is fed with.
type Batch struct {
	Rows    *tensor.Dense // (tokens, width…): the rows of all sequences, one sequence after another
	Lengths *tensor.Dense // (sequences) int32
}

// NewBatch copies sequences into a batch. Without width each element is a row, such as an id; with it, a row is that many elements
// under that shape, row-major, and each sequence must be a whole number of rows. Sequences may be empty or nil.
func NewBatch[T Element](sequences [][]T, width ...int) (Batch, error) {
	row := 1
	for _, n := range width {
		if n < 1 || n > math.MaxInt32/row {
			return Batch{}, fmt.Errorf("sequence.NewBatch: width %v, want sizes of 1 or more, of at most %d elements together", width, math.MaxInt32)
		}
		row *= n
	}
	total := 0
	lengths := make([]int32, len(sequences))
	for i, s := range sequences {
		if len(s)%row != 0 {
			return Batch{}, fmt.Errorf("sequence.NewBatch: sequence %d has %d elements, want a multiple of %d, the width of a row", i, len(s), row)
		}
		total += len(s)
		if total/row > math.MaxInt32 {
			return Batch{}, fmt.Errorf("sequence.NewBatch: more than %d rows", math.MaxInt32)
		}
		lengths[i] = int32(len(s) / row)
	}
	data := make([]T, 0, total)
	for _, s := range sequences {
		data = append(data, s...)
	}
	return Batch{dense(data, append([]int{total / row}, width...)...), dense(lengths, len(lengths))}, nil
}

// dense wraps data without a copy.
func dense[T Element](data []T, shape ...int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
}

// Feed adds the batch to f, which is not nil, for the Input of that name.
func (b Batch) Feed(f op.Feeds, name string) {
	f[name] = b.Rows
	f[name+".lengths"] = b.Lengths
}

// Feeds returns feeds that hold the batch under a name.
func (b Batch) Feeds(name string) op.Feeds {
	f := op.Feeds{}
	b.Feed(f, name)
	return f
}

// Cut divides rows that a program fetched (tokens, …) among the sequences of the given lengths (sequences) int32: Batch.Lengths where every
// token that was fed has a row, else Node.Lengths, fetched beside the rows. What it returns is rows' own memory: element i of the result
// has the elements of sequence i, row-major. There may be no sequences and no rows.
func Cut[T Element](rows, lengths *tensor.Dense) ([][]T, error) {
	if rows == nil || lengths == nil {
		return nil, fmt.Errorf("sequence.Cut: the rows or the lengths are nil")
	}
	b, err := op.Contiguous(rows)
	if err != nil {
		return nil, fmt.Errorf("sequence.Cut: %w", err)
	}
	data, ok := elements[T](b)
	if !ok {
		return nil, fmt.Errorf("sequence.Cut: rows of %v, want %T", b.DType, *new(T))
	}
	l, err := op.Contiguous(lengths)
	if err != nil {
		return nil, fmt.Errorf("sequence.Cut: lengths: %w", err)
	}
	if l.DType != op.Int32 || len(l.Shape) != 1 {
		return nil, fmt.Errorf("sequence.Cut: lengths are %v of shape %v, want int32 (sequences,)", l.DType, l.Shape)
	}
	return cut(data, b.Shape, l.Int32s())
}

// cut divides the elements of rows of the given shape.
func cut[T Element](data []T, shape []int, lengths []int32) ([][]T, error) {
	total := 0
	for i, n := range lengths {
		if n < 0 {
			return nil, fmt.Errorf("sequence.Cut: sequence %d has length %d, want 0 or more", i, n)
		}
		total += int(n)
	}
	if len(shape) == 0 || shape[0] != total {
		return nil, fmt.Errorf("sequence.Cut: rows have shape %v, want %d rows, the sum of the lengths", shape, total)
	}
	out := make([][]T, len(lengths))
	width := 1
	for _, n := range shape[1:] {
		width *= n
	}
	for i, n := range lengths {
		size := int(n) * width
		out[i], data = data[:size:size], data[size:]
	}
	return out, nil
}

// elements returns the elements of b where T is their type.
func elements[T Element](b op.Buffer) (out []T, ok bool) {
	var data any
	switch any(*new(T)).(type) {
	case float32:
		data, ok = b.Float32s(), b.DType == op.Float32
	case float64:
		data, ok = b.Float64s(), b.DType == op.Float64
	case int32:
		data, ok = b.Int32s(), b.DType == op.Int32
	case int64:
		data, ok = b.Int64s(), b.DType == op.Int64
	case uint8:
		data, ok = b.Uint8s(), b.DType == op.Uint8
	case bool:
		data, ok = b.Bools(), b.DType == op.Bool
	}
	if !ok {
		return nil, false
	}
	return data.([]T), true
}

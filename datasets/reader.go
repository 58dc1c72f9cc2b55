package datasets

import (
	"context"
	"fmt"
	"iter"
)

// Epochs is a training set: the pass over it of each epoch, counted from 0. The same epoch is the same pass every time, so that a
// resumed run goes on with the very batches that it would have seen.
type Epochs[T any] func(epoch int) iter.Seq2[T, error]

// Replay returns the Epochs whose every epoch is r, which must be one that can be read again.
func Replay[T any](r iter.Seq2[T, error]) Epochs[T] {
	return func(int) iter.Seq2[T, error] { return r }
}

// FromSlice reads the records of a slice, in order.
func FromSlice[T any](records []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, x := range records {
			if !yield(x, nil) {
				return
			}
		}
	}
}

// Collect returns the records of one pass over r. On an error it returns those before it too.
func Collect[T any](r iter.Seq2[T, error]) ([]T, error) {
	if r == nil {
		return nil, fmt.Errorf("datasets.Collect: the reader is nil")
	}
	var records []T
	for x, err := range r {
		if err != nil {
			return records, err
		}
		records = append(records, x)
	}
	return records, nil
}

// WithContext reads r until ctx is done, then yields ctx.Err(). It looks between two records; it cannot wake a source that blocks,
// which must heed ctx itself.
func WithContext[T any](ctx context.Context, r iter.Seq2[T, error]) iter.Seq2[T, error] {
	if r == nil {
		return failed[T]("datasets.WithContext: the reader is nil")
	}
	if ctx == nil {
		return failed[T]("datasets.WithContext: the context is nil")
	}
	return func(yield func(T, error) bool) {
		var zero T
		if err := ctx.Err(); err != nil {
			yield(zero, err)
			return
		}
		for x, err := range r {
			if err == nil && ctx.Err() != nil {
				x, err = zero, ctx.Err() // done while the record was read
			}
			if !yield(x, err) || err != nil {
				return
			}
			if err := ctx.Err(); err != nil {
				yield(zero, err)
				return
			}
		}
	}
}

// failed is the reader that yields one error and nothing else.
func failed[T any](format string, args ...any) iter.Seq2[T, error] {
	return failure[T](fmt.Errorf(format, args...))
}

func failure[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, err)
	}
}

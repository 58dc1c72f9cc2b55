package datasets

import (
	"fmt"
	"iter"
)

// Chain reads one reader after another.
func Chain[T any](readers ...iter.Seq2[T, error]) iter.Seq2[T, error] {
	for i, r := range readers {
		if r == nil {
			return failed[T]("datasets.Chain: reader %d is nil", i)
		}
	}
	return func(yield func(T, error) bool) {
		for _, r := range readers {
			for x, err := range r {
				if !yield(x, err) || err != nil {
					return
				}
			}
		}
	}
}

// Pair is a record of Zip.
type Pair[A, B any] struct {
	A A
	B B
}

// Zip reads two readers side by side and yields pairs. Both must have equally many records: otherwise it ends, after the last whole
// pair, with an error that says which ended first.
func Zip[A, B any](a iter.Seq2[A, error], b iter.Seq2[B, error]) iter.Seq2[Pair[A, B], error] {
	if a == nil || b == nil {
		return failed[Pair[A, B]]("datasets.Zip: a reader is nil")
	}
	return func(yield func(Pair[A, B], error) bool) {
		next, stop := iter.Pull2(b)
		defer stop()
		pairs := 0
		for x, err := range a {
			var y B
			ok := true
			if err == nil {
				y, err, ok = next()
			}
			if !ok {
				err = fmt.Errorf("datasets.Zip: the second reader ended after %d records, the first has more", pairs)
			}
			if err != nil {
				yield(Pair[A, B]{}, err)
				return
			}
			if !yield(Pair[A, B]{x, y}, nil) {
				return
			}
			pairs++
		}
		if _, err, ok := next(); ok {
			if err == nil {
				err = fmt.Errorf("datasets.Zip: the first reader ended after %d records, the second has more", pairs)
			}
			yield(Pair[A, B]{}, err)
		}
	}
}

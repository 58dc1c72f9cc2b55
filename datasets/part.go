package datasets

import "iter"

// First reads the first n records of r, all of them if there are fewer; it does not ask r for more. n < 0 is an error.
func First[T any](r iter.Seq2[T, error], n int) iter.Seq2[T, error] {
	if r == nil {
		return failed[T]("datasets.First: the reader is nil")
	}
	if n < 0 {
		return failed[T]("datasets.First: %d records, want at least 0", n)
	}
	return func(yield func(T, error) bool) {
		if n == 0 {
			return
		}
		taken := 0
		for x, err := range r {
			taken++
			if !yield(x, err) || err != nil || taken == n {
				return
			}
		}
	}
}

// Skip reads r without its first n records: with the number of batches taken, the rest of an epoch that was broken off. The
// skipped records are read and dropped; an error among them is yielded. n < 0 is an error.
func Skip[T any](r iter.Seq2[T, error], n int) iter.Seq2[T, error] {
	if r == nil {
		return failed[T]("datasets.Skip: the reader is nil")
	}
	if n < 0 {
		return failed[T]("datasets.Skip: %d records, want at least 0", n)
	}
	return func(yield func(T, error) bool) {
		seen := 0
		for x, err := range r {
			if seen++; seen <= n && err == nil {
				continue
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
	}
}

// Shard reads the records of r whose index is rank modulo n: the part of worker rank of n. The parts have every record once
// between them; their lengths differ by at most one, so workers that must take equally many steps put First(…, length/n) around it.
// An error of r is yielded by every shard. It is an error if not 0 ≤ rank < n.
func Shard[T any](r iter.Seq2[T, error], rank, n int) iter.Seq2[T, error] {
	if r == nil {
		return failed[T]("datasets.Shard: the reader is nil")
	}
	if rank < 0 || rank >= n {
		return failed[T]("datasets.Shard: rank %d of %d, want 0 ≤ rank < n", rank, n)
	}
	return func(yield func(T, error) bool) {
		next := 0 // index modulo n
		for x, err := range r {
			if next == rank || err != nil {
				if !yield(x, err) || err != nil {
					return
				}
			}
			if next++; next == n {
				next = 0
			}
		}
	}
}

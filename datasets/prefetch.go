package datasets

import "iter"

// maxAhead is the most records that Prefetch reads ahead.
const maxAhead = 1 << 20

// Prefetch reads r in a goroutine of its own, at most n records ahead of the consumer, so that reading and training overlap.
// The records and their order stay the same. With n = 0 there is no goroutine and r is read as it is; n < 0 and
// n > 1,048,576 are errors.
func Prefetch[T any](r iter.Seq2[T, error], n int) iter.Seq2[T, error] {
	switch {
	case r == nil:
		return failed[T]("datasets.Prefetch: the reader is nil")
	case n < 0:
		return failed[T]("datasets.Prefetch: %d records ahead, want at least 0", n)
	case n > maxAhead:
		return failed[T]("datasets.Prefetch: %d records ahead, want at most %d", n, maxAhead)
	case n == 0:
		return r
	}
	return func(yield func(T, error) bool) {
		ahead := make(chan T, n-1) // and one in the hand of the goroutine
		stop := make(chan struct{})
		var readErr error // set before ahead is closed
		go func() {
			defer close(ahead)
			drive("datasets.Prefetch", r, func(x T) bool {
				select {
				case ahead <- x:
					return true
				case <-stop:
					return false
				}
			}, &readErr)
		}()
		defer func() {
			close(stop)
			for range ahead { // until the goroutine is done
			}
		}()
		for x := range ahead {
			if !yield(x, nil) {
				return
			}
		}
		if readErr != nil {
			var zero T
			yield(zero, readErr)
		}
	}
}

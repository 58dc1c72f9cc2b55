package datasets

import (
	"fmt"
	"iter"
)

// BatchOptions says how records are gathered into batches. It is the same for Batch and Set.Shuffled.
type BatchOptions struct {
	// Size is the number of records in a batch, at least 1.
	Size int
	// DropLast leaves out the last batch when it has fewer than Size records. Otherwise it is kept as it is: nothing is padded.
	DropLast bool
	// Live is the number of batches whose memory stays as it was yielded. 0 gives every batch memory of its own. n > 0 uses the memory
	// of n batches in turn: a batch may be read until n−1 further batches have been taken and the next is asked for; Live: 1 suits a
	// loop that is done with a batch when its body ends, as a Trainer is. Under Prefetch(r, n) it must be at least n+1,
	// under Cache, Shuffle or Map with workers it must be 0.
	Live int
}

func (o BatchOptions) check(who string) error {
	switch {
	case o.Size < 1:
		return fmt.Errorf("%s: the batch size is %d, want at least 1", who, o.Size)
	case o.Live < 0:
		return fmt.Errorf("%s: Live is %d, want at least 0", who, o.Live)
	}
	return nil
}

// Batch gathers every o.Size records of r into a slice, in order. No records give no batches, and fewer than o.Size records give
// one batch of them all. An error of r ends the pass, without the batch that was being gathered.
func Batch[T any](r iter.Seq2[T, error], o BatchOptions) iter.Seq2[[]T, error] {
	if r == nil {
		return failed[[]T]("datasets.Batch: the reader is nil")
	}
	if err := o.check("datasets.Batch"); err != nil {
		return failure[[]T](err)
	}
	return func(yield func([]T, error) bool) {
		ring := make([][]T, max(o.Live, 1))
		batch, n := []T(nil), 0
		for x, err := range r {
			if err != nil {
				yield(nil, err)
				return
			}
			if batch = append(batch, x); len(batch) < o.Size {
				continue
			}
			if !yield(batch, nil) {
				return
			}
			if o.Live == 0 {
				batch = make([]T, 0, o.Size)
				continue
			}
			ring[n%o.Live] = batch
			n++
			batch = ring[n%o.Live][:0]
		}
		if len(batch) > 0 && !o.DropLast {
			yield(batch, nil)
		}
	}
}

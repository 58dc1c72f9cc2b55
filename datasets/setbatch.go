package datasets

import (
	"iter"

	"paddle/op"
)

// InOrder reads the set in batches of size records, in order, the last of which may be smaller: for evaluation and prediction.
// The batches are ready views of the set's memory, made once; they are shared by all passes and must not be written to.
func (s *Set) InOrder(size int) iter.Seq2[op.Feeds, error] {
	if err := (BatchOptions{Size: size}).check("datasets.Set.InOrder"); err != nil {
		return failure[op.Feeds](err)
	}
	var ready []op.Feeds
	for lo := 0; lo < s.records; {
		hi := lo + min(size, s.records-lo)
		ready = append(ready, s.view(lo, hi).feeds)
		lo = hi
	}
	return FromSlice(ready)
}

// Shuffled is the set in batches for training: every epoch has each record once, in an order drawn from seed and the epoch, the same as
// that of Shuffle. Records are copied into the batch's tensors; with o.Live > 0 these are used again and a step allocates nothing.
func (s *Set) Shuffled(seed uint64, o BatchOptions) Epochs[op.Feeds] {
	if err := o.check("datasets.Set.Shuffled"); err != nil {
		return Replay(failure[op.Feeds](err))
	}
	return func(epoch int) iter.Seq2[op.Feeds, error] {
		return func(yield func(op.Feeds, error) bool) {
			order := Random{Seed: seed, Epoch: epoch}.perm(s.records)
			memory := rotation{set: s, live: o.Live}
			for len(order) > 0 {
				n := min(o.Size, len(order))
				if n < o.Size && o.DropLast {
					return
				}
				b := memory.next(n)
				b.gather(s, order[:n])
				if !yield(b.feeds, nil) {
					return
				}
				order = order[n:]
			}
		}
	}
}

// A rotation hands out the memory of live batches in turn, or new memory each time if live is 0.
type rotation struct {
	set  *Set
	live int
	ring []*batch
	turn int
}

// next returns memory for n records. In one pass n is the same for every batch but the last.
func (r *rotation) next(n int) *batch {
	if len(r.ring) < r.live || r.live == 0 {
		b := r.set.newBatch(n)
		if r.live > 0 {
			r.ring = append(r.ring, b)
		}
		return b
	}
	b := r.ring[r.turn]
	r.turn = (r.turn + 1) % r.live
	return r.set.shortened(b, n)
}

// shortened returns the first n records of b's memory: b itself if it has no more.
func (s *Set) shortened(b *batch, n int) *batch {
	if n == b.columns[0].Shape[0] {
		return b
	}
	columns := make([]op.Buffer, len(b.columns))
	for i, c := range b.columns {
		columns[i] = rows(c, 0, n)
	}
	return s.batchOver(columns)
}

package datasets

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// LengthOptions says how sequences of different lengths are gathered into batches. Nothing is ever padded, whatever they say: they
// decide how much work a batch is, and how alike its lengths are.
type LengthOptions struct {
	// Size is the most sequences in a batch, 0 for no limit; Tokens the most tokens of all its sequences together, 0 for no limit. One
	// of the two is needed. A sequence that alone has more than Tokens is a batch of its own.
	Size, Tokens int
	// Pool is how many sequences at a time are sorted by length, longest first, before they are cut into batches: those of a batch then
	// have similar lengths, and its steps in time are fuller. 0 leaves the order as it is. Size·50 or so keeps a shuffled order random.
	Pool int
}

func (o LengthOptions) check(who string, lengths []int) error {
	switch {
	case o.Size < 0 || o.Tokens < 0 || o.Pool < 0:
		return fmt.Errorf("%s: Size is %d, Tokens %d, Pool %d, want 0 or more", who, o.Size, o.Tokens, o.Pool)
	case o.Size == 0 && o.Tokens == 0:
		return fmt.Errorf("%s: Size and Tokens are 0, want a limit", who)
	}
	for i, n := range lengths {
		if n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("%s: sequence %d has length %d, want 0 to %d", who, i, n, math.MaxInt32)
		}
	}
	return nil
}

// LengthBatches deals out sequences, whose lengths are given, to batches: it reads the indices of each batch's sequences. Sequences
// come in their order, and with o.Pool sorted within each pool; every sequence is in one batch.
func LengthBatches(lengths []int, o LengthOptions) iter.Seq2[[]int, error] {
	if err := o.check("datasets.LengthBatches", lengths); err != nil {
		return failure[[]int](err)
	}
	order := make([]int, len(lengths))
	for i := range order {
		order[i] = i
	}
	return FromSlice(o.cut(order, lengths))
}

// ShuffledLengthBatches is LengthBatches for training: every epoch has each sequence once, in an order drawn from seed and the epoch.
// With o.Pool the order of the batches is drawn as well, so that it does not follow the lengths.
func ShuffledLengthBatches(lengths []int, seed uint64, o LengthOptions) Epochs[[]int] {
	if err := o.check("datasets.ShuffledLengthBatches", lengths); err != nil {
		return Replay(failure[[]int](err))
	}
	return func(epoch int) iter.Seq2[[]int, error] {
		r := Random{Seed: seed, Epoch: epoch}.order()
		batches := o.cut(r.Perm(len(lengths)), lengths)
		if o.Pool > 0 {
			r.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
		}
		return FromSlice(batches)
	}
}

// cut sorts pools of order and cuts it into batches, which share its memory.
func (o LengthOptions) cut(order, lengths []int) (batches [][]int) {
	pool := o.Pool
	if pool == 0 {
		pool = max(len(order), 1)
	}
	for part := range slices.Chunk(order, pool) {
		if o.Pool > 0 {
			slices.SortStableFunc(part, func(a, b int) int { return cmp.Compare(lengths[b], lengths[a]) })
		}
		for len(part) > 0 {
			n := o.fit(part, lengths)
			batches = append(batches, part[:n:n])
			part = part[n:]
		}
	}
	return batches
}

// fit returns how many of the sequences of part, one or more, make up the next batch.
func (o LengthOptions) fit(part, lengths []int) int {
	tokens := 0
	for n, i := range part {
		tokens += lengths[i]
		if n > 0 && (o.Size > 0 && n >= o.Size || o.Tokens > 0 && tokens > o.Tokens) {
			return n
		}
	}
	return len(part)
}

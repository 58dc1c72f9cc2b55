package datasets

import (
	"fmt"
	"iter"
	"math/rand/v2"
)

// MapOptions says where and how Map calls its function.
type MapOptions struct {
	// Workers is the number of goroutines that call the function at the same time; 0 calls it in the goroutine of the range statement.
	// The results are the same for every number.
	Workers int
	// Unordered yields results as workers finish them; otherwise they come in the order of their records.
	Unordered bool
	// Random gives each record its own stream of random numbers, from the seed, the epoch and the record's index.
	Random Random
	// Start is the index of r's first record. It is 0 for a whole pass; after Skip(r, n) it is n, so that a resumed epoch gives every
	// record the numbers that it would have had.
	Start int
}

// Map calls f with each record of r and yields what it returns. rng is the record's own stream of random numbers, for augmentation
// and sampling; it may be used during the call only. With workers f must be safe to call from several goroutines.
//
// An error or a panic of f ends the pass with an error that names the record's index; in order, every result before it is yielded first.
// An error of r is yielded after the results of the records before it.
func Map[T, U any](r iter.Seq2[T, error], f func(rng *rand.Rand, x T) (U, error), o MapOptions) iter.Seq2[U, error] {
	switch {
	case r == nil:
		return failed[U]("datasets.Map: the reader is nil")
	case f == nil:
		return failed[U]("datasets.Map: the function is nil")
	case o.Workers < 0:
		return failed[U]("datasets.Map: Workers is %d, want at least 0", o.Workers)
	}
	if o.Workers > 0 {
		return func(yield func(U, error) bool) { newPool(f, o).run(r, yield) }
	}
	return func(yield func(U, error) bool) {
		c := newCaller(f, o.Random)
		i := o.Start
		for x, err := range r {
			var y U
			if err == nil {
				c.call(i, x, &y, &err)
			}
			if !yield(y, err) || err != nil {
				return
			}
			i++
		}
	}
}

// A caller calls the function of a Map, with random numbers by index. It is used by one goroutine.
type caller[T, U any] struct {
	f      func(*rand.Rand, T) (U, error)
	random Random
	source *rand.PCG
	rng    *rand.Rand
}

func newCaller[T, U any](f func(*rand.Rand, T) (U, error), random Random) *caller[T, U] {
	source := rand.NewPCG(0, 0)
	return &caller[T, U]{f: f, random: random, source: source, rng: rand.New(source)}
}

// call sets *y and *err to the result of record i; *err also tells of a panic.
func (c *caller[T, U]) call(i int, x T, y *U, err *error) {
	finished := false
	where := func() string { return fmt.Sprintf("datasets.Map: record %d", i) }
	defer rescue(&finished, err, where)
	c.random.seed(c.source, useSample, i)
	out, e := c.f(c.rng, x)
	if finished = true; e != nil {
		*err = fmt.Errorf("%s: %w", where(), e)
		return
	}
	*y = out
}

package datasets

import "math/rand/v2"

// Random selects random numbers by a run's seed and the epoch. What is drawn from it depends on these two and on the index of a
// record only, so that it is the same with any number of workers and after a resume, and another in the next epoch.
type Random struct {
	Seed  uint64
	Epoch int
}

// The uses of a Random, so that the order of the records and their augmentation do not share numbers.
const (
	useOrder  = iota + 1 // Shuffle, ShuffleWindow, Set.Shuffled
	useSample            // Map, Blobs, Digits
)

// Sample returns the stream of random numbers of the record at index, the one that Map gives to its function.
func (r Random) Sample(index int) *rand.Rand {
	return rand.New(r.source(useSample, index))
}

// order returns the stream that orders the records of the epoch.
func (r Random) order() *rand.Rand { return rand.New(r.source(useOrder, 0)) }

// perm returns the numbers 0 to n−1 in the order of the epoch.
func (r Random) perm(n int) []int { return r.order().Perm(n) }

func (r Random) source(use, index int) *rand.PCG {
	p := rand.NewPCG(0, 0)
	r.seed(p, use, index)
	return p
}

// seed sets p to the start of the stream of (seed, epoch, use, index).
func (r Random) seed(p *rand.PCG, use, index int) {
	h := absorb(absorb(absorb(0, r.Seed), uint64(r.Epoch)), uint64(index))
	p.Seed(h, absorb(h, uint64(use)))
}

// absorb mixes v into h: the output function of SplitMix64 (Steele, Lea and Flood, 2014), one to one in v.
func absorb(h, v uint64) uint64 {
	z := (h ^ v) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

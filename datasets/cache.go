package datasets

import (
	"iter"
	"sync"
)

// Cache keeps the records of the first complete pass over r in memory, all of them, and reads later passes from there. A pass that
// was broken off or ended with an error keeps nothing, and the next one reads r again. The records are shared by all passes:
// they must not be written to, and r must not use their memory again. Several passes may run at the same time.
func Cache[T any](r iter.Seq2[T, error]) iter.Seq2[T, error] {
	if r == nil {
		return failed[T]("datasets.Cache: the reader is nil")
	}
	var mu sync.Mutex
	var kept iter.Seq2[T, error]
	return func(yield func(T, error) bool) {
		mu.Lock()
		ready := kept
		mu.Unlock()
		if ready != nil {
			ready(yield)
			return
		}
		var records []T
		for x, err := range r {
			if err == nil {
				records = append(records, x)
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
		mu.Lock()
		kept = FromSlice(records)
		mu.Unlock()
	}
}

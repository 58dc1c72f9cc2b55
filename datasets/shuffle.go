package datasets

import "iter"

// Shuffle reads every record of a slice once, in an order that is drawn uniformly from all orders by random. The slice is left
// as it is. To shuffle what is too large to hold, shuffle its names, positions or indices, and read them with Map.
func Shuffle[T any](records []T, random Random) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, i := range random.perm(len(records)) {
			if !yield(records[i], nil) {
				return
			}
		}
	}
}

// ShuffleWindow reads every record of a stream once, each drawn at random from a window of the next records: the window is filled, and
// a record that is taken makes room for the next one of r. It mixes near neighbours only; a window as large as the stream shuffles
// fully. A window under 1 is an error.
func ShuffleWindow[T any](r iter.Seq2[T, error], window int, random Random) iter.Seq2[T, error] {
	if r == nil {
		return failed[T]("datasets.ShuffleWindow: the reader is nil")
	}
	if window < 1 {
		return failed[T]("datasets.ShuffleWindow: the window is %d, want at least 1", window)
	}
	return func(yield func(T, error) bool) {
		var held []T
		rng := random.order()
		for x, err := range r {
			if err != nil {
				yield(x, err)
				return
			}
			if len(held) < window {
				held = append(held, x)
				continue
			}
			i := rng.IntN(window)
			x, held[i] = held[i], x
			if !yield(x, nil) {
				return
			}
		}
		for n := len(held); n > 0; n-- {
			i := rng.IntN(n)
			x := held[i]
			held[i] = held[n-1]
			if !yield(x, nil) {
				return
			}
		}
	}
}

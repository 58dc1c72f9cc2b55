package kernel

// Block describes rows of elements to be copied: element (r, c) goes from x[r·FromRow + c·FromCol] to y[r·ToRow + c·ToCol], counted from
// the places that CopyBlock is given.
type Block struct {
	Rows, Cols       int
	FromRow, FromCol int
	ToRow, ToCol     int
}

// tile is the side of the squares in which a block is copied whose elements lie apart in x or y, so that the cache lines of both
// stay at hand until they are used up.
const tile = 32

// CopyBlock copies a block whose first element is x[from], to y[to].
func CopyBlock[T any](k Block, x, y []T, from, to int) {
	switch {
	case k.ToCol == 1 && k.FromCol == 1:
		for r := range k.Rows {
			copy(y[to+r*k.ToRow:][:k.Cols], x[from+r*k.FromRow:])
		}
	case k.ToCol == 1 && k.FromCol == 0:
		for r := range k.Rows {
			Fill(y[to+r*k.ToRow:][:k.Cols], x[from+r*k.FromRow])
		}
	case k.ToCol == 1 && k.FromRow == 1 && k.FromCol > 0 && k.ToRow > 0:
		for c := 0; c < k.Cols; c += tile {
			Turn(min(tile, k.Cols-c), k.Rows, x[from+c*k.FromCol:], k.FromCol, y[to+c:], k.ToRow)
		}
	default:
		for r := 0; r < k.Rows; r += tile {
			for c := 0; c < k.Cols; c += tile {
				t := k
				t.Rows, t.Cols = min(tile, k.Rows-r), min(tile, k.Cols-c)
				copyTile(t, x, y, from+r*k.FromRow+c*k.FromCol, to+r*k.ToRow+c*k.ToCol)
			}
		}
	}
}

// copyTile copies a block element by element.
func copyTile[T any](k Block, x, y []T, from, to int) {
	for range k.Rows {
		f, t := from, to
		for range k.Cols {
			y[t] = x[f]
			f += k.FromCol
			t += k.ToCol
		}
		from += k.FromRow
		to += k.ToRow
	}
}

// Fill sets every element of y to v: a few one by one, and the others by copying those.
func Fill[T any](y []T, v T) {
	const few, block = 32, 4096
	n := min(few, len(y))
	for i := range y[:n] {
		y[i] = v
	}
	for n < len(y) {
		n += copy(y[n:], y[:min(n, block)])
	}
}

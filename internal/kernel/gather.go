package kernel

// ID is the type of row numbers and labels.
type ID interface{ int32 | int64 }

// Outside returns the place of the first of the ids, from place at on, that is not in [0, limit); len(ids) if all are.
func Outside[I ID](ids []I, limit, at int) int {
	for ; at < len(ids); at++ {
		if uint64(ids[at]) >= uint64(limit) {
			return at
		}
	}
	return at
}

// Gather copies row ids[i] of table, width bytes, to row i of y. The rows of the id padding become zero; none if it is negative.
func Gather[I ID](padding int64, width int, table []byte, ids []I, y []byte) {
	for i, id := range ids {
		if i%RowsAhead == 0 {
			AskForRows(table, width, Ahead(ids, i))
		}
		to := y[i*width:][:width]
		if padding >= 0 && int64(id) == padding {
			clear(to)
		} else {
			copy(to, table[int(id)*width:])
		}
	}
}

// Scatter describes ScatterAdd: which of the ids to heed, and the elements of a row.
type Scatter struct {
	Padding     int64 // the id whose rows are passed over; none if negative
	Width       int
	Part, Parts int // only ids that leave the remainder Part when divided by Parts, a power of two
}

// ScatterAdd adds row i of rows to row ids[i] of y, in the order of i. Ids that name no row of y are passed over.
func ScatterAdd[I ID, T Float](s Scatter, ids []I, rows, y []T) {
	if s.Width == 0 {
		return
	}
	height, mask := uint64(len(y)/s.Width), uint64(s.Parts-1)
	for i, id := range ids {
		n := uint64(id)
		if n >= height || n&mask != uint64(s.Part) || s.Padding >= 0 && int64(id) == s.Padding {
			continue
		}
		to := y[int(n)*s.Width:][:s.Width]
		Add(to, rows[i*s.Width:][:s.Width], to)
	}
}

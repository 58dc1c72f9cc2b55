package kernel

// Groups lists rows by their ids: ascending, and the rows of equal ids in their order. It keeps its memory from use to use.
type Groups struct {
	entries, spare []groupEntry
	starts         []int // where each group begins in entries, and where the last one ends
	counts         [1 << digitBits]int
}

type groupEntry struct {
	id  int64
	row int
}

const (
	digitBits = 11
	fewIDs    = 48 // up to here insertion is faster than counting digits
)

// Group sorts the rows 0 to len(ids)−1 by their ids and returns how many distinct ids there are. The id padding is left out; a negative
// one leaves out nothing.
func Group[I ID](g *Groups, padding int64, ids []I) (groups int) {
	e := Grow(&g.entries, len(ids))[:0]
	for i, id := range ids {
		if padding < 0 || int64(id) != padding {
			e = append(e, groupEntry{int64(id), i})
		}
	}
	g.entries = e
	if len(e) <= fewIDs {
		sortByInsertion(e)
	} else {
		g.sortByDigits()
	}
	starts := Grow(&g.starts, len(e)+1)[:0]
	for i := range g.entries {
		if i == 0 || g.entries[i].id != g.entries[i-1].id {
			starts = append(starts, i)
		}
	}
	g.starts = append(starts, len(e))
	return len(starts)
}

// sortByInsertion sorts by id and keeps the order of equal ones.
func sortByInsertion(e []groupEntry) {
	for i := 1; i < len(e); i++ {
		v, j := e[i], i
		for ; j > 0 && e[j-1].id > v.id; j-- {
			e[j] = e[j-1]
		}
		e[j] = v
	}
}

// sortByDigits sorts by one digit after the other, the lowest first, and leaves out digits in which all ids agree.
func (g *Groups) sortByDigits() {
	const flip = -1 << 63 // orders negative ids before the others
	e, spare := g.entries, Grow(&g.spare, len(g.entries))
	differ := uint64(0)
	for _, v := range e {
		differ |= uint64(v.id ^ e[0].id)
	}
	for shift := 0; shift < 64; shift += digitBits {
		if differ>>shift%(1<<digitBits) == 0 {
			continue
		}
		clear(g.counts[:])
		for _, v := range e {
			g.counts[uint64(v.id^flip)>>shift%(1<<digitBits)]++
		}
		at := 0
		for d, n := range g.counts {
			g.counts[d] = at
			at += n
		}
		for _, v := range e {
			d := uint64(v.id^flip) >> shift % (1 << digitBits)
			spare[g.counts[d]] = v
			g.counts[d]++
		}
		e, spare = spare, e
	}
	g.entries, g.spare = e, spare
}

// SumGroups writes, for the groups from first to last−1, the id to outIDs and the sum of the rows, of width elements each, to outRows,
// added in the order of the rows.
func SumGroups[I ID, T Float](g *Groups, first, last, width int, rows []T, outIDs []I, outRows []T) {
	for k := first; k < last; k++ {
		members := g.entries[g.starts[k]:g.starts[k+1]]
		outIDs[k] = I(members[0].id)
		sum := outRows[k*width:][:width]
		copy(sum, rows[members[0].row*width:])
		for _, m := range members[1:] {
			Add(sum, rows[m.row*width:][:width], sum)
		}
	}
}

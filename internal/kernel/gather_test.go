package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGroupSortsStably(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var g Groups
	for _, n := range []int{0, 1, 2, fewIDs, fewIDs + 1, 1000, 5000} {
		for _, limit := range []int64{1, 7, 3000, 1 << 40, 0} { // 0: any id at all
			ids := make([]int64, n)
			for i := range ids {
				if ids[i] = int64(r.Uint64()); limit > 0 {
					ids[i] = r.Int64N(limit)
				}
			}
			const padding = 3
			var want []groupEntry
			for i, id := range ids {
				if id != padding {
					want = append(want, groupEntry{id, i})
				}
			}
			slices.SortStableFunc(want, func(a, b groupEntry) int {
				switch {
				case a.id < b.id:
					return -1
				case a.id > b.id:
					return 1
				}
				return 0
			})
			groups := Group(&g, padding, ids)
			if !slices.Equal(g.entries, want) {
				t.Fatalf("%d ids below %d: wrong order", n, limit)
			}
			distinct := slices.CompactFunc(want, func(a, b groupEntry) bool { return a.id == b.id })
			if groups != len(distinct) || len(g.starts) != groups+1 {
				t.Fatalf("%d ids below %d: %d groups, want %d", n, limit, groups, len(distinct))
			}
		}
	}
}

func TestAskForRowsOfAnyID(t *testing.T) {
	x := make([]float32, 100)
	AskForRows(x, 10, []int32{0, 9, 10, -1, 1 << 30, -1 << 31})
	AskForRows(x, 1000, []int64{0, 5, -5, 1 << 62, -1 << 63})
	AskForRows(x, 0, []int64{1})
	AskForRows(x[:0], 10, []int32{0})
	AskForRows(x, 10, []int32{})
	ids := make([]int32, 3*RowsAhead-1)
	for i := range ids {
		ids[i] = int32(i)
	}
	for i, want := range []int{RowsAhead, RowsAhead - 1, 0} {
		if next := Ahead(ids, i*RowsAhead); len(next) != want || want > 0 && next[0] != int32((i+1)*RowsAhead) {
			t.Errorf("after block %d come %v, want %d ids", i, next, want)
		}
	}
}

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

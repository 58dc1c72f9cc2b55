package cpu

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"paddle/op"
)

var (
	idTypes = []op.DType{op.Int32, op.Int64}
	widths  = [][]int{{}, {1}, {3}, {4, 5}, {64}, {0}}
)

// someIDs returns ids below limit, each of them several times, and now and then the padding id.
func someIDs(r *rand.Rand, d op.DType, n, limit int, padding int64) op.Buffer {
	ids := op.NewBuffer(d, n)
	for i := range n {
		if set(ids, i, float64(r.IntN(limit))); padding >= 0 && r.IntN(5) == 0 {
			set(ids, i, float64(padding))
		}
	}
	return ids
}

func TestGather(t *testing.T) {
	r, b := newRand(1), New()
	const rows = 11
	for round := range 400 {
		b.SetThreads(1 + round%3)
		d, padding := allTypes[r.IntN(len(allTypes))], int64(r.IntN(rows+2)-2)
		shape := widths[r.IntN(len(widths))]
		ids := someIDs(r, idTypes[r.IntN(2)], []int{0, 1, 7, 3000}[r.IntN(4)], rows, padding)
		table, y := random(r, d, append([]int{rows}, shape...)...), garbage(d, append([]int{ids.Len()}, shape...)...)
		width := rowWidth(table)
		var want []float64
		for i := range ids.Len() {
			for j := range width {
				if id := get(ids, i); padding >= 0 && id == float64(padding) {
					want = append(want, 0)
				} else {
					want = append(want, get(table, int(id)*width+j))
				}
			}
		}
		if err := b.Gather(padding, table, ids, y); err != nil {
			t.Fatal(err)
		}
		check(t, name("Gather padding ", padding), y, want, 0)
	}
}

func TestGatherRefusesBadIDs(t *testing.T) {
	b, table := New(), random(newRand(2), op.Float32, 3, 2)
	for _, d := range idTypes {
		for _, c := range []struct {
			ids     []float64
			padding int64
			row     int
		}{
			{[]float64{0, 3, 7}, -1, 1}, {[]float64{2, 1, -1}, -1, 2}, {[]float64{2, 3, 0}, 3, -1}, {[]float64{3, 3, 4}, 3, 2}, {[]float64{0, 2, 1}, 0, -1},
		} {
			y := op.NewBuffer(op.Float32, 3, 2)
			err := b.Gather(c.padding, table, buffer(d, c.ids...), y)
			var e *op.RangeError
			if errors.As(err, &e) != (c.row >= 0) {
				t.Fatalf("ids %v with padding %d: error %v", c.ids, c.padding, err)
			}
			if c.row < 0 {
				continue
			}
			if want := (op.RangeError{Row: c.row, Value: int64(c.ids[c.row]), Limit: 3}); *e != want {
				t.Errorf("ids %v: error %+v, want %+v", c.ids, *e, want)
			}
			check(t, "rows after an error", y, make([]float64, 6), 0)
		}
	}
}

func TestScatterAdd(t *testing.T) {
	r, b := newRand(3), New()
	const height = 11
	for round := range 300 {
		b.SetThreads(1 + round%3)
		d, padding := bothFloats[r.IntN(2)], int64(r.IntN(height+2)-2)
		shape := widths[r.IntN(len(widths))]
		ids := someIDs(r, idTypes[r.IntN(2)], []int{0, 1, 7, 3000}[r.IntN(4)], height, padding)
		rows, y := random(r, d, append([]int{ids.Len()}, shape...)...), random(r, d, append([]int{height}, shape...)...)
		width := rowWidth(y)
		want := clone(y) // added up one after another, in the type itself: the same bits
		for i := range ids.Len() {
			id := int(get(ids, i))
			for j := range width {
				at := id*width + j
				if v := get(rows, i*width+j); padding >= 0 && id == int(padding) || id >= height {
					continue
				} else if d == op.Float32 {
					want.Float32s()[at] += float32(v)
				} else {
					want.Float64s()[at] += v
				}
			}
		}
		b.ScatterAdd(padding, ids, rows, y)
		check(t, "ScatterAdd", y, values(want), 0)
	}
}

func TestMergeRows(t *testing.T) {
	r, b := newRand(4), New()
	for round := range 300 {
		b.SetThreads(1 + round%3)
		d, padding := bothFloats[r.IntN(2)], int64(r.IntN(13)-2)
		shape := widths[r.IntN(len(widths))]
		ids := someIDs(r, idTypes[r.IntN(2)], []int{0, 1, 7, 40, 3000}[r.IntN(5)], []int{11, 100000}[r.IntN(2)], padding)
		rows := random(r, d, append([]int{ids.Len()}, shape...)...)
		width := rowWidth(rows)
		sums := map[int64][]float64{}
		var keys []int64
		for i := range ids.Len() {
			id := int64(get(ids, i))
			if padding >= 0 && id == padding {
				continue
			}
			sum, seen := sums[id]
			if !seen {
				sum = make([]float64, width)
				sums[id], keys = sum, append(keys, id)
			}
			for j := range sum {
				if v := get(rows, i*width+j); d == op.Float32 {
					sum[j] = float64(float32(sum[j]) + float32(v))
				} else {
					sum[j] += v
				}
			}
		}
		slices.Sort(keys)
		outIDs, outRows := op.NewBuffer(ids.DType, ids.Len()), like(rows)
		count := b.MergeRows(padding, ids, rows, outIDs, outRows)
		if count != len(keys) {
			t.Fatalf("MergeRows finds %d ids, want %d", count, len(keys))
		}
		for k, id := range keys {
			if int64(get(outIDs, k)) != id {
				t.Fatalf("id %d is %g, want %d", k, get(outIDs, k), id)
			}
			for j, want := range sums[id] {
				if got := get(outRows, k*width+j); got != want {
					t.Fatalf("sum of id %d is %g at %d, want %g", id, got, j, want)
				}
			}
		}
	}
}

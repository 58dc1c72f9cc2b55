package cpu

import (
	"math"
	"testing"

	"paddle/op"
)

// TestCopy compares random moves with a walk over all indices: transposed, stretched, reversed and cut out on the side of x; permuted
// and into a part of y.
func TestCopy(t *testing.T) {
	r, b := newRand(1), New()
	for round := range 3000 {
		b.SetThreads(1 + round%3)
		d := allTypes[r.IntN(len(allTypes))]
		var m op.Move
		m.Rank = r.IntN(6)
		sizes := []int{1, 2, 3, 5, 8, 40, 70}
		if round%20 == 0 {
			sizes = []int{0, 1, 2}
		}
		fromSize, toSize := 1, 1
		for _, k := range r.Perm(m.Rank) { // the order of the axes in y
			m.Shape[k] = sizes[r.IntN(max(2, len(sizes)-m.Rank))]
			m.To[k] = toSize
			toSize *= m.Shape[k] + r.IntN(2)
		}
		for _, k := range r.Perm(m.Rank) {
			switch r.IntN(5) {
			case 0: // stretched
			case 1:
				m.From[k] = -fromSize
				m.FromOffset += max(0, m.Shape[k]-1) * fromSize
				fromSize *= m.Shape[k]
			default:
				m.From[k] = fromSize
				fromSize *= m.Shape[k] + r.IntN(2)
			}
		}
		gap := r.IntN(3)
		m.FromOffset += gap
		m.ToOffset = r.IntN(3)
		x, y := random(r, d, fromSize+gap), random(r, d, toSize+m.ToOffset)
		want := values(y)
		positions(m.Shape[:m.Rank], func(_ int, index []int) {
			from, to := m.FromOffset, m.ToOffset
			for k, i := range index {
				from += i * m.From[k]
				to += i * m.To[k]
			}
			want[to] = get(x, from)
		})
		b.Copy(m, x, y)
		check(t, name("move ", m), y, want, 0)
	}
}

func TestCopyLargeTransposed(t *testing.T) {
	r, b := newRand(2), New()
	b.SetThreads(2)
	const rows, cols = 317, 1031
	x, y := random(r, op.Float32, rows, cols), garbage(op.Float32, cols, rows)
	b.Copy(op.Move{Rank: 2, Shape: [op.MaxRank]int{cols, rows}, From: [op.MaxRank]int{1, cols}, To: [op.MaxRank]int{rows, 1}}, x, y)
	for i := range rows {
		for j := range cols {
			if got, want := y.Float32s()[j*rows+i], x.Float32s()[i*cols+j]; got != want {
				t.Fatalf("(%d, %d) is %g, want %g", j, i, got, want)
			}
		}
	}
	z := garbage(op.Float32, rows*cols)
	b.Copy(op.Move{Rank: 1, Shape: [op.MaxRank]int{rows * cols}, From: [op.MaxRank]int{1}, To: [op.MaxRank]int{1}}, x, z)
	check(t, "flat copy", z, values(x), 0)
}

func TestFill(t *testing.T) {
	b := New()
	b.SetThreads(2)
	for _, d := range allTypes {
		for _, n := range []int{0, 1, lightGrain + 3} {
			y := garbage(d, n)
			b.Fill(y, 2)
			want := map[op.DType]float64{op.BFloat16: 0x4000, op.Float16: 0x4000, op.Bool: 1}[d] // bits of 2 in the short formats
			if want == 0 {
				want = 2
			}
			for i := range n {
				if get(y, i) != want {
					t.Fatalf("%v: element %d is %g, want %g", d, i, get(y, i), want)
				}
			}
		}
	}
	y := op.NewBuffer(op.Int32, 1)
	b.Fill(y, math.Inf(-1))
	check(t, "int32 of −Inf", y, []float64{math.MinInt32}, 0)
}

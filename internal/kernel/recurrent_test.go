package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// timeline lays out sequences of the given lengths, longest first.
func timeline(reverse bool, lengths ...int) *Timeline {
	l := &Timeline{Steps: []int32{0}, Reverse: reverse}
	for t := 0; len(lengths) > 0 && t < lengths[0]; t++ {
		width := int32(0)
		for _, n := range lengths {
			if n > t {
				width++
			}
		}
		l.Steps = append(l.Steps, l.Steps[t]+width)
	}
	return l
}

// randomLengths returns up to n lengths, longest first.
func randomLengths(r *rand.Rand, n int) []int {
	lengths := make([]int, r.IntN(n+1))
	for i := range lengths {
		lengths[i] = r.IntN(1 + r.IntN(12))
	}
	slices.Sort(lengths)
	slices.Reverse(lengths)
	return lengths
}

// TestTimelineWalk follows every sequence through the stretches of parts.
func TestTimelineWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		lengths, reverse := randomLengths(r, 9), r.IntN(2) == 0
		l := timeline(reverse, lengths...)
		lo := r.IntN(len(lengths) + 1)
		hi := lo + r.IntN(len(lengths)-lo+1)
		last, seen, ended := make([]int, len(lengths)), make([]int, len(lengths)), make([]int, len(lengths))
		for i := range l.steps() {
			going, beginning := l.at(i, lo, hi)
			for _, s := range []stretch{going, beginning} {
				for k := range s.n {
					rank := s.rank + k
					step := i
					if reverse {
						step = l.steps() - 1 - i
					}
					if rank < lo || rank >= hi || s.row+k != int(l.Steps[step])+rank {
						t.Fatalf("%v: computation %d has row %d for rank %d of [%d, %d)", l, i, s.row+k, rank, lo, hi)
					}
					if s.first != (seen[rank] == 0) || !s.first && s.before+k != last[rank] {
						t.Fatalf("%v: rank %d at computation %d: stretch %+v, %d before, the last in row %d", l, rank, i, s, seen[rank], last[rank])
					}
					last[rank] = s.row + k
					seen[rank]++
				}
			}
			rank, n, row := l.ending(i, lo, hi)
			for k := range n {
				if ended[rank+k]++; seen[rank+k] != lengths[rank+k] || row+k != last[rank+k] {
					t.Fatalf("%v: rank %d ends at computation %d in row %d", l, rank+k, i, row+k)
				}
			}
		}
		for rank := lo; rank < hi; rank++ {
			if seen[rank] != lengths[rank] || ended[rank] != min(1, lengths[rank]) {
				t.Fatalf("%v: rank %d has %d steps and ends %d times, want %d", l, rank, seen[rank], ended[rank], lengths[rank])
			}
		}
	}
}

// cost is what a part costs.
func cost(lengths []int) (sum int) {
	for _, n := range lengths {
		sum += n
	}
	if len(lengths) > 0 {
		sum += stepCost * lengths[0]
	}
	return sum
}

// cheapest returns the least that the costliest of at most parts parts can cost.
func cheapest(lengths []int, parts int) int {
	least := cost(lengths)
	if parts > 1 {
		for i := 1; i < len(lengths); i++ {
			least = min(least, max(cost(lengths[:i]), cheapest(lengths[i:], parts-1)))
		}
	}
	return least
}

func TestShareDivides(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s share
	for range 300 {
		lengths, parts := randomLengths(r, 8), 1+r.IntN(4)
		s.divide(timeline(false, lengths...), len(lengths), parts)
		most := 0
		for p := range s.parts() {
			most = max(most, cost(lengths[s.bounds[p]:s.bounds[p+1]]))
		}
		if s.bounds[0] != 0 || s.bounds[s.parts()] != len(lengths) || !slices.IsSorted(s.bounds) || s.parts() > parts || most != cheapest(lengths, parts) {
			t.Fatalf("%v are divided at %v among %d; the costliest part costs %d, want %d", lengths, s.bounds, parts, most, cheapest(lengths, parts))
		}
	}
}

// cellCase is a call of a cell on its operands.
type cellCase[T Float] struct {
	name     string
	operands func(rows, n int) []int // their sizes
	run      func(t *cellTable[T], rows, n, shared int, x [][]T)
}

// cellCases returns the calls. shared is the distance of rows that may be one: n or 0.
func cellCases[T Float]() []cellCase[T] {
	sizes := func(widths ...int) func(rows, n int) []int { // negative: a row for all
		return func(rows, n int) (all []int) {
			for _, w := range widths {
				all = append(all, max(rows*n*w, -n*w))
			}
			return all
		}
	}
	return []cellCase[T]{
		{"lstm", sizes(4, 1, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) { t.lstm(rows, n, x[0], x[1], shared, x[2], x[3]) }},
		{"lstmPeephole", sizes(4, -1, -1, -1, 1, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) {
			t.lstmPeephole(rows, n, x[0], x[1], x[2], x[3], x[4], shared, x[5], x[6])
		}},
		{"lstmGrad", sizes(4, 1, 1, 1, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) {
			t.lstmGrad(rows, n, x[0], x[1], shared, x[2], x[3], shared, x[4], x[5])
		}},
		{"lstmPeepholeGrad", sizes(4, -1, -1, -1, 1, 1, 1, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) {
			t.lstmPeepholeGrad(rows, n, x[0], x[1], x[2], x[3], x[4], shared, x[5], x[6], shared, x[7], x[8])
		}},
		{"gru", sizes(3, 1, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) { t.gru(rows, n, x[0], x[1], x[2], shared, x[3]) }},
		{"gruGrad", sizes(3, 3, 1, 1, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) {
			t.gruGrad(rows, n, x[0], x[1], x[2], x[3], shared, x[4], shared, x[5])
		}},
		{"gruReset", sizes(3, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) { t.gruReset(rows, n, x[0], x[1], shared, x[2]) }},
		{"gruUpdate", sizes(3, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) { t.gruUpdate(rows, n, x[0], x[1], shared, x[2]) }},
		{"gruUpdateGrad", sizes(3, 1, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) {
			t.gruUpdateGrad(rows, n, x[0], x[1], shared, x[2], shared, x[3])
		}},
		{"gruResetGrad", sizes(3, 1, 1), func(t *cellTable[T], rows, n, shared int, x [][]T) {
			t.gruResetGrad(rows, n, x[0], x[1], shared, x[2])
		}},
	}
}

// TestCells compares the cells of this CPU to those of plain Go in float64, at all remainders of a vector.
func TestCells(t *testing.T) {
	exact := cellCases[float64]()
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for k, c := range cellCases[float32]() {
			for n := 1; n <= 80; n++ {
				rows, shared := 1+r.IntN(3), n*r.IntN(2)
				var got [][]float32
				var want [][]float64
				for _, size := range c.operands(rows, n) {
					x, y := random[float32](r, size), make([]float64, size)
					Convert(x, y)
					got, want = append(got, x), append(want, y)
				}
				c.run(cells[float32](), rows, n, shared, got)
				exact[k].run(plainCells64, rows, n, shared, want)
				for i := range got {
					for j, v := range got[i] {
						if d := math.Abs(float64(v) - want[i][j]); !(d <= 1e-6) {
							t.Fatalf("%s of %d rows of %d: operand %d has %v at %d, want %v", c.name, rows, n, i, v, j, want[i][j])
						}
					}
				}
			}
		}
	})
}

// The tanh of the cells is near the true one and not beyond ±1: with z = 0 gruUpdate computes nothing else.
func TestCellTanh(t *testing.T) { withKernels(t, testCellTanh) }

func testCellTanh(t *testing.T) {
	const n, most = 1 << 12, 5 * 0x1p-24 // of numbers in [½, 1)
	gates, zeros, h := make([]float32, 3*n), make([]float32, n), make([]float32, n)
	for from := uint32(0); from < math.Float32bits(12); from += 251 * n {
		for i := range n {
			gates[2*n+i] = math.Float32frombits(from + uint32(251*i))
			if i%2 == 1 {
				gates[2*n+i] *= -1
			}
		}
		arguments := slices.Clone(gates[2*n:])
		cells[float32]().gruUpdate(1, n, gates, zeros, n, h)
		for i, x := range arguments {
			want := math.Tanh(float64(x))
			if d := math.Abs(float64(h[i]) - want); d > most*math.Abs(want)+0x1p-150 || math.Abs(float64(h[i])) > 1 {
				t.Fatalf("tanh %v is %v, want %v", x, h[i], want)
			}
		}
	}
}

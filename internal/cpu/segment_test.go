package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"paddle/op"
)

// segmentCase is a matrix of segments, in order and shuffled.
type segmentCase struct {
	starts, index []int32
	x, shuffled   op.Buffer
}

// newSegments makes random segments: short ones, empty ones, and one of long rows among them.
func newSegments(r *rand.Rand, d op.DType, count, long, width int) segmentCase {
	c := segmentCase{starts: []int32{0}}
	for i := range count {
		n := r.IntN(7)
		if i == count/2 {
			n = long
		}
		c.starts = append(c.starts, c.starts[i]+int32(n))
	}
	rows := int(c.starts[count])
	for _, at := range r.Perm(rows) {
		c.index = append(c.index, int32(at))
	}
	c.x = random(r, d, rows, width)
	c.shuffled = c.shuffle(c.x)
	return c
}

// shuffle returns rows in the order of the index, unshuffle the rows that were.
func (c segmentCase) shuffle(x op.Buffer) op.Buffer {
	y, n := like(x), rowWidth(x)*x.DType.Size()
	for i, at := range c.index {
		copy(y.Bytes()[int(at)*n:][:n], x.Bytes()[i*n:][:n])
	}
	return y
}

// one returns segment s alone, of a matrix of all rows, or of one row a segment.
func (c segmentCase) one(s int, x op.Buffer) op.Buffer {
	lo, hi := int(c.starts[s]), int(c.starts[s+1])
	if x.Shape[0] == len(c.starts)-1 {
		lo, hi = s, s+1
	}
	y, n := garbage(x.DType, hi-lo, x.Shape[1]), rowWidth(x)*x.DType.Size()
	copy(y.Bytes(), x.Bytes()[lo*n:hi*n])
	return y
}

// calls runs every function on the matrix x in the given order, and returns what each gives: by rows or by segments.
func (c segmentCase) calls(b *Backend, starts, index []int32, x, dy op.Buffer) (rows, ones []op.Buffer) {
	n := len(starts) - 1
	newOne := func(d op.DType) op.Buffer { return garbage(d, n, x.Shape[1]) }
	arg, y := newOne(op.Int32), newOne(x.DType)
	b.SegmentReduce(op.SegmentMax, -3, starts, index, x, y, arg)
	ones = append(ones, y)
	for f := op.SegmentSum; f <= op.SegmentLast; f++ {
		y, dx := newOne(x.DType), like(x)
		if f != op.SegmentPick || !anyNegative(arg) {
			b.SegmentReduce(f, -3, starts, index, x, y, arg)
			ones = append(ones, y)
		}
		b.SegmentSpread(f, starts, index, dy, arg, dx)
		rows = append(rows, dx)
	}
	p, dx := like(x), like(x)
	b.SegmentSoftmax(starts, index, x, p)
	b.SegmentSoftmaxGrad(starts, index, p, x, dx)
	return append(rows, p, dx), ones
}

func anyNegative(b op.Buffer) bool {
	for _, v := range b.Int32s() {
		if v < 0 {
			return true
		}
	}
	return false
}

// TestSegments: the bits for a segment are those of the segment alone, in either order, at any number of threads.
func TestSegments(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	r := newRand(1)
	b := New()
	for _, d := range bothFloats {
		for _, size := range []struct{ count, long, width int }{{0, 0, 3}, {1, 0, 3}, {9, 5, 1}, {60, 4, 130}, {40, 900, 70}, {3, 2000, 1}, {30, 300, 300}} {
			c := newSegments(r, d, size.count, size.long, size.width)
			dy := random(r, d, size.count, size.width)
			var want []op.Buffer
			for _, threads := range []int{1, 2, 3, 8} {
				b.SetThreads(threads)
				rows, ones := c.calls(b, c.starts, nil, c.x, dy)
				otherRows, otherOnes := c.calls(b, c.starts, c.index, c.shuffled, dy)
				for i := range rows {
					rows[i] = c.shuffle(rows[i])
				}
				for i, y := range append(rows, ones...) {
					if z := append(otherRows, otherOnes...)[i]; string(y.Bytes()) != string(z.Bytes()) {
						t.Errorf("%v %v: result %d differs between the orders", d, size, i)
					}
					if want != nil && string(y.Bytes()) != string(want[i].Bytes()) {
						t.Errorf("%v %v: result %d differs at %d threads", d, size, i, threads)
					}
				}
				if want == nil {
					want = append(rows, ones...)
				}
			}
			rows, ones := c.calls(b, c.starts, nil, c.x, dy)
			for s := range size.count {
				n := c.starts[s+1] - c.starts[s]
				alone, aloneOnes := c.calls(b, []int32{0, n}, nil, c.one(s, c.x), c.one(s, dy))
				for i, y := range rows {
					if string(c.one(s, y).Bytes()) != string(alone[i].Bytes()) {
						t.Fatalf("%v %v: rows %d of segment %d are not those of it alone", d, size, i, s)
					}
				}
				if len(aloneOnes) != len(ones) {
					continue // a segment that cannot be picked from
				}
				for i, y := range ones {
					if string(c.one(s, y).Bytes()) != string(aloneOnes[i].Bytes()) {
						t.Fatalf("%v %v: result %d of segment %d is not that of it alone", d, size, i, s)
					}
				}
			}
		}
	}
}

// TestSegmentMaxBits compares the greatest elements and their rows with plain loops, with ties, NaN, infinities and zeros of both signs.
func TestSegmentMaxBits(t *testing.T) {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, 1, -1}
	r := newRand(2)
	b := New()
	for _, d := range bothFloats {
		for width := 1; width < 40; width++ {
			x, starts := op.NewBuffer(d, 13, width), []int32{0, 5, 5, 6, 13}
			for i := range x.Len() {
				set(x, i, special[r.IntN(len(special))])
			}
			y, arg := garbage(d, 4, width), garbage(op.Int32, 4, width)
			b.SegmentReduce(op.SegmentMax, 9, starts, nil, x, y, arg)
			for s := range 4 {
				for j := range width {
					at := -1
					for i := int(starts[s]); i < int(starts[s+1]); i++ {
						v := get(x, i*width+j)
						if at < 0 || v > get(x, at*width+j) || math.IsNaN(v) && !math.IsNaN(get(x, at*width+j)) {
							at = i
						}
					}
					want := 9.0
					if at >= 0 {
						want = get(x, at*width+j)
					}
					if got := get(y, s*width+j); math.Float64bits(got) != math.Float64bits(want) || int(arg.Int32s()[s*width+j]) != at {
						t.Fatalf("%v width %d segment %d column %d: %v in row %d, want %v in row %d", d, width, s, j, got, arg.Int32s()[s*width+j], want, at)
					}
				}
			}
		}
	}
}

func TestSegmentsAllocateNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := New()
	for _, d := range bothFloats {
		for _, width := range []int{1, 130} {
			c := newSegments(newRand(3), d, 50, 400, width)
			y, arg, dx := garbage(d, 50, width), garbage(op.Int32, 50, width), like(c.x)
			for _, threads := range []int{1, 2} {
				b.SetThreads(threads)
				n := allocations(func() {
					for f := op.SegmentSum; f <= op.SegmentMax; f++ {
						b.SegmentReduce(f, 0, c.starts, c.index, c.x, y, arg)
						b.SegmentSpread(f, c.starts, c.index, y, arg, dx)
					}
					b.SegmentSoftmax(c.starts, c.index, c.x, dx)
					b.SegmentSoftmaxGrad(c.starts, c.index, dx, c.x, dx)
				})
				if n != 0 {
					t.Errorf("%v width %d: %d allocations at %d threads", d, width, n, threads)
				}
			}
		}
	}
}

// BenchmarkSegments measures the functions on 15,000 rows of 128 in sequences of a few to 150 rows, beside a copy of them.
func BenchmarkSegments(b *testing.B) {
	r := newRand(4)
	starts := []int32{0}
	for starts[len(starts)-1] < 15000 {
		starts = append(starts, starts[len(starts)-1]+5+r.Int32N(146))
	}
	rows, count := int(starts[len(starts)-1]), len(starts)-1
	x, y, arg := random(r, op.Float32, rows, 128), garbage(op.Float32, count, 128), garbage(op.Int32, count, 128)
	dx, p := like(x), like(x)
	scores, weights := random(r, op.Float32, rows, 1), garbage(op.Float32, rows, 1)
	index := make([]int32, rows)
	for i, at := range r.Perm(rows) {
		index[i] = int32(at)
	}
	three, dw := random(r, op.Float32, 3, 128), garbage(op.Float32, 3, 128)
	back := New()
	back.SegmentReduce(op.SegmentMax, 0, starts, nil, x, y, arg)
	back.SegmentSoftmax(starts, nil, x, p)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"copy", func() { copy(dx.Bytes(), x.Bytes()) }},
		{"mean", func() { back.SegmentReduce(op.SegmentMean, 0, starts, nil, x, y, op.Buffer{}) }},
		{"max", func() { back.SegmentReduce(op.SegmentMax, 0, starts, nil, x, y, arg) }},
		{"max packed", func() { back.SegmentReduce(op.SegmentMax, 0, starts, index, x, y, arg) }},
		{"mean grad", func() { back.SegmentSpread(op.SegmentMean, starts, nil, y, op.Buffer{}, dx) }},
		{"max grad", func() { back.SegmentSpread(op.SegmentPick, starts, nil, y, arg, dx) }},
		{"softmax", func() { back.SegmentSoftmax(starts, nil, x, p) }},
		{"softmax grad", func() { back.SegmentSoftmaxGrad(starts, nil, p, x, dx) }},
		{"softmax of scores", func() { back.SegmentSoftmax(starts, nil, scores, weights) }},
		{"convolution of 3", func() { back.SegmentConv(0, false, starts, nil, x, three, dx) }},
		{"convolution of 3 grad", func() { back.SegmentConvGradWeight(0, starts, nil, x, dx, dw) }},
	} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprint(c.name, "/threads=", threads), func(b *testing.B) {
				back.SetThreads(threads)
				b.SetBytes(int64(len(x.Bytes())))
				for b.Loop() {
					c.f()
				}
			})
		}
	}
}

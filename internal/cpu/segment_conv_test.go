package cpu

import (
	"runtime"
	"testing"

	"paddle/op"
)

// TestSegmentConv: the bits are those of each segment alone, in either order, at any number of threads; the values, and the sums for the
// weights, are those of plain loops.
func TestSegmentConv(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	b := New()
	for _, d := range bothFloats {
		for _, size := range []struct{ count, long, width, length, first int }{{0, 0, 3, 2, 0}, {9, 5, 1, 3, -1}, {60, 4, 130, 2, 0}, {20, 700, 70, 4, -2}, {30, 300, 300, 9, 1}} {
			c := newSegments(newRand(1), d, size.count, size.long, size.width)
			w, dy := random(newRand(2), d, size.length, size.width), random(newRand(3), d, c.x.Shape[0], size.width)
			var first []op.Buffer
			for _, threads := range []int{1, 2, 3, 8} {
				b.SetThreads(threads)
				y, z, dw, dv := like(c.x), like(c.x), like(w), like(w)
				b.SegmentConv(size.first, false, c.starts, nil, c.x, w, y)
				b.SegmentConv(size.first, false, c.starts, c.index, c.shuffled, w, z)
				b.SegmentConvGradWeight(size.first, c.starts, nil, c.x, dy, dw)
				b.SegmentConvGradWeight(size.first, c.starts, c.index, c.shuffled, c.shuffle(dy), dv)
				if string(c.shuffle(y).Bytes()) != string(z.Bytes()) || string(dw.Bytes()) != string(dv.Bytes()) {
					t.Errorf("%v %v: the orders differ", d, size)
				}
				if first == nil {
					first = []op.Buffer{y, dw}
				} else if string(y.Bytes()) != string(first[0].Bytes()) || string(dw.Bytes()) != string(first[1].Bytes()) {
					t.Errorf("%v %v: differs at %d threads", d, size, threads)
				}
			}
			wantY, wantW := make([]float64, c.x.Len()), make([]float64, w.Len())
			for s := range size.count {
				lo, hi := int(c.starts[s]), int(c.starts[s+1])
				one := garbage(d, hi-lo, size.width)
				b.SegmentConv(size.first, false, []int32{0, int32(hi - lo)}, nil, c.one(s, c.x), w, one)
				if string(one.Bytes()) != string(first[0].Bytes()[lo*size.width*d.Size():hi*size.width*d.Size()]) {
					t.Fatalf("%v %v: segment %d is not as it is alone", d, size, s)
				}
				for i := lo; i < hi; i++ {
					for j := range size.length {
						if k := i + size.first + j; k >= lo && k < hi {
							for col := range size.width {
								wantY[i*size.width+col] += get(w, j*size.width+col) * get(c.x, k*size.width+col)
								wantW[j*size.width+col] += get(c.x, k*size.width+col) * get(dy, i*size.width+col)
							}
						}
					}
				}
			}
			check(t, "convolution", first[0], wantY, 10*tolerance(d))
			check(t, "gradient of the weights", first[1], wantW, 100*tolerance(d))
		}
	}
}

// TestGatherMatMul compares with gathered rows and whole products, for more rows than there are at a time.
func TestGatherMatMul(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const padding = 1 << 30
	b := New()
	for _, d := range bothFloats {
		for _, size := range []struct{ rows, n, width, length, columns int }{{5, 0, 3, 2, 4}, {5, 7, 3, 2, 4}, {1500, 2100, 64, 4, 9}, {3, 700, 900, 3, 2}} {
			r := newRand(4)
			table, w, dy := random(r, d, size.rows, size.width), random(r, d, size.length*size.width, size.columns), random(r, d, size.n, size.columns)
			ids := someIDs(r, op.Int32, size.n*size.length, size.rows, padding)
			ids.Shape = []int{size.n, size.length}
			depth := size.length * size.width
			x, dx := garbage(d, size.n, depth), garbage(d, size.n, depth)
			if err := b.Gather(padding, table, ids, x); err != nil {
				t.Fatal(err)
			}
			whole := func(s op.MatMulSpec, p, q, y op.Buffer) []float64 {
				s.Batch = 1
				b.MatMul(s, p, q, op.Buffer{}, y)
				return values(y)
			}
			wantY := whole(op.MatMulSpec{M: size.n, N: size.columns, K: depth}, x, w, like(dy))
			wantW := whole(op.MatMulSpec{M: depth, N: size.columns, K: size.n, TransA: true}, x, dy, like(w))
			whole(op.MatMulSpec{M: size.n, N: depth, K: size.columns, TransB: true}, dy, w, dx)
			sums := like(table)
			b.Fill(sums, 0)
			b.ScatterAdd(padding, ids, dx, sums)
			var first []op.Buffer
			for _, threads := range []int{1, 2, 3, 8} {
				b.SetThreads(threads)
				y, dw, dtable := like(dy), like(w), like(table)
				if err := b.GatherMatMul(padding, table, ids, w, y); err != nil {
					t.Fatal(err)
				}
				if err := b.GatherMatMulGradWeight(padding, table, ids, dy, dw); err != nil {
					t.Fatal(err)
				}
				b.GatherMatMulGradTable(padding, ids, w, dy, dtable)
				for i, z := range []op.Buffer{y, dw, dtable} {
					if first != nil && string(z.Bytes()) != string(first[i].Bytes()) {
						t.Errorf("%v %v: result %d differs at %d threads", d, size, i, threads)
					}
				}
				if first == nil {
					first = []op.Buffer{y, dw, dtable}
				}
			}
			check(t, "product", first[0], wantY, 100*tolerance(d))
			check(t, "gradient of the weights", first[1], wantW, 100*tolerance(d))
			check(t, "gradient of the table", first[2], values(sums), 100*tolerance(d))
		}
	}
	ids := buffer(op.Int32, 0, 7)
	ids.Shape = []int{1, 2}
	if err := b.GatherMatMul(-1, buffer(op.Float32, 1, 2).Reshaped([]int{2, 1}), ids, buffer(op.Float32, 1, 2).Reshaped([]int{2, 1}), garbage(op.Float32, 1, 1)); err == nil {
		t.Error("an id beyond the table is no error")
	}
}

func TestSegmentConvAllocatesNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := New()
	for _, d := range bothFloats {
		c := newSegments(newRand(3), d, 50, 400, 130)
		w, y := random(newRand(2), d, 3, 130), like(c.x)
		ids := op.NewBuffer(op.Int32, c.x.Shape[0], 2)
		filters := random(newRand(4), d, 260, 8)
		product := garbage(d, c.x.Shape[0], 8)
		for _, threads := range []int{1, 2} {
			b.SetThreads(threads)
			n := allocations(func() {
				b.SegmentConv(-1, true, c.starts, c.index, c.x, w, y)
				b.SegmentConvGradWeight(-1, c.starts, c.index, c.x, y, w)
				_ = b.GatherMatMul(-1, c.x, ids, filters, product)
				_ = b.GatherMatMulGradWeight(-1, c.x, ids, product, filters)
				b.GatherMatMulGradTable(-1, ids, filters, product, y)
			})
			if n != 0 {
				t.Errorf("%v: %d allocations at %d threads", d, n, threads)
			}
		}
	}
}

// BenchmarkGatherMatMul compares the product of gathered rows, for 15,000 rows and contexts of three, with the same in two steps.
func BenchmarkGatherMatMul(b *testing.B) {
	const rows, length, width, filters = 15000, 3, 128, 128
	r := newRand(5)
	x, w := random(r, op.Float32, rows, width), random(r, op.Float32, length*width, filters)
	y, all := garbage(op.Float32, rows, filters), garbage(op.Float32, rows, length*width)
	ids := op.NewBuffer(op.Int32, rows, length)
	for i := range ids.Int32s() {
		ids.Int32s()[i] = int32(min(i/length+i%length, rows-1))
	}
	back := New()
	b.Run("some rows at a time", func(b *testing.B) {
		for b.Loop() {
			_ = back.GatherMatMul(-1, x, ids, w, y)
		}
	})
	b.Run("all rows first", func(b *testing.B) {
		for b.Loop() {
			_ = back.Gather(-1, x, ids, all)
			back.MatMul(op.MatMulSpec{M: rows, N: filters, K: length * width, Batch: 1}, all, w, op.Buffer{}, y)
		}
	})
}

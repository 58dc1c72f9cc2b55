package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// withKernels runs a test at every level that the CPU has: in plain Go, with vectors (AVX2 or NEON) and with AVX-512.
func withKernels(t *testing.T, test func(t *testing.T)) {
	vectors, avx512 := haveVectors, haveAVX512
	defer func() { haveVectors, haveAVX512 = vectors, avx512 }()
	for _, level := range []struct {
		name                 string
		has, vectors, avx512 bool
	}{{"plain", true, false, false}, {"vectors", vectors, true, false}, {"avx512", avx512, true, true}} {
		if level.has {
			haveVectors, haveAVX512 = level.vectors, level.avx512
			t.Run(level.name, test)
		}
	}
}

// epsilon is the unit of rounding of T.
func epsilon[T Float]() float64 {
	if _, single := any(T(0)).(float32); single {
		return 0x1p-24
	}
	return 0x1p-53
}

// random returns n numbers of [−1, 1) that begin at an odd place of memory, so that vectors are not aligned.
func random[T Float](r *rand.Rand, n int) []T {
	x := make([]T, n+1)[1:]
	for i := range x {
		x[i] = T(2*r.Float64() - 1)
	}
	return slices.Clip(x)
}

// product is a random Gemm with what it must give.
type product[T Float] struct {
	Gemm[T]
	want  []float64 // of C, NaN where nothing may be written
	scale []float64 // sums of absolute values, for the tolerance
	start []T       // of C
}

// newProduct makes the operands of a product whose rows lie gap elements apart.
func newProduct[T Float](r *rand.Rand, m, n, k, batch, gap int, flags int) *product[T] {
	p := &product[T]{Gemm: Gemm[T]{M: m, N: n, K: k, Batch: batch}}
	p.A = operand[T](r, m, k, batch, gap, flags&1 != 0, flags&2 != 0)
	p.B = operand[T](r, k, n, batch, gap, flags&4 != 0, flags&8 != 0)
	if flags&16 != 0 {
		p.Bias = random[T](r, n)
	}
	p.Accumulate = flags&32 != 0
	switch flags >> 6 {
	case 1:
		p.Act = Square[T]
	case 2:
		p.ReLU = true
	}
	p.CRow, p.CNext = n+gap, m*(n+gap)
	p.start = random[T](r, max(0, batch*p.CNext-gap))
	p.reference()
	return p
}

// operand makes batch matrices (rows, cols), or one that all share.
func operand[T Float](r *rand.Rand, rows, cols, batch, gap int, trans, shared bool) Operand[T] {
	if trans {
		rows, cols = cols, rows
	}
	o := Operand[T]{Row: cols + gap, Next: rows * (cols + gap), Trans: trans}
	if shared {
		o.Next, batch = 0, 1
	}
	o.Data = random[T](r, max(0, batch*rows*(cols+gap)-gap))
	return o
}

func (o *Operand[T]) at(n, i, j int) float64 {
	if o.Trans {
		i, j = j, i
	}
	return float64(o.Data[n*o.Next+i*o.Row+j])
}

// reference computes the product in float64, one element after another.
func (p *product[T]) reference() {
	p.want, p.scale = make([]float64, len(p.start)), make([]float64, len(p.start))
	for i := range p.want {
		p.want[i] = math.NaN()
	}
	for b := range p.Batch {
		for i := range p.M {
			for j := range p.N {
				at := b*p.CNext + i*p.CRow + j
				sum, scale := 0.0, 0.0
				add := func(v float64) { sum, scale = sum+v, scale+math.Abs(v) }
				for q := range p.K {
					add(p.A.at(b, i, q) * p.B.at(b, q, j))
				}
				if p.Bias != nil {
					add(float64(p.Bias[j]))
				}
				if p.Accumulate {
					add(float64(p.start[at]))
				}
				if p.Act != nil {
					sum, scale = sum*sum, 2*math.Abs(sum)*scale
				}
				if p.ReLU {
					sum = max(sum, 0)
				}
				p.want[at], p.scale[at] = sum, scale
			}
		}
	}
}

// load makes g compute the product, with the scratch memory that it has.
func (p *product[T]) load(g *Gemm[T]) {
	g.M, g.N, g.K, g.Batch, g.A, g.B = p.M, p.N, p.K, p.Batch, p.A, p.B
	g.CRow, g.CNext, g.Bias, g.Accumulate, g.ReLU, g.Act = p.CRow, p.CNext, p.Bias, p.Accumulate, p.ReLU, p.Act
}

// result runs the product on a fresh C.
func (p *product[T]) result(g *Gemm[T], threads int) []T {
	p.load(g)
	g.C = slices.Clip(slices.Clone(p.start))
	g.Run(Workers(), threads)
	return g.C
}

func (p *product[T]) check(t *testing.T, g *Gemm[T]) {
	t.Helper()
	got := p.result(g, 1)
	for i, v := range got {
		if math.IsNaN(p.want[i]) {
			if v != p.start[i] {
				t.Fatalf("%v: element %d is not of C and was written", p, i)
			}
		} else if err := math.Abs(float64(v) - p.want[i]); !(err <= epsilon[T]()*float64(p.K+4)*p.scale[i]) {
			t.Fatalf("%v: element %d is %v, want %v (error %.3g)", p, i, v, p.want[i], err)
		}
	}
}

func (p *product[T]) String() string {
	return fmt.Sprintf("%T (%d,%d,%d)×%d A{row %d next %d trans %v} B{row %d next %d trans %v} C{row %d} bias %v accumulate %v relu %v act %v", T(0),
		p.M, p.N, p.K, p.Batch, p.A.Row, p.A.Next, p.A.Trans, p.B.Row, p.B.Next, p.B.Trans, p.CRow, p.Bias != nil, p.Accumulate, p.ReLU, p.Act != nil)
}

// eachProduct calls f with products of all remainders of the tile's sizes, and with some large ones.
func eachProduct[T Float](f func(p *product[T])) {
	r := rand.New(rand.NewPCG(1, 2))
	flags := func() int { return r.IntN(192) }
	for m := range 14 {
		for n := range 36 {
			f(newProduct[T](r, m, n, r.IntN(20), 1+r.IntN(2), r.IntN(3), flags()))
		}
	}
	for k := range 40 {
		f(newProduct[T](r, 1+r.IntN(20), 1+r.IntN(70), k, 1+r.IntN(3), r.IntN(3), flags()))
	}
	for _, s := range [][3]int{{1, 300, 700}, {2, 130, 500}, {3, 100, 500}, {200, 1, 300}, {7, 270, 481}, {190, 70, 130}, {530, 33, 65}, {20, 600, 400}, {9, 70, 3100}, {33, 9, 6200}} {
		for range 4 {
			f(newProduct[T](r, s[0], s[1], s[2], 1, r.IntN(2), flags()))
		}
	}
}

func TestGemm(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		var single Gemm[float32]
		var double Gemm[float64]
		eachProduct(func(p *product[float32]) { p.check(t, &single) })
		eachProduct(func(p *product[float64]) { p.check(t, &double) })
	})
}

func TestGemmBitsDoNotDependOnThreads(t *testing.T) {
	withProcs(t, 8)
	withKernels(t, func(t *testing.T) {
		t.Run("float32", testGemmThreads[float32])
		t.Run("float64", testGemmThreads[float64])
	})
}

func testGemmThreads[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var g Gemm[T]
	for _, s := range [][4]int{{1, 999, 333, 1}, {97, 203, 301, 1}, {301, 77, 65, 2}, {37, 41, 129, 5}, {600, 3, 77, 1}, {530, 600, 70, 1}, {45, 130, 6150, 1}, {20, 30, 3100, 3}} {
		p := newProduct[T](r, s[0], s[1], s[2], s[3], 1, r.IntN(192))
		want := p.result(&g, 1)
		for _, threads := range []int{2, 3, 8} {
			if got := p.result(&g, threads); !sameBits(got, want) {
				t.Errorf("%v: %d threads give other bits than one", p, threads)
			}
		}
	}
}

// sameBits reports whether x and y are equal to the last bit.
func sameBits[T Float](x, y []T) bool {
	return slices.EqualFunc(x, y, func(a, b T) bool { return math.Float64bits(float64(a)) == math.Float64bits(float64(b)) })
}

// A row of a batch, a column, and a product by transposed copies of its operands are the same bits.
func TestGemmBitsOfAnElement(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for _, s := range [][3]int{{61, 300, 700}, {20, 65, 3100}, {520, 66, 300}} { // the second one in chunks, the third by a B that is packed once
			t.Run(fmt.Sprint("float32 ", s), func(t *testing.T) { testGemmElement[float32](t, s[0], s[1], s[2]) })
			t.Run(fmt.Sprint("float64 ", s), func(t *testing.T) { testGemmElement[float64](t, s[0], s[1], s[2]) })
		}
	})
}

func testGemmElement[T Float](t *testing.T, m, n, k int) {
	r := rand.New(rand.NewPCG(5, 6))
	var g Gemm[T]
	whole := newProduct[T](r, m, n, k, 1, 0, 16)
	want := whole.result(&g, 1)
	for flags := range 4 {
		p := *whole
		if flags&1 != 0 {
			p.A = transposed(p.A, m, k)
		}
		if flags&2 != 0 {
			p.B = transposed(p.B, k, n)
		}
		if !sameBits(p.result(&g, 1), want) {
			t.Errorf("%v: other bits than without transposition", &p)
		}
		for _, rows := range []int{1, 2, 3, 5, 7, 20} {
			q := p
			q.M = rows
			q.start = p.start[:rows*n]
			if !sameBits(q.result(&g, 1), want[:rows*n]) {
				t.Errorf("%v: the first %d rows are other bits than in %d rows", &q, rows, m)
			}
		}
		for _, cols := range []int{1, 7, 9, 17, 65} {
			q := p
			q.N = cols
			got := q.result(&g, 1)
			for i := range m {
				if !sameBits(got[i*n:i*n+cols], want[i*n:i*n+cols]) {
					t.Errorf("%v: row %d of %d columns is other bits than in %d columns", &q, i, cols, n)
					break
				}
			}
		}
	}
}

// transposed returns the same operand, stored the other way round.
func transposed[T Float](o Operand[T], rows, cols int) Operand[T] {
	x := make([]T, rows*cols)
	for i := range rows {
		for j := range cols {
			x[j*rows+i] = o.Data[i*o.Row+j]
		}
	}
	return Operand[T]{Data: x, Row: rows, Trans: true}
}

// ReLU in registers keeps NaN and makes 0 of −0, like the function on its own.
func TestGemmReLUOfSpecialNumbers(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		bias := []float32{float32(math.NaN()), float32(math.Copysign(0, -1)), -1, 2, float32(math.Inf(1)), float32(math.Inf(-1)), 0, 1, -2}
		g := Gemm[float32]{M: 1, N: len(bias), Batch: 1, Bias: bias, ReLU: true, C: make([]float32, len(bias)), CRow: len(bias)}
		g.Run(Workers(), 1)
		want := make([]float32, len(bias))
		ReLU(bias, want, 0, 0)
		if !sameBits(g.C[1:], want[1:]) || g.C[0] == g.C[0] {
			t.Errorf("product with ReLU gives %v, ReLU %v", g.C, want)
		}
	})
}

func TestGemmAllocatesNothing(t *testing.T) {
	withProcs(t, 2)
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		var g Gemm[float32]
		ps := []*product[float32]{newProduct[float32](r, 50, 130, 90, 1, 0, 64), newProduct[float32](r, 30, 40, 50, 4, 0, 1|4|16),
			newProduct[float32](r, 8, 32, 3100, 1, 0, 1), newProduct[float32](r, 520, 20, 70, 1, 0, 1|4)}
		run := func() {
			for _, p := range ps {
				p.load(&g)
				g.C = p.start
				g.Run(Workers(), 2)
			}
		}
		if n := allocations(10, run); n != 0 {
			t.Errorf("10 calls allocate %d times", n)
		}
	})
}

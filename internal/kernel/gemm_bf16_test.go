package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// withBFloat16 runs a test at every level, and at that of AVX-512 with and without its dot products.
func withBFloat16(t *testing.T, test func(t *testing.T)) {
	withKernels(t, func(t *testing.T) {
		if tableBFloat16() == nil {
			test(t)
			return
		}
		defer func(have bool) { haveBFloat16 = have }(haveBFloat16)
		for _, haveBFloat16 = range []bool{true, false} {
			t.Run(fmt.Sprintf("dots %v", haveBFloat16), test)
		}
	})
}

// halfProduct is a product of bfloat16 numbers, with the product of the same numbers in float32.
type halfProduct struct {
	*product[float32]
	a, b  Operand[uint16]
	start []uint16 // of Rounded
}

// newHalfProduct is newProduct with numbers rounded to bfloat16.
func newHalfProduct(r *rand.Rand, m, n, k, batch, gap, flags int) *halfProduct {
	p := &halfProduct{product: newProduct[float32](r, m, n, k, batch, gap, flags)}
	p.a, p.b = halved(&p.A), halved(&p.B)
	p.start = make([]uint16, len(p.product.start))
	EncodeBFloat16(p.product.start, p.start)
	DecodeBFloat16(p.start, p.product.start)
	p.reference()
	return p
}

// halved rounds the numbers of an operand and returns them as bfloat16.
func halved(o *Operand[float32]) Operand[uint16] {
	h := Operand[uint16]{Data: make([]uint16, len(o.Data)+1)[1:], Row: o.Row, Next: o.Next, Trans: o.Trans}
	h.Data = slices.Clip(h.Data)
	EncodeBFloat16(o.Data, h.Data)
	DecodeBFloat16(h.Data, o.Data)
	return h
}

// load makes g compute the product, with the scratch memory that it has.
func (p *halfProduct) load(g *BFloat16Gemm) {
	g.M, g.N, g.K, g.Batch, g.A, g.B = p.M, p.N, p.K, p.Batch, p.a, p.b
	g.C, g.Rounded, g.CRow, g.CNext = slices.Clip(slices.Clone(p.product.start)), nil, p.CRow, p.CNext
	g.Bias, g.Accumulate, g.ReLU, g.Act = p.Bias, p.Accumulate, p.ReLU, p.Act
}

// check runs the product with results of float32 and of bfloat16.
func (p *halfProduct) check(t *testing.T, g *BFloat16Gemm) {
	t.Helper()
	p.load(g)
	g.Run(Workers(), 1)
	single := g.C
	g.C, g.Rounded = nil, slices.Clip(slices.Clone(p.start))
	g.Run(Workers(), 1)
	for i, v := range single {
		want, half := p.want[i], g.Rounded[i]
		if math.IsNaN(want) {
			if v != p.product.start[i] || half != p.start[i] {
				t.Fatalf("%v: element %d is not of C and was written", p, i)
			}
			continue
		}
		if err := math.Abs(float64(v) - want); !(err <= epsilon[float32]()*float64(p.K+4)*p.scale[i]) {
			t.Fatalf("%v: element %d is %v, want %v (error %.3g)", p, i, v, want, err)
		}
		if half != bfloat16(v) {
			t.Fatalf("%v: element %d is %#x as bfloat16, which is not %v rounded", p, i, half, v)
		}
	}
}

// eachHalfProduct calls f with products of all remainders of the tile's sizes, of odd and even sizes along K, and with some large ones.
func eachHalfProduct(f func(p *halfProduct)) {
	r := rand.New(rand.NewPCG(11, 12))
	flags := func() int { return r.IntN(192) }
	for m := range 15 {
		for n := range 34 {
			f(newHalfProduct(r, m, n, r.IntN(20), 1+r.IntN(2), r.IntN(3), flags()))
		}
	}
	for k := range 40 {
		f(newHalfProduct(r, 1+r.IntN(20), 1+r.IntN(150), k, 1+r.IntN(3), r.IntN(3), flags()))
	}
	for _, s := range [][3]int{{1, 300, 700}, {2, 130, 500}, {3, 100, 500}, {200, 1, 300}, {7, 270, 481}, {190, 70, 130}, {20, 60, 4000}, {530, 40, 70}} {
		for range 2 {
			f(newHalfProduct(r, s[0], s[1], s[2], 1, r.IntN(2), flags()))
		}
	}
}

func TestBFloat16Gemm(t *testing.T) {
	withBFloat16(t, func(t *testing.T) {
		var g BFloat16Gemm
		eachHalfProduct(func(p *halfProduct) { p.check(t, &g) })
	})
}

func TestBFloat16GemmBitsDoNotDependOnThreads(t *testing.T) {
	withProcs(t, 8)
	withBFloat16(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		var g BFloat16Gemm
		for _, s := range [][4]int{{1, 999, 333, 1}, {97, 203, 301, 1}, {301, 77, 65, 2}, {37, 41, 4001, 2}} {
			p := newHalfProduct(r, s[0], s[1], s[2], s[3], 1, r.IntN(192))
			var want []float32
			for _, threads := range []int{1, 2, 3, 8} {
				p.load(&g)
				g.Run(Workers(), threads)
				if want == nil {
					want = g.C
				} else if !sameBits(g.C, want) {
					t.Errorf("%v: %d threads give other bits than one", p, threads)
				}
			}
		}
	})
}

// Without dot products the bits are those of Gemm on widened operands.
func TestBFloat16GemmOfWidenedOperands(t *testing.T) {
	withBFloat16(t, func(t *testing.T) {
		if tableBFloat16() != nil {
			t.Skip("the CPU adds two products at a time")
		}
		r := rand.New(rand.NewPCG(15, 16))
		var half BFloat16Gemm
		var single Gemm[float32]
		for flags := range 192 {
			p := newHalfProduct(r, 1+r.IntN(20), 1+r.IntN(70), r.IntN(300), 1+r.IntN(2), r.IntN(3), flags)
			p.load(&half)
			half.Run(Workers(), 1)
			if !sameBits(half.C, p.result(&single, 1)) {
				t.Errorf("%v: other bits than those of widened operands", p)
			}
		}
	})
}

// Infinite and missing numbers go through, and an odd end of K adds nothing to them.
func TestBFloat16GemmOfSpecialNumbers(t *testing.T) {
	withBFloat16(t, func(t *testing.T) {
		inf, nan := math.Inf(1), math.NaN()
		a, b := []float64{inf, 1, 2, -inf, nan, 0}, []float64{3, inf, -inf, 1e30}
		g := BFloat16Gemm{M: len(a), N: len(b), K: 1, Batch: 1, C: make([]float32, len(a)*len(b)), CRow: len(b)}
		g.A, g.B = Operand[uint16]{Data: make([]uint16, len(a)), Row: 1}, Operand[uint16]{Data: make([]uint16, len(b)), Row: len(b)}
		EncodeBFloat16(a, g.A.Data)
		EncodeBFloat16(b, g.B.Data)
		g.Run(Workers(), 1)
		for i, x := range a {
			for j, y := range b {
				got, want := g.C[i*len(b)+j], x*y
				if math.IsNaN(want) != (got != got) || got == got && math.Abs(float64(got)-want) > 0x1p-8*math.Abs(want) && !math.IsInf(want, 0) || math.IsInf(want, 0) && float64(got) != want {
					t.Errorf("%v·%v is %v, want %v", x, y, got, want)
				}
			}
		}
	})
}

func TestBFloat16GemmAllocatesNothing(t *testing.T) {
	withProcs(t, 2)
	withBFloat16(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(17, 18))
		var g BFloat16Gemm
		ps := []*halfProduct{newHalfProduct(r, 50, 130, 90, 1, 0, 64), newHalfProduct(r, 30, 40, 51, 4, 0, 1|4|16|32)}
		c := [][]float32{slices.Clone(ps[0].product.start), slices.Clone(ps[1].product.start)}
		rounded := slices.Clone(ps[1].start)
		run := func() {
			for i, p := range ps {
				g.M, g.N, g.K, g.Batch, g.A, g.B, g.C, g.Rounded = p.M, p.N, p.K, p.Batch, p.a, p.b, c[i], nil
				g.CRow, g.CNext, g.Bias, g.Accumulate = p.CRow, p.CNext, p.Bias, p.Accumulate
				g.Run(Workers(), 2)
			}
			g.Rounded = rounded
			g.Run(Workers(), 2)
		}
		if n := allocations(10, run); n != 0 {
			t.Errorf("10 calls allocate %d times", n)
		}
	})
}

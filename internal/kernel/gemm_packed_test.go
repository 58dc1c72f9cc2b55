package kernel

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// packedResult is the result of p by its right operand packed.
func packedResult[T Float](p *product[T], packed *Packed[T], threads int) []T {
	q := *p
	q.B = Operand[T]{}
	return q.result(&Gemm[T]{Packed: packed}, threads)
}

func TestPackedGivesTheBitsOfTheMatrix(t *testing.T) {
	withProcs(t, 3)
	withKernels(t, func(t *testing.T) {
		t.Run("float32", testPacked[float32])
		t.Run("float64", testPacked[float64])
	})
}

func testPacked[T Float](t *testing.T) {
	var g Gemm[T]
	var packed Packed[T] // its memory is used again, whatever is left in it
	eachProduct(func(p *product[T]) {
		if p.Batch > 1 && p.B.Next != 0 {
			return
		}
		want := p.result(&g, 1)
		for _, strips := range []bool{false, true} {
			for _, threads := range []int{1, 3} {
				packed.Pack(Workers(), threads, p.B, p.K, p.N, strips)
				if got := packedResult(p, &packed, threads); !sameBits(got, want) {
					t.Fatalf("%v: other bits by the matrix packed by %d threads, strips %v", p, threads, strips)
				}
			}
		}
	})
}

// A packed matrix serves all rows of any number of products.
func TestPackedBitsOfARow(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 3))
		whole := newProduct[float32](r, 40, 333, 401, 1, 0, 16)
		want := whole.result(new(Gemm[float32]), 1)
		for _, strips := range []bool{false, true} {
			var packed Packed[float32]
			packed.Pack(Workers(), 1, whole.B, whole.K, whole.N, strips)
			for rows := 1; rows <= 40; rows++ {
				p := *whole
				p.M, p.start = rows, whole.start[:rows*whole.N]
				if !sameBits(packedResult(&p, &packed, 1), want[:rows*whole.N]) {
					t.Errorf("%d rows, strips %v: other bits than in 40 rows", rows, strips)
				}
			}
		}
	})
}

func TestPackedIsReadByManyGemms(t *testing.T) {
	withProcs(t, 4)
	r := rand.New(rand.NewPCG(1, 4))
	p := newProduct[float32](r, 9, 200, 300, 1, 0, 0)
	want := p.result(new(Gemm[float32]), 1)
	for _, strips := range []bool{false, true} {
		var packed Packed[float32]
		packed.Pack(Workers(), 2, p.B, p.K, p.N, strips)
		var readers sync.WaitGroup
		for range 8 {
			readers.Go(func() {
				for range 20 {
					if got := packedResult(p, &packed, 2); !sameBits(got, want) {
						t.Errorf("strips %v: a reader among others gets other bits", strips)
						return
					}
				}
			})
		}
		readers.Wait()
	}
}

func TestPackedAllocatesNothing(t *testing.T) {
	withProcs(t, 2)
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 9))
		var g Gemm[float64]
		var packed Packed[float64]
		large, small := newProduct[float64](r, 3, 130, 900, 1, 0, 4), newProduct[float64](r, 1, 70, 90, 1, 0, 0)
		c := make([]float64, 3*130)
		run := func() {
			for _, strips := range []bool{false, true} {
				for _, p := range []*product[float64]{large, small} {
					packed.Pack(Workers(), 2, p.B, p.K, p.N, strips)
					p.load(&g)
					g.B, g.Packed, g.C = Operand[float64]{}, &packed, c
					g.Run(Workers(), 2)
				}
			}
		}
		if n := allocations(10, run); n != 0 {
			t.Errorf("10 rounds of packing and multiplying allocate %d times", n)
		}
	})
}

// BenchmarkPacked compares products by a matrix with those by the same matrix packed.
func BenchmarkPacked(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][2]int{{500, 800}, {256, 784}, {10, 500}, {2048, 1024}} {
		for _, m := range []int{1, 2, 4, 8, 32, 64} {
			p := newProduct[float32](r, m, s[0], s[1], 1, 0, 0)
			var packed Packed[float32]
			strips := WantsStrips[float32](m)
			packed.Pack(Workers(), 1, p.B, p.K, p.N, strips)
			for name, from := range map[string]*Packed[float32]{"matrix": nil, "packed": &packed} {
				b.Run(fmt.Sprintf("%dx%dx%d/%s", m, s[0], s[1], name), func(b *testing.B) {
					var g Gemm[float32]
					p.load(&g)
					g.Packed, g.C = from, p.start
					for range b.N {
						g.Run(Workers(), 1)
					}
				})
			}
			b.Run(fmt.Sprintf("%dx%dx%d/pack", m, s[0], s[1]), func(b *testing.B) {
				for range b.N {
					packed.Pack(Workers(), 1, p.B, p.K, p.N, strips)
				}
			})
		}
	}
}

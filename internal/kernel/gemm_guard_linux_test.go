package kernel

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// guarded copies x to memory between two pages that nobody may touch, so that it ends, or with front begins, at one of them: a kernel
// that reads or writes beyond crashes the test.
func guarded[T any](t *testing.T, x []T, front bool) []T {
	t.Helper()
	if len(x) == 0 {
		return nil
	}
	page := os.Getpagesize()
	size := len(x) * int(unsafe.Sizeof(x[0]))
	room := roundUp(size, page)
	mem, err := syscall.Mmap(-1, 0, room+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	for _, edge := range [][]byte{mem[:page], mem[page+room:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	at := page
	if !front {
		at += room - size
	}
	y := unsafe.Slice((*T)(unsafe.Pointer(&mem[at])), len(x))
	copy(y, x)
	return y[:len(x):len(x)]
}

// bothEnds runs a test with a page that nobody may touch behind the operands and in front of them.
func bothEnds(t *testing.T, test func(t *testing.T, front bool)) {
	withKernels(t, func(t *testing.T) {
		t.Run("behind", func(t *testing.T) { test(t, false) })
		t.Run("in front", func(t *testing.T) { test(t, true) })
	})
}

func TestGemmStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testGemmStays[float32](t, front)
		testGemmStays[float64](t, front)
	})
}

func testGemmStays[T Float](t *testing.T, front bool) {
	eachProduct(func(p *product[T]) {
		t.Run("", func(t *testing.T) {
			g := p.Gemm
			g.A.Data, g.B.Data = guarded(t, g.A.Data, front), guarded(t, g.B.Data, front)
			g.Bias, g.C = guarded(t, g.Bias, front), guarded(t, p.start, front)
			g.Run(Workers(), 1)
			for _, s := range g.scratch.areas { // grown to what this product needs
				s.own.a, s.own.b, s.own.rows = guarded(t, full(s.own.a), front), guarded(t, full(s.own.b), front), guarded(t, full(s.own.rows), front)
			}
			g.Run(Workers(), 1)
		})
	})
}

func TestPackedStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testPackedStays[float32](t, front)
		testPackedStays[float64](t, front)
	})
}

func testPackedStays[T Float](t *testing.T, front bool) {
	eachProduct(func(p *product[T]) {
		if p.Batch > 1 && p.B.Next != 0 || p.M == 0 || p.N == 0 || p.K == 0 {
			return
		}
		t.Run("", func(t *testing.T) {
			b := p.B
			b.Data = guarded(t, b.Data, front)
			for _, strips := range []bool{false, true} {
				var packed Packed[T]
				packed.Pack(Workers(), 1, b, p.K, p.N, strips)
				packed.data = guarded(t, packed.data, front)
				packed.Pack(Workers(), 1, b, p.K, p.N, strips)
				g := p.Gemm
				g.B, g.Packed, g.C = Operand[T]{}, &packed, guarded(t, p.start, front)
				g.Run(Workers(), 1)
			}
		})
	})
}

func TestConvStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testConvStays[float32](t, front)
		testConvStays[float64](t, front)
	})
}

func testConvStays[T Float](t *testing.T, front bool) {
	r := rand.New(rand.NewPCG(9, 10))
	shapes := convShapes
	for range 100 {
		shapes = append(shapes, randomShape(r, 4))
	}
	for _, s := range shapes {
		if c := newConvolution[T](r, s); c != nil {
			t.Run("", func(t *testing.T) {
				x, w, bias, dy := guarded(t, c.x, front), guarded(t, c.w, front), guarded(t, c.bias, front), guarded(t, c.dy, front)
				y := Conv[T]{ConvShape: c.ConvShape, X: x, W: w, Bias: bias, Y: guarded(t, c.dy, front), ReLU: c.relu, Act: c.act}
				dx := ConvGradInput[T]{ConvShape: c.ConvShape, W: w, DY: dy, DX: guarded(t, c.x, front)}
				dw := ConvGradFilter[T]{ConvShape: c.ConvShape, X: x, DY: dy, DW: guarded(t, c.w, front)}
				for range 2 { // the second time with scratch memory that has grown to what this convolution needs
					y.Run(Workers(), 1)
					dx.Run(Workers(), 1)
					dw.Run(Workers(), 1)
					guardSpaces(t, &y.scratch, front)
					guardSpaces(t, &dx.scratch, front)
					guardSpaces(t, &dw.scratch, front)
				}
			})
		}
	}
}

// full returns all memory of x.
func full[T any](x []T) []T { return x[:cap(x)] }

// guardSpaces puts the scratch memory of convolutions between pages that nobody may touch.
func guardSpaces[T Float](t *testing.T, s *Scratch[convSpace[T]], front bool) {
	for _, a := range s.areas {
		o := &a.own
		o.band, o.a, o.b, o.c = guarded(t, full(o.band), front), guarded(t, full(o.a), front), guarded(t, full(o.b), front), guarded(t, full(o.c), front)
		o.rows = guarded(t, full(o.rows), front)
	}
}

func TestMaxPool2DStaysInItsOperands(t *testing.T) {
	bothEnds(t, func(t *testing.T, front bool) {
		testMaxPool2DStays[float32](t, front)
		testMaxPool2DStays[float64](t, front)
	})
}

func testMaxPool2DStays[T Float](t *testing.T, front bool) {
	eachPool(func(s *PoolShape, r *rand.Rand) {
		t.Run("", func(t *testing.T) {
			n := s.OutHeight * s.OutWidth
			x, y := guarded(t, random[T](r, s.Height*s.Width), front), guarded(t, make([]T, n), front)
			MaxPool2D(s, x, y, guarded(t, make([]int32, n), front))
		})
	})
}

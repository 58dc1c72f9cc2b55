package kernel

import (
	"math"
	"unsafe"
)

// dotRows is a function that adds x[p]·b[i·bRow+p] to c[i], for i < cols and p < blocks·dotBlock, in the order of p: the bits of a
// tileFunc.
type dotRows[T Float] struct {
	cols int
	dots func(blocks int, x, b []T, bRow int, c []T)
}

// dotBlock returns the elements of a row that a dotRows reads at a time: a line of the cache.
func dotBlock[T Float]() int { return 64 / int(unsafe.Sizeof(*new(T))) }

// dotSpace returns the elements that dot needs beside its operands.
func (t *table[T]) dotSpace() int {
	if len(t.dots) == 0 {
		return 0
	}
	return (t.dots[0].cols + 1) * dotBlock[T]()
}

// dotted reports whether a step of a block reads the rows of a transposed B where they are: for a single row of A, for which bringing them
// into panels would take longer than the product.
func (g *Gemm[T]) dotted(b *block[T], k int) bool {
	return len(g.kern.dots) > 0 && g.B.Trans && g.Packed == nil && !g.A.Trans && b.i1-b.i0 == 1 && k >= dotBlock[T]()
}

// dotStep is step for the rows of B that make whole vectors. It returns how many that are.
func (g *Gemm[T]) dotStep(b *block[T], s *gemmSpace[T], d addend[T], out target[T], p, k int) int {
	least := g.kern.dots[len(g.kern.dots)-1].cols
	n := (b.j1 - b.j0) / least * least
	x := g.A.Data[b.matrix*g.A.Next+b.i0*g.A.Row+p:][:k]
	rows := g.B.Data[b.matrix*g.B.Next+b.j0*g.B.Row+p:]
	sums := s.b[:cap(s.b)][:n]
	clear(sums)
	for j, f := 0, 0; j < n; j += g.kern.dots[f].cols {
		for n-j < g.kern.dots[f].cols {
			f++
		}
		g.kern.dots[f].add(x, rows[j*g.B.Row:], g.B.Row, sums[j:], s.a[:cap(s.a)])
	}
	to := out.data[out.j0:][:n]
	if d.mode == addNothing {
		copy(to, sums)
	} else {
		Add(sums, d.at(0, out.j0)[:n], to)
	}
	if d.relu {
		ReLU(to, to, 0, 0)
	}
	return n
}

// add adds the products of all elements of x. Those behind the last whole block are brought to space, with −0 behind them, and 0 behind
// those of b: adding −0 changes no number.
func (f *dotRows[T]) add(x, b []T, bRow int, c, space []T) {
	block := dotBlock[T]()
	whole := len(x) / block * block
	f.dots(whole/block, x, b, bRow, c)
	rest := len(x) - whole
	if rest == 0 {
		return
	}
	space = space[:(f.cols+1)*block]
	clear(space)
	last, rows := space[:block], space[block:]
	for i := copy(last, x[whole:]); i < block; i++ {
		last[i] = T(math.Copysign(0, -1))
	}
	for i := range f.cols {
		copy(rows[i*block:], b[i*bRow+whole:][:rest])
	}
	f.dots(1, last, rows, block, c)
}

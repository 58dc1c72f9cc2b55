package cpu

import (
	"bytes"
	"testing"

	"paddle/op"
)

// A product with a transposed left operand is the same bits as with that operand the other way round, and steady.
func TestMatMulOfTurned(t *testing.T) {
	r, b := newRand(4), New()
	for _, d := range bothFloats {
		for _, s := range [][3]int{{16, 256, 65}, {33, 300, 127}, {70, 257, 500}} {
			g := op.MatMulSpec{M: s[0], N: s[1], K: s[2], Batch: 1, TransA: true}
			if !wantsTurning(g) {
				t.Fatalf("%v is not turned", g)
			}
			x, z, y := random(r, d, g.K, g.M), random(r, d, g.K, g.N), garbage(d, g.M, g.N)
			steady(t, "MatMul of a turned matrix", b, func() { b.MatMul(g, x, z, op.Buffer{}, y) }, y)
			turned, want := garbage(d, g.M, g.K), like(y)
			for i := range g.M {
				for k := range g.K {
					set(turned, i*g.K+k, get(x, k*g.M+i))
				}
			}
			g.TransA = false
			b.MatMul(g, turned, z, op.Buffer{}, want)
			if !bytes.Equal(y.Bytes(), want.Bytes()) {
				t.Errorf("%v of %v: other bits than those of the matrix as it is used", g, d)
			}
		}
	}
}

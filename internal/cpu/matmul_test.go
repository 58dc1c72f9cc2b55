package cpu

import (
	"bytes"
	"runtime"
	"testing"

	"paddle/op"
)

// matrices describes one operand of a MatMul.
type matrices struct {
	data          op.Buffer
	rows, cols    int
	trans, shared bool
}

func (m *matrices) at(n, i, j int) float64 {
	if m.shared {
		n = 0
	}
	if m.trans {
		return get(m.data, n*m.rows*m.cols+j*m.rows+i)
	}
	return get(m.data, n*m.rows*m.cols+i*m.cols+j)
}

// matmulReference computes MatMul without its activation, one element after another.
func matmulReference(g op.MatMulSpec, a, b, bias, y op.Buffer) []float64 {
	left, right := matrices{a, g.M, g.K, g.TransA, g.SharedA}, matrices{b, g.K, g.N, g.TransB, g.SharedB}
	want := make([]float64, y.Len())
	for at := range want {
		j, i, n := at%g.N, at/g.N%g.M, at/g.N/g.M
		for k := range g.K {
			want[at] += left.at(n, i, k) * right.at(n, k, j)
		}
		if !bias.IsNil() {
			want[at] += get(bias, j)
		}
		if g.Accumulate {
			want[at] += get(y, at)
		}
	}
	return want
}

func TestMatMul(t *testing.T) {
	r := newRand(1)
	b := New()
	b.SetThreads(2)
	for _, d := range bothFloats {
		for flags := range 64 {
			on := func(bit int) bool { return flags>>bit&1 != 0 }
			g := op.MatMulSpec{
				M: 1 + r.IntN(20), N: 1 + r.IntN(40), K: r.IntN(30), Batch: 1 + r.IntN(3),
				TransA: on(0), TransB: on(1), SharedA: on(2), SharedB: on(3), Accumulate: on(4),
			}
			x, z, y := random(r, d, g.Batch, g.M, g.K), random(r, d, g.Batch, g.K, g.N), random(r, d, g.Batch, g.M, g.N)
			var bias op.Buffer
			if on(5) {
				bias = random(r, d, g.N)
			}
			want := matmulReference(g, x, z, bias, y)
			b.MatMul(g, x, z, bias, y)
			check(t, name("MatMul ", g), y, want, 30*tolerance(d))
		}
	}
}

// An activation in the product is the same bits as the function of its name afterwards.
func TestMatMulActivation(t *testing.T) {
	r := newRand(2)
	b := New()
	for _, d := range bothFloats {
		for act, f := range map[op.Activation]op.UnaryFunc{op.ActReLU: op.UnaryReLU, op.ActSigmoid: op.UnarySigmoid, op.ActTanh: op.UnaryTanh} {
			g := op.MatMulSpec{M: 33, N: 70, K: 500, Batch: 1}
			x, z, bias, y := random(r, d, g.M, g.K), random(r, d, g.K, g.N), random(r, d, g.N), garbage(d, g.M, g.N)
			want := like(y)
			b.MatMul(g, x, z, bias, want)
			b.Unary(f, 0, 0, want, want)
			g.Act = act
			b.MatMul(g, x, z, bias, y)
			if !bytes.Equal(y.Bytes(), want.Bytes()) {
				t.Errorf("MatMul of %v with activation %d gives other bits than UnaryFunc %d afterwards", d, act, f)
			}
		}
	}
}

// steady checks that call writes the same bits to out at any number of threads, and allocates nothing when it is repeated.
func steady(t *testing.T, what string, b *Backend, call func(), out op.Buffer) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	var want []byte
	for _, threads := range []int{1, 2, 3, 8} {
		b.SetThreads(threads)
		call()
		if want == nil {
			want = bytes.Clone(out.Bytes())
		} else if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s of %v: other bits on %d threads than on one", what, out.DType, threads)
		}
		if n := allocations(call); n != 0 {
			t.Errorf("%s of %v allocates %d times on %d threads", what, out.DType, n, threads)
		}
	}
}

func TestMatMulIsSteady(t *testing.T) {
	r := newRand(3)
	b := New()
	for _, d := range bothFloats {
		g := op.MatMulSpec{M: 131, N: 257, K: 301, Batch: 2, TransA: true, Act: op.ActSigmoid}
		x, z, bias, y := random(r, d, g.Batch, g.M, g.K), random(r, d, g.Batch, g.K, g.N), random(r, d, g.N), garbage(d, g.Batch, g.M, g.N)
		steady(t, "MatMul", b, func() { b.MatMul(g, x, z, bias, y) }, y)
	}
}

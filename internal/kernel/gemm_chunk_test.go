package kernel

import (
	"math/rand/v2"
	"testing"
)

// Chunks that are parts of their own give the bits of chunks that a part adds one after another.
func TestGemmChunksApart(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		t.Run("float32", testGemmChunksApart[float32])
		t.Run("float64", testGemmChunksApart[float64])
	})
}

func testGemmChunksApart[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, flags := range []int{0, 1, 4, 5 | 16, 32, 1 | 16 | 32, 64, 4 | 16 | 64, 1 | 16 | 128, 32 | 64} {
		p := newProduct[T](r, 7, 33, 3100, 1, 1, flags)
		var apart, along Gemm[T]
		want := p.result(&apart, 1)
		if !apart.cut.apart || apart.cut.chunks < 2 {
			t.Fatalf("%v is cut into %d chunks, apart %v", p, apart.cut.chunks, apart.cut.apart)
		}
		p.load(&along)
		along.C = append([]T(nil), p.start...)
		along.kern = kernels[T]()
		along.cut = apart.cut
		along.cut.apart = false
		along.runs = along.kern.appendRuns(nil, along.cut.k)
		along.scratch.Prepare(1, along.size)
		for part := range along.cut.parts() {
			along.Do(part)
		}
		if !sameBits(along.C, want) {
			t.Errorf("%v: chunks one after another give other bits", p)
		}
	}
}

func TestCutChunks(t *testing.T) {
	for _, c := range []struct{ k, chunks, length int }{
		{0, 1, 1}, {1, 1, 1}, {3071, 1, 3071}, {3072, 2, 1536}, {3073, 2, 1544}, {6143, 2, 3072}, {6144, 4, 1536}, {14000, 8, 1752},
		{24576, 16, 1536}, {1_000_000, 16, 62504},
	} {
		if chunks, length := cutChunks(c.k); chunks != c.chunks || length != c.length {
			t.Errorf("%d steps are cut into %d chunks of %d, want %d of %d", c.k, chunks, length, c.chunks, c.length)
		}
	}
}

package kernel

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

// benchmarkShapes are products of models that people train: m, n, k, and whether A and B are transposed.
var benchmarkShapes = []struct {
	m, n, k int
	ta, tb  bool
}{
	{64, 64, 64, false, false},
	{256, 256, 256, false, false},
	{1024, 1024, 1024, false, false},
	{64, 256, 784, false, false}, // a hidden layer, its gradients
	{784, 256, 64, true, false},
	{64, 784, 256, false, true},
	{32, 512, 128, false, false}, // a recurrent step
	{14000, 512, 128, false, false},
	{128, 512, 14000, true, false},
	{50, 36864, 500, false, false},
	{64, 10, 500, false, false}, // a small output layer, its gradients
	{500, 10, 64, true, false},
	{64, 500, 10, false, true},
	{1, 500, 800, false, false}, // batch 1
	{1, 800, 500, false, true},
	{2, 500, 800, false, false},
	{4, 500, 800, false, false},
	{1000, 1, 500, false, false}, // one output
	{64, 20000, 256, false, false},
}

func BenchmarkGemm32(b *testing.B) { benchmarkGemm[float32](b) }
func BenchmarkGemm64(b *testing.B) { benchmarkGemm[float64](b) }

func benchmarkGemm[T Float](b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range benchmarkShapes {
		name := fmt.Sprintf("%dx%dx%d", s.m, s.n, s.k)
		if s.ta {
			name += "-TA"
		}
		if s.tb {
			name += "-TB"
		}
		b.Run(name, func(b *testing.B) {
			g := Gemm[T]{M: s.m, N: s.n, K: s.k, Batch: 1, CRow: s.n, C: aligned[T](s.m * s.n)}
			g.A = operand[T](r, s.m, s.k, 1, 0, s.ta, false)
			g.B = operand[T](r, s.k, s.n, 1, 0, s.tb, false)
			b.ResetTimer()
			for range b.N {
				g.Run(Workers(), runtime.GOMAXPROCS(0))
			}
			flops := 2 * float64(s.m) * float64(s.n) * float64(s.k) * float64(b.N)
			b.ReportMetric(flops/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
		})
	}
}

package kernel

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

// The convolutions of LeNet, of a small residual network, and one with a filter for each channel.
var benchmarkConvs = []ConvShape{
	simpleShape(64, 1, 28, 20, 5, 1, 0, 1),
	simpleShape(64, 20, 12, 50, 5, 1, 0, 1),
	simpleShape(16, 64, 32, 64, 3, 1, 1, 1),
	simpleShape(16, 128, 16, 128, 3, 1, 1, 1),
	simpleShape(16, 64, 32, 128, 3, 2, 1, 1),
	simpleShape(16, 256, 14, 64, 1, 1, 0, 1),
	simpleShape(16, 64, 32, 64, 3, 1, 1, 64),
	simpleShape(1, 3, 224, 64, 7, 2, 3, 1),
}

func BenchmarkConv(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range benchmarkConvs {
		c := newConvolution[float32](r, s)
		c.act = nil
		name := fmt.Sprintf("%dx%dx%dx%d-%dx%ds%dg%d", s.Batch, s.Channels, s.Height, s.Width, s.Filters, s.KernelHeight, s.StrideHeight, s.Groups)
		y := make([]float32, max(len(c.dy), len(c.x), len(c.w)))
		threads := runtime.GOMAXPROCS(0)
		fwd := Conv[float32]{ConvShape: c.ConvShape, X: c.x, W: c.w, Bias: c.bias, Y: y[:len(c.dy)], ReLU: c.relu}
		in := ConvGradInput[float32]{ConvShape: c.ConvShape, W: c.w, DY: c.dy, DX: y[:len(c.x)]}
		filter := ConvGradFilter[float32]{ConvShape: c.ConvShape, X: c.x, DY: c.dy, DW: y[:len(c.w)]}
		for _, k := range []struct {
			name string
			run  func(team *Team, threads int)
		}{{"forward", fwd.Run}, {"input", in.Run}, {"filter", filter.Run}} {
			b.Run(name+"/"+k.name, func(b *testing.B) {
				for range b.N {
					k.run(Workers(), threads)
				}
				flops := 2 * float64(len(c.dy)) * float64(c.depth()) * float64(b.N)
				b.ReportMetric(flops/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}

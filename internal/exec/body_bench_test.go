package exec

import (
	"context"
	"testing"

	"paddle/op"
)

// BenchmarkBody times the steps of a Scan and of its gradient without kernels: nanoseconds a node that the engine takes by itself, where
// all steps have as many rows and where each has fewer.
func BenchmarkBody(b *testing.B) {
	for _, c := range []struct {
		name  string
		width func(n int) int
	}{{"equal", func(int) int { return 2 }}, {"shrinking", func(n int) int { return 1000 - n }}} {
		b.Run(c.name, func(b *testing.B) {
			p := bodyProgram(b)
			w := newWorkspace(p)
			w.env.Backend = idle{}
			p.release(w)
			const steps = 1000
			starts := op.NewBuffer(op.Int32, steps+1)
			for n := range steps {
				starts.Int32s()[n+1] = starts.Int32s()[n] + int32(c.width(n))
			}
			rows := int(starts.Int32s()[steps])
			feeds := op.Feeds{
				"starts": starts.Dense(), "x": op.NewBuffer(op.Float32, rows, 1).Dense(), "h": op.NewBuffer(op.Float32, 1000, 1).Dense(),
				"w": op.NewBuffer(op.Float32, 1, 1).Dense(),
			}
			use := func([]op.Buffer) error { return nil }
			for b.Loop() {
				if err := p.Run(context.Background(), feeds, 0, use); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*steps*bodyNodes(p.unit)), "ns/node")
		})
	}
}

// bodyProgram compiles a Scan of a step of twenty nodes, and its gradient.
func bodyProgram(b *testing.B) *Program {
	g := op.NewGraph(nil)
	x, h, w := g.Input("x", op.Float32, g.Dim("rows"), 1), g.Input("h", op.Float32, op.Batch, 1), g.Input("w", op.Float32, 1, 1)
	in := op.ScanInputs{Starts: g.Input("starts", op.Int32, g.Dim("steps")), Rows: []*op.Node{x}, Init: []*op.Node{h}}
	outs, _ := op.Scan(in, func(s *op.ScanStep) (out, next []*op.Node) {
		y := s.Memory[0]
		for range 5 {
			y = op.Tanh(op.Mul(op.Add(op.MatMul(y, w), s.Rows[0]), y))
		}
		return []*op.Node{y}, []*op.Node{y}
	})
	p, err := Compile(g, op.Optimize(g, append(op.Gradient(op.Sum(outs[0]), x, w), outs[0])), Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// bodyNodes counts the applications in the bodies of u.
func bodyNodes(u *unit) int {
	n := 0
	for _, s := range u.steps {
		if s.body != nil {
			n += len(s.body.steps) + bodyNodes(s.body)
		}
	}
	return n
}

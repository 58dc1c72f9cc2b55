package exec_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// skewed returns n lengths, the longest first, of which many are short and few long; their mean is about 230.
func skewed(n int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]int, n)
	for i := range out {
		out[i] = min(1200, 1+int(185*math.Exp(0.65*rng.NormFloat64())))
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// startsOf returns the starts of the steps of sequences, the longest first.
func startsOf(lengths []int) []int32 {
	starts := []int32{0}
	live := len(lengths)
	for n := 0; ; n++ {
		for live > 0 && lengths[live-1] <= n {
			live--
		}
		if live == 0 {
			return starts
		}
		starts = append(starts, starts[n]+int32(live))
	}
}

// lstmStep builds an LSTM over a Scan with its gradients.
func lstmStep(hidden op.Dim) (g *op.Graph, fetch []*op.Node) {
	g = op.NewGraph(nil)
	starts := g.Input("starts", op.Int32, g.Dim("steps"))
	x := g.Input("x", op.Float32, g.Dim("rows"), hidden)
	h0, c0 := g.Input("h0", op.Float32, op.Batch, hidden), g.Input("c0", op.Float32, op.Batch, hidden)
	wx, wh, b := g.Input("wx", op.Float32, hidden, 4*hidden), g.Input("wh", op.Float32, hidden, 4*hidden), g.Input("b", op.Float32, 4*hidden)
	outs, _ := op.Scan(op.ScanInputs{Starts: starts, Rows: []*op.Node{x}, Init: []*op.Node{h0, c0}}, func(s *op.ScanStep) (out, next []*op.Node) {
		gates := op.Add(op.Add(op.MatMul(s.Rows[0], wx), op.MatMul(s.Memory[0], wh)), b)
		parts := op.Split(gates, 1, hidden, hidden, hidden, hidden)
		c := op.Add(op.Mul(op.Sigmoid(parts[0]), s.Memory[1]), op.Mul(op.Sigmoid(parts[1]), op.Tanh(parts[2])))
		h := op.Mul(op.Sigmoid(parts[3]), op.Tanh(c))
		return []*op.Node{h}, []*op.Node{h, c}
	})
	loss := op.Mean(op.Square(outs[0]))
	return g, append([]*op.Node{loss}, op.Gradient(loss, x, wx, wh, b)...)
}

func lstmFeeds(lengths []int, hidden int) op.Feeds {
	starts := startsOf(lengths)
	rng := rand.New(rand.NewPCG(9, 9))
	floats := func(shape ...int) op.Buffer {
		b := op.NewBuffer(op.Float32, shape...)
		for i := range b.Float32s() {
			b.Float32s()[i] = float32(rng.NormFloat64()) / 10
		}
		return b
	}
	t := op.NewBuffer(op.Int32, len(starts))
	copy(t.Int32s(), starts)
	rows := int(starts[len(starts)-1])
	return op.Feeds{
		"starts": t.Dense(), "x": floats(rows, hidden).Dense(), "h0": floats(len(lengths), hidden).Dense(), "c0": floats(len(lengths), hidden).Dense(),
		"wx": floats(hidden, 4*hidden).Dense(), "wh": floats(hidden, 4*hidden).Dense(), "b": floats(4 * hidden).Dense(),
	}
}

func optimized(tb testing.TB, g *op.Graph, fetch []*op.Node, o exec.Options) *exec.Program {
	tb.Helper()
	g, find := op.Copy(g, op.Training, fetch...)
	nodes := make([]*op.Node, len(fetch))
	for i, n := range fetch {
		nodes[i] = find(n)
	}
	p, err := exec.Compile(g, op.Optimize(g, nodes), o)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// BenchmarkScanLSTM times a forward and backward run of an LSTM that is written as a step, in nanoseconds a token, on one thread.
func BenchmarkScanLSTM(b *testing.B) {
	g, fetch := lstmStep(128)
	p := optimized(b, g, fetch, exec.Options{Threads: 1})
	lengths := skewed(64, 7)
	feeds := lstmFeeds(lengths, 128)
	tokens := 0
	for _, l := range lengths {
		tokens += l
	}
	use := func([]op.Buffer) error { return nil }
	for b.Loop() {
		if err := p.Run(context.Background(), feeds, 0, use); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tokens), "ns/token")
	b.ReportMetric(float64(tokens), "tokens")
}

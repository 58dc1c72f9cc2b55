package op_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// normedActs are activations after a batch norm, and whether they become part of it.
var normedActs = []struct {
	name  string
	act   op.ActivationFunc
	fused bool
}{
	{"relu", op.ReLU, true},
	{"clip", func(x *op.Node) *op.Node { return op.Clip(x, -0.3, 0.4) }, true},
	{"clip", func(x *op.Node) *op.Node { return op.Clip(x, 0, 6) }, true},
	{"clip", func(x *op.Node) *op.Node { return op.Clip(x, -1, 0) }, false},
	{"leaky_relu", func(x *op.Node) *op.Node { return op.LeakyReLU(x, 0.1) }, false},
}

// A batch norm and an activation give the same bits as one op, in value and gradients.
func TestNormFusesWithItsActivation(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, dtype := range []op.DType{op.Float32, op.Float64} {
		for _, a := range normedActs {
			for _, channels := range []int{9, 1} {
				shape := []op.Dim{op.Batch, op.Dim(channels), 5, 51}
				g := op.NewGraph(nil)
				_, mean := variable(t, g, dtype, make([]float64, channels), channels)
				_, variance := variable(t, g, dtype, make([]float64, channels), channels)
				x, dy := g.Input("x", dtype, shape...), g.Input("dy", dtype, shape...)
				weight, bias := g.Input("weight", dtype, op.Dim(channels)), g.Input("bias", dtype, op.Dim(channels))
				y := a.act(op.BatchNorm(x, op.Norm{Weight: weight, Bias: bias, Mean: mean, Variance: variance, Momentum: 0.9, Epsilon: 1e-5}))
				nodes := append([]*op.Node{y}, op.VJP([]*op.Node{y}, []*op.Node{dy}, []*op.Node{x, weight, bias})...)
				feeds := op.Feeds{}
				for name, dims := range map[string][]int{"x": {3, channels, 5, 51}, "dy": {3, channels, 5, 51}, "weight": {channels}, "bias": {channels}} {
					n := 1
					for _, d := range dims {
						n *= d
					}
					feeds[name] = tensorIn(dtype, normals(r, n), dims...)
				}
				if ops := optimized(t, nodes...); strings.Contains(ops, a.name) == a.fused {
					t.Errorf("%s after a batch norm of %d channels: %s", a.name, channels, ops)
				}
				want, got := evaluate(t, feeds, nodes...), evaluateOptimized(t, feeds, nodes)
				for i := range want {
					if !slices.Equal(got[i], want[i]) {
						t.Errorf("%v: %s after a batch norm of %d channels: result %d is not the same bits as that of two ops", dtype, a.name, channels, i)
					}
				}
			}
		}
	}
}

func normals(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// evaluateOptimized is evaluate after op.Optimize.
func evaluateOptimized(t *testing.T, feeds op.Feeds, nodes []*op.Node) [][]float64 {
	t.Helper()
	g, find := op.Copy(nodes[0].Graph(), op.Training, nodes...)
	fetch := make([]*op.Node, len(nodes))
	for i, n := range nodes {
		fetch[i] = find(n)
	}
	p, err := exec.Compile(g, op.Optimize(g, fetch), exec.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return (&runner{t: t, program: p, feeds: feeds}).run()
}

// What was normalised stays where something else reads it.
func TestNormIsKeptWhereItIsRead(t *testing.T) {
	g := op.NewGraph(nil)
	_, mean := variable(t, g, op.Float32, make([]float64, 8), 8)
	_, variance := variable(t, g, op.Float32, make([]float64, 8), 8)
	x, w := g.Input("x", op.Float32, op.Batch, 8, 3, 3), g.Input("w", op.Float32, 8)
	y := op.BatchNorm(x, op.Norm{Weight: w, Bias: w, Mean: mean, Variance: variance, Momentum: 0.9, Epsilon: 1e-5})
	if got, want := optimized(t, y, op.ReLU(y)), "relu"; !strings.Contains(got, want) {
		t.Errorf("a batch norm that is fetched, and its activation: got %q", got)
	}
	if got := optimized(t, op.Mul(op.ReLU(y), y)); !strings.Contains(got, "relu") {
		t.Errorf("a batch norm that is read twice: got %q", got)
	}
}

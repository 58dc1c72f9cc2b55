package op_test

import (
	"math"
	"strings"
	"testing"

	"paddle/op"
	"paddle/op/optest"
)

// normed has the parameters and the statistics of a batch norm.
type normed struct {
	Weight, Bias   *op.Parameter
	Mean, Variance *op.Variable
	Momentum       float64
	Epsilon        float64
}

func (n *normed) forward(x *op.Node) *op.Node {
	s := op.Enter(n, x)
	defer s.Leave()
	if s.Failed() != nil {
		return s.Failed()
	}
	c, d := int(x.Dim(1)), x.DType()
	return op.BatchNorm(x, op.Norm{
		Weight: s.Parameter("Weight", n.Weight, d, op.InitConstant(1), c), Bias: s.Parameter("Bias", n.Bias, d, op.InitConstant(0), c),
		Mean: s.Variable("Mean", n.Mean, d, op.InitConstant(0), c), Variance: s.Variable("Variance", n.Variance, d, op.InitConstant(1), c),
		Momentum: n.Momentum, Epsilon: n.Epsilon,
	})
}

// batchNormalized is the definition, with γ and β.
func batchNormalized(in []optest.Array) []optest.Array {
	const epsilon = 1e-3
	x, gamma, beta := in[0], in[1], in[2]
	y := optest.NewArray(x.Shape...)
	channels, inner := x.Shape[1], 1
	for _, d := range x.Shape[2:] {
		inner *= d
	}
	for c := range channels {
		var of []int
		for i := range x.Data {
			if i/inner%channels == c {
				of = append(of, i)
			}
		}
		mean, variance := 0.0, 0.0
		for _, i := range of {
			mean += x.Data[i] / float64(len(of))
		}
		for _, i := range of {
			variance += (x.Data[i] - mean) * (x.Data[i] - mean) / float64(len(of))
		}
		for _, i := range of {
			y.Data[i] = (x.Data[i]-mean)/math.Sqrt(variance+epsilon)*gamma.Data[c] + beta.Data[c]
		}
	}
	return []optest.Array{y}
}

func TestBatchNorm(t *testing.T) {
	build := func(in ...*op.Node) []*op.Node {
		g := in[0].Graph()
		if g == nil {
			g = in[1].Graph()
		}
		statistics := func() *op.Node {
			v := new(op.Variable)
			if err := v.Define(in[0].DType(), op.InitConstant(0), 3); err != nil {
				return g.Fail("%w", err)
			}
			return g.Read(v)
		}
		return []*op.Node{op.BatchNorm(in[0], op.Norm{
			Weight: in[1], Bias: in[2], Mean: statistics(), Variance: statistics(), Momentum: 0.9, Epsilon: 1e-3,
		})}
	}
	for _, shape := range [][]op.Dim{{op.Batch, 3}, {op.Batch, 3, 2, 2}, {op.Batch, 3, 5}} {
		optest.Check(t, optest.Case{
			In: []optest.Input{optest.Float(shape...), optest.Float(3), optest.Float(3)}, Build: build, Reference: batchNormalized,
		})
	}
}

func TestBatchNormModel(t *testing.T) {
	optest.Check(t, optest.Case{
		In: []optest.Input{optest.Float(op.Batch, 2, 3, 3)},
		Model: func() (any, optest.Build) {
			n := &normed{Momentum: 0.9, Epsilon: 1e-5}
			return n, optest.Unary(n.forward)
		},
	})
}

// N01: one value per channel has no variance. The run fails, and the running statistics stay.
func TestN01BatchNormOfOneValue(t *testing.T) {
	n := &normed{Momentum: 0.9, Epsilon: 1e-5}
	model := &struct{ Norm *normed }{n}
	g := op.NewGraph(model)
	y := n.forward(g.Input("x", op.Float32, op.Batch, 3))
	r := compile(t, op.Training, nil, y)
	_, err := r.try(op.Feeds{"x": tensorOf([]float32{1, 2, 3}, 1, 3)})
	if err == nil || !strings.Contains(err.Error(), "norm: the input has shape (1, 3): values per channel 1, want 2 or more to train on") ||
		!strings.Contains(err.Error(), "batchnorm_test.go:") {
		t.Errorf("error %v", err)
	}
	wantNear(t, "running mean", valueOf(n.Mean), []float64{0, 0, 0}, 0)
	wantNear(t, "running variance", valueOf(n.Variance), []float64{1, 1, 1}, 0)
	predict := compile(t, op.Inference, op.Feeds{"x": tensorOf([]float32{1, 2, 3}, 1, 3)}, y)
	wantNear(t, "prediction", predict.run()[0], []float64{1, 2, 3}, 1e-4)
}

func TestN01BatchNormOfOneImage(t *testing.T) {
	n := &normed{Momentum: 0.9, Epsilon: 1e-5}
	g := op.NewGraph(n)
	y := n.forward(g.Input("x", op.Float32, 1, 3, 2, 2))
	evaluate(t, op.Feeds{"x": tensorOf(make([]float32, 12), 1, 3, 2, 2)}, y)

	one := &normed{Momentum: 0.9, Epsilon: 1e-5}
	g = op.NewGraph(one)
	y = one.forward(g.Input("x", op.Float32, 1, 3))
	if y.Err() != nil {
		t.Errorf("building for prediction: %v", y.Err())
	}
	op.Gradient(op.Sum(y), g.ReadParameter(one.Weight))
	if err := g.Err(); err == nil || !strings.Contains(err.Error(), "values per channel 1") || !strings.Contains(err.Error(), "batchnorm_test.go:") {
		t.Errorf("building the gradient: %v", err)
	}
}

// N02: momentum is the fraction kept, the variance is divided by n.
func TestN02BatchNormMomentum(t *testing.T) {
	n := &normed{Momentum: 0.9, Epsilon: 1e-5}
	g := op.NewGraph(n)
	y := n.forward(g.Input("x", op.Float32, op.Batch, 1))
	r := compile(t, op.Training, op.Feeds{"x": tensorOf([]float32{9, 11}, 2, 1)}, y)
	wantNear(t, "output", r.run()[0], []float64{-1, 1}, 1e-3)
	wantNear(t, "running mean", valueOf(n.Mean), []float64{1}, 1e-6)
	wantNear(t, "running variance", valueOf(n.Variance), []float64{1}, 1e-6)
	r.run()
	wantNear(t, "running mean after two steps", valueOf(n.Mean), []float64{1.9}, 1e-6)
}

// A step that is not applied leaves the running statistics alone.
func TestBatchNormWithoutApply(t *testing.T) {
	n := &normed{Momentum: 0.9, Epsilon: 1e-5}
	g := op.NewGraph(n)
	y := n.forward(g.Input("x", op.Float32, op.Batch, 1))
	never := op.Not(op.Any(op.IsFinite(y)))
	g.Substitute(map[*op.Node]*op.Node{g.ApplyFlag(): never})
	compile(t, op.Training, op.Feeds{"x": tensorOf([]float32{9, 11}, 2, 1)}, y, never).run()
	wantNear(t, "running mean", valueOf(n.Mean), []float64{0}, 0)
	wantNear(t, "running variance", valueOf(n.Variance), []float64{1}, 0)
}

// N04: the gradient for x includes the mean and variance terms.
func TestN04BatchNormGradient(t *testing.T) {
	n := &normed{Momentum: 0.9}
	g := op.NewGraph(n)
	x := g.Input("x", op.Float32, op.Batch, 1)
	y := n.forward(x)
	grads := op.Gradient(op.Sum(op.Slice(y, 0, 0, 1)), x, g.ReadParameter(n.Weight), g.ReadParameter(n.Bias))
	out := evaluate(t, op.Feeds{"x": tensorOf([]float32{1, 2, 4}, 3, 1)}, grads...)
	wantNear(t, "dx", out[0], []float64{0.229081, -0.343622, 0.114541}, 1e-4)
	wantNear(t, "dγ", out[1], []float64{-1.069045}, 1e-4)
	wantNear(t, "dβ", out[2], []float64{1}, 0)
}

// In a program for prediction the statistics are constants, for the gradient too.
func TestBatchNormGradientInPrediction(t *testing.T) {
	n := &normed{Momentum: 0.9, Epsilon: 0.25}
	g := op.NewGraph(n)
	x := g.Input("x", op.Float64, op.Batch, 2, 2)
	y := n.forward(x)
	n.Variance.Init, n.Mean.Init = nil, nil
	for _, v := range []struct {
		of *op.Variable
		to []float64
	}{{n.Mean, []float64{1, 2}}, {n.Variance, []float64{0.75, 3.75}}} {
		b := op.NewBuffer(op.Float64, 2)
		copy(b.Float64s(), v.to)
		if err := v.of.Assign(b); err != nil {
			t.Fatal(err)
		}
	}
	nodes := append([]*op.Node{y}, op.Gradient(op.Sum(op.Square(y)), x, g.ReadParameter(n.Weight), g.ReadParameter(n.Bias))...)
	out := compile(t, op.Inference, op.Feeds{"x": tensorOf([]float64{2, 3, 4, 6}, 1, 2, 2)}, nodes...).run()
	wantNear(t, "y", out[0], []float64{1, 2, 1, 2}, 1e-12)  // (x − 1)/1 and (x − 2)/2
	wantNear(t, "dx", out[1], []float64{2, 4, 1, 2}, 1e-12) // 2y·γ/√(variance+ε)
	wantNear(t, "dγ", out[2], []float64{10, 10}, 1e-12)     // Σ 2y·x̂
	wantNear(t, "dβ", out[3], []float64{6, 6}, 1e-12)       // Σ 2y
}

func TestBatchNormMisuse(t *testing.T) {
	build := func(momentum, epsilon float64) optest.Build {
		return optest.One(func(in ...*op.Node) *op.Node {
			return op.BatchNorm(in[0], op.Norm{Weight: in[1], Bias: in[2], Mean: in[3], Variance: in[4], Momentum: momentum, Epsilon: epsilon})
		})
	}
	in := func(x, other []op.Dim) []optest.Input {
		list := []optest.Input{{Name: "x", Shape: x}}
		for range 4 {
			list = append(list, optest.Input{Shape: other})
		}
		return list
	}
	optest.Check(t, optest.Case{Misuse: []optest.Misuse{
		{In: in([]op.Dim{3}, []op.Dim{3}), Build: build(0.9, 0), Want: `op.BatchNorm: input "x" has shape (3,), want (batch, channels) or (batch, channels, …)`},
		{In: in([]op.Dim{op.Batch, 3}, []op.Dim{2}), Build: build(0.9, 0), Want: `op.BatchNorm: input "x1" has shape (2,), want (3,), one value per channel of "x"`},
		{In: in([]op.Dim{op.Batch, 3}, []op.Dim{3}), Build: build(0.9, -1), Want: `op.BatchNorm: epsilon -1, want 0 or more`},
		{In: in([]op.Dim{op.Batch, 3}, []op.Dim{3}), Build: build(1.5, 0), Want: `op.BatchNorm: the fraction 1.5 to keep is not from 0 to 1`},
	}})
}

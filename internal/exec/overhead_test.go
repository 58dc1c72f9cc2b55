package exec

import (
	"context"
	"testing"

	"gorgonia.org/tensor"

	"paddle/layer"
	"paddle/op"
)

// idle is a backend that does nothing: what a step still takes with it is the engine's own part.
type idle struct{ op.Backend } // nil: a step calls nothing but what follows

func (idle) Parallel(int, int, func(lo, hi int))                                                  {}
func (idle) Fill(op.Buffer, float64)                                                              {}
func (idle) Cast(op.Buffer, op.Buffer)                                                            {}
func (idle) Copy(op.Move, op.Buffer, op.Buffer)                                                   {}
func (idle) Unary(op.UnaryFunc, float64, float64, op.Buffer, op.Buffer)                           {}
func (idle) UnaryGrad(op.UnaryFunc, float64, float64, op.Buffer, op.Buffer, op.Buffer, op.Buffer) {}
func (idle) Binary(op.BinaryFunc, op.Buffer, op.Buffer, op.Buffer)                                {}
func (idle) Where(op.Buffer, op.Buffer, op.Buffer, op.Buffer)                                     {}
func (idle) Reduce(op.ReduceFunc, uint32, op.Buffer, op.Buffer)                                   {}
func (idle) Arg(bool, int, op.Buffer, op.Buffer)                                                  {}
func (idle) MatMul(op.MatMulSpec, op.Buffer, op.Buffer, op.Buffer, op.Buffer)                     {}
func (idle) Conv2D(op.ConvSpec, op.Buffer, op.Buffer, op.Buffer, op.Buffer)                       {}
func (idle) Conv2DGradInput(op.ConvSpec, op.Buffer, op.Buffer, op.Buffer)                         {}
func (idle) Conv2DGradFilter(op.ConvSpec, op.Buffer, op.Buffer, op.Buffer)                        {}
func (idle) MaxPool2D(op.PoolSpec, op.Buffer, op.Buffer, op.Buffer)                               {}
func (idle) MaxPool2DGrad(op.PoolSpec, op.Buffer, op.Buffer, op.Buffer)                           {}
func (idle) AvgPool2D(op.PoolSpec, op.Buffer, op.Buffer)                                          {}
func (idle) AvgPool2DGrad(op.PoolSpec, op.Buffer, op.Buffer)                                      {}
func (idle) BatchNorm(op.NormSpec, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer) {
}
func (idle) Normalize(op.NormSpec, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer) {
}
func (idle) NormalizeGrad(op.NormSpec, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer) {
}
func (idle) Softmax(bool, op.Buffer, op.Buffer)                {}
func (idle) SoftmaxGrad(bool, op.Buffer, op.Buffer, op.Buffer) {}
func (idle) LogSumExp(op.Buffer, op.Buffer)                    {}
func (idle) CrossEntropy(int64, op.Buffer, op.Buffer, op.Buffer, op.Buffer) (int, error) {
	return 0, nil
}
func (idle) CrossEntropyGrad(int64, float64, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer) {}
func (idle) NLL(int64, op.Buffer, op.Buffer, op.Buffer) (int, error)                                { return 0, nil }
func (idle) NLLGrad(int64, float64, op.Buffer, op.Buffer, op.Buffer)                                {}
func (idle) Gather(int64, op.Buffer, op.Buffer, op.Buffer) error                                    { return nil }
func (idle) ScatterAdd(int64, op.Buffer, op.Buffer, op.Buffer)                                      {}
func (idle) MergeRows(int64, op.Buffer, op.Buffer, op.Buffer, op.Buffer) int                        { return 0 }
func (idle) Uniform(op.Key, float64, float64, op.Buffer)                                            {}
func (idle) Normal(op.Key, float64, float64, op.Buffer)                                             {}
func (idle) Dropout(op.Key, float64, op.Buffer, op.Buffer)                                          {}
func (idle) SumSquares(op.Buffer) float64                                                           { return 0 }
func (idle) UpdateSGD(op.Buffer, op.Buffer, op.Buffer, float64)                                     {}
func (idle) UpdateMomentum(op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.MomentumSpec)             {}
func (idle) UpdateAdam(op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.Buffer, op.AdamSpec)          {}
func (idle) UpdateAdaGrad(op.Buffer, op.Buffer, op.Buffer, op.Buffer, float64, float64)             {}

type perceptron struct{ Hidden1, Hidden2, Out layer.FC }

// trainingStep compiles a step of the perceptron 784-256-128-10 with Adam.
func trainingStep(tb testing.TB) *Program {
	net := &perceptron{layer.FC{Size: 256, Act: op.ReLU}, layer.FC{Size: 128, Act: op.ReLU}, layer.FC{Size: 10}}
	g := op.NewGraph(net)
	x := g.Input("x", op.Float32, op.Batch, 784)
	y := g.Input("y", op.Int32, op.Batch)
	loss := op.CrossEntropy(net.Out.Forward(net.Hidden2.Forward(net.Hidden1.Forward(x))), y)
	t, err := op.BuildTraining(loss, func(t *op.TrainingGraph) error {
		rate, step := t.Variable("rate", op.Float64, op.InitConstant(1e-3)), t.Variable("step", op.Int64, nil)
		for _, p := range t.Gradients {
			shape := p.Parameter.LocalShape()
			m, v := t.Variable("m."+p.Name, op.Float32, nil, shape...), t.Variable("v."+p.Name, op.Float32, nil, shape...)
			op.UpdateAdam(t.Apply, p.Node, p.Gradient, m, v, rate, step, op.Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8})
		}
		op.Increment(t.Apply, step)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	p, err := Compile(t.Graph, op.Optimize(t.Graph, []*op.Node{t.Loss}), Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// BenchmarkStep times a training step at batch 64 with the kernels and without: the second is the engine's overhead, to be compared with the
// first.
func BenchmarkStep(b *testing.B) {
	feeds := op.Feeds{
		"x": tensor.New(tensor.WithShape(64, 784), tensor.WithBacking(make([]float32, 64*784))),
		"y": tensor.New(tensor.WithShape(64), tensor.WithBacking(make([]int32, 64))),
	}
	for _, kernels := range []bool{true, false} {
		name := "engine"
		if kernels {
			name = "whole"
		}
		b.Run(name, func(b *testing.B) {
			p := trainingStep(b)
			if !kernels {
				w := newWorkspace(p)
				w.env.Backend = idle{}
				p.release(w)
			}
			use := func([]op.Buffer) error { return nil }
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Run(ctx, feeds, 0, use); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

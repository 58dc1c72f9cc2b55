package gorgop_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"paddle"
	"paddle/datasets"
	"paddle/layer"
	"paddle/op"
	"paddle/op/gorgop"
)

// bowl is a model whose loss is Σ aᵢ·xᵢ² over all its parameters, so that the gradient is 2·a·x.
type bowl struct {
	Matrix, Vector, Scalar *op.Parameter
}

// parts are the parameters' shapes, first values, and coefficients.
var parts = map[string]struct {
	shape  []int
	values []float64
	slope  []float64
}{
	"matrix": {[]int{2, 3}, []float64{1, -2, 3, 0.5, -0.25, 4}, []float64{0.5, 1, 0.25, 2, 1, 0.125}},
	"vector": {[]int{3}, []float64{-1, 2, -0.5}, []float64{1, 0.5, 3}},
	"scalar": {[]int{}, []float64{1.5}, []float64{0.75}},
}

func (b *bowl) parameters() map[string]*op.Parameter {
	return map[string]*op.Parameter{"matrix": b.Matrix, "vector": b.Vector, "scalar": b.Scalar}
}

// loss builds the loss of the named parameters in the given type.
func (b *bowl) loss(t *testing.T, dtype op.DType, names ...string) *op.Node {
	t.Helper()
	g := op.NewGraph(b)
	var loss *op.Node
	for _, name := range names {
		p, part := b.parameters()[name], parts[name]
		if err := p.Define(dtype, nil, part.shape...); err != nil {
			t.Fatal(err)
		}
		assign(t, p, dtype, part.values)
		slope := g.Constant(bufferOf(dtype, part.shape, part.slope).Dense())
		x := g.ReadParameter(p)
		sum := op.Sum(op.Mul(slope, op.Square(x)))
		if loss == nil {
			loss = sum
		} else {
			loss = op.Add(loss, sum)
		}
	}
	return loss
}

func bufferOf(dtype op.DType, shape []int, values []float64) op.Buffer {
	b := op.NewBuffer(dtype, shape...)
	for i, v := range values {
		if dtype == op.Float32 {
			b.Float32s()[i] = float32(v)
		} else {
			b.Float64s()[i] = v
		}
	}
	return b
}

func assign(t *testing.T, p *op.Parameter, dtype op.DType, values []float64) {
	t.Helper()
	if err := p.Assign(bufferOf(dtype, p.Shape(), values)); err != nil {
		t.Fatal(err)
	}
}

// numbers returns the elements of a parameter.
func numbers(p *op.Parameter) []float64 {
	b, _ := p.Snapshot()
	if b.DType == op.Float64 {
		return b.Float64s()
	}
	var out []float64
	for _, v := range b.Float32s() {
		out = append(out, float64(v))
	}
	return out
}

// rule is what a solver should compute: the new value of one element from the old one, its gradient, the step number from 1, and what
// the rule remembers of the element.
type rule func(x, g float64, step int, memory *[2]float64) float64

func TestSolversFollowTheirRules(t *testing.T) {
	const rate = 0.05
	all, tensors := []string{"matrix", "vector", "scalar"}, []string{"matrix", "vector"}
	for _, c := range []struct {
		name   string
		solver func() gorgonia.Solver
		names  []string
		rule   rule
	}{
		{"vanilla", func() gorgonia.Solver { return gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(rate)) }, all,
			func(x, g float64, _ int, _ *[2]float64) float64 { return x - rate*g }},
		{"vanilla with decay and clipping", func() gorgonia.Solver {
			return gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(rate), gorgonia.WithL2Reg(0.1), gorgonia.WithClip(1))
		}, all, func(x, g float64, _ int, _ *[2]float64) float64 { return x - rate*max(-1, min(1, g+0.1*x)) }},
		{"momentum", func() gorgonia.Solver {
			return gorgonia.NewMomentum(gorgonia.WithLearnRate(rate), gorgonia.WithMomentum(0.8))
		}, tensors,
			func(x, g float64, _ int, m *[2]float64) float64 {
				m[0] = 0.8*m[0] - rate*g
				return x + m[0]
			}},
		{"rmsprop", func() gorgonia.Solver {
			return gorgonia.NewRMSPropSolver(gorgonia.WithLearnRate(rate), gorgonia.WithRho(0.9))
		}, all,
			func(x, g float64, _ int, m *[2]float64) float64 {
				m[0] = 0.9*m[0] + 0.1*g*g
				return x - rate*g/math.Sqrt(m[0]+1e-8)
			}},
		{"adam", func() gorgonia.Solver { return gorgonia.NewAdamSolver(gorgonia.WithLearnRate(rate)) }, all,
			func(x, g float64, step int, m *[2]float64) float64 {
				m[0], m[1] = 0.9*m[0]+0.1*g, 0.999*m[1]+0.001*g*g
				mean, square := m[0]/(1-math.Pow(0.9, float64(step))), m[1]/(1-math.Pow(0.999, float64(step)))
				return x - rate*mean/(math.Sqrt(square)+1e-8)
			}},
		{"adagrad", func() gorgonia.Solver { return gorgonia.NewAdaGradSolver() }, tensors,
			func(x, g float64, _ int, m *[2]float64) float64 {
				m[0] += g * g
				return x - 0.001*g/math.Sqrt(m[0]+1e-8)
			}},
	} {
		for _, dtype := range []op.DType{op.Float64, op.Float32} {
			t.Run(c.name+" "+dtype.String(), func(t *testing.T) { followsRule(t, dtype, c.solver(), c.names, c.rule) })
		}
	}
}

func followsRule(t *testing.T, dtype op.DType, solver gorgonia.Solver, names []string, r rule) {
	tolerance := map[op.DType]float64{op.Float64: 1e-12, op.Float32: 1e-5}[dtype]
	model := &bowl{}
	trainer, err := paddle.NewTrainer(model.loss(t, dtype, names...), gorgop.Optimizer{Solver: solver})
	if err != nil {
		t.Fatal(err)
	}
	want, memory := map[string][]float64{}, map[string][][2]float64{}
	for _, name := range names {
		want[name] = slices.Clone(parts[name].values)
		memory[name] = make([][2]float64, len(want[name]))
	}
	for step := 1; step <= 5; step++ {
		if _, err := trainer.Step(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			got := numbers(model.parameters()[name])
			for i, x := range want[name] {
				w := r(x, 2*parts[name].slope[i]*x, step, &memory[name][i])
				if want[name][i] = w; math.Abs(got[i]-w) > tolerance*(1+math.Abs(w)) {
					t.Fatalf("step %d: %s[%d] is %v, want %v", step, name, i, got[i], w)
				}
			}
		}
	}
}

func TestBarzilaiBorwein(t *testing.T) {
	model := &bowl{}
	solver := gorgonia.NewBarzilaiBorweinSolver(gorgonia.WithLearnRate(0.05))
	trainer, err := paddle.NewTrainer(model.loss(t, op.Float64, "matrix", "vector"), gorgop.Optimizer{Solver: solver})
	if err != nil {
		t.Fatal(err)
	}
	var last float64
	for range 30 {
		step, err := trainer.Step(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		last = step.Loss
	}
	if !(last < 1e-6) {
		t.Errorf("the loss after 30 steps is %v, want less than 1e-6", last)
	}
}

// mlp is two layers for two features and three classes.
type mlp struct{ Hidden, Out layer.FC }

func newMLP() *mlp {
	return &mlp{Hidden: layer.FC{Size: 16, Act: op.Tanh}, Out: layer.FC{Size: 3}}
}

func (m *mlp) loss() *op.Node {
	g := op.NewGraph(m)
	x := g.Input("point", op.Float32, op.Batch, 2)
	return op.CrossEntropy(m.Out.Forward(m.Hidden.Forward(x)), g.Input("label", op.Int32, op.Batch))
}

// train takes steps on Blobs and returns the first and the last loss.
func train(t *testing.T, m *mlp, o paddle.Optimizer, steps int) (first, last float64) {
	t.Helper()
	set, err := datasets.Blobs{Records: 96, Features: 2, Classes: 3, Seed: 1}.Set()
	if err != nil {
		t.Fatal(err)
	}
	trainer, err := paddle.NewTrainer(m.loss(), o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		for batch, err := range set.InOrder(32) {
			if err != nil {
				t.Fatal(err)
			}
			step, err := trainer.Step(context.Background(), batch)
			if err != nil {
				t.Fatal(err)
			}
			if step.Update == 1 {
				first = step.Loss
			}
			if last = step.Loss; step.Update == int64(steps) {
				return first, last
			}
		}
	}
}

func TestSolverTrainsAnMLP(t *testing.T) {
	first, last := train(t, newMLP(), gorgop.Optimizer{Solver: gorgonia.NewAdamSolver(gorgonia.WithLearnRate(0.02))}, 60)
	if !(first > 0.8 && last < first/4) {
		t.Errorf("the loss goes from %v to %v in 60 steps, want it to begin above 0.8 and to fall to a quarter", first, last)
	}
}

func TestVanillaSolverIsSGD(t *testing.T) {
	ours, theirs := newMLP(), newMLP()
	train(t, ours, paddle.SGD{LearningRate: 0.1}, 3)
	train(t, theirs, gorgop.Optimizer{Solver: gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(0.1))}, 3)
	a, _ := op.Walk(ours)
	b, _ := op.Walk(theirs)
	for i, v := range a {
		x, y := numbers(v.Parameter), numbers(b[i].Parameter)
		for k := range x {
			if math.Abs(x[k]-y[k]) > 1e-6 {
				t.Fatalf("%s[%d] is %v with SGD and %v with VanillaSolver", v.Name, k, x[k], y[k])
			}
		}
	}
}

// table is a model with a sparse gradient.
type table struct{ Words layer.Embedding }

func TestSolverGetsDenseGradients(t *testing.T) {
	results := [][]float64{}
	for _, o := range []paddle.Optimizer{paddle.SGD{LearningRate: 0.1}, gorgop.Optimizer{Solver: gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(0.1))}} {
		m := &table{Words: layer.Embedding{Vocabulary: 6, Width: 2}}
		g := op.NewGraph(m)
		ids := g.Input("ids", op.Int32, op.Batch)
		trainer, err := paddle.NewTrainer(op.Sum(op.Square(m.Words.Forward(ids))), o)
		if err != nil {
			t.Fatal(err)
		}
		feeds := op.Feeds{"ids": tensor.New(tensor.WithBacking([]int32{1, 4, 1, 5}))}
		if _, err := trainer.Step(context.Background(), feeds); err != nil {
			t.Fatal(err)
		}
		results = append(results, numbers(m.Words.Weight))
	}
	for i, want := range results[0] {
		if got := results[1][i]; math.Abs(got-want) > 1e-6 {
			t.Errorf("element %d is %v, want %v", i, got, want)
		}
	}
}

// recorder is a solver that only looks.
type recorder struct {
	names  []string
	values []gorgonia.Value
	err    error
	panics bool
}

func (r *recorder) Step(model []gorgonia.ValueGrad) error {
	if r.panics {
		panic("lost")
	}
	r.names, r.values = nil, nil
	for _, m := range model {
		r.names = append(r.names, m.(gorgonia.Namer).Name())
		r.values = append(r.values, m.Value())
	}
	return r.err
}

func TestSolverSeesTheParametersMemory(t *testing.T) {
	model, r := &bowl{}, &recorder{}
	trainer, err := paddle.NewTrainer(model.loss(t, op.Float32, "matrix", "scalar"), gorgop.Optimizer{Solver: r})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trainer.Step(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if want := []string{"matrix", "scalar"}; !slices.Equal(r.names, want) {
		t.Fatalf("the solver gets %v, want %v", r.names, want)
	}
	if got, want := r.values[0].Uintptr(), model.Matrix.Dense().Uintptr(); got != want {
		t.Errorf("the value of the matrix is at %#x, the parameter at %#x", got, want)
	}
	*r.values[1].(*gorgonia.F32) = 7
	if got := numbers(model.Scalar); got[0] != 7 {
		t.Errorf("the scalar is %v after the solver's value became 7", got[0])
	}
}

func TestSolverErrors(t *testing.T) {
	for _, c := range []struct {
		solver *recorder
		want   string
	}{{&recorder{err: errors.New("no way down")}, "no way down"}, {&recorder{panics: true}, "panic: lost"}} {
		trainer, err := paddle.NewTrainer((&bowl{}).loss(t, op.Float32, "vector"), gorgop.Optimizer{Solver: c.solver})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trainer.Step(context.Background(), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want one with %q", err, c.want)
		}
	}
}

// skip is a pass that lets no step take place.
type skip struct{}

func (skip) Stage() op.Stage { return op.AtClip }

func (skip) Rewrite(t *op.TrainingGraph) error {
	t.Require(t.Graph.Full(op.Bool, 0))
	return nil
}

func TestSkippedStepDoesNotReachTheSolver(t *testing.T) {
	r := &recorder{}
	trainer, err := paddle.NewTrainer((&bowl{}).loss(t, op.Float32, "vector"), gorgop.Optimizer{Solver: r}, skip{})
	if err != nil {
		t.Fatal(err)
	}
	step, err := trainer.Step(context.Background(), nil)
	if err != nil || step.Applied || r.names != nil {
		t.Errorf("applied %v, error %v, the solver saw %v; want a skipped step", step.Applied, err, r.names)
	}
}

func TestRefusedSolvers(t *testing.T) {
	for _, c := range []struct {
		name   string
		solver gorgonia.Solver
		dtype  op.DType
		part   string
		want   string
	}{
		{"nil", nil, op.Float32, "vector", "the solver is nil"},
		{"AdamW", gorgonia.NewAdamW(), op.Float32, "vector", "use paddle.AdamW"},
		{"Momentum with decay", gorgonia.NewMomentum(gorgonia.WithL2Reg(0.1)), op.Float32, "vector", "use paddle.L2"},
		{"Momentum of a scalar", gorgonia.NewMomentum(), op.Float32, "scalar", "use paddle.Momentum"},
		{"AdaGrad of a scalar", gorgonia.NewAdaGradSolver(), op.Float32, "scalar", "use paddle.AdaGrad"},
		{"Barzilai-Borwein in float32", gorgonia.NewBarzilaiBorweinSolver(), op.Float32, "vector", "float64 tensors only"},
		{"Barzilai-Borwein of a scalar", gorgonia.NewBarzilaiBorweinSolver(), op.Float64, "scalar", "float64 tensors only"},
	} {
		_, err := paddle.NewTrainer((&bowl{}).loss(t, c.dtype, c.part), gorgop.Optimizer{Solver: c.solver})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
}

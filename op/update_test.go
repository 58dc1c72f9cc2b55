package op_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// trained is a weight, the state that optimizers keep for it, and the inputs of a step.
type trained struct {
	t                 *testing.T
	graph             *op.Graph
	dtype             op.DType
	shape             []int
	w, state1, state2 *op.Variable
	counter           *op.Variable
	weight, one, two  *op.Node // the nodes of w, state1 and state2
	step, grad, rate  *op.Node
	apply             *op.Node
	program           *exec.Program
}

// train builds an update of a weight of the given elements and shape, with a dense or a sparse gradient.
func train(t *testing.T, update func(*trained), dtype op.DType, sparse bool, elements []float64, shape ...int) *trained {
	t.Helper()
	g := op.NewGraph(nil)
	u := &trained{t: t, graph: g, dtype: dtype, shape: shape, rate: g.Input("rate", op.Float64), apply: g.Input("apply", op.Bool)}
	u.w, u.weight = variable(t, g, dtype, elements, shape...)
	u.state1, u.one = variable(t, g, dtype, nil, shape...)
	u.state2, u.two = variable(t, g, dtype, nil, shape...)
	u.counter, u.step = variable(t, g, op.Int64, nil)
	dims := u.weight.Shape()
	if sparse {
		count := g.Dim("count")
		rows := g.Input("rows", dtype, append([]op.Dim{count}, dims[1:]...)...)
		u.grad = op.SparseRows(dims, g.Input("ids", op.Int32, count), rows, -1)
	} else {
		u.grad = g.Input("grad", dtype, dims...)
	}
	update(u)
	op.Increment(u.apply, u.step)
	u.program = compileEffects(t, g, u.weight)
	return u
}

// do runs one step with a dense gradient, or with the rows that ids names.
func (u *trained) do(apply bool, rate float64, grad []float64, ids ...int32) {
	u.t.Helper()
	feeds := op.Feeds{"rate": scalar(rate), "apply": scalar(apply), "grad": nil}
	if ids != nil {
		shape := append([]int{len(ids)}, u.shape[1:]...)
		feeds["ids"], feeds["rows"] = tensorOf(ids), tensorIn(u.dtype, grad, shape...)
	} else {
		feeds["grad"] = tensorIn(u.dtype, grad, u.shape...)
	}
	if err := u.program.Run(context.Background(), feeds, 0, func([]op.Buffer) error { return nil }); err != nil {
		u.t.Fatal(err)
	}
}

// optimizer is an update and its definition for one element: step t, 1 in the first, with the gradient g.
type optimizer struct {
	name   string
	update func(*trained)
	define func(w, a, b *float64, g, lr float64, t int)
}

var optimizers = []optimizer{
	{
		"sgd",
		func(u *trained) { op.UpdateSGD(u.apply, u.weight, u.grad, u.rate) },
		func(w, _, _ *float64, g, lr float64, _ int) { *w -= lr * g },
	},
	{
		"momentum",
		func(u *trained) {
			op.UpdateMomentum(u.apply, u.weight, u.grad, u.one, u.rate, op.Momentum{Momentum: 0.5})
		},
		func(w, v, _ *float64, g, lr float64, _ int) {
			*v = 0.5**v + g
			*w -= lr * *v
		},
	},
	{
		"nesterov",
		func(u *trained) {
			op.UpdateMomentum(u.apply, u.weight, u.grad, u.one, u.rate, op.Momentum{Momentum: 0.5, Nesterov: true})
		},
		func(w, v, _ *float64, g, lr float64, _ int) {
			*v = 0.5**v + g
			*w -= lr * (g + 0.5**v)
		},
	},
	{
		"adam",
		func(u *trained) {
			op.UpdateAdam(u.apply, u.weight, u.grad, u.one, u.two, u.rate, u.step, op.Adam{Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Decay: 0.1})
		},
		func(w, m, v *float64, g, lr float64, t int) {
			*m = 0.9**m + 0.1*g
			*v = 0.99**v + 0.01*g*g
			mean, square := *m/(1-math.Pow(0.9, float64(t))), *v/(1-math.Pow(0.99, float64(t)))
			*w -= lr * (mean/(math.Sqrt(square)+1e-8) + 0.1**w)
		},
	},
	{
		"adagrad",
		func(u *trained) { op.UpdateAdaGrad(u.apply, u.weight, u.grad, u.one, u.rate, 1e-8) },
		func(w, a, _ *float64, g, lr float64, _ int) {
			*a += g * g
			*w -= lr * g / (math.Sqrt(*a) + 1e-8)
		},
	},
}

// random returns n float32 numbers.
func random(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(float32(rng.NormFloat64()))
	}
	return out
}

func TestUpdates(t *testing.T) {
	for _, o := range optimizers {
		for dtype, off := range map[op.DType]float64{op.Float32: 1e-5, op.Float64: 1e-12} {
			rng := rand.New(rand.NewPCG(1, 2))
			w, a, b := random(rng, 6), make([]float64, 6), make([]float64, 6)
			u := train(t, o.update, dtype, false, w, 2, 3)
			for step := 1; step <= 4; step++ {
				g, lr := random(rng, 6), 0.1/float64(step)
				for i := range g {
					o.define(&w[i], &a[i], &b[i], g[i], lr, step)
				}
				u.do(true, lr, g)
			}
			wantNear(t, o.name+" in "+dtype.String(), valueOf(u.w), w, off)
		}
	}
}

// Of a sparse gradient only the rows named change, and each of them as if its gradients had been summed before.
func TestE03RepeatedIDsAreSummedFirst(t *testing.T) {
	for _, o := range optimizers {
		rng := rand.New(rand.NewPCG(3, 4))
		w, a, b := random(rng, 8), make([]float64, 8), make([]float64, 8)
		u := train(t, o.update, op.Float64, true, w, 4, 2)
		for step, ids := range [][]int32{{3, 0, 3, 3}, {1}, {}, {0, 1, 0}} {
			rows := random(rng, 2*len(ids))
			sums := map[int]float64{}
			for i, id := range ids {
				sums[int(id)*2] += rows[2*i]
				sums[int(id)*2+1] += rows[2*i+1]
			}
			for i, g := range sums {
				o.define(&w[i], &a[i], &b[i], g, 0.1, step+1)
			}
			u.do(true, 0.1, rows, append([]int32{}, ids...)...)
		}
		wantNear(t, o.name, valueOf(u.w), w, 1e-12)
	}
	u := train(t, optimizers[4].update, op.Float32, true, []float64{0}, 1, 1)
	u.do(true, 1, []float64{1, 2}, 0, 0)
	wantNear(t, "adagrad of 1 and 2", valueOf(u.w), []float64{-1}, 1e-5)
}

// A step that is not applied leaves everything as it is.
func TestUpdatesWithoutApply(t *testing.T) {
	for _, o := range optimizers {
		for _, sparse := range []bool{false, true} {
			var ids []int32
			if sparse {
				ids = []int32{1, 0}
			}
			u := train(t, o.update, op.Float32, sparse, []float64{1, 2}, 2, 1)
			u.do(false, 0.1, []float64{5, 6}, ids...)
			wantNear(t, o.name+": weight", valueOf(u.w), []float64{1, 2}, 0)
			wantNear(t, o.name+": first state", valueOf(u.state1), []float64{0, 0}, 0)
			wantNear(t, o.name+": second state", valueOf(u.state2), []float64{0, 0}, 0)
			wantNear(t, o.name+": counter", valueOf(u.counter), []float64{0}, 0)
		}
	}
}

// O01: Adam's bias correction, once; and a skipped step is none.
func TestO01AdamStep(t *testing.T) {
	u := train(t, func(u *trained) {
		op.UpdateAdam(u.apply, u.weight, u.grad, u.one, u.two, u.rate, u.step, op.Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8})
	}, op.Float32, false, []float64{1}, 1)
	u.do(true, 0.1, []float64{1})
	wantNear(t, "after one step", valueOf(u.w), []float64{0.9}, 1e-6)
	u.do(false, 0.1, []float64{1})
	u.do(true, 0.1, []float64{1})
	wantNear(t, "after two steps", valueOf(u.w), []float64{0.8}, 1e-6)
	wantNear(t, "counter", valueOf(u.counter), []float64{2}, 0)
}

// O02: decoupled decay is not decay in the gradient.
func TestO02DecoupledDecay(t *testing.T) {
	adam := func(decay, inGradient float64) func(*trained) {
		return func(u *trained) {
			grad := op.Add(u.grad, op.MulConst(u.weight, inGradient))
			op.UpdateAdam(u.apply, u.weight, grad, u.one, u.two, u.rate, u.step, op.Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: decay})
		}
	}
	sgd := func(u *trained) {
		op.UpdateSGD(u.apply, u.weight, op.Add(u.grad, op.MulConst(u.weight, 0.1)), u.rate)
	}
	for _, c := range []struct {
		name   string
		update func(*trained)
		want   float64
	}{{"decoupled", adam(0.1, 0), 0.99}, {"in the gradient", adam(0, 0.1), 0.9}, {"sgd", sgd, 0.99}} {
		u := train(t, c.update, op.Float32, false, []float64{1}, 1)
		u.do(true, 0.1, []float64{0})
		wantNear(t, c.name, valueOf(u.w), []float64{c.want}, 1e-6)
	}
}

// O03: the velocity holds gradients, the rate is that of the step.
func TestO03MomentumKeepsRawGradients(t *testing.T) {
	u := train(t, optimizers[1].update, op.Float32, false, []float64{0}, 1)
	u.do(true, 0.1, []float64{2})
	wantNear(t, "after one step", valueOf(u.w), []float64{-0.2}, 1e-6)
	u.do(true, 0.05, []float64{2})
	wantNear(t, "after two steps", valueOf(u.w), []float64{-0.35}, 1e-6)
}

func TestUpdateMisuse(t *testing.T) {
	for _, c := range []struct {
		build func(u *trained)
		want  string
	}{
		{
			func(u *trained) { op.UpdateSGD(u.apply, op.Neg(u.weight).WithName("v"), u.grad, u.rate) },
			`op.UpdateSGD: input "v" is no variable and cannot be updated`,
		},
		{
			func(u *trained) { op.UpdateSGD(u.apply, u.weight, u.rate, u.rate) },
			`op.UpdateSGD: input "rate" has type float64, want float32, as input "w"`,
		},
		{
			func(u *trained) { op.UpdateSGD(u.apply, u.weight, op.Reshape(u.grad, 4).WithName("dw"), u.rate) },
			`op.UpdateSGD: input "dw" has shape (4,), want (2, 2), as input "w"`,
		},
		{
			func(u *trained) { op.UpdateSGD(u.apply, u.weight, u.grad, u.grad) },
			`op.UpdateSGD: input "grad" has type float32, want float64`,
		},
		{
			func(u *trained) { op.UpdateSGD(u.rate, u.weight, u.grad, u.rate) },
			`op.UpdateSGD: input "rate" has type float64, want bool`,
		},
		{
			func(u *trained) { op.UpdateSGD(u.apply, u.step, u.grad, u.rate) },
			`op.UpdateSGD: input "n" has type int64, want float32 or float64`,
		},
		{
			func(u *trained) { op.UpdateSGD(u.apply, u.weight, nil, u.rate) },
			`op.UpdateSGD: input 1 is nil`,
		},
		{
			func(u *trained) { op.UpdateMomentum(u.apply, u.weight, u.grad, u.grad, u.rate, op.Momentum{}) },
			`op.UpdateMomentum: input "grad" is no variable and cannot be updated`,
		},
		{
			func(u *trained) {
				op.UpdateAdam(u.apply, u.weight, u.grad, u.one, u.two, u.rate, op.Cast(u.step, op.Int32).WithName("t"), op.Adam{})
			},
			`op.UpdateAdam: input "t" has type int32, want int64`,
		},
		{
			func(u *trained) { op.UpdateAdaGrad(u.apply, u.weight, op.MatMul(u.grad, u.rate), u.one, u.rate, 0) },
			`op.MatMul: input "rate" has type float64, want float32, as input "grad"`,
		},
		{
			func(u *trained) { op.Increment(u.apply, u.weight) },
			`op.Increment: input "w" has type float32, want int64`,
		},
		{
			func(u *trained) { op.Assign(u.apply, u.weight, op.Sum(u.grad).WithName("s")) },
			`op.Assign: input "s" has shape (), want (2, 2), as input "w"`,
		},
		{
			func(u *trained) { op.Blend(u.apply, u.step, u.step, 0.5) },
			`op.Blend: input "n" has type int64, want float32 or float64`,
		},
	} {
		model := &struct{ W, V, N *op.Variable }{}
		g := op.NewGraph(model)
		u := &trained{graph: g, rate: g.Input("rate", op.Float64), apply: g.Input("apply", op.Bool), grad: g.Input("grad", op.Float32, 2, 2)}
		for _, err := range []error{model.W.Define(op.Float32, nil, 2, 2), model.V.Define(op.Float32, nil, 2, 2), model.N.Define(op.Int64, nil)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		u.weight, u.one, u.two, u.step = g.Read(model.W), g.Read(model.V), g.Read(model.V), g.Read(model.N)
		c.build(u)
		if err := g.Err(); err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) || !strings.HasPrefix(err.Error(), "update_test.go:") {
			t.Errorf("error\n\t%v\nwant\n\t%s", err, c.want)
		}
	}
}

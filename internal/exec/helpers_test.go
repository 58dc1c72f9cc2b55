package exec_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// compile compiles a copy of the graph of fetch for training.
func compile(t testing.TB, o exec.Options, fetch ...*op.Node) *exec.Program {
	t.Helper()
	p, err := try(o, fetch...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// whole compiles g itself for fetch, with all its updates.
func whole(t testing.TB, g *op.Graph, fetch ...*op.Node) *exec.Program {
	t.Helper()
	p, err := exec.Compile(g, fetch, exec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func try(o exec.Options, fetch ...*op.Node) (*exec.Program, error) {
	g, find := op.Copy(fetch[0].Graph(), op.Training, fetch...)
	nodes := make([]*op.Node, len(fetch))
	for i, n := range fetch {
		nodes[i] = find(n)
	}
	return exec.Compile(g, nodes, o)
}

// run runs a program and returns copies of what it fetches.
func run(t testing.TB, p *exec.Program, feeds op.Feeds, step uint64) []op.Buffer {
	t.Helper()
	out, err := attempt(context.Background(), p, feeds, step)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func attempt(ctx context.Context, p *exec.Program, feeds op.Feeds, step uint64) (out []op.Buffer, err error) {
	err = p.Run(ctx, feeds, step, func(values []op.Buffer) error {
		for _, b := range values {
			out = append(out, b.Clone())
		}
		return nil
	})
	return out, err
}

func vector(x ...float64) *tensor.Dense {
	return tensor.New(tensor.WithShape(len(x)), tensor.WithBacking(x))
}

func matrix(rows, columns int, x ...float64) *tensor.Dense {
	return tensor.New(tensor.WithShape(rows, columns), tensor.WithBacking(x))
}

func equal(a, b op.Buffer) bool { return bytes.Equal(a.Bytes(), b.Bytes()) }

// store is an op that writes its second input to the variable that is its first, if the third is true.
type store struct{}

func (store) Name() string { return "store" }

func (store) Infer(s *op.Shapes) ([]op.Spec, error) { return nil, s.Arity(3) }

func (store) Run(_ *op.Env, in, _ []op.Buffer) error {
	if in[2].Bools()[0] {
		copy(in[0].Bytes(), in[1].Bytes())
	}
	return nil
}

func (store) Traits() op.Traits { return op.Traits{Writes: []int{0}} }

// assign adds the update v ← x to the graph of x.
func assign(v, x *op.Node) { x.Graph().Apply(store{}, v, x, x.Graph().ApplyFlag()) }

// hook is an op that hands on its input after calling a function.
type hook struct {
	call   func() error
	effect bool
}

func (hook) Name() string { return "hook" }

func (hook) Infer(s *op.Shapes) ([]op.Spec, error) { return []op.Spec{s.In[0]}, s.Arity(1) }

func (h hook) Run(_ *op.Env, in, out []op.Buffer) error {
	copy(out[0].Bytes(), in[0].Bytes())
	return h.call()
}

func (h hook) Traits() op.Traits { return op.Traits{Effect: h.effect} }

func hooked(x *op.Node, call func() error) *op.Node { return op.Apply(hook{call: call}, x)[0] }

var errHook = errors.New("the hook says no")

// counter is a model with one variable for each kind.
type counter struct {
	V, W *op.Variable
	P    *op.Parameter
}

// newCounter returns the model and a graph for it; all variables are vectors of two zeros.
func newCounter(t testing.TB) (*counter, *op.Graph) {
	t.Helper()
	net := &counter{}
	g := op.NewGraph(net)
	for _, v := range []*op.Variable{net.V, net.W, &net.P.Variable} {
		if err := v.Define(op.Float64, op.InitConstant(0), 2); err != nil {
			t.Fatal(err)
		}
	}
	return net, g
}

func valueOf(t testing.TB, v *op.Variable) []float64 {
	t.Helper()
	b, ok := v.Snapshot()
	if !ok {
		t.Fatal("the variable has no value")
	}
	return b.Float64s()
}

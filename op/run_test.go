package op_test

import (
	"context"
	"math"
	"testing"

	"gorgonia.org/tensor"

	"paddle/internal/exec"
	"paddle/op"
)

// runner is a compiled program in a test.
type runner struct {
	t       *testing.T
	program *exec.Program
	feeds   op.Feeds
	step    uint64
}

// compile compiles nodes, and what updates belong to them, in the given mode; feeds are those of every run that names none.
func compile(t *testing.T, mode op.Mode, feeds op.Feeds, nodes ...*op.Node) *runner {
	t.Helper()
	for _, n := range nodes {
		if n.Err() != nil {
			t.Fatal(n.Err())
		}
	}
	g, find := op.Copy(nodes[0].Graph(), mode, nodes...)
	fetch := make([]*op.Node, len(nodes))
	for i, n := range nodes {
		fetch[i] = find(n)
	}
	p, err := exec.Compile(g, fetch, exec.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &runner{t: t, program: p, feeds: feeds}
}

// run runs the program once more and returns the elements of each node.
func (r *runner) run() [][]float64 {
	r.t.Helper()
	out, err := r.try(r.feeds)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r *runner) try(feeds op.Feeds) (out [][]float64, err error) {
	err = r.program.Run(context.Background(), feeds, r.step, func(values []op.Buffer) error {
		for _, b := range values {
			out = append(out, numbers(b))
		}
		return nil
	})
	r.step++
	return out, err
}

// evaluate runs nodes once in training mode.
func evaluate(t *testing.T, feeds op.Feeds, nodes ...*op.Node) [][]float64 {
	t.Helper()
	return compile(t, op.Training, feeds, nodes...).run()
}

func numbers(b op.Buffer) []float64 {
	out := make([]float64, b.Len())
	for i := range out {
		switch b.DType {
		case op.Float32:
			out[i] = float64(b.Float32s()[i])
		case op.Float64:
			out[i] = b.Float64s()[i]
		case op.Int32:
			out[i] = float64(b.Int32s()[i])
		case op.Int64:
			out[i] = float64(b.Int64s()[i])
		case op.Bool:
			if b.Bools()[i] {
				out[i] = 1
			}
		}
	}
	return out
}

// tensorOf returns a tensor of the elements.
func tensorOf[E any](elements []E, shape ...int) *tensor.Dense {
	if len(shape) == 0 {
		shape = []int{len(elements)}
	}
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(elements))
}

// scalar returns a tensor without axes.
func scalar[E any](v E) *tensor.Dense { return tensor.New(tensor.FromScalar(v)) }

// tensorIn returns a tensor of the elements in a floating-point type.
func tensorIn(dtype op.DType, elements []float64, shape ...int) *tensor.Dense {
	if dtype == op.Float64 {
		return tensorOf(elements, shape...)
	}
	single := make([]float32, len(elements))
	for i, v := range elements {
		single[i] = float32(v)
	}
	return tensorOf(single, shape...)
}

// variable returns a variable with the given elements and shape and the node that reads it.
func variable(t *testing.T, g *op.Graph, dtype op.DType, elements []float64, shape ...int) (*op.Variable, *op.Node) {
	t.Helper()
	v := new(op.Variable)
	b := op.NewBuffer(dtype, shape...)
	for i, x := range elements {
		switch dtype {
		case op.Float32:
			b.Float32s()[i] = float32(x)
		case op.Float64:
			b.Float64s()[i] = x
		case op.Int64:
			b.Int64s()[i] = int64(x)
		}
	}
	if err := v.Define(dtype, nil, shape...); err != nil {
		t.Fatal(err)
	}
	if err := v.Assign(b); err != nil {
		t.Fatal(err)
	}
	return v, g.Read(v)
}

// valueOf returns the elements of a variable.
func valueOf(v *op.Variable) []float64 {
	b, _ := v.Snapshot()
	return numbers(b)
}

// wantNear fails unless got is want, give or take tolerance.
func wantNear(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
		return
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance) && got[i] != want[i] && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
			t.Errorf("%s: got %v, want %v (element %d)", what, got, want, i)
			return
		}
	}
}

// compileEffects compiles nodes with all updates of g, which it takes over.
func compileEffects(t *testing.T, g *op.Graph, nodes ...*op.Node) *exec.Program {
	t.Helper()
	p, err := exec.Compile(g, nodes, exec.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

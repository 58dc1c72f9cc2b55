package op_test

import (
	"context"
	"strings"
	"testing"

	"paddle/internal/exec"
	"paddle/op"
)

// faulty is an op whose methods are what a test makes them.
type faulty struct {
	infer    func(s *op.Shapes) ([]op.Spec, error)
	run      func(e *op.Env) error
	gradient func(c *op.Call, dout []*op.Node) []*op.Node
	traits   op.Traits
	replace  func(in []*op.Node) []*op.Node
}

func (faulty) Name() string { return "faulty" }

func (o faulty) Infer(s *op.Shapes) ([]op.Spec, error) {
	if o.infer == nil {
		return s.In[:1], nil
	}
	return o.infer(s)
}

func (o faulty) Run(e *op.Env, _, _ []op.Buffer) error {
	if o.run == nil {
		return nil
	}
	return o.run(e)
}

func (o faulty) Gradient(c *op.Call, dout []*op.Node, _ []bool) []*op.Node {
	if o.gradient == nil {
		return dout
	}
	return o.gradient(c, dout)
}

func (o faulty) Traits() op.Traits { return o.traits }

func (o faulty) Inference(_ *op.Call, in []*op.Node) []*op.Node {
	if o.replace == nil {
		return in
	}
	return o.replace(in)
}

// What an op's own methods do wrong while a graph is built is an error of that graph, with the line that applied the op.
func TestFaultyOps(t *testing.T) {
	larger := func(*op.Shapes) ([]op.Spec, error) { return []op.Spec{{DType: op.Float32, Shape: []op.Dim{1000}}}, nil }
	for name, c := range map[string]struct {
		o    op.Op
		want string
	}{
		"nil":                 {nil, "op.Apply: the op is nil"},
		"nil pointer":         {(*faulty)(nil), "*op_test.faulty: panic: "},
		"panic in Infer":      {faulty{infer: func(*op.Shapes) ([]op.Spec, error) { panic("boo") }}, "faulty: panic: boo, at guard_test.go:"},
		"no result":           {faulty{infer: func(*op.Shapes) ([]op.Spec, error) { return nil, nil }}, "faulty: the op has neither an output nor an effect"},
		"view of nothing":     {faulty{traits: op.Traits{Views: []op.Pair{{In: 5}}}}, "faulty: trait Views names input 5 of 1 and output 0 of 1"},
		"larger view":         {faulty{infer: larger, traits: op.Traits{Views: []op.Pair{{}}}}, `faulty: output 0, float32 (1000,), cannot be a view of input "x", float32 (2,)`},
		"writes nothing":      {faulty{traits: op.Traits{Writes: []int{9}}}, "faulty: trait Writes names input 9 of 1"},
		"writes an input":     {faulty{traits: op.Traits{Writes: []int{0}}}, `faulty: input "x" is no variable and cannot be updated`},
		"in place of nothing": {faulty{traits: op.Traits{InPlace: []op.Pair{{In: -1}}}}, "faulty: trait InPlace names input -1 and output 0"},
	} {
		g := op.NewGraph(nil)
		n := op.Apply(c.o, g.Input("x", op.Float32, 2))[0]
		if n.Err() == nil || !strings.HasPrefix(n.Err().Error(), "guard_test.go:") || !strings.Contains(n.Err().Error(), ": "+c.want) {
			t.Errorf("%s: error %v, want %s", name, n.Err(), c.want)
		}
	}
}

func TestFaultyGradients(t *testing.T) {
	for name, c := range map[string]struct {
		gradient func(c *op.Call, dout []*op.Node) []*op.Node
		want     string
	}{
		"panic":    {func(*op.Call, []*op.Node) []*op.Node { panic("boo") }, "faulty: gradient: panic: boo, at guard_test.go:"},
		"too many": {func(_ *op.Call, dout []*op.Node) []*op.Node { return append(dout, dout...) }, "faulty: 2 gradients for 1 inputs"},
	} {
		g := op.NewGraph(nil)
		x := g.Input("x", op.Float32, 2)
		err := op.Gradient(op.Sum(op.Apply(faulty{gradient: c.gradient}, x)[0]), x)[0].Err()
		if err == nil || !strings.HasPrefix(err.Error(), "guard_test.go:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}

func TestFaultyInference(t *testing.T) {
	for name, c := range map[string]struct {
		replace func(in []*op.Node) []*op.Node
		want    string
	}{
		"panic":   {func([]*op.Node) []*op.Node { panic("boo") }, "faulty: inference: panic: boo, at guard_test.go:"},
		"too few": {func([]*op.Node) []*op.Node { return nil }, "faulty: inference: 0 nodes for 1 outputs"},
	} {
		g := op.NewGraph(nil)
		y := op.Apply(faulty{replace: c.replace}, g.Input("x", op.Float32, 2))[0]
		copied, _ := op.Copy(g, op.Inference, y)
		if err := copied.Err(); err == nil || !strings.HasPrefix(err.Error(), "guard_test.go:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}

// A count beyond its bound would have later ops read memory that is not theirs.
func TestSetCountChecks(t *testing.T) {
	counted := func(s *op.Shapes) ([]op.Spec, error) {
		return []op.Spec{{DType: op.Float32, Shape: []op.Dim{s.Count("n", s.In[0].Shape[0])}}}, nil
	}
	for name, c := range map[string]struct {
		infer     func(s *op.Shapes) ([]op.Spec, error)
		output, n int
		want      string
	}{
		"too many":  {counted, 0, 3, "faulty: SetCount: 3 rows in output 0, want 0 to 2"},
		"negative":  {counted, 0, -1, "faulty: SetCount: -1 rows in output 0, want 0 to 2"},
		"no count":  {nil, 0, 1, "faulty: SetCount: output 0 has no count"},
		"no output": {counted, 1, 1, "faulty: SetCount: output 1 has no count"},
		"right":     {counted, 0, 2, ""},
	} {
		g := op.NewGraph(nil)
		o := faulty{infer: c.infer, run: func(e *op.Env) error { return e.SetCount(c.output, c.n) }}
		p, err := exec.Compile(g, op.Apply(o, g.Input("x", op.Float32, op.Batch))[:1], exec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = p.Run(context.Background(), op.Feeds{"x": op.NewBuffer(op.Float32, 2).Dense()}, 0, func([]op.Buffer) error { return nil })
		if (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}

package optest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paddle/internal/exec"
	"paddle/op"
)

// poison puts a nil, a failed and a foreign node in the place of each input in turn.
func (k *checker) poison() {
	for i := range k.c.In {
		if !k.c.In[i].Optional {
			k.poisoned(i, "nil", func(*op.Graph) *op.Node { return nil }, "nil")
		}
		k.poisoned(i, "failed", func(g *op.Graph) *op.Node { return g.Fail("poison") }, "poison")
		if len(k.c.In) > 1 {
			k.poisoned(i, "foreign", func(*op.Graph) *op.Node {
				in := k.c.In[i]
				return op.NewGraph(nil).Input("stranger", in.dtype(op.Float32), sizesFor(3).dims(in.Shape)...)
			}, "belongs to another graph")
		}
	}
}

// dims returns a shape with numbers in the place of symbols.
func (s sizes) dims(shape []op.Dim) []op.Dim {
	out := make([]op.Dim, len(shape))
	for i, d := range shape {
		out[i] = op.Dim(s.of(d))
	}
	return out
}

// poisoned builds the case with a bad input number i.
func (k *checker) poisoned(i int, what string, bad func(*op.Graph) *op.Node, want string) {
	defer func() {
		if r := recover(); r != nil {
			k.failf("a %s input %d panics: %v", what, i, r)
		}
	}()
	build := k.c.Build
	var model any
	if k.c.Model != nil {
		model, build = k.c.Model()
	}
	g := op.NewGraph(model)
	in := inputNodes(g, k.c.In, op.Float32)
	in[i] = bad(g)
	for o, n := range build(in...) {
		switch {
		case n == nil:
			k.failf("with a %s input %d output %d is nil, want a failed node", what, i, o)
		case n.Err() == nil:
			k.failf("with a %s input %d output %d is sound, want a failed node", what, i, o)
		case !strings.Contains(n.Err().Error(), want):
			k.failf("with a %s input %d output %d fails with %q, want something with %q", what, i, o, n.Err(), want)
		}
	}
}

// misuse makes the case's mistakes.
func (k *checker) misuse() {
	for i := range k.c.Misuse {
		m := &k.c.Misuse[i]
		panicked, err := m.attempt()
		switch {
		case panicked != nil:
			k.failf("misuse %d panics: %v, want the error %q", i, panicked, m.Want)
		case err == nil:
			k.failf("misuse %d goes through, want the error %q", i, m.Want)
		default:
			k.explains(i, m, err)
		}
	}
}

// explains compares the text of an error, after its position.
func (k *checker) explains(i int, m *Misuse, err error) {
	text := err.Error()
	if e := (*op.Error)(nil); errors.As(err, &e) {
		if !strings.Contains(e.Pos, ".go:") {
			k.failf("misuse %d: the error %q does not say where", i, text)
		}
		text = strings.TrimPrefix(text, e.Pos+": ")
	}
	if text != m.Want {
		k.failf("misuse %d has the error\n\t%s\nwant\n\t%s", i, text, m.Want)
	}
}

// attempt builds the mistake and, if that succeeds, runs it.
func (m *Misuse) attempt() (panicked any, err error) {
	defer func() { panicked = recover() }()
	c := &Case{In: m.In}
	g := op.NewGraph(nil)
	in := inputNodes(g, m.In, op.Float32)
	var out []*op.Node
	for i, n := range m.Build(in...) {
		if n == nil {
			return nil, fmt.Errorf("output %d is nil", i)
		}
		if n.Err() != nil {
			return nil, n.Err()
		}
		out = append(out, op.Densify(n))
	}
	copied, find := op.Copy(g, op.Training, out...)
	for i, n := range out {
		out[i] = find(n)
	}
	p, err := exec.Compile(copied, out, exec.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	values := c.inputs(sizesFor(c.batches()[0]), 1)
	feeds := op.Feeds{}
	for i, n := range in {
		feeds[n.Name()] = values[i].buffer(n.DType()).Dense()
	}
	return nil, p.Run(context.Background(), feeds, step, func([]op.Buffer) error { return nil })
}

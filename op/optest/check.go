package optest

import (
	"fmt"
	"runtime/debug"

	"paddle/op"
)

// checker holds one case to the rules.
type checker struct {
	c        *Case
	dtype    op.DType
	problems []string
}

// failf adds a problem, once.
func (k *checker) failf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if k.dtype != op.InvalidDType {
		text = k.dtype.String() + ": " + text
	}
	if k.c.Name != "" {
		text = k.c.Name + ": " + text
	}
	for _, p := range k.problems {
		if p == text {
			return
		}
	}
	k.problems = append(k.problems, text)
}

// run applies all rules.
func (k *checker) run() {
	defer func() {
		if r := recover(); r != nil {
			k.failf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if k.c.Build == nil && k.c.Model == nil {
		if len(k.c.Misuse) == 0 || k.c.Want != nil || k.c.WantGrad != nil || k.c.Reference != nil || k.c.Property != nil {
			k.failf("the case has neither a Build nor a Model to check")
		}
		k.misuse()
		return
	}
	var exact *subject
	for _, d := range k.dtypes() {
		k.dtype = d
		s, err := k.newSubject(exact)
		if err != nil {
			k.failf("%v", err)
			return
		}
		k.forward(s)
		k.repeats(s)
		k.probes(s)
		k.serves(s)
		k.optimized(s)
		k.inference(s)
		k.gradient(s, exact)
		k.economy()
		k.twice()
		if exact == nil {
			exact = s
		}
		if len(k.problems) > 0 {
			return
		}
	}
	k.dtype = op.InvalidDType
	k.poison()
	k.misuse()
}

// dtypes returns the types to check in: one, if no input has the type under test.
func (k *checker) dtypes() []op.DType {
	for i := range k.c.In {
		if k.c.In[i].DType == op.InvalidDType {
			return []op.DType{op.Float64, op.Float32}
		}
	}
	if len(k.c.In) == 0 || k.c.Model != nil {
		return []op.DType{op.Float64, op.Float32}
	}
	return []op.DType{op.Float64}
}

// subject is a case compiled in one type, with what its first run gave.
type subject struct {
	*rig
	program *program
	first   *point
	result  *result
	grads   []*op.Node
}

// newSubject builds and runs the case. The parameters begin with the values that they had in the exact subject, if there is one.
func (k *checker) newSubject(exact *subject) (*subject, error) {
	r, err := newRig(k.c, k.dtype)
	if err != nil {
		return nil, err
	}
	s := &subject{rig: r}
	if !k.c.NoGradient && r.trainable() {
		r.feedDouts()
		if s.grads, err = r.gradients(func(int) bool { return true }); err != nil {
			return nil, fmt.Errorf("gradient: %w", err)
		}
	}
	if s.program, err = r.compile(setting{threads: 1}, r.out, s.grads); err != nil {
		return nil, err
	}
	if exact != nil {
		for i, b := range exact.initial {
			if b.DType != op.InvalidDType {
				r.initial[i] = arrayOf(b).buffer(r.initial[i].DType)
			}
		}
	}
	s.first = k.point(r, k.c.batches()[0], 1)
	s.result, err = s.program.run(s.first)
	return s, err
}

// point makes the values of a run.
func (k *checker) point(r *rig, batch int, seed uint64) *point {
	p := &point{sizes: sizesFor(batch)}
	p.in = k.c.inputs(p.sizes, seed)
	for i, y := range r.out {
		p.dout = append(p.dout, Array{})
		if r.dout != nil && r.dout[i] != nil {
			p.dout[i] = random(NewArray(r.shapeIn(p.sizes, y.Shape())...), seed+uint64(i)<<32)
		}
	}
	for i, b := range r.initial {
		a := arrayOf(b)
		if seed > 1 && r.variables[i].Parameter != nil {
			a = a.plus(0.1, random(a, seed))
		}
		p.param = append(p.param, a)
	}
	return p
}

// shapeIn returns the numbers of a shape, which may hold expressions of the symbols.
func (r *rig) shapeIn(s sizes, dims []op.Dim) []int {
	n := r.graph.NewSizes()
	n.Bind(op.Batch, s.batch)
	n.Bind(Length, s.length)
	n.Update()
	out := make([]int, len(dims))
	n.Shape(out, dims)
	return out
}

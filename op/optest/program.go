package optest

import (
	"context"
	"fmt"
	"slices"

	"paddle/internal/exec"
	"paddle/op"
)

// program is a compiled rig.
type program struct {
	r       *rig
	exec    *exec.Program
	outputs int
	grads   []int // which of rig.wrt the fetched values after the outputs are the gradients of
}

// result is what one run gives.
type result struct {
	out   []op.Buffer
	grad  []op.Buffer // nil buffer: zero
	state []op.Buffer // variables after the run
	fed   map[string]op.Buffer
}

// setting is how a program is compiled.
type setting struct {
	threads  int
	mode     op.Mode
	optimize bool
	probe    *checker // looks into each application
}

// compile compiles the rig's graph for outs and grads (by position in rig.wrt; nil ones are left out).
func (r *rig) compile(s setting, outs, grads []*op.Node) (*program, error) {
	p := &program{r: r, outputs: len(outs)}
	roots := slices.Clone(outs)
	for i, n := range grads {
		if n != nil {
			roots, p.grads = append(roots, n), append(p.grads, i)
		}
	}
	g, find := op.Copy(r.graph, s.mode, roots...)
	fetch := make([]*op.Node, len(roots))
	for i, n := range roots {
		if fetch[i] = find(n); fetch[i] == nil {
			return nil, fmt.Errorf("%s has no copy", n.Name())
		}
	}
	if s.optimize {
		fetch = op.Optimize(g, fetch)
	}
	if s.probe != nil {
		s.probe.watch(g)
	}
	var err error
	p.exec, err = exec.Compile(g, fetch, exec.Options{Threads: s.threads})
	if err != nil {
		return nil, err
	}
	r.remember()
	return p, nil
}

// remember keeps the values that the variables were initialised to.
func (r *rig) remember() {
	if r.initial != nil {
		return
	}
	for _, v := range r.variables {
		b, _ := v.Variable.Snapshot()
		r.initial = append(r.initial, b)
	}
}

// restore gives the variables the values of the point, or the first ones.
func (r *rig) restore(at *point) error {
	for i, v := range r.variables {
		b := r.initial[i]
		if b.DType == op.InvalidDType {
			continue
		}
		if at.param != nil {
			b = at.param[i].buffer(b.DType)
		}
		if err := v.Variable.Assign(b); err != nil {
			return fmt.Errorf("variable %s: %w", v.Name, err)
		}
	}
	return nil
}

const step = 7 // of all runs but those that look for another one's numbers

// run runs the program on the values of a point.
func (p *program) run(at *point) (*result, error) { return p.runStep(at, step) }

func (p *program) runStep(at *point, step uint64) (*result, error) {
	if err := p.r.restore(at); err != nil {
		return nil, err
	}
	res := &result{grad: make([]op.Buffer, len(p.r.wrt)), fed: map[string]op.Buffer{}}
	feeds := op.Feeds{}
	feed := func(n *op.Node, a Array) {
		b := a.buffer(n.DType())
		feeds[n.Name()] = b.Dense()
		res.fed[n.Name()] = b
	}
	for i, n := range p.r.in {
		feed(n, at.in[i])
	}
	for i, n := range p.r.dout {
		if n != nil && at.dout != nil {
			feed(n, at.dout[i])
		}
	}
	before := clones(res.fed)
	err := p.exec.Run(context.Background(), feeds, step, func(out []op.Buffer) error {
		for i, b := range out {
			if i < p.outputs {
				res.out = append(res.out, b.Clone())
			} else {
				res.grad[p.grads[i-p.outputs]] = b.Clone()
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, b := range res.fed {
		if at := differs(b, before[name]); at >= 0 {
			return nil, fmt.Errorf("input %s was changed by the run: element %d was %v and is %v",
				name, at, arrayOf(before[name]).Data[at], arrayOf(b).Data[at])
		}
	}
	for _, v := range p.r.variables {
		b, _ := v.Variable.Snapshot()
		res.state = append(res.state, b)
	}
	return res, nil
}

func clones(m map[string]op.Buffer) map[string]op.Buffer {
	out := map[string]op.Buffer{}
	for k, b := range m {
		out[k] = b.Clone()
	}
	return out
}

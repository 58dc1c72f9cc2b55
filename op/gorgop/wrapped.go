package gorgop

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"paddle/op"
)

// wrapped is an op of an expression as an op of ours.
type wrapped struct {
	expression *expression
	step       int
}

// Name implements op.Op.
func (w wrapped) Name() string {
	if w.expression.first == nil {
		return "gorgonia"
	}
	return "gorgonia." + w.expression.steps[w.step].name
}

// Infer implements op.Op. The inputs have to be those that the expression was planned for.
func (w wrapped) Infer(s *op.Shapes) ([]op.Spec, error) {
	e := w.expression
	if e.first == nil {
		return nil, fmt.Errorf("%s has inputs of several graphs", e.label)
	}
	refs := e.first.steps[w.step].in
	if err := s.Arity(len(refs)); err != nil {
		return nil, err
	}
	for i, ref := range refs {
		want := e.spec(s, ref)
		if s.In[i].DType != want.DType {
			return nil, s.WrongType(i, want.DType.String())
		}
		if !op.SameShape(s.In[i].Shape, want.Shape) {
			return nil, s.Wrong(i, "%s", s.String(want.Shape))
		}
	}
	return []op.Spec{e.spec(s, len(e.args)+w.step)}, nil
}

// Traits implements op.Traited: a pass for low precision keeps its inputs as they are, because Gorgonia has no 16-bit types.
func (w wrapped) Traits() op.Traits { return op.Traits{Precision: op.Keep32} }

// at returns the op at the given sizes, and of a gradient the op that it was derived from.
func (w wrapped) at(size func(op.Dim) int) (o, from gorgonia.Op, err error) {
	if o = w.expression.first.steps[w.step].op; w.expression.steps[w.step].steady && !readsForward(o) {
		return o, nil, nil
	}
	inst, err := w.expression.instance(size)
	if err != nil {
		return nil, nil, err
	}
	return inst.steps[w.step].op, inst.from, nil
}

// Run implements op.Op.
func (w wrapped) Run(e *op.Env, in, out []op.Buffer) (err error) {
	if out[0].Len() == 0 {
		return nil
	}
	o, from, err := w.at(e.Size)
	if err != nil {
		return err
	}
	args, shapes := make([]gorgonia.Value, len(in)), make([][]int, len(in))
	for i, b := range in {
		shapes[i] = b.Shape
		if args[i], err = toValue(b); err != nil {
			return err
		}
	}
	if reason := refuse(o, shapes, out[0].Shape); reason != "" {
		return fmt.Errorf("%s is not used: %s", nameOf(o), reason)
	}
	w.expression.turn.Lock()
	defer w.expression.turn.Unlock()
	v, err := w.do(o, from, args)
	if err != nil {
		return fmt.Errorf("%s: %w", w.Name(), err)
	}
	if err = store(v, out[0]); err != nil {
		return fmt.Errorf("%s: %w", w.Name(), err)
	}
	return nil
}

// do runs o, after the op whose state it reads.
func (w wrapped) do(o, from gorgonia.Op, args []gorgonia.Value) (v gorgonia.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if readsForward(o) {
		if _, err := from.Do(args[:from.Arity()]...); err != nil {
			return nil, err
		}
	}
	return o.Do(args...)
}

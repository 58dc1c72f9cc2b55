package op

// Increment has a run add 1 to counter, the node of an Int64 scalar variable, if apply is true.
func Increment(apply, counter *Node) { applyChange(increment{}, apply, counter) }

// Assign has a run set v, the node of a variable, to value, which has its type and shape, if apply is true.
func Assign(apply, v, value *Node) { applyChange(assign{}, apply, v, value) }

// Blend has a run compute v ← keep·v + (1−keep)·value if apply is true: a moving average. v is the node of a Float32 or Float64 variable, and value
// has its type and shape.
func Blend(apply, v, value *Node, keep float64) { applyChange(blend{keep}, apply, v, value) }

// applyChange applies an op that writes the first of its inputs, with the condition apply as the last one.
func applyChange(o Op, apply *Node, in ...*Node) {
	build := func() { Apply(o, append(in, apply)...) }
	if g, _ := commonGraph(in); g != nil {
		g.InPhase(Update, build)
		return
	}
	build()
}

// inferChange checks a variable, a value for it unless alone, and the condition.
func inferChange(s *Shapes, alone bool) error {
	n := 3
	if alone {
		n = 2
	}
	if err := s.Arity(n); err != nil {
		return err
	}
	if err := s.written(0); err != nil {
		return err
	}
	if !alone {
		if err := s.like(1, s.In[0].Shape); err != nil {
			return err
		}
	}
	return s.scalar(n-1, Bool)
}

type increment struct{}

func (increment) Name() string { return "increment" }

func (increment) Infer(s *Shapes) ([]Spec, error) {
	if err := inferChange(s, true); err != nil {
		return nil, err
	}
	return nil, s.scalar(0, Int64)
}

func (increment) Run(e *Env, in, _ []Buffer) error {
	if in[1].Scalar() != 0 {
		e.Unary(UnaryAddConst, 1, 0, in[0], in[0])
	}
	return nil
}

func (increment) Traits() Traits { return writes(1) }

type assign struct{}

func (assign) Name() string { return "assign" }

func (assign) Infer(s *Shapes) ([]Spec, error) { return nil, inferChange(s, false) }

func (assign) Run(e *Env, in, _ []Buffer) error {
	if in[2].Scalar() != 0 {
		m := packed(in[0].Shape)
		m.From = m.To
		e.Copy(m, in[1], in[0])
	}
	return nil
}

func (assign) Traits() Traits { return writes(1) }

type blend struct{ Keep float64 }

func (blend) Name() string { return "blend" }

func (blend) Infer(s *Shapes) ([]Spec, error) {
	if err := inferChange(s, false); err != nil {
		return nil, err
	}
	if d := s.In[0].DType; d != Float32 && d != Float64 {
		return nil, s.WrongType(0, "float32 or float64")
	}
	return nil, nil
}

// Run takes the second half of the sum as a step of gradient descent with the rate −(1−keep), which needs no memory.
func (o blend) Run(e *Env, in, _ []Buffer) error {
	if in[2].Scalar() != 0 {
		e.Unary(UnaryMulConst, o.Keep, 0, in[0], in[0])
		e.UpdateSGD(in[0], Buffer{}, in[1], o.Keep-1)
	}
	return nil
}

func (blend) Traits() Traits { return writes(1) }

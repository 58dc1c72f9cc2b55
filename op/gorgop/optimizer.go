package gorgop

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"paddle/op"
)

// Optimizer is a paddle.Optimizer that has a solver of Gorgonia change the parameters: VanillaSolver, Momentum, RMSPropSolver, AdamSolver,
// AdaGradSolver, BarzilaiBorweinSolver, or the user's own. In every step the solver gets a [gorgonia.ValueGrad] for each parameter:
// the value is the parameter's own memory, the gradient a copy that the solver may overwrite. It is a [gorgonia.Namer] too. Passes
// of a trainer act before: a step that they find unusable never reaches the solver.
//
// A solver keeps its learning rate and its moments to itself: they are not saved with the trainer's state, Step.LearningRate is 0, and each
// trainer needs a solver of its own. After an error of the solver some parameters may have changed.
//
// NewTrainer refuses what Gorgonia 0.9.18 computes wrongly: AdamW, whose result goes to new memory that nobody sees; Momentum with WithL1Reg or
// WithL2Reg, which decay the velocity in place of the parameters (use paddle.L2); Momentum and AdaGradSolver on scalar parameters, whose
// velocity and sums they forget; BarzilaiBorweinSolver on scalars and on Float32, which it cannot read.
type Optimizer struct {
	Solver gorgonia.Solver
}

// Rate implements paddle.Optimizer; the solver has a rate of its own.
func (Optimizer) Rate(int64) float64 { return 0 }

// Build implements paddle.Optimizer: it adds one update of all parameters.
func (o Optimizer) Build(t *op.TrainingGraph, _, _ *op.Node) error {
	if o.Solver == nil {
		return fmt.Errorf("gorgop.Optimizer: the solver is nil")
	}
	s := solverStep{solver: o.Solver}
	var values, gradients []*op.Node
	for _, p := range t.Gradients {
		if reason := refuseSolver(o.Solver, p.Node); reason != "" {
			return fmt.Errorf("gorgop.Optimizer: %T is not used on %s: %s", o.Solver, p.Name, reason)
		}
		s.Names = append(s.Names, p.Name)
		values, gradients = append(values, p.Node), append(gradients, p.Gradient)
	}
	op.Apply(s, append(append(values, gradients...), t.Apply)...)
	return nil
}

// refuseSolver returns why a solver must not update a parameter, "" if it may.
func refuseSolver(s gorgonia.Solver, p *op.Node) string {
	if d := p.DType(); d != op.Float32 && d != op.Float64 {
		return fmt.Sprintf("it has type %v, want float32 or float64", d)
	}
	switch s.(type) {
	case *gorgonia.AdamW:
		return "it writes the new value to memory of its own (use paddle.AdamW)"
	case *gorgonia.Momentum:
		if flag(s, "useL1Reg") || flag(s, "useL2Reg") {
			return "its regularisation acts on the velocity (use paddle.L2)"
		}
		if p.Rank() == 0 {
			return "it forgets the velocity of scalars (use paddle.Momentum)"
		}
	case *gorgonia.AdaGradSolver:
		if p.Rank() == 0 {
			return "it forgets the sums of scalars (use paddle.AdaGrad)"
		}
	case *gorgonia.BarzilaiBorweinSolver:
		if p.Rank() == 0 || p.DType() != op.Float64 {
			return fmt.Sprintf("it is for float64 tensors only, not for %v %s", p.DType(), p.ShapeString())
		}
	}
	return ""
}

// solverStep is one step of a solver. Its inputs are the parameters, their gradients, and the condition under which the step takes place.
type solverStep struct {
	Names  []string
	solver gorgonia.Solver
}

// Name implements op.Op.
func (solverStep) Name() string { return "gorgonia.solver" }

// Infer implements op.Op.
func (s solverStep) Infer(sh *op.Shapes) ([]op.Spec, error) {
	n := len(s.Names)
	if err := sh.Arity(2*n + 1); err != nil {
		return nil, err
	}
	for i := range n {
		if p := sh.In[i]; sh.In[n+i].DType != p.DType || !op.SameShape(sh.In[n+i].Shape, p.Shape) {
			return nil, sh.Wrong(n+i, "%v %s, as %s", p.DType, sh.String(p.Shape), s.Names[i])
		}
	}
	return nil, nil
}

// Traits implements op.Traited.
func (s solverStep) Traits() op.Traits {
	var t op.Traits
	for i := range s.Names {
		t.Writes = append(t.Writes, i)
	}
	return t
}

// Run implements op.Op.
func (s solverStep) Run(_ *op.Env, in, _ []op.Buffer) (err error) {
	n := len(s.Names)
	if in[2*n].Scalar() == 0 {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%T: panic: %v", s.solver, r)
		}
	}()
	var model []gorgonia.ValueGrad
	for i, name := range s.Names {
		if in[i].Len() > 0 {
			model = append(model, valueGrad{name, inPlace(in[i]), inPlace(in[n+i].Clone())})
		}
	}
	return s.solver.Step(model)
}

// valueGrad is a parameter as a solver sees it.
type valueGrad struct {
	name        string
	value, grad gorgonia.Value
}

// Name implements gorgonia.Namer.
func (v valueGrad) Name() string { return v.name }

// Value implements gorgonia.Valuer.
func (v valueGrad) Value() gorgonia.Value { return v.value }

// Grad implements gorgonia.ValueGrad.
func (v valueGrad) Grad() (gorgonia.Value, error) { return v.grad, nil }

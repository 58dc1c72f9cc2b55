package paddle

import (
	"fmt"
	"math"

	"paddle/op"
)

// Optimizer turns gradients into updates of the parameters. The structs of this package implement it: each field's zero value is its
// documented default. An optimizer of the user's own builds its updates from the update ops of package op, or from ops of its own.
type Optimizer interface {
	// Rate returns the learning rate of the next update after n updates have taken place.
	Rate(n int64) float64
	// Build adds the updates of t.Gradients to t.Graph, each under the condition t.Apply, with their state from t.Variable. rate
	// (Float64) and updates (Int64) are the scalars of the learning rate and of the updates so far. It returns an error for settings
	// that cannot work.
	Build(t *op.TrainingGraph, rate, updates *op.Node) error
}

// SGD is stochastic gradient descent: w ← w − lr·g (Robbins and Monro, 1951).
type SGD struct {
	LearningRate float64
	Schedule     Schedule // nil: constant
}

// Rate implements Optimizer.
func (o SGD) Rate(n int64) float64 { return scheduled(o.Schedule, o.LearningRate, n) }

// Build implements Optimizer.
func (o SGD) Build(t *op.TrainingGraph, rate, _ *op.Node) error {
	if err := checkRate(o.LearningRate, o.Schedule); err != nil {
		return err
	}
	for _, p := range t.Gradients {
		op.UpdateSGD(t.Apply, p.Node, p.Gradient, rate)
	}
	return nil
}

// Momentum is gradient descent with momentum: v ← μ·v + g, w ← w − lr·v (Polyak, 1964), or with Nesterov w ← w − lr·(g + μ·v) (Sutskever et al.,
// 2013). The velocity keeps raw gradients, so a change of the learning rate acts at once.
type Momentum struct {
	LearningRate float64
	Momentum     *float64 // μ; nil: 0.9
	Nesterov     bool
	Schedule     Schedule // nil: constant
}

func (o Momentum) check() error {
	if mu := value(o.Momentum, 0.9); !(mu >= 0 && mu < 1) {
		return fmt.Errorf("momentum %v, want 0 ≤ momentum < 1", mu)
	}
	return checkRate(o.LearningRate, o.Schedule)
}

// Rate implements Optimizer.
func (o Momentum) Rate(n int64) float64 { return scheduled(o.Schedule, o.LearningRate, n) }

// Build implements Optimizer.
func (o Momentum) Build(t *op.TrainingGraph, rate, _ *op.Node) error {
	if err := o.check(); err != nil {
		return err
	}
	for _, p := range t.Gradients {
		v := moment(t, "velocity", p)
		op.UpdateMomentum(t.Apply, p.Node, p.Gradient, v, rate, op.Momentum{Momentum: value(o.Momentum, 0.9), Nesterov: o.Nesterov})
	}
	return nil
}

// Adam keeps running means of the gradient and of its square: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g²,
// w ← w − lr · m̂/(√v̂ + ε) with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ) (Kingma and Ba, 2015, algorithm 1). A sparse gradient advances the moments of
// its rows only.
type Adam struct {
	LearningRate float64
	Beta1        *float64 // nil: 0.9
	Beta2        *float64 // nil: 0.999
	Epsilon      *float64 // nil: 1e-8
	Schedule     Schedule // nil: constant
}

func (o Adam) check() error {
	return checkAdam(o.LearningRate, o.Schedule, value(o.Beta1, 0.9), value(o.Beta2, 0.999), value(o.Epsilon, 1e-8))
}

// Rate implements Optimizer.
func (o Adam) Rate(n int64) float64 { return scheduled(o.Schedule, o.LearningRate, n) }

// Build implements Optimizer.
func (o Adam) Build(t *op.TrainingGraph, rate, updates *op.Node) error {
	if err := o.check(); err != nil {
		return err
	}
	spec := op.Adam{Beta1: value(o.Beta1, 0.9), Beta2: value(o.Beta2, 0.999), Epsilon: value(o.Epsilon, 1e-8)}
	for _, p := range t.Gradients {
		op.UpdateAdam(t.Apply, p.Node, p.Gradient, moment(t, "m", p), moment(t, "v", p), rate, updates, spec)
	}
	return nil
}

// AdamW is Adam with decoupled weight decay: besides Adam's step, w ← w − lr·decay·w (Loshchilov and Hutter, 2019, algorithm 2).
type AdamW struct {
	LearningRate float64
	Decay        float64
	Beta1        *float64               // nil: 0.9
	Beta2        *float64               // nil: 0.999
	Epsilon      *float64               // nil: 1e-8
	Exclude      func(name string) bool // parameters without decay, such as biases; nil: none
	Schedule     Schedule               // nil: constant
}

func (o AdamW) check() error {
	if !(o.Decay >= 0) {
		return fmt.Errorf("decay %v, want 0 or more", o.Decay)
	}
	return checkAdam(o.LearningRate, o.Schedule, value(o.Beta1, 0.9), value(o.Beta2, 0.999), value(o.Epsilon, 1e-8))
}

// Rate implements Optimizer.
func (o AdamW) Rate(n int64) float64 { return scheduled(o.Schedule, o.LearningRate, n) }

// Build implements Optimizer.
func (o AdamW) Build(t *op.TrainingGraph, rate, updates *op.Node) error {
	if err := o.check(); err != nil {
		return err
	}
	for _, p := range t.Gradients {
		spec := op.Adam{Beta1: value(o.Beta1, 0.9), Beta2: value(o.Beta2, 0.999), Epsilon: value(o.Epsilon, 1e-8), Decay: o.Decay}
		if o.Exclude != nil && o.Exclude(p.Name) {
			spec.Decay = 0
		}
		op.UpdateAdam(t.Apply, p.Node, p.Gradient, moment(t, "m", p), moment(t, "v", p), rate, updates, spec)
	}
	return nil
}

// AdaGrad divides by the root of the sum of all squared gradients: a ← a + g², w ← w − lr·g/(√a + ε) (Duchi, Hazan and Singer, 2011).
type AdaGrad struct {
	LearningRate float64
	Epsilon      *float64 // nil: 1e-10
	Schedule     Schedule // nil: constant
}

func (o AdaGrad) check() error {
	if e := value(o.Epsilon, 1e-10); !(e >= 0) {
		return fmt.Errorf("epsilon %v, want 0 or more", e)
	}
	return checkRate(o.LearningRate, o.Schedule)
}

// Rate implements Optimizer.
func (o AdaGrad) Rate(n int64) float64 { return scheduled(o.Schedule, o.LearningRate, n) }

// Build implements Optimizer.
func (o AdaGrad) Build(t *op.TrainingGraph, rate, _ *op.Node) error {
	if err := o.check(); err != nil {
		return err
	}
	for _, p := range t.Gradients {
		op.UpdateAdaGrad(t.Apply, p.Node, p.Gradient, moment(t, "squares", p), rate, value(o.Epsilon, 1e-10))
	}
	return nil
}

// moment makes a state variable of the parameter's type and shape, zero at first, named after both.
func moment(t *op.TrainingGraph, kind string, p op.ParameterGradient) *op.Node {
	return t.Variable(kind+"."+p.Name, p.Parameter.DType(), nil, p.Parameter.LocalShape()...)
}

func value(p *float64, otherwise float64) float64 {
	if p == nil {
		return otherwise
	}
	return *p
}

func checkRate(rate float64, s Schedule) error {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return fmt.Errorf("learning rate %v, want more than 0", rate)
	}
	return checkSchedule(s)
}

func checkAdam(rate float64, s Schedule, beta1, beta2, epsilon float64) error {
	switch {
	case !(beta1 >= 0 && beta1 < 1):
		return fmt.Errorf("beta1 %v, want 0 ≤ beta1 < 1", beta1)
	case !(beta2 >= 0 && beta2 < 1):
		return fmt.Errorf("beta2 %v, want 0 ≤ beta2 < 1", beta2)
	case !(epsilon >= 0):
		return fmt.Errorf("epsilon %v, want 0 or more", epsilon)
	}
	return checkRate(rate, s)
}

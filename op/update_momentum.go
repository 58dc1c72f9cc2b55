package op

// Momentum holds the attributes of UpdateMomentum.
type Momentum struct {
	Momentum float64 // μ, the fraction of the velocity that is kept
	Nesterov bool    // looks ahead: w ← w − lr·(grad + μ·v)
}

// UpdateMomentum has a training step compute
//
//	v ← μ·v + grad
//	w ← w − lr·v
//
// if apply is true (Polyak, 1964; with Nesterov, Sutskever et al., 2013). The velocity v keeps raw gradients: the learning rate takes part when
// w is changed. v is the node of a variable like w; the rest is as in UpdateSGD. Of a sparse gradient only the rows named move, in
// v as in w.
func UpdateMomentum(apply, w, grad, v, lr *Node, m Momentum) {
	applyUpdate(func(sparse bool) Op { return updateMomentum{sparse, m} }, apply, []*Node{w, v}, grad, lr)
}

type updateMomentum struct {
	Sparse   bool
	Momentum Momentum
}

func (updateMomentum) Name() string { return "update_momentum" }

func (o updateMomentum) Infer(s *Shapes) ([]Spec, error) {
	return nil, inferUpdate(s, 2, o.Sparse, Float64)
}

func (o updateMomentum) Run(e *Env, in, _ []Buffer) error {
	if c, ok := changesOf(in, 2, o.Sparse); ok {
		m := MomentumSpec{LearningRate: c.scalars[0].Scalar(), Momentum: o.Momentum.Momentum, Nesterov: o.Momentum.Nesterov}
		e.UpdateMomentum(in[0], c.ids, c.gradient, in[1], m)
	}
	return nil
}

func (updateMomentum) Traits() Traits { return writes(2) }

package op

// UpdateAdaGrad has a training step compute
//
//	a ← a + grad²
//	w ← w − lr·grad/(√a + ε)
//
// if apply is true (Duchi, Hazan and Singer, 2011). The sum a is the node of a variable like w; the rest is as in UpdateSGD.
func UpdateAdaGrad(apply, w, grad, a, lr *Node, epsilon float64) {
	applyUpdate(func(sparse bool) Op { return updateAdaGrad{sparse, epsilon} }, apply, []*Node{w, a}, grad, lr)
}

type updateAdaGrad struct {
	Sparse  bool
	Epsilon float64
}

func (updateAdaGrad) Name() string { return "update_adagrad" }

func (o updateAdaGrad) Infer(s *Shapes) ([]Spec, error) {
	return nil, inferUpdate(s, 2, o.Sparse, Float64)
}

func (o updateAdaGrad) Run(e *Env, in, _ []Buffer) error {
	if c, ok := changesOf(in, 2, o.Sparse); ok {
		e.UpdateAdaGrad(in[0], c.ids, c.gradient, in[1], c.scalars[0].Scalar(), o.Epsilon)
	}
	return nil
}

func (updateAdaGrad) Traits() Traits { return writes(2) }

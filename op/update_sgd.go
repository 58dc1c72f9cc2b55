package op

// UpdateSGD has a training step compute w ← w − lr·grad if apply is true (Robbins and Monro, 1951). w is the node of a Float32 or Float64
// variable, grad has its shape or is sparse: then the rows it names change, each once, after equal ids have been summed. lr is
// a Float64 scalar, apply a Bool scalar (Graph.ApplyFlag). All updates of a step run after everything that reads the old values.
func UpdateSGD(apply, w, grad, lr *Node) {
	applyUpdate(func(sparse bool) Op { return updateSGD{sparse} }, apply, []*Node{w}, grad, lr)
}

type updateSGD struct{ Sparse bool }

func (updateSGD) Name() string { return "update_sgd" }

func (o updateSGD) Infer(s *Shapes) ([]Spec, error) { return nil, inferUpdate(s, 1, o.Sparse, Float64) }

func (o updateSGD) Run(e *Env, in, _ []Buffer) error {
	if c, ok := changesOf(in, 1, o.Sparse); ok {
		e.UpdateSGD(in[0], c.ids, c.gradient, c.scalars[0].Scalar())
	}
	return nil
}

func (updateSGD) Traits() Traits { return writes(1) }

package op

// Adam holds the attributes of UpdateAdam.
type Adam struct {
	Beta1, Beta2 float64 // fractions of the moments that are kept
	Epsilon      float64 // added to the root
	Decay        float64 // decoupled weight decay, multiplied by the learning rate (Loshchilov and Hutter, 2019)
}

// UpdateAdam has a training step compute
//
//	m ← β₁·m + (1−β₁)·grad
//	v ← β₂·v + (1−β₂)·grad²
//	w ← w − lr·( m/(1−β₁ᵗ) / (√(v/(1−β₂ᵗ)) + ε) + decay·w )
//
// if apply is true (Kingma and Ba, 2015, algorithm 1), with t = step + 1. The moments m and v are nodes of variables like w; step is an Int64
// scalar, the number of updates before this one: the node of a counter that Increment moves on after all updates have read it. The
// rest is as in UpdateSGD. Of a sparse gradient only the rows named change, their decay included.
func UpdateAdam(apply, w, grad, m, v, lr, step *Node, a Adam) {
	applyUpdate(func(sparse bool) Op { return updateAdam{sparse, a} }, apply, []*Node{w, m, v}, grad, lr, step)
}

type updateAdam struct {
	Sparse bool
	Adam   Adam
}

func (updateAdam) Name() string { return "update_adam" }

func (o updateAdam) Infer(s *Shapes) ([]Spec, error) {
	return nil, inferUpdate(s, 3, o.Sparse, Float64, Int64)
}

func (o updateAdam) Run(e *Env, in, _ []Buffer) error {
	if c, ok := changesOf(in, 3, o.Sparse); ok {
		e.UpdateAdam(in[0], c.ids, c.gradient, in[1], in[2], AdamSpec{
			LearningRate: c.scalars[0].Scalar(), Step: int64(c.scalars[1].Scalar()) + 1,
			Beta1: o.Adam.Beta1, Beta2: o.Adam.Beta2, Epsilon: o.Adam.Epsilon, Decay: o.Adam.Decay,
		})
	}
	return nil
}

func (updateAdam) Traits() Traits { return writes(3) }

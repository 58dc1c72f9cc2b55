package op

// batchNormGrad computes the gradients of a batch norm for x, γ and β from x, the moments of the batch, γ, β and dy. That for x includes the way
// in which the moments depend on x: with x̂ the normalised x and n values per channel,
//
//	dx = γ/√(variance + ε) · (dy − Σdy/n − x̂·Σ(dy·x̂)/n),  dγ = Σ dy·x̂,  dβ = Σ dy
//
// With an activation dy is multiplied by its derivative first, at the normalised values, which are computed again.
type batchNormGrad batchNorm

func (batchNormGrad) Name() string { return "batch_norm_grad" }

func (batchNormGrad) Infer(s *Shapes) ([]Spec, error) {
	return []Spec{s.In[0], s.In[3], s.In[3]}, s.Arity(6)
}

func (o batchNormGrad) Run(e *Env, in, out []Buffer) error {
	n := NormSpec{channels(in[0].Shape), o.Epsilon, o.Act}
	e.NormalizeGrad(n, in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1], out[2])
	return nil
}

// Inference is the gradient where mean and variance are constants, the running statistics.
func (o batchNormGrad) Inference(_ *Call, in []*Node) []*Node {
	x, mean, variance, weight, dy := in[0], in[1], in[2], in[3], in[5]
	spread := []Dim{x.shape[1]}
	axes := []int{0}
	for i := 2; i < x.Rank(); i++ {
		spread, axes = append(spread, 1), append(axes, i)
	}
	scale := Rsqrt(AddConst(variance, o.Epsilon))
	normal := Mul(Sub(x, Reshape(mean, spread...)), Reshape(scale, spread...))
	return []*Node{Mul(dy, Reshape(Mul(weight, scale), spread...)), Sum(Mul(dy, normal), axes...), Sum(dy, axes...)}
}

func (batchNormGrad) Traits() Traits {
	return Traits{InPlace: []Pair{{5, 0}}, OptionalOutputs: true, Precision: Keep32}
}

func (batchNormGrad) FLOPs(in, _ [][]int) int64 { return 11 * elements(in[0]) }

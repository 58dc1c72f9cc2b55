package op

// LayerNormBackend is the part of Backend that normalises rows.
type LayerNormBackend interface {
	// LayerNorm computes y = weight·(x − mean)/√(variance + ε) + bias with the mean and the n-divided variance of each row of the last
	// axis of x, which it also gives. mean and variance may each be nil; y may be x.
	LayerNorm(epsilon float64, x, weight, bias, y, mean, variance Buffer)
	// LayerNormGrad computes the gradients of LayerNorm. dx, dweight and dbias may each be nil; dx may be dy.
	LayerNormGrad(epsilon float64, x, mean, variance, weight, dy, dx, dweight, dbias Buffer)
}

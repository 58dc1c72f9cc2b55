package op

// BatchNormBackend is the part of Backend that normalises channels. gamma and beta may each be nil in all of it, for 1 and 0.
type BatchNormBackend interface {
	// BatchNorm computes the mean and the n-divided variance of each channel of x, and Normalize by them; of no elements they are 0. y may
	// be x.
	BatchNorm(n NormSpec, x, gamma, beta, mean, variance, y Buffer)
	// Normalize computes y = act((x − mean)/√(variance + ε) · gamma + beta) for each channel; y may be x.
	Normalize(n NormSpec, x, mean, variance, gamma, beta, y Buffer)
	// NormalizeGrad computes the gradients of BatchNorm from its mean and variance. dx, dgamma and dbeta may each be nil. dx may be dy.
	NormalizeGrad(n NormSpec, x, mean, variance, gamma, beta, dy, dx, dgamma, dbeta Buffer)
}

// NormSpec holds the sizes of a normalisation and its attributes.
type NormSpec struct {
	ChannelSpec
	Epsilon float64
	Act     NormAct
}

// NormAct is an activation that the kernels of a normalisation apply to its result while it is at hand. The zero value is none.
type NormAct struct {
	Kind      NormActKind
	Low, High float64 // of NormClip
}

// NormActKind says what an activation is.
type NormActKind uint8

// The activations of normalisations. Each gives the same bits as the UnaryFunc of its name.
const (
	NormPlain NormActKind = iota // none
	NormReLU
	NormClip // with an upper bound that is not 0
)
